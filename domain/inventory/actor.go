package inventory

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ActorFields are the fields of a group that says who did something; known: somebody always has.
func ActorFields(known bool) []collection.Field {
	return []collection.Field{
		{
			Name: "kind", Kind: collection.Select, NonNull: known,
			Options: []string{
				string(tenant.User), string(tenant.SecretKey), string(tenant.Customer), string(tenant.Anonymous), string(tenant.System),
			},
			Doc: "A user, a secret key, a customer, a guest (anonymous), or the server itself (system).",
		},
		{Name: "id", Kind: collection.Text, OmitMissing: true, Doc: "Id of the user, key or customer."},
	}
}

// ActorRecord is a as such a group; the zero Actor is the server itself.
func ActorRecord(a tenant.Actor) collection.Record {
	switch {
	case a.Kind == "":
		return collection.Record{"kind": string(tenant.System)}
	case a.ID == "":
		return collection.Record{"kind": string(a.Kind)}
	}
	return collection.Record{"kind": string(a.Kind), "id": a.ID}
}

// ActorFrom reads what ActorRecord wrote; nil is the server itself.
func ActorFrom(r collection.Record) tenant.Actor {
	if kind := tenant.Kind(r.Text("kind")); kind != tenant.System {
		return tenant.Actor{Kind: kind, ID: r.Text("id")}
	}
	return tenant.Actor{}
}
