// Package quoting looks up everything an order depends on: offers with prices and stock, discount codes, shipping policies.
//
// Carts, checkouts and drafts call Lookup with the reader they have. Inside a transaction that is the transaction's own, so
// that prices, codes and stock are those the transaction sees (Engineering 10); nothing here is cached. The number of
// queries does not depend on the number of lines: market, variants, products, fixed prices, codes, policies, each once
// and only when asked for. (Lists of more than 20 000 ids go in pages.)
//
// Carts ask a Cache instead, which remembers facts per tenant. Whoever takes money looks again inside its transaction, so
// that it may be behind, and is so far:
//
//   - what this process writes through Watch is forgotten before the write is answered;
//   - what other instances and commands write is forgotten when they tell of it (ports.News), milliseconds after their
//     commit. On Postgres that is LISTEN/NOTIFY and not Redis: it leaves exactly with the commit whoever writes, it comes
//     after what it tells of can be read, and it is there whenever there is a second instance. On SQLite the file tells;
//   - after an interruption everything is forgotten;
//   - news that never come, of a cut cable or of units that another instance's placement took, cost at most the lifetime
//     given to NewCache, a second in the server. Nothing else bounds it, and nothing but freshness depends on news.
//
// Placements are not told: they would take turns at the lock by which Postgres orders messages, each with its flush, and
// drop all facts of a busy shop many times a second. A cart that has not heard of one takes a quantity that the checkout
// refuses. A longer life would spare few look-ups, since one per fact and second is all there are, and let that grow.
package quoting

import (
	"cmp"
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Request says what to look up.
type Request struct {
	Tenant      tenant.Facts
	Environment tenant.Environment
	Market      string   // id or code; "": none, prices in the tenant's currency
	Variants    []string // ids; duplicates and unknown ones are fine
	Codes       []string // any spelling; candidates come in this order, each code once
	Customer    string   // for per-customer limits: customer id, or folded email of a guest; "": a stranger
	Shipping    bool     // the shipping policies too
	Policy      string   // id of the shipping policy that stands in for the default one; "": none does
	// Currency is asked for in place of the tenant's, "": the tenant's is. Without a market nothing has a price in another one.
	Currency money.Currency
	// Explain adds what prices were resolved from.
	Explain bool
	// Uses counts placed and reserved uses of codes; nil outside a transaction, where placed ones alone stand.
	Uses ports.Uses
}

// Facts is what was found.
type Facts struct {
	Market   *catalog.Market // nil: none asked for
	Currency money.Currency  // the market's, else the tenant's
	Rounding money.Rounding
	Offers   map[string]pricing.Offer // by variant id; unknown variants are absent
	Codes    []discount.Candidate     // in the order asked for
	Policy   *shipping.Policy         // the one asked for, else the tenant's default; nil: none, or not asked for
}

// MarketID is the id of the market, "" for none.
func (f Facts) MarketID() string {
	if f.Market == nil {
		return ""
	}
	return f.Market.ID
}

// Lookup answers q. A market that is absent or inactive is an error, everything else that is missing is a fact.
// Errors: catalog.ErrMarketNotFound.
func Lookup(ctx context.Context, r ports.Reader, q Request) (Facts, error) {
	f := Facts{Currency: cmp.Or(q.Currency, q.Tenant.Currency), Rounding: q.Tenant.Rounding, Offers: map[string]pricing.Offer{}}
	if q.Market != "" {
		m, err := Market(ctx, r, q.Market)
		if err != nil {
			return Facts{}, err
		}
		f.Market, f.Currency = &m, m.Currency
	}
	if err := f.offers(ctx, r, q); err != nil {
		return Facts{}, err
	}
	return f, f.codes(ctx, r, q)
}

// Market finds an active market by id or code. Errors: catalog.ErrMarketNotFound.
func Market(ctx context.Context, r ports.Reader, ref string) (catalog.Market, error) {
	s := catalog.Markets
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Limit: collection.MaxLimit, Page: 1, Uncounted: true,
		Where: collection.Or{s.Where("id", collection.Equals, ref), s.Where("code", collection.Equals, ref)},
	})
	if err != nil {
		return catalog.Market{}, err
	}
	return catalog.PickMarket(page.Docs, ref)
}

