package browsing

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// published admits what shoppers come across.
func published() collection.Cond {
	return catalog.Products.Where("status", collection.Equals, catalog.Published)
}

// Listed asks for a page of products.
type Listed struct {
	Market      string // id or code; "": prices in the tenant's currency
	Where       collection.Tree
	Sort        string // as of any list
	Limit, Page int
	Quantities  bool // how many units there are; only staff may ask
}

// Listing answers a page of published products in the envelope of lists. With a market its prices are known only after the
// products are found, so nothing can be found or sorted by price. Errors: catalog.ErrMarketFilter,
// catalog.ErrMarketNotFound, tenant.ErrFeatureDisabled, fault.ErrForbidden, fault.ErrValidation, collection.ErrQuery,
// ports.ErrSlow, content.ErrTooMuch.
func (b *Browsing) Listing(ctx context.Context, p tenant.Principal, q Listed) ([]byte, error) {
	if err := open(p); err != nil {
		return nil, err
	}
	if q.Market != "" && catalog.AsksForPrice(q.Where, q.Sort) {
		return nil, catalog.ErrMarketFilter
	}
	found, err := b.Content.Find(ctx, p, catalog.Products, content.Query{Where: q.Where, Sort: q.Sort, Limit: q.Limit, Page: q.Page, Only: published()})
	if err != nil {
		return nil, err
	}
	shelf := shelf{quantities: q.Quantities && p.Staff()}
	if err := shelf.load(ctx, b.Store.Read(ports.For(p)), p, q.Market, found.Docs); err != nil {
		return nil, err
	}
	body := []byte(`{"docs":[`)
	for i, g := range shelf.goods {
		if i > 0 {
			body = append(body, ',')
		}
		body = g.append(body)
	}
	return found.AppendRest(append(body, ']')), nil
}
