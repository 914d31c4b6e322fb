package storefront

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// SearchQuery asks for a page of the products that a shopper looks for.
type SearchQuery struct {
	Text                     string // "": all products
	Market                   string // id or code; "": prices in the tenant's currency
	Brands, Categories, Tags []string
	Options                  []string              // "Color:Red", as they read in the default language
	MinPrice, MaxPrice       collection.JSONNumber // in the currency of the market; "": no bound
	InStock                  bool
	Sort                     productsearch.Sort
	Page, Limit              int
	OmitFacets               bool
	ShowQuantities           bool // include units in stock; for staff only
}

// maxFilterValues is how many values of one filter count.
const maxFilterValues = 100

// Search responds with a page of published products in the envelope of lists, with facets and what was corrected. Rules search-10 to
// search-16. Errors: catalog.ErrMarketNotFound, productsearch.ErrQuery, tenant.ErrFeatureDisabled, fault.ErrForbidden,
// fault.ErrValidation, records.ErrAnswerTooLarge.
func (b *Service) Search(ctx context.Context, p tenant.Principal, q SearchQuery) (*reply.Body, error) {
	if err := requireCommerce(p); err != nil {
		return nil, err
	}
	r := b.Store.Read(ports.ForPrincipal(p))
	facts, err := priceFacts(ctx, r, p, q.Market)
	if err != nil {
		return nil, err
	}
	request, err := b.request(p, q, facts)
	if err != nil {
		return nil, err
	}
	found, err := b.Products.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	docs, err := b.listed(ctx, r, found.IDs)
	if err != nil {
		return nil, err
	}
	shelf := productSet{showQuantities: q.ShowQuantities && p.IsStaff()}
	if err := shelf.load(ctx, r, p, q.Market, docs); err != nil {
		return nil, err
	}
	list := make(reply.List, len(shelf.products))
	for i, g := range shelf.products {
		list[i] = g.member()
	}
	page := records.RecordPage{Total: found.Total, Page: q.Page, Limit: q.Limit}
	body := append(page.Members(reply.Member{Value: list}), correctionsMember(found.Corrections))
	if !q.OmitFacets {
		body = append(body, facetsMember(found.Facets, facts.Currency))
	}
	return reply.OfObject(shelf.view().Audience, body).Bounded(&shelf.growth)
}

// listed are the products of ids that are published still, in their order.
func (b *Service) listed(ctx context.Context, r ports.Reader, ids []string) (docs []collection.Record, err error) {
	there, err := r.GetMany(ctx, catalog.Products, ids, nil)
	for _, id := range ids {
		if p := there[id]; p.Text("status") == catalog.Published {
			docs = append(docs, p)
		}
	}
	return docs, err
}

// request is q as an engine is asked it.
func (b *Service) request(p tenant.Principal, q SearchQuery, facts offers.Facts) (req productsearch.Request, err error) {
	if err := checkPage(q); err != nil {
		return req, err
	}
	req = productsearch.Request{
		Tenant: p.Tenant.ID, Environment: p.Environment, Locale: p.Content.Locale, Sort: q.Sort, Market: facts.MarketID(),
		Offset: (q.Page - 1) * q.Limit, Limit: q.Limit, Facets: !q.OmitFacets,
		Filter: productsearch.Filter{Brands: q.Brands, Categories: q.Categories, Tags: q.Tags, InStock: q.InStock},
		Scale: func(key int64) (int64, bool) {
			price, err := catalog.ScaledPrice(key, productsearch.KeysPerUnit, p.Tenant.Currency, facts.Market, facts.Rounding)
			return price.Minor, err == nil
		},
	}
	if req.Query, err = productsearch.Parse(q.Text, b.Records.Fold); err != nil {
		return req, err
	}
	for _, one := range q.Options {
		name, value, ok := strings.Cut(one, ":")
		if !ok {
			return req, fault.Invalidf("options", "An option is its name and its value with a colon between them, as Color:Red.")
		}
		req.Filter.Options = append(req.Filter.Options, productsearch.Option{Name: name, Value: value})
	}
	req.Filter.Price, err = priceBounds(q, facts.Currency)
	return req, err
}

