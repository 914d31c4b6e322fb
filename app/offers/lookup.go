package offers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Request is what to look up.
type Request struct {
	Tenant      tenant.Settings
	Environment tenant.Environment
	Market      string   // id or code; "": no market, prices in the tenant's currency
	Variants    []string // ids; duplicates and unknown ones are allowed
	Codes       []string // any spelling; candidates are returned in this order, each code once
	Locale      string   // language of the titles; "": the shop's default one
	Customer    string   // for per-customer limits: customer id, or folded email of a guest; "": unknown
	Shipping    bool     // also look up shipping policies
	Policy      string   // id of a shipping policy to use instead of the default one; ""
	// Currency replaces the tenant's; "": the tenant's. Without a market nothing has a price in another
	// currency.
	Currency money.Currency
	// Explain adds the inputs of price resolution.
	Explain bool
	// Uses counts placed and reserved uses of codes; nil outside a transaction, where only placed ones count.
	Uses ports.DiscountUses
}

// Facts is the result of a lookup.
type Facts struct {
	Market   *catalog.Market // nil: none requested
	Currency money.Currency  // the market's, else the tenant's
	Rounding money.Rounding
	Home     string                   // the tenant's country; "": unknown
	Offers   map[string]pricing.Offer // by variant id; unknown variants are absent
	Codes    []discount.RequestedCode // in the order requested
	Policy   *shipping.Policy         // the requested one, else the tenant's default; nil: none, or not requested
	// KnownTaxes is what the market's tax service was asked before the transaction; whoever looks up adds it.
	KnownTaxes tax.Known
}

// MarketID is the id of the market, "" for none.
func (f Facts) MarketID() string {
	if f.Market == nil {
		return ""
	}
	return f.Market.ID
}

// Taxes are the rules of the market, with what its tax service was asked; nil where no taxes are computed.
func (f Facts) Taxes() *tax.Rules {
	if f.Market == nil {
		return nil
	}
	return f.Market.Taxes.WithKnown(f.KnownTaxes)
}

// WithoutShipping is f for pricing variants before their shipping is known: if any of them ships, taxes are only estimated.
func (f Facts) WithoutShipping(variants []string) Facts {
	ships := slices.ContainsFunc(variants, func(id string) bool { return f.Offers[id].RequiresShipping })
	if f.Market == nil || !ships {
		return f
	}
	m := *f.Market
	m.Taxes, f.Market = m.Taxes.Estimated(), &m
	return f
}

// TaxBuyer is what a tax service is told of a customer; zero where none is asked, and for "".
func (f Facts) TaxBuyer(ctx context.Context, r ports.Reader, customer string) (tax.Buyer, error) {
	if rules := f.Taxes(); rules == nil || !rules.Outside || customer == "" {
		return tax.Buyer{}, nil
	}
	x, err := r.Get(ctx, identity.Customers, customer)
	if errors.Is(err, ports.ErrNotFound) {
		err = nil
	}
	return tax.Buyer{Customer: customer, TaxID: x.Text("taxId")}, err
}

// TaxExempt reports whether a customer pays no taxes where f computes any; "" and who is not known pays them.
func (f Facts) TaxExempt(ctx context.Context, r ports.Reader, customer string) (bool, error) {
	if f.Taxes() == nil || customer == "" {
		return false, nil
	}
	x, err := r.Get(ctx, identity.Customers, customer)
	if errors.Is(err, ports.ErrNotFound) {
		return false, nil
	}
	return x.Bool("taxExempt"), err
}

// Lookup looks up q. An unknown or inactive market is an error; anything else that is missing is a fact.
// Errors: catalog.ErrMarketNotFound.
func Lookup(ctx context.Context, r ports.Reader, q Request) (Facts, error) {
	f := Facts{
		Currency: cmp.Or(q.Currency, q.Tenant.Currency), Rounding: q.Tenant.Rounding, Home: q.Tenant.Country, Offers: map[string]pricing.Offer{},
	}
	if q.Market != "" {
		m, err := Market(ctx, r, q.Market)
		if err != nil {
			return Facts{}, err
		}
		f.Market, f.Currency = &m, m.Currency
		if m.Taxes != nil {
			if m.Taxes.Rates, err = rates(ctx, r); err != nil {
				return Facts{}, err
			}
		}
	}
	if err := f.offers(ctx, r, q); err != nil {
		return Facts{}, err
	}
	return f, f.codes(ctx, r, q)
}

