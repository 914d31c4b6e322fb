package collection

import "github.com/cartwright-dev/cartwright/domain/tenant"

// ActorFields are the fields of a group that says who did something; known: somebody always has. Rule events-11.
func ActorFields(known bool) []Field {
	return []Field{
		{
			Name: "kind", Kind: Select, NonNull: known, Options: tenant.ActorKinds,
			Doc: "A user, a secret key, a customer, a shopper without an account (anonymous), a payment provider, or the server itself (system).",
		},
		{Name: "id", Kind: Text, OmitMissing: true, Doc: "Id of the user, key or customer, or the name of the provider."},
		{
			Name: "via", Kind: Select, OmitMissing: true, Options: tenant.Vias,
			Doc: "The way: api, the operators' console, an import, a provider's webhook, or what the server does by itself (sweep).",
		},
	}
}

// ActorRecord is a as such a group; the zero Actor is the server itself.
func ActorRecord(a tenant.Actor) Record {
	r := Record{"kind": string(a.Or(tenant.Server).Kind)}
	if a.ID != "" {
		r["id"] = a.ID
	}
	if a.Via != "" {
		r["via"] = string(a.Via)
	}
	return r
}

// ActorFrom reads what ActorRecord wrote.
func ActorFrom(r Record) tenant.Actor {
	return tenant.Actor{Kind: tenant.Kind(r.Text("kind")), ID: r.Text("id"), Via: tenant.Via(r.Text("via"))}
}
