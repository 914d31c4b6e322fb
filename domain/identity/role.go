package identity

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// MaxPermissions is how many permissions a tenant's own role has at most.
const MaxPermissions = 500

// Roles is the collection of a tenant's own roles: named sets of permissions beside the roles that every tenant has. The
// use cases check what a role may contain. Rule access-52.
var Roles = &collection.Schema{
	Slug: "roles", Singular: "Role", Plural: "Roles", Guarded: []collection.Verb{collection.Create, collection.Update},
	Doc:    "A role of this tenant's own: a named set of permissions that its users can have.",
	Access: collection.Access{Viewer: read, Editor: read, Admin: all, SecretKey: read},
	Fields: []collection.Field{
		{
			Name: "slug", Kind: collection.Text, Required: true, Immutable: true, Unique: true, Indexed: true, MaxLength: tenant.MaxRoleSlug,
			Doc: "What users name as their role: a-z, 0-9 and hyphens, and none of the roles that every tenant has.",
		},
		{Name: "name", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 100, Doc: "Name for people."},
		{Name: "description", Kind: collection.Textarea, MaxLength: 1000, Doc: "What the role is for."},
		{
			Name: "permissions", Kind: collection.Texts, Required: true,
			Doc: "What users with this role may do, such as orders:read, customers:update, orders:fulfill. GET /permissions lists all of them.",
		},
	},
}