// Market returns an active market by id or code, whose taxes are without their rates: only Lookup reads those. Errors: catalog.ErrMarketNotFound.
func Market(ctx context.Context, r ports.Reader, ref string) (catalog.Market, error) {
	s := catalog.Markets
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		Where: collection.Or{s.Where("id", collection.Equals, ref), s.Where("code", collection.Equals, ref)},
	})
	if err != nil {
		return catalog.Market{}, err
	}
	return catalog.PickMarket(page.Docs, ref)
}

// rates are the tax rates of the shop that are active: some tax.MaxRates at most.
func rates(ctx context.Context, r ports.Reader) (list []tax.Rate, err error) {
	s := tax.Schema
	for page := 1; ; page++ {
		found, err := r.Find(ctx, collection.Query{
			Schema: s, Where: s.Where("active", collection.Equals, true), Sort: s.SortBy("createdAt"), Limit: collection.MaxLimit, Page: page,
			SkipCount: true,
		})
		if err != nil {
			return nil, err
		}
		for _, row := range found.Docs {
			list = append(list, tax.RateFrom(row))
		}
		if len(found.Docs) < collection.MaxLimit {
			return list, nil
		}
	}
}

func (f *Facts) offers(ctx context.Context, r ports.Reader, q Request) error {
	variants, err := find(ctx, r, catalog.Variants, "id", unique(q.Variants), string(q.Environment))
	if err != nil {
		return err
	}
	products, err := r.GetMany(ctx, catalog.Products, distinctTexts(variants, "product"), nil)
	if err != nil {
		return err
	}
	fixed, err := f.fixedPrices(ctx, r, variants)
	if err != nil {
		return err
	}
	policies, err := f.policies(ctx, r, q, products)
	if err != nil {
		return err
	}
	in := tenant.Content{Locale: q.Locale}
	options, err := optionsOf(ctx, r, in, products)
	if err != nil {
		return err
	}
	for _, v := range variants {
		p := products[v.Text("product")]
		if p == nil {
			continue
		}
		o := f.offer(catalog.Products.Localized(p, in), catalog.VariantIn(v, options[p.ID()], in), fixed[v.ID()])
		if q.Explain && o.Sellable {
			facts, _ := f.priceFacts(p, v, fixed[v.ID()])
			o.PriceFacts = &facts
		}
		o.Policy = policies[p.Text("shippingPolicy")]
		f.Offers[v.ID()] = o
	}
	return nil
}

// optionsOf are the options of products, by product: what titles of variants are made of in another language than the default one.
func optionsOf(
	ctx context.Context, r ports.Reader, in tenant.Content, products map[string]collection.Record,
) (map[string][]collection.Record, error) {
	if in.IsDefault() || len(products) == 0 {
		return nil, nil
	}
	page, err := r.Find(ctx, collection.Query{
		Schema: catalog.Options, Where: collection.FieldIn(catalog.Options, "product", distinctTexts(recordsIn(products), "id")),
		Limit: maxValuesPerQuery, Page: 1, SkipCount: true,
	})
	all := map[string][]collection.Record{}
	for _, o := range page.Docs {
		all[o.Text("product")] = append(all[o.Text("product")], o)
	}
	return all, err
}

// offer combines the facts of one variant. One without a price is returned but cannot be sold.
func (f *Facts) offer(p, v collection.Record, fixed *catalog.Price) pricing.Offer {
	o := pricing.Offer{
		Product: p.ID(), Variant: v.ID(), Title: p.Text("name"), VariantTitle: v.Text("title"),
		SKU: v.Text("sku"), Image: catalog.ImageOf(p, v), Categories: catalog.CategoriesOf(p),
		Kind: catalog.KindOf(v), RequiresShipping: catalog.RequiresShipping(v), TaxClass: tax.ClassOf(p.Text("taxClass")),
		UnitPrice: money.Of(0, f.Currency), OnSale: catalog.Sellable(p),
		Stock: inventory.Level{OnHand: v.Int("stock"), Reserved: v.Int("reserved"), Tracked: catalog.Tracked(v)},
	}
	price, err := f.Price(p, v, fixed)
	if err != nil || price.Amount.Currency != f.Currency {
		return o
	}
	o.UnitPrice, o.CompareAt = price.Amount, price.CompareAt
	o.Sellable = o.OnSale
	return o
}

