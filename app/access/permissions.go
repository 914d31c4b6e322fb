package access

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// adminOnly are the collections that only admins write: who writes one of them could give themselves any right, or send
// the tenant's money or data elsewhere. Finer roles may read what editors may.
var adminOnly = []string{
	"tenants", "users", "roles", "user-invitations", "api-keys", "provider-connections", "tax-connections", "webhook-endpoints",
	"webhook-deliveries",
}

// verbs on records, in the order in which they are shown.
var verbs = []collection.Verb{collection.Create, collection.Read, collection.Update, collection.Delete}

// grantable are the verbs on records of s that a finer role may contain: those of an admin, of adminOnly collections
// those of an editor, and none where everybody has records of their own.
func grantable(s *collection.Schema) []collection.Verb {
	if s.Access.PersonField != "" {
		return nil
	}
	if slices.Contains(adminOnly, s.Slug) {
		return s.Access.Editor
	}
	return s.Access.Admin
}

// Permission is a permission that a tenant's own roles may contain.
type Permission struct {
	tenant.Permission

	Doc   string        // what it lets people do
	Roles []tenant.Role // the roles of every tenant that have it
}

// Permissions lists what a tenant's own roles may contain: first the permissions of operations, then those of collections.
// Rules access-51, access-52.
func Permissions(r *collection.Registry) (list []Permission) {
	for _, known := range tenant.OperationPermissions {
		list = append(list, Permission{known.Permission, known.Doc, rolesWith(func(p tenant.Principal) bool { return p.May(known.Permission) })})
	}
	for _, s := range r.All() {
		for _, verb := range verbs {
			if slices.Contains(grantable(s), verb) {
				list = append(list, Permission{tenant.On(s.Slug, string(verb)), recordPermissionDoc(s, verb), rolesWith(func(p tenant.Principal) bool {
					_, err := Allowed(p, s, verb)
					return err == nil
				})})
			}
		}
	}
	return list
}

// recordPermissionDoc says what a permission on records of s lets people do.
func recordPermissionDoc(s *collection.Schema, verb collection.Verb) string {
	does := map[collection.Verb]string{collection.Read: "Read", collection.Create: "Create", collection.Update: "Change", collection.Delete: "Delete"}
	return does[verb] + " records of " + s.Slug + "."
}

// rolesWith are the roles of every tenant whose users may do something.
func rolesWith(may func(p tenant.Principal) bool) (with []tenant.Role) {
	for _, role := range tenant.Roles {
		if may(tenant.Principal{Kind: tenant.User, Role: role}) {
			with = append(with, role)
		}
	}
	return with
}

// PermissionsOf lists those of Permissions that p has. Errors: those of RequireMember.
func PermissionsOf(p tenant.Principal, r *collection.Registry) ([]tenant.Permission, error) {
	if err := RequireMember(p); err != nil {
		return nil, err
	}
	own := []tenant.Permission{}
	for _, known := range tenant.OperationPermissions {
		if p.May(known.Permission) || p.Kind == tenant.SecretKey && p.CanWrite {
			own = append(own, known.Permission)
		}
	}
	for _, s := range r.All() {
		for _, verb := range verbs {
			if _, err := Allowed(p, s, verb); err == nil && s.Access.PersonField == "" {
				own = append(own, tenant.On(s.Slug, string(verb)))
			}
		}
	}
	return own, nil
}
