package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Tenants are the operations of platform admins on tenants. Rule access-50.
func Tenants(s *suspension.Service) []Operation {
	suspend := Operation{
		Name: "tenants.suspend", GraphQL: "tenantSuspend", Summary: "Suspend a tenant",
		Doc: "From then on, within a second on every server, its keys and the logins that act in it are refused with tenant_suspended; " +
			"users keep their other shops. Payments that are under way are settled and refunds finished in the background. " +
			"Repeating it changes nothing.",
		Path: "/tenants/{id}/suspend", Reasons: []*fault.Error{suspension.ErrActing},
		Input: []collection.Field{{Name: "reason", Kind: collection.Text, Required: true, MaxLength: 1000, Doc: "Why; the tenant reads it."}},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			reason := in.Text("reason")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			r, err := s.Suspend(ctx, call.Principal, tenant.ID(in.Param("id")), reason)
			return respondTenant(r, err)
		},
	}
	resume := Operation{
		Name: "tenants.resume", GraphQL: "tenantResume", Summary: "Resume a suspended tenant", Doc: "Repeating it changes nothing.",
		Path: "/tenants/{id}/resume",
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			r, err := s.Resume(ctx, call.Principal, tenant.ID(in.Param("id")))
			return respondTenant(r, err)
		},
	}
	list := []Operation{suspend, resume}
	for i := range list {
		o := &list[i]
		o.Mutates, o.Method, o.Surfaces, o.AllowedKinds, o.BeyondQuota = true, "POST", Root, []tenant.Kind{tenant.User}, true
		o.Params = []collection.Field{{
			Name: "id", Alias: "tenantId", Kind: collection.Relation, RelationTo: identity.Tenants.Slug, Doc: "The tenant.",
		}}
		o.Output = []collection.Field{
			{Name: "tenant", Kind: collection.Relation, RelationTo: identity.Tenants.Slug, Required: true, Doc: "The tenant as it is now."},
		}
	}
	return list
}

func respondTenant(r collection.Record, err error) (idempotency.Response, error) {
	return respondWith(collection.Staff, err, reply.Member{Name: "tenant", Schema: identity.Tenants, Record: r})
}
