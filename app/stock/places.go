package stock

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Lying is where the units of a variant lie.
type Lying struct {
	Level    ports.StockLevel
	Unplaced int64     // units that lie nowhere in particular
	At       []LyingAt // all locations, in their order
}

// LyingAt is how many units of a variant lie at a location.
type LyingAt struct {
	Location collection.Record
	Units    int64
}

// Where tells where the units of a variant lie, in the environment of p. Errors: those of access.RequireReading,
// ports.ErrNotFound.
func (s *Service) Where(ctx context.Context, p tenant.Principal, variant string) (l Lying, err error) {
	if err := access.RequireReading(p, catalog.Variants); err != nil {
		return l, err
	}
	r := s.Store.Read(ports.ForPrincipal(p))
	if _, err := r.Get(ctx, catalog.Variants, variant); err != nil {
		return l, err
	}
	all, err := ports.FindAll(ctx, r, collection.Query{Schema: inventory.Locations, Sort: inventory.Locations.SortBy("position", "id")})
	if err != nil {
		return l, err
	}
	level, stored, err := s.Places.Find(ctx, p.Tenant.ID, p.Environment, variant)
	if err != nil {
		return l, err
	}
	lying, unplaced := stored.Lying(level.OnHand)
	l.Level, l.Unplaced = level, unplaced
	for _, location := range all {
		l.At = append(l.At, LyingAt{location, lying.At(location.ID())})
	}
	return l, nil
}

// Contents are a page of what lies at a location.
type Contents struct {
	Variants []ContainedVariant // by id
	Total    int64              // variants on all pages
}

// ContainedVariant is how many units of a variant lie at a location.
type ContainedVariant struct {
	Variant, Product collection.Record
	Units            int64
}

// Contents lists the variants that lie at a location, in the environment of p; a page has up to limit of them. Errors: those of
// access.RequireReading, ports.ErrNotFound.
func (s *Service) Contents(ctx context.Context, p tenant.Principal, location string, page, limit int) (c Contents, err error) {
	if err := access.RequireReading(p, inventory.Locations, catalog.Variants, catalog.Products); err != nil {
		return c, err
	}
	r := s.Store.Read(ports.ForPrincipal(p))
	if _, err := r.Get(ctx, inventory.Locations, location); err != nil {
		return c, err
	}
	found, total, err := s.Places.FindAt(ctx, ports.PlaceQuery{
		Tenant: p.Tenant.ID, Environment: p.Environment, Location: location, Page: page, Limit: limit,
	})
	if err != nil {
		return c, err
	}
	c.Total = total
	ids := make([]string, len(found))
	for i, f := range found {
		ids[i] = f.Variant
	}
	variants, err := r.GetMany(ctx, catalog.Variants, ids, nil)
	if err != nil {
		return c, err
	}
	products, err := productsOf(ctx, r, variants)
	for _, f := range found {
		if v := variants[f.Variant]; v != nil { // else it was deleted just now
			c.Variants = append(c.Variants, ContainedVariant{v, products[v.Text("product")], f.Units})
		}
	}
	return c, err
}

// productsOf are the products of variants, by id.
func productsOf(ctx context.Context, r ports.Reader, variants map[string]collection.Record) (map[string]collection.Record, error) {
	ids := make([]string, 0, len(variants))
	for _, v := range variants {
		ids = append(ids, v.Text("product"))
	}
	return r.GetMany(ctx, catalog.Products, ids, nil)
}
