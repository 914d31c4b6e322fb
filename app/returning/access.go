package returning

import (
	"slices"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// task is what somebody wants to do about a return.
type task uint8

const (
	look   task = iota // at what may come back, and what it would give back
	ask                // for a return, or to call it off
	decide             // about it: approve, reject, receive
	refund
)

// roles of the users who may do it. Contract 2: editors up to approval, refunds are for admins.
var roles = map[task][]tenant.Role{
	look:   {tenant.Viewer, tenant.Editor, tenant.Admin, tenant.PlatformAdmin},
	ask:    {tenant.Editor, tenant.Admin, tenant.PlatformAdmin},
	decide: {tenant.Editor, tenant.Admin, tenant.PlatformAdmin},
	refund: {tenant.Admin, tenant.PlatformAdmin},
}

// may admits who may do t. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, tenant.ErrFeatureDisabled.
func may(c once.Call, t task) error {
	p := c.Principal
	known, allowed := true, false
	switch p.Kind {
	case tenant.SecretKey:
		allowed = t == look && p.CanRead || t != look && p.CanWrite
	case tenant.User:
		allowed = slices.Contains(roles[t], p.Role)
	case tenant.Customer:
		allowed = t == look || t == ask
	case tenant.ClientKey:
	default:
		known = false
	}
	switch {
	case !known:
		return fault.ErrUnauthenticated
	case !allowed:
		return fault.ErrForbidden
	case t != look && !p.Tenant.CommerceEnabled:
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// reaches compares the caller with an order: of the same environment, and of the customer who asks. Nobody learns more than
// "not found".
func reaches(c once.Call, env tenant.Environment, customer string) error {
	if env != c.Principal.Environment || c.Principal.Kind == tenant.Customer && customer != c.Principal.ID {
		return ports.ErrAbsent
	}
	return nil
}
