package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/app/tenantexport"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// zipType is the media type of an archive.
const zipType = "application/zip"

// deletionFields are what stays of a deleted tenant.
var deletionFields = []collection.Field{
	{Name: "tenant", Kind: collection.Text, Required: true, Doc: "Id of the tenant, which no other one will ever have."},
	{
		Name: "status", Kind: collection.Select, Options: []string{string(tenant.Deleting), "deleted"}, Required: true,
		Doc: "deleting until the last of its records is gone.",
	},
	{Name: "begunAt", Kind: collection.Date, Required: true, Doc: "Since when it is gone for its callers."},
	{Name: "begunBy", Kind: collection.Text, Doc: "Id of the user who deleted it; null: the command line."},
	{Name: "archive", Kind: collection.Text, Doc: "SHA-256 of manifest.json of the export before it; null without one."},
	{Name: "finishedAt", Kind: collection.Date, Doc: "When the last of its records was gone."},
}

// DeletionMembers are the members of a deletion, as operations answer it.
func DeletionMembers(d ports.TenantDeletion) reply.Object {
	return reply.Object{{Fields: deletionFields, Record: deletionRecord(d)}}
}

func deletionRecord(d ports.TenantDeletion) collection.Record {
	r := collection.Record{
		"tenant": string(d.Tenant), "status": string(tenant.Deleting), "begunAt": d.Begun, "begunBy": collection.TextOrNull(d.By),
		"archive": collection.TextOrNull(d.Archive), "finishedAt": nil,
	}
	if !d.Finished.IsZero() {
		r["status"], r["finishedAt"] = "deleted", d.Finished
	}
	return r
}

// previewFields are what a deletion would do.
var previewFields = []collection.Field{
	{
		Name: "deletion", Kind: collection.Group, OmitMissing: true, Fields: deletionFields,
		Doc: "The deletion, once it has begun; left out before. Then there is nothing else.",
	},
	{Name: "name", Kind: collection.Text, Doc: "Name of the tenant; null once the deletion has begun."},
	{Name: "slug", Kind: collection.Text, Doc: "The slug that confirms the deletion; null once it has begun."},
	{
		Name: "export", Kind: collection.Group, Doc: "The last complete export since the tenant was suspended; null without one.",
		Fields: []collection.Field{
			{Name: "at", Kind: collection.Date, Doc: "When it was made."},
			{Name: "by", Kind: collection.Text, Doc: "Id of the user who made it; null: the command line."},
			{Name: "checksum", Kind: collection.Text, Doc: "SHA-256 of manifest.json in the archive, in hexadecimal."},
		},
	},
	{
		Name: "blocked", Kind: collection.Array, Required: true, Doc: "What keeps it from beginning, in the order in which it is refused; empty: nothing.",
		Fields: []collection.Field{
			{Name: "reason", Kind: collection.Text, Required: true, Doc: "The reason of the refusal."},
			{Name: "message", Kind: collection.Text, Required: true, Doc: "The same for people."},
		},
	},
	{Name: "money", Kind: collection.Group, Doc: "How much money is under way.", Fields: []collection.Field{
		{Name: "paymentSessions", Kind: collection.Integer, Doc: "Payments that may still be paid, are not captured, or require attention."},
		{Name: "transactions", Kind: collection.Integer, Doc: "Refunds that are not finished, and authorized payments."},
		{Name: "disputes", Kind: collection.Integer, Doc: "Disputes that are not decided."},
	}},
	{Name: "records", Kind: collection.Array, Required: true, Doc: "What would be deleted.", Fields: []collection.Field{
		{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of a collection."},
		{Name: "count", Kind: collection.Integer, Required: true, Doc: "How many records it has."},
	}},
	{Name: "events", Kind: collection.Integer, Required: true, Doc: "How many changes the tenant has had."},
}

func previewRecord(p tenantdeletion.Preview, l words.Language) collection.Record {
	r := collection.Record{
		"name": nil, "slug": nil, "blocked": []collection.Record{}, "export": nil, "money": nil, "records": []collection.Record{},
		"events": p.Events,
	}
	if p.Begun {
		r["deletion"] = deletionRecord(p.Deletion)
		return r
	}
	blocked := make([]collection.Record, len(p.Blocked))
	for i, reason := range p.Blocked {
		blocked[i] = collection.Record{"reason": reason.Reason, "message": l.Refusal(reason).Message}
	}
	counts := make([]collection.Record, len(p.Records))
	for i, c := range p.Records {
		counts[i] = collection.Record{"collection": c.Schema.Slug, "count": c.N}
	}
	money := collection.Record{}
	for name, n := range p.Money {
		money[name] = n
	}
	r["name"], r["slug"], r["blocked"], r["records"], r["money"] = p.Name, p.Slug, blocked, counts, money
	if e := p.Export; e.Checksum != "" {
		r["export"] = collection.Record{"at": e.At, "by": collection.TextOrNull(e.By), "checksum": e.Checksum}
	}
	return r
}

// TenantDeletion are the operations of platform admins that export and delete tenants. Rules access-57, access-58, access-59.
func TenantDeletion(x *tenantexport.Service, s *tenantdeletion.Service) []Operation {
	list := []Operation{exportTenant(x), previewDeletion(s), deleteTenant(s)}
	for i := range list {
		o := &list[i]
		o.Surfaces, o.AllowedKinds, o.BeyondQuota = Root, []tenant.Kind{tenant.User}, true
		o.Params = []collection.Field{{
			Name: "id", Alias: "tenantId", Kind: collection.Relation, RelationTo: identity.Tenants.Slug, Doc: "The tenant.",
		}}
	}
	return list
}

func exportTenant(x *tenantexport.Service) Operation {
	return Operation{
		Name: "tenants.export", Summary: "Export everything that a tenant has",
		Doc: "A ZIP archive: collections/<slug>.ndjson, events.ndjson, ledger.ndjson, the files below media, and manifest.json, which has the counts and checksums and names what is left out: " +
			"hashes, secrets and credentials. The export of a suspended tenant of which nothing changed meanwhile is complete and recorded with the tenant, which can be deleted then. " +
			"There is no GraphQL field, because GraphQL cannot return files.",
		Method: get, Path: "/tenants/{id}/export", Slow: true, Produces: []string{zipType},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			id := tenant.ID(in.Param("id"))
			in.Download.ContentType, in.Download.Filename = zipType, tenantexport.Filename(id)
			_, err := x.Export(ctx, call.Principal, id, in.Download)
			return idempotency.Response{Result: ports.ReceiptOK}, err
		},
	}
}

