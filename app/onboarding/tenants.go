package onboarding

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of finding a tenant.
var (
	ErrTenantUnknown   = fault.New(fault.NotFound, "tenant_unknown", "There is no such tenant.")
	ErrTenantAmbiguous = fault.New(fault.Conflict, "tenant_ambiguous", "Several tenants have this name.")
)

// ListTenants is one page of the tenants of this installation, oldest first, and their total number; of one
// plan only, unless plan is "". It is for operators of the installation.
func (f Service) ListTenants(ctx context.Context, plan tenant.Plan, limit, page int) ([]collection.Record, int64, error) {
	s := identity.Tenants
	q := collection.Query{Schema: s, Sort: s.SortBy("createdAt"), Limit: limit, Page: page}
	if plan != "" {
		q.Where = s.Where("plan", collection.Equals, string(plan))
	}
	found, err := f.Store.Read(ports.Scope{System: true}).Find(ctx, q)
	return found.Docs, found.TotalDocs, err
}

// FindTenant finds a tenant by id, slug or name, in this order; one that is being deleted is none. Errors: ErrTenantUnknown, ErrTenantAmbiguous
// for a name of several tenants.
func (f Service) FindTenant(ctx context.Context, ref string) (collection.Record, error) {
	s := identity.Tenants
	r := f.Store.Read(ports.Scope{System: true})
	for _, field := range []string{"id", "slug", "name"} {
		found, err := r.Find(ctx, collection.Query{
			Schema: s, Limit: 2, Page: 1, SkipCount: true, Where: collection.And{
				s.Where(field, collection.Equals, ref), s.Where("status", collection.NotEquals, string(tenant.Deleting)),
			},
		})
		switch {
		case err != nil:
			return nil, err
		case len(found.Docs) == 1:
			return found.Docs[0], nil
		case len(found.Docs) > 1:
			return nil, ErrTenantAmbiguous
		}
	}
	return nil, ErrTenantUnknown
}