// checkPage checks how much is asked for. Errors: fault.ErrValidation.
func checkPage(q SearchQuery) error {
	switch {
	case q.Page < 1:
		return fault.Invalidf("page", "page must be at least 1.")
	case q.Limit < 0 || q.Limit > maxFilterValues:
		return fault.Invalidf("limit", "limit must be from 0 to %d.", maxFilterValues)
	case q.Page*q.Limit > productsearch.MaxReached:
		return fault.Invalidf("page", "The first %d products can be paged through. Narrow the search.", productsearch.MaxReached)
	}
	for name, values := range map[string][]string{"brands": q.Brands, "categories": q.Categories, "tags": q.Tags, "options": q.Options} {
		if len(values) > maxFilterValues {
			return fault.Invalidf(name, "At most %d values can be asked for.", maxFilterValues)
		}
	}
	return nil
}

// priceBounds are the prices that are asked for; nil: any. Errors: fault.ErrValidation.
func priceBounds(q SearchQuery, currency money.Currency) (*productsearch.PriceRange, error) {
	bounds := productsearch.PriceRange{High: money.Max}
	for name, one := range map[string]struct {
		text collection.JSONNumber
		to   *int64
	}{"minPrice": {q.MinPrice, &bounds.Low}, "maxPrice": {q.MaxPrice, &bounds.High}} {
		if one.text == "" {
			continue
		}
		m, err := money.Parse(string(one.text), currency)
		if err != nil {
			return nil, fault.Invalidf(name, "This field takes an amount of %s.", currency)
		}
		*one.to = m.Minor
	}
	if q.MinPrice == "" && q.MaxPrice == "" {
		return nil, nil
	}
	return &bounds, nil
}

func correctionsMember(all []productsearch.Correction) reply.Member {
	list := reply.List{}
	for _, c := range all {
		list = append(list, reply.Object{{Name: "typed", Value: c.Typed}, {Name: "taken", Value: c.Taken}})
	}
	return reply.Member{Name: "corrections", Value: list}
}

func facetsMember(f productsearch.Facets, currency money.Currency) reply.Member {
	var price any
	if f.Price != nil {
		price = reply.Object{
			{Name: "min", Value: money.Of(f.Price.Low, currency)}, {Name: "max", Value: money.Of(f.Price.High, currency)},
			{Name: "currency", Value: string(currency)},
		}
	}
	return reply.Member{Name: "facets", Value: reply.Object{
		{Name: "brands", Value: groupList(f.Brands)}, {Name: "categories", Value: groupList(f.Categories)}, {Name: "tags", Value: groupList(f.Tags)},
		{Name: "options", Value: optionList(f.Options)}, {Name: "priceRange", Value: price}, {Name: "inStock", Value: f.InStock},
	}}
}

func groupList(counts []productsearch.Count) reply.List {
	list := reply.List{}
	for _, c := range counts {
		o := reply.Object{{Name: "id", Value: c.ID}, {Name: "name", Value: c.Name}, {Name: "count", Value: c.Count}}
		if c.Parent != "" {
			o = append(o, reply.Member{Name: "parent", Value: c.Parent})
		}
		list = append(list, o)
	}
	return list
}

// optionList has the options with the most products first, each with its values.
func optionList(counts []productsearch.Count) reply.List {
	var names []string
	values := map[string]reply.List{}
	labels := map[string]string{}
	for _, c := range counts {
		key := productsearch.OptionOf(c.ID)
		label := key
		if c.Name != "" {
			label = productsearch.OptionOf(c.Name)
		}
		if !slices.Contains(names, key.Name) {
			names = append(names, key.Name)
			labels[key.Name] = label.Name
		}
		values[key.Name] = append(values[key.Name], reply.Object{
			{Name: "value", Value: key.Value}, {Name: "label", Value: label.Value}, {Name: "count", Value: c.Count},
		})
	}
	list := reply.List{}
	for _, name := range names {
		list = append(list, reply.Object{{Name: "name", Value: name}, {Name: "label", Value: labels[name]}, {Name: "values", Value: values[name]}})
	}
	return list
}
