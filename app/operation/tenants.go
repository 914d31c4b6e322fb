package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/quota"
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
	return append(list, listShops(s))
}

// maxShops is how many tenants a page has at most.
const maxShops = 100

var shopListFields = []collection.Field{
	{Name: "tenants", Kind: collection.Array, Required: true, Doc: "The tenants, by name.", Fields: []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the tenant."},
		{Name: "name", Kind: collection.Text, Required: true, Doc: "Name."},
		{Name: "slug", Kind: collection.Text, Required: true, Doc: "Handle."},
		{Name: "plan", Kind: collection.Select, Options: selectOptions(identity.Tenants, "plan"), Required: true, Doc: "Plan."},
		{Name: "status", Kind: collection.Select, Options: selectOptions(identity.Tenants, "status"), Required: true, Doc: "Status."},
		{Name: "suspendedSince", Kind: collection.Date, Doc: "Since when it is suspended; null if it is not."},
		{Name: "suspensionReason", Kind: collection.Text, Doc: "Why; null if it is not suspended."},
		{Name: "used", Kind: collection.Integer, Required: true, Doc: "Calls of the API made this month, up to a second late."},
		{Name: "limit", Kind: collection.Integer, Doc: "Calls included in the plan per month; null means unlimited."},
		{Name: "createdAt", Kind: collection.Date, Required: true, Doc: "When it was created."},
	}},
	{Name: "totalDocs", Kind: collection.Integer, Required: true, Doc: "How many tenants match."},
}

// listShops shows platform admins which tenants there are. Rule access-71.
func listShops(s *suspension.Service) Operation {
	return Operation{
		Name: "tenants.all", GraphQL: "allTenants", Summary: "List the tenants of the installation",
		Doc: "By name, whichever tenant you act in. For platform admins.", Method: get, Path: "/platform/tenants", Surfaces: Root,
		AllowedKinds: []tenant.Kind{tenant.User}, BeyondQuota: true,
		Input: []collection.Field{
			{Name: "q", Kind: collection.Text, MaxLength: 200, Doc: "Text in the name or the slug, whatever its case; all when missing."},
			{Name: "plan", Kind: collection.Select, Options: selectOptions(identity.Tenants, "plan"), Doc: "Only tenants with this plan."},
			{Name: "status", Kind: collection.Select, Options: selectOptions(identity.Tenants, "status"), Doc: "Only tenants with this status."},
			{
				Name: "limit", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(maxShops),
				Doc: "Tenants of a page: 1 to 100, default 50.",
			},
			{Name: "page", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(1_000_000), Doc: "Page, from 1, which is the default."},
		},
		Output: shopListFields,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := suspension.ShopQuery{
				Text: in.TextOrNumber("q"), Plan: in.Choice("plan"), Status: in.Choice("status"), Limit: in.Int("limit", maxShops/2), Page: in.Int("page", 1),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			shops, total, err := s.Shops(ctx, call.Principal, q)
			return respond(shopListFields, shopsRecord(shops, total), err)
		},
	}
}

func shopsRecord(shops []suspension.Shop, total int64) collection.Record {
	list := make([]collection.Record, len(shops))
	for i, shop := range shops {
		r, suspended := shop.Record, shop.Record.Group("suspension")
		list[i] = collection.Record{
			"id": r.ID(), "name": r["name"], "slug": r["slug"], "plan": r["plan"], "status": r["status"], "createdAt": r["createdAt"],
			"suspendedSince": suspended["since"], "suspensionReason": suspended["reason"], "used": shop.Calls,
		}
		if limit := quota.MonthlyLimit(tenant.Plan(r.Text("plan"))); limit != quota.Unlimited {
			list[i]["limit"] = limit
		}
	}
	return collection.Record{"tenants": list, "totalDocs": total}
}

func respondTenant(r collection.Record, err error) (idempotency.Response, error) {
	return respondWith(collection.Staff, err, reply.Member{Name: "tenant", Schema: identity.Tenants, Record: r})
}
