// Package browsing is what a storefront reads of the catalog: products put together with variants, prices in a market and
// availability. Contract 4.
package browsing

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
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

// ErrWhich says that a product is named by its slug or by its id.
var ErrWhich = fault.ErrValidation.In(
	fault.Field{Field: "slug", Message: "Name the product by slug or by id, one of them."},
	fault.Field{Field: "id", Message: "Name the product by slug or by id, one of them."},
)

// Browsing is the use cases of storefront reads.
type Browsing struct{ Store ports.Store }

// Wanted names a product: by Slug or by ID, not both.
type Wanted struct {
	Slug, ID string
	Market   string // id or code; "": prices in the tenant's currency
	// Quantities shows how many units there are; only staff may ask.
	Quantities bool
}

// Detail answers {found: true, product} or {found: false, reason}. Published and unlisted products are found.
// The number of queries does not depend on the number of variants. Errors: ErrWhich, catalog.ErrMarketNotFound,
// fault.ErrForbidden.
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
	d := detail{product: page.Docs[0], quantities: w.Quantities && p.Staff()}
	if err := d.load(ctx, r, p, w.Market); err != nil {
		return false, nil, err
	}
	return true, d.append([]byte(`{"found":true,"product":`)), nil
}

func notFound(reason string) []byte {
	return append(collection.AppendString([]byte(`{"found":false,"reason":`), reason), '}')
}

// load fetches what belongs to the product and prices its variants.
func (d *detail) load(ctx context.Context, r ports.Reader, p tenant.Principal, market string) error {
	facts := quoting.Facts{Currency: p.Tenant.Currency, Rounding: p.Tenant.Rounding}
	if market != "" {
		m, err := quoting.Market(ctx, r, market)
		if err != nil {
			return err
		}
		facts.Market, facts.Currency = &m, m.Currency
	}
	d.currency = facts.Currency
	variants, err := belonging(ctx, r, catalog.Variants, p, d.product.ID())
	if err != nil {
		return err
	}
	if d.options, err = belonging(ctx, r, catalog.Options, p, d.product.ID()); err != nil {
		return err
	}
	fixed := map[string]*catalog.Price{}
	if facts.Market != nil {
		if fixed, err = quoting.FixedPrices(ctx, r, facts.Market.ID, idsOf(variants)); err != nil {
			return err
		}
	}
	for _, v := range variants {
		d.variants = append(d.variants, priced(&facts, d.product, v, fixed[v.ID()]))
	}
	return d.loadRelated(ctx, r, variants)
}

// belonging lists the records of s that name the product, by position.
func belonging(ctx context.Context, r ports.Reader, s *collection.Schema, p tenant.Principal, product string) ([]collection.Record, error) {
	var all []collection.Record
	for page := 1; ; page++ {
		found, err := r.Find(ctx, collection.Query{
			Schema: s, Environment: string(p.Environment), Where: s.Where("product", collection.Equals, product),
			Sort: []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}}, Limit: collection.MaxLimit, Page: page, Uncounted: true,
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found.Docs...)
		if len(found.Docs) < collection.MaxLimit {
			return catalog.Ordered(all), nil
		}
	}
}

func idsOf(records []collection.Record) []string {
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID()
	}
	return ids
}