func previewDeletion(s *tenantdeletion.Service) Operation {
	return Operation{
		Name: "tenants.deletion", GraphQL: "tenantDeletion", Summary: "Show what the deletion of a tenant would delete",
		Doc:    "And what keeps it from beginning. Of a tenant whose deletion has begun it shows how far that is, for ever.",
		Method: get, Path: "/tenants/{id}/deletion", Output: previewFields, Localized: true,
		Reasons: []*fault.Error{ports.ErrQueryTooSlow},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			p, err := s.Preview(ctx, call.Principal, tenant.ID(in.Param("id")))
			return respond(previewFields, previewRecord(p, call.Language), err)
		},
	}
}

func deleteTenant(s *tenantdeletion.Service) Operation {
	return Operation{
		Name: "tenants.delete", GraphQL: "tenantDelete", Summary: "Delete a tenant for ever",
		Doc: "The tenant has to be suspended, exported since, and without money under way. From then on, within a second on every server, its callers are refused as those of a tenant that never was. " +
			"Its records, events and files are deleted in the background; users keep their other tenants. It cannot be taken back. Repeating it answers the deletion that has begun.",
		Mutates: true, Method: "POST", Path: "/tenants/{id}/delete", Guarded: true, Reasons: tenantdeletion.Reasons, Output: deletionFields,
		Input: []collection.Field{{Name: "confirm", Kind: collection.Text, Required: true, MaxLength: 255, Doc: "The slug of the tenant."}},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			o := tenantdeletion.Order{Tenant: tenant.ID(in.Param("id")), Confirm: in.Text("confirm")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			d, err := s.Delete(ctx, call.Principal, o)
			return respond(deletionFields, deletionRecord(d), err)
		},
	}
}
