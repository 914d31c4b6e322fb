package storefront

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// publishedOnly matches the products that listings show.
func publishedOnly() collection.Cond {
	return catalog.Products.Where("status", collection.Equals, catalog.Published)
}

// ListingQuery requests a page of products.
type ListingQuery struct {
	Market         string // id or code; "": prices in the tenant's currency
	Where          collection.JSONValue
	Sort           string // as for any list
	Limit, Page    int
	ShowQuantities bool // include units in stock; for staff only
}

// Listing responds with a page of published products in the envelope of lists. With a market, prices are
// known only after the products were found, so filtering and sorting by price is refused. Errors:
// catalog.ErrMarketPriceFilter, catalog.ErrMarketNotFound, tenant.ErrFeatureDisabled, fault.ErrForbidden,
// fault.ErrValidation, collection.ErrQuery, ports.ErrQueryTooSlow, records.ErrAnswerTooLarge.
func (b *Service) Listing(ctx context.Context, p tenant.Principal, q ListingQuery) (*reply.Body, error) {
	if err := requireCommerce(p); err != nil {
		return nil, err
	}
	if q.Market != "" && catalog.UsesPrice(q.Where, q.Sort) {
		return nil, catalog.ErrMarketPriceFilter
	}
	found, err := b.Records.Find(ctx, p, catalog.Products, records.Query{
		Where: q.Where, Sort: q.Sort, Limit: q.Limit, Page: q.Page, Filter: publishedOnly(),
	})
	if err != nil {
		return nil, err
	}
	shelf := productSet{showQuantities: q.ShowQuantities && p.IsStaff()}
	if err := shelf.load(ctx, b.Store.Read(ports.ForPrincipal(p)), p, q.Market, found.Docs); err != nil {
		return nil, err
	}
	docs := make(reply.List, len(shelf.products))
	for i, g := range shelf.products {
		docs[i] = g.member()
	}
	return reply.OfObject(shelf.view().Audience, found.Members(reply.Member{Value: docs})).Bounded(&shelf.growth)
}
