package returning

import (
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/returns"
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

// may admits who may do t: who reads return requests looks, customers ask for those of their own orders, editors decide, and
// refunds are for admins. Contract 2. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, tenant.ErrFeatureDisabled.
func may(c once.Call, t task) error {
	p := c.Principal
	switch {
	case t == look:
		_, err := access.Allowed(p, returns.Schema, collection.Read)
		return err
	case t == ask && p.Kind == tenant.Customer && p.Tenant.CommerceEnabled:
		return nil
	case t == refund:
		return access.Operator(p, tenant.Admin)
	}
	return access.Operator(p, tenant.Editor, tenant.Admin)
}

// reaches compares the caller with an order: of the same environment, and of the customer who asks. Nobody learns more than
// "not found".
func reaches(c once.Call, env tenant.Environment, customer string) error {
	if env != c.Principal.Environment || c.Principal.Kind == tenant.Customer && customer != c.Principal.ID {
		return ports.ErrAbsent
	}
	return nil
}
