package access

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// RequireOperator admits the callers of a tenant's back-office operations: secret keys that can write, and users whose role
// has the permission. Rules access-21, access-30, access-51. Errors: tenant.ErrFeatureDisabled, fault.ErrForbidden,
// fault.ErrUnauthenticated.
func RequireOperator(p tenant.Principal, permission tenant.Permission) error {
	switch {
	case p.Tenant.ID != "" && !p.Tenant.CommerceEnabled:
		return tenant.ErrFeatureDisabled
	case p.Kind == tenant.SecretKey && p.CanWrite:
		return nil
	case p.May(permission):
		return nil
	case p.Kind == tenant.SecretKey || p.Kind == tenant.User || p.Kind == tenant.Customer || p.Kind == tenant.ClientKey:
		return fault.ErrForbidden
	}
	return fault.ErrUnauthenticated
}

// RequireReading admits those who may read all records of some collections of commerce. Errors: tenant.ErrFeatureDisabled,
// fault.ErrForbidden, fault.ErrUnauthenticated.
func RequireReading(p tenant.Principal, all ...*collection.Schema) error {
	if p.Tenant.ID != "" && !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	for _, s := range all {
		if reach, err := Allowed(p, s, collection.Read); err != nil {
			return err
		} else if !reach.All {
			return fault.ErrForbidden
		}
	}
	return nil
}

// RequireMember admits those who may see how a tenant is set up: its users of any role, and secret keys that can read.
// Errors: fault.ErrForbidden, fault.ErrUnauthenticated.
func RequireMember(p tenant.Principal) error {
	switch {
	case p.Kind == tenant.User && p.Tenant.ID != "", p.Kind == tenant.SecretKey && p.CanRead:
		return nil
	case p.Kind == tenant.SecretKey, p.Kind == tenant.ClientKey, p.Kind == tenant.Customer:
		return fault.ErrForbidden
	}
	return fault.ErrUnauthenticated
}
