// Package storefront serves what a storefront reads of the catalog: products with their variants, prices in a
// market and availability. Rules: features/catalog/RULES.md.
//
// Details that the rules leave open. A page of the listing shows each product with its options and price
// range; variants are part of the product's detail only. The catalog page omits everything that depends on
// stock, for all callers, so it is the same for the tenant's server and for visitors. Groups contain
// published products only, in the requested order, one group per option; values without variants are omitted.
// A stock check reports each variant once, at its first position, with the total quantity. The number of
// queries does not depend on the number of products, variants, options or images.
package storefront

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The reasons why a product is not found.
const (
	ReasonMissing         = "missing"
	ReasonUnpublished     = "unpublished"
	ReasonFeatureDisabled = "feature_disabled"
)

// NotFoundReasons are these reasons, for enum fields.
var NotFoundReasons = []string{ReasonMissing, ReasonUnpublished, ReasonFeatureDisabled}

// ErrSlugOrID says that a product must be named by either its slug or its id.
var ErrSlugOrID = fault.ErrValidation.WithFields(
	fault.Field{Field: "slug", Message: "Pass either slug or id."},
	fault.Field{Field: "id", Message: "Pass either slug or id."},
)

// Service implements the reads of storefronts.
type Service struct {
	Store   ports.Store
	Records *records.Service // finds the products of a listing, and provides the current time
	// Products finds the products of a search.
	Products ports.ProductSearch
}

// ProductQuery names a product: by Slug or by ID, not both.
type ProductQuery struct {
	Slug, ID string
	Market   string // id or code; "": prices in the tenant's currency
	// ShowQuantities includes units in stock; for staff only.
	ShowQuantities bool
	// OmitStock leaves out everything that depends on stock.
	OmitStock bool
}

// ProductDetail responds with {found: true, product} or {found: false, reason}. Published and unlisted
// products are found. Errors: ErrSlugOrID, catalog.ErrMarketNotFound, records.ErrAnswerTooLarge,
// fault.ErrForbidden.
func (b *Service) ProductDetail(ctx context.Context, p tenant.Principal, w ProductQuery) (found bool, body *reply.Body, err error) {
	if _, err := access.Allowed(p, catalog.Products, collection.Read); err != nil {
		return false, nil, err
	}
	if (w.Slug == "") == (w.ID == "") {
		return false, nil, ErrSlugOrID
	}
	if !p.Tenant.CommerceEnabled {
		return false, notFoundBody(ReasonFeatureDisabled), nil
	}
	r := b.Store.Read(ports.ForPrincipal(p))
	s := catalog.Products
	var where collection.Cond = s.Where("id", collection.Equals, w.ID)
	if w.Slug != "" {
		where = s.BySlug(w.Slug, p.Content)
	}
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Environment: string(p.Environment), Where: where, Page: 1, SkipCount: true,
		Limit: 3, // each of the language, of the one that stands in for it, and of the default one
	})
	sortBySlug(s, page.Docs, w.Slug, p.Content)
	switch {
	case err != nil:
		return false, nil, err
	case len(page.Docs) == 0:
		return false, notFoundBody(ReasonMissing), nil
	case !catalog.Sellable(page.Docs[0]):
		return false, notFoundBody(ReasonUnpublished), nil
	}
	shelf := productSet{showQuantities: w.ShowQuantities && p.IsStaff() && !w.OmitStock, omitStock: w.OmitStock, withVariants: true}
	if err := shelf.load(ctx, r, p, w.Market, page.Docs[:1]); err != nil {
		return false, nil, err
	}
	body, err = reply.Of(shelf.view().Audience, reply.Member{Name: "found", Value: true},
		reply.Member{Name: "product", Value: shelf.products[0].member()}).Bounded(&shelf.growth)
	return err == nil, body, err
}

// sortBySlug puts the product first that has the handle in the language itself, then the one that has it in the language that stands in:
// another one may have it in the default language.
func sortBySlug(s *collection.Schema, found []collection.Record, slug string, in tenant.Content) {
	alone := in
	alone.Fallback = tenant.NoFallback
	rank := func(r collection.Record) int {
		switch slug {
		case s.Localized(r, alone).Text(collection.SlugName):
			return 0
		case s.Localized(r, in).Text(collection.SlugName):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(found, func(a, b collection.Record) int { return rank(a) - rank(b) })
}

func notFoundBody(reason string) *reply.Body {
	return reply.Of(collection.Everyone, reply.Member{Name: "found", Value: false}, reply.Member{Name: "reason", Value: reason})
}

// requireCommerce checks that p may read products and the tenant has commerce enabled. Errors:
// fault.ErrForbidden, tenant.ErrFeatureDisabled.
func requireCommerce(p tenant.Principal) error {
	if _, err := access.Allowed(p, catalog.Products, collection.Read); err != nil {
		return err
	}
	if !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// priceFacts are the facts that prices are resolved from. Errors: catalog.ErrMarketNotFound.
func priceFacts(ctx context.Context, r ports.Reader, p tenant.Principal, market string) (offers.Facts, error) {
	facts := offers.Facts{Currency: p.Tenant.Currency, Rounding: p.Tenant.Rounding}
	if market == "" {
		return facts, nil
	}
	m, err := offers.Market(ctx, r, market)
	facts.Market, facts.Currency = &m, m.Currency
	return facts, err
}

func recordIDs(records []collection.Record) []string {
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID()
	}
	return ids
}
