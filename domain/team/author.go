package team

import (
	"cmp"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// authorFields declares who of the team wrote something.
var authorFields = []collection.Field{
	{
		Name: "kind", Kind: collection.Select, Options: []string{string(tenant.User), string(tenant.SecretKey), string(tenant.System)},
		Doc: "A user, a secret key, or the server itself (system).",
	},
	{Name: "user", Kind: collection.Relation, RelationTo: "users", Doc: "The user; null for others."},
	{Name: "key", Kind: collection.Relation, RelationTo: "api-keys", Doc: "The secret key; null for others."},
	{Name: "via", Kind: collection.Select, Options: tenant.Vias, Doc: "The way, such as api or console."},
}

// AuthorRecord is a, of the team, as a group of its own in a record.
func AuthorRecord(a tenant.Actor) collection.Record {
	r := collection.Record{"kind": string(a.Kind), "via": string(a.Via)}
	switch a.Kind {
	case tenant.User:
		r["user"] = a.ID
	case tenant.SecretKey:
		r["key"] = a.ID
	default: // the server has no id
	}
	return r
}

// AuthorFrom reads what AuthorRecord wrote.
func AuthorFrom(r collection.Record) tenant.Actor {
	return tenant.Actor{Kind: tenant.Kind(r.Text("kind")), ID: cmp.Or(r.Text("user"), r.Text("key")), Via: tenant.Via(r.Text("via"))}
}