// Price resolves the price of variant v of product p under f. Errors: catalog.ErrVariantUnavailable,
// money.ErrOutOfRange.
func (f *Facts) Price(p, v collection.Record, fixed *catalog.Price) (catalog.ResolvedPrice, error) {
	facts, ok := f.priceFacts(p, v, fixed)
	if !ok {
		return catalog.ResolvedPrice{}, catalog.ErrVariantUnavailable
	}
	return catalog.ResolvePrice(facts)
}

// priceFacts are the inputs of a price; ok is false if there is none.
func (f *Facts) priceFacts(p, v collection.Record, fixed *catalog.Price) (_ catalog.PriceFacts, ok bool) {
	base, ok := catalog.BasePrice(p, v)
	percent, _ := p.Decimal("discount")
	return catalog.PriceFacts{Base: base, Discount: percent, Market: f.Market, Fixed: fixed, Rounding: f.Rounding}, ok || fixed != nil
}

// fixedPrices are the market's fixed prices, by variant.
func (f *Facts) fixedPrices(ctx context.Context, r ports.Reader, variants []collection.Record) (map[string]*catalog.Price, error) {
	if f.Market == nil || len(variants) == 0 {
		return nil, nil
	}
	return FixedPrices(ctx, r, f.Market.ID, distinctTexts(variants, "id"))
}

// FixedPrices reads the fixed prices of variants in a market, by variant id.
func FixedPrices(ctx context.Context, r ports.Reader, market string, variants []string) (map[string]*catalog.Price, error) {
	s := catalog.MarketPrices
	rows, err := find(ctx, r, s, "variant", variants, "", s.Where("market", collection.Equals, market))
	if err != nil {
		return nil, err
	}
	out := map[string]*catalog.Price{}
	for _, row := range rows {
		var p catalog.Price
		p.Amount, _ = row.Money("amount")
		p.CompareAt, _ = row.Money("compareAtAmount")
		out[row.Text("variant")] = &p
	}
	return out, nil
}

// policies are the products' own policies, by id; the default policy is set on the way.
func (f *Facts) policies(
	ctx context.Context, r ports.Reader, q Request, products map[string]collection.Record,
) (map[string]*shipping.Policy, error) {
	if !q.Shipping {
		return nil, nil
	}
	s := shipping.Schema
	wanted := collection.Or{s.Where("isDefault", collection.Equals, true)}
	if own := unique(append(distinctTexts(recordsIn(products), "shippingPolicy"), q.Policy)); len(own) > 0 {
		wanted = append(wanted, s.Where("id", collection.In, toAny(own)...))
	}
	oldest := s.SortBy("createdAt")
	page, err := r.Find(ctx, collection.Query{Schema: s, Where: wanted, Sort: oldest, Limit: collection.MaxLimit, Page: 1, SkipCount: true})
	if err != nil {
		return nil, err
	}
	out := map[string]*shipping.Policy{}
	for _, row := range page.Docs {
		p := shipping.FromRecord(row)
		out[p.ID] = p
		if row.Bool("isDefault") && (f.Policy == nil || f.Policy.Currency != f.Currency && p.Currency == f.Currency) {
			f.Policy = p
		}
	}
	delete(out, "")
	if q.Policy != "" {
		f.Policy = out[q.Policy]
	}
	return out, nil
}

func (f *Facts) codes(ctx context.Context, r ports.Reader, q Request) error {
	codes := discount.NormalizeCodes(q.Codes)
	rows, err := find(ctx, r, discount.Schema, "code", codes, string(q.Environment))
	if err != nil {
		return err
	}
	placed := map[string]int64{}
	byCode := map[string]*discount.Discount{}
	for _, row := range rows {
		d := discount.FromRecord(row, q.Tenant.Currency)
		byCode[d.Code], placed[d.ID] = d, row.Int("usageCount")
	}
	var own map[string]int64
	if q.Uses != nil && len(rows) > 0 {
		if placed, own, err = q.Uses.Counts(ctx, q.Environment, distinctTexts(rows, "id"), q.Customer); err != nil {
			return err
		}
	}
	for _, code := range codes {
		c := discount.RequestedCode{Code: code, Discount: byCode[code]}
		if c.Discount == nil {
			c.Refusal = discount.ErrNotFound
		} else {
			c.Uses, c.CustomerUses = placed[c.Discount.ID], own[c.Discount.ID]
		}
		f.Codes = append(f.Codes, c)
	}
	return nil
}
