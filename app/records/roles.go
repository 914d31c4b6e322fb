package records

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrRoleInUse refuses to delete a role that somebody has or is invited to.
var ErrRoleInUse = fault.New(fault.Conflict, "role_in_use", "Users of this tenant, or open invitations, have this role. Give them another one first.")

// roleHooks are the hooks of a tenant's own roles, which contain nothing but known permissions. Rule access-52.
func roleHooks(r *collection.Registry) Hooks {
	var known []tenant.Permission
	for _, p := range access.Permissions(r) {
		known = append(known, p.Permission)
	}
	return Hooks{
		BeforeWrite: func(ctx context.Context, tx ports.Tx, w *Write) error {
			if w.After == nil {
				return checkRoleUnused(ctx, tx, w)
			}
			if slug := w.After.Text("slug"); w.Before == nil && !tenant.ValidRoleSlug(slug) {
				return fault.Invalidf("slug", "This must be a-z, 0-9 and hyphens, and none of %v.", tenant.Roles)
			}
			return takePermissions(w.After, known)
		},
		Reasons: []*fault.Error{ErrRoleInUse},
	}
}

// takePermissions sorts the permissions of a role and drops those that are named twice. Errors: fault.ErrValidation for each
// that is not among known.
func takePermissions(role collection.Record, known []tenant.Permission) error {
	named := slices.Compact(slices.Sorted(slices.Values(role.Texts("permissions"))))
	if len(named) > identity.MaxPermissions {
		return fault.Invalidf("permissions", "A role has at most %d permissions.", identity.MaxPermissions)
	}
	for i, one := range role.Texts("permissions") {
		if !slices.Contains(known, tenant.Permission(one)) {
			return fault.Invalidf(fmt.Sprintf("permissions.%d", i), "%q is no permission that a role can have. GET /api/permissions lists them.", one)
		}
	}
	role["permissions"] = named
	return nil
}

// checkRoleUnused refuses to delete a role that is in use; the lock of the role keeps others from giving it to somebody.
// Errors: ErrRoleInUse.
func checkRoleUnused(ctx context.Context, tx ports.Tx, w *Write) error {
	slug := w.Before.Text("slug")
	invited := collection.And{
		identity.Invitations.Where("role", collection.Equals, slug), identity.Invitations.Where("expiresAt", collection.GreaterThan, w.Now),
	}
	for _, q := range []collection.Query{
		{Schema: identity.Users, Where: identity.Users.Where("role", collection.Equals, slug), Limit: 1, Page: 1, SkipCount: true},
		{Schema: identity.Invitations, Where: invited, Limit: collection.MaxLimit, Page: 1, SkipCount: true},
	} {
		found, err := tx.Records.Find(ctx, q)
		if err != nil {
			return err
		}
		open := func(r collection.Record) bool { return q.Schema == identity.Users || identity.IsOpen(r, w.Now) }
		if slices.ContainsFunc(found.Docs, open) {
			return ErrRoleInUse
		}
	}
	return nil
}
