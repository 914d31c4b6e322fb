package returnrequests

import (
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// action is what a caller does about a return.
type action uint8

const (
	actionView    action = iota // returnable units and previews
	actionRequest               // create, cancel
	actionDecide                // approve, reject, receive
	actionRefund
)

// authorize admits callers by action: viewing takes the right to read return requests, customers create those
// of their own orders, and staff decide and refund as their roles permit. Rules access-33, returns-12. Errors:
// fault.ErrUnauthenticated, fault.ErrForbidden, tenant.ErrFeatureDisabled.
func authorize(c idempotency.Call, t action) error {
	p := c.Principal
	switch {
	case t == actionView:
		_, err := access.Allowed(p, returns.Schema, collection.Read)
		return err
	case t == actionRequest && p.Kind == tenant.Customer && p.Tenant.CommerceEnabled:
		return nil
	case t == actionRefund:
		return access.RequireOperator(p, tenant.RefundReturns)
	}
	return access.RequireOperator(p, tenant.DecideReturns)
}

// checkReachable admits callers of the order's environment, and customers to their own orders. Errors:
// ports.ErrNotFound, which tells other callers nothing.
func checkReachable(c idempotency.Call, env tenant.Environment, customer string) error {
	if env != c.Principal.Environment || c.Principal.Kind == tenant.Customer && customer != c.Principal.ID {
		return ports.ErrNotFound
	}
	return nil
}
