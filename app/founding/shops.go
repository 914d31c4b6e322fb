package founding

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of looking for a shop.
var (
	ErrNoShop    = fault.New(fault.NotFound, "tenant_unknown", "There is no such tenant.")
	ErrManyShops = fault.New(fault.Conflict, "tenant_ambiguous", "Several tenants have this name.")
)

// Shops is one page of the tenants of this installation, the oldest first, and how many there are; of one plan only, if it
// is not "". It is for whoever runs the installation.
func (f Founding) Shops(ctx context.Context, plan tenant.Plan, limit, page int) ([]collection.Record, int64, error) {
	s := identity.Tenants
	created, _ := s.Field("createdAt")
	q := collection.Query{Schema: s, Sort: []collection.Order{{Path: []collection.Field{created}}}, Limit: limit, Page: page}
	if plan != "" {
		q.Where = s.Where("plan", collection.Equals, string(plan))
	}
	found, err := f.Store.Read(ports.Scope{System: true}).Find(ctx, q)
	return found.Docs, found.TotalDocs, err
}

// Shop finds a tenant by its id, its slug or its name, in this order. Errors: ErrNoShop, ErrManyShops for a name that
// several have.
func (f Founding) Shop(ctx context.Context, ref string) (collection.Record, error) {
	s := identity.Tenants
	r := f.Store.Read(ports.Scope{System: true})
	for _, field := range []string{"id", "slug", "name"} {
		found, err := r.Find(ctx, collection.Query{Schema: s, Where: s.Where(field, collection.Equals, ref), Limit: 2, Page: 1, Uncounted: true})
		switch {
		case err != nil:
			return nil, err
		case len(found.Docs) == 1:
			return found.Docs[0], nil
		case len(found.Docs) > 1:
			return nil, ErrManyShops
		}
	}
	return nil, ErrNoShop
}
