// Package browsing is what a storefront reads of the catalog: products put together with variants, prices in a market and
// availability. Contract 4.
//
// Decisions beyond the contract. A page of the listing shows each product with its options and price range; the variants
// themselves are on the product's own page. What the catalog page leaves out is all that depends on stock, for everybody,
// so it is the same for the shop's server as for a visitor. Groups are made of published products alone, in the order
// asked for, one for each option, and values that no variant has are left out. A stock check answers each variant once,
// where it was named first, with all that is wanted of it. The number of queries depends on none of how many products,
// variants, options or images there are.
package browsing

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The reasons why a product is not there to be seen.
const (
	Missing         = "missing"
	Unpublished     = "unpublished"
	FeatureDisabled = "feature_disabled"
)

// Reasons are these reasons, as fields list them.
var Reasons = []string{Missing, Unpublished, FeatureDisabled}

// ErrWhich says that a product is named by its slug or by its id.
var ErrWhich = fault.ErrValidation.In(
	fault.Field{Field: "slug", Message: "Name the product by slug or by id, one of them."},
	fault.Field{Field: "id", Message: "Name the product by slug or by id, one of them."},
)

// Browsing is the use cases of storefront reads.
type Browsing struct {
	Store   ports.Store
	Content *content.Content // finds the products of a listing, and knows the time
}

// Wanted names a product: by Slug or by ID, not both.
type Wanted struct {
	Slug, ID string
	Market   string // id or code; "": prices in the tenant's currency
	// Quantities shows how many units there are; only staff may ask.
	Quantities bool
	// Timeless leaves out whatever depends on stock.
	Timeless bool
}

// Detail answers {found: true, product} or {found: false, reason}. Published and unlisted products are found.
// Errors: ErrWhich, catalog.ErrMarketNotFound, content.ErrTooMuch, fault.ErrForbidden.
func (b *Browsing) Detail(ctx context.Context, p tenant.Principal, w Wanted) (found bool, body []byte, err error) {
	if _, err := access.Allowed(p, catalog.Products, collection.Read); err != nil {
		return false, nil, err
	}
	if (w.Slug == "") == (w.ID == "") {
		return false, nil, ErrWhich
	}
	if !p.Tenant.CommerceEnabled {
		return false, notFound(FeatureDisabled), nil
	}
	r := b.Store.Read(ports.For(p))
	s := catalog.Products
	where := s.Where("id", collection.Equals, w.ID)
	if w.Slug != "" {
		where = s.Where("slug", collection.Equals, w.Slug)
	}
	page, err := r.Find(ctx, collection.Query{Schema: s, Environment: string(p.Environment), Where: where, Limit: 1, Page: 1, Uncounted: true})
	switch {
	case err != nil:
		return false, nil, err
	case len(page.Docs) == 0:
		return false, notFound(Missing), nil
	case !catalog.Sellable(page.Docs[0]):
		return false, notFound(Unpublished), nil
	}
	shelf := shelf{quantities: w.Quantities && p.Staff() && !w.Timeless, timeless: w.Timeless, withVariants: true}
	if err := shelf.load(ctx, r, p, w.Market, page.Docs); err != nil {
		return false, nil, err
	}
	return true, append(shelf.goods[0].append([]byte(`{"found":true,"product":`)), '}'), nil
}

func notFound(reason string) []byte {
	return append(collection.AppendString([]byte(`{"found":false,"reason":`), reason), '}')
}

// open is whether p may read products in a shop that sells. Errors: fault.ErrForbidden, tenant.ErrFeatureDisabled.
func open(p tenant.Principal) error {
	if _, err := access.Allowed(p, catalog.Products, collection.Read); err != nil {
		return err
	}
	if !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// factsOf is what prices are resolved from. Errors: catalog.ErrMarketNotFound.
func factsOf(ctx context.Context, r ports.Reader, p tenant.Principal, market string) (quoting.Facts, error) {
	facts := quoting.Facts{Currency: p.Tenant.Currency, Rounding: p.Tenant.Rounding}
	if market == "" {
		return facts, nil
	}
	m, err := quoting.Market(ctx, r, market)
	facts.Market, facts.Currency = &m, m.Currency
	return facts, err
}

func idsOf(records []collection.Record) []string {
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID()
	}
	return ids
}
