package access

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Operator admits who runs a shop by its operations: secret keys that write, platform admins, and users of these roles.
// Contract 2. Errors: tenant.ErrFeatureDisabled, fault.ErrForbidden, fault.ErrUnauthenticated.
func Operator(p tenant.Principal, roles ...tenant.Role) error {
	switch {
	case p.Tenant.ID != "" && !p.Tenant.CommerceEnabled:
		return tenant.ErrFeatureDisabled
	case p.Kind == tenant.SecretKey && p.CanWrite:
		return nil
	case p.Kind == tenant.User && (p.Role == tenant.PlatformAdmin || slices.Contains(roles, p.Role)):
		return nil
	case p.Kind == tenant.SecretKey || p.Kind == tenant.User || p.Kind == tenant.Customer || p.Kind == tenant.ClientKey:
		return fault.ErrForbidden
	}
	return fault.ErrUnauthenticated
}
