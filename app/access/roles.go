package access

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CheckRole makes sure that the tenant of a transaction has a role, and keeps it until the transaction ends. Errors:
// fault.ErrValidation for role.
func CheckRole(ctx context.Context, tx ports.Tx, role string) error {
	if tenant.Role(role).IsBuiltIn() {
		return nil
	}
	found, err := findRole(ctx, tx.Records, role)
	if err == nil {
		_, err = tx.Records.Lock(ctx, identity.Roles, found.ID())
	}
	if errors.Is(err, ports.ErrNotFound) {
		err = fault.Invalidf("role", "%q is no role of this tenant. The roles that every tenant has: %v.", role, tenant.Roles)
	}
	return err
}

// rolePermissions are what a user with a role of the tenant's own may do; nil for the roles that every tenant has. A role that
// is gone permits nothing.
func (a *Service) rolePermissions(ctx context.Context, t tenant.ID, role tenant.Role) ([]tenant.Permission, error) {
	if role.IsBuiltIn() {
		return nil, nil
	}
	r, err := findRole(ctx, a.Store.Read(ports.ForTenant(t)), string(role))
	if errors.Is(err, ports.ErrNotFound) {
		return nil, nil
	}
	var all []tenant.Permission
	for _, one := range r.Texts("permissions") {
		all = append(all, tenant.Permission(one))
	}
	return all, err
}

// findRole finds a role of the tenant's own. Errors: ports.ErrNotFound.
func findRole(ctx context.Context, r interface {
	Find(ctx context.Context, q collection.Query) (collection.Page, error)
}, slug string,
) (collection.Record, error) {
	s := identity.Roles
	page, err := r.Find(ctx, collection.Query{Schema: s, Where: s.Where("slug", collection.Equals, slug), Limit: 1, Page: 1, SkipCount: true})
	if err == nil && len(page.Docs) == 0 {
		err = ports.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return page.Docs[0], nil
}