func (f *Facts) offers(ctx context.Context, r ports.Reader, q Request) error {
	variants, err := find(ctx, r, catalog.Variants, "id", unique(q.Variants), string(q.Environment))
	if err != nil {
		return err
	}
	products, err := r.GetMany(ctx, catalog.Products, ids(variants, "product"))
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
	for _, v := range variants {
		p := products[v.Text("product")]
		if p == nil {
			continue
		}
		o := f.offer(p, v, fixed[v.ID()])
		if q.Explain && o.Sellable {
			facts, _ := f.priceFacts(p, v, fixed[v.ID()])
			o.PriceFacts = &facts
		}
		o.Policy = policies[p.Text("shippingPolicy")]
		f.Offers[v.ID()] = o
	}
	return nil
}

// offer puts the facts of one variant together. One without a price is there but cannot be sold.
func (f *Facts) offer(p, v collection.Record, fixed *catalog.Price) pricing.Offer {
	o := pricing.Offer{
		Product: p.ID(), Variant: v.ID(), Title: p.Text("name"), VariantTitle: v.Text("title"),
		SKU: v.Text("sku"), Image: catalog.ImageOf(p, v), Categories: catalog.CategoriesOf(p),
		Kind: catalog.KindOf(v), RequiresShipping: catalog.ShipsBy(v), UnitPrice: money.Of(0, f.Currency),
		Stock: inventory.Level{OnHand: v.Int("stock"), Reserved: v.Int("reserved"), Tracked: catalog.Tracked(v)},
	}
	price, err := f.Price(p, v, fixed)
	if err != nil || price.Amount.Currency != f.Currency {
		return o
	}
	o.UnitPrice, o.CompareAt = price.Amount, price.CompareAt
	o.Sellable = catalog.Sellable(p)
	return o
}

// Price resolves what variant v of product p costs under f. Errors: catalog.ErrVariantUnavailable, money.ErrOutOfRange.
func (f *Facts) Price(p, v collection.Record, fixed *catalog.Price) (catalog.ResolvedPrice, error) {
	facts, ok := f.priceFacts(p, v, fixed)
	if !ok {
		return catalog.ResolvedPrice{}, catalog.ErrVariantUnavailable
	}
	return catalog.ResolvePrice(facts)
}

// priceFacts is what a price is resolved from; ok is false when there is none.
func (f *Facts) priceFacts(p, v collection.Record, fixed *catalog.Price) (_ catalog.PriceFacts, ok bool) {
	base, ok := catalog.BasePrice(p, v)
	percent, _ := p.Decimal("discount")
	return catalog.PriceFacts{Base: base, Discount: percent, Market: f.Market, Fixed: fixed, Rounding: f.Rounding}, ok || fixed != nil
}

// fixedPrices are the market's fixed prices of variants, by variant.
func (f *Facts) fixedPrices(ctx context.Context, r ports.Reader, variants []collection.Record) (map[string]*catalog.Price, error) {
	if f.Market == nil || len(variants) == 0 {
		return nil, nil
	}
	return FixedPrices(ctx, r, f.Market.ID, ids(variants, "id"))
}

// FixedPrices reads the rows in market-prices of a market and variants, by variant id.
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

// policies are the own policies of products, by id; it finds the default one on the way.
func (f *Facts) policies(ctx context.Context, r ports.Reader, q Request, products map[string]collection.Record) (map[string]*shipping.Policy, error) {
	if !q.Shipping {
		return nil, nil
	}
	s := shipping.Schema
	wanted := collection.Or{s.Where("isDefault", collection.Equals, true)}
	if own := unique(append(ids(slicesOf(products), "shippingPolicy"), q.Policy)); len(own) > 0 {
		wanted = append(wanted, s.Where("id", collection.In, values(own)...))
	}
	oldest := []collection.Order{{Path: s.Where("createdAt", collection.Exists, true).Path}}
	page, err := r.Find(ctx, collection.Query{Schema: s, Where: wanted, Sort: oldest, Limit: collection.MaxLimit, Page: 1, Uncounted: true})
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
	codes := discount.NormalList(q.Codes)
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
		if placed, own, err = q.Uses.Counts(ctx, q.Environment, ids(rows, "id"), q.Customer); err != nil {
			return err
		}
	}
	for _, code := range codes {
		c := discount.Candidate{Code: code, Discount: byCode[code]}
		if c.Discount == nil {
			c.Refused = discount.ErrNotFound
		} else {
			c.Uses, c.OwnUses = placed[c.Discount.ID], own[c.Discount.ID]
		}
		f.Codes = append(f.Codes, c)
	}
	return nil
}
