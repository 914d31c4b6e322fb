package returnrequests

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// readOrder reads an order that the caller may see, with its return requests, without locks.
func (r *Service) readOrder(ctx context.Context, c idempotency.Call, id string) (x orderReturns, err error) {
	if err := authorize(c, actionView); err != nil {
		return x, err
	}
	reader := r.Store.Read(ports.ForPrincipal(c.Principal))
	if x.orderRecord, err = reader.Get(ctx, order.Schema, id); err != nil {
		return x, err
	}
	x.order = order.FromRecord(x.orderRecord)
	if err := checkReachable(c, x.order.Environment, x.order.Customer); err != nil {
		return x, err
	}
	x.requests, err = requestsOf(ctx, reader, id)
	return x, err
}

// Returnable is what may still be returned of an order. Rule returns-2. Errors: ports.ErrNotFound,
// order.ErrNotReturnable when it was never delivered.
func (r *Service) Returnable(ctx context.Context, c idempotency.Call, id string) (order.Order, returns.Overview, error) {
	x, err := r.readOrder(ctx, c, id)
	if err != nil {
		return x.order, returns.Overview{}, err
	}
	if err := x.order.CheckReturnable(); err != nil {
		return x.order, returns.Overview{}, err
	}
	return x.order, returns.Returnable(x.toDomain(c.Principal.Tenant.Rounding)), nil
}

// Preview is what a return would refund. Nothing changes. Errors: those of Create.
func (r *Service) Preview(ctx context.Context, c idempotency.Call, w Input) (order.Order, returns.Quote, error) {
	x, err := r.readOrder(ctx, c, w.Order)
	if err != nil {
		return x.order, returns.Quote{}, err
	}
	_, q, err := x.quoteRequest(c, w)
	return x.order, q, err
}

// Create opens a return request and moves its order to return_requested. It answers {returnRequest, order}.
// Rule returns-1.
// Errors: those of idempotency, ports.ErrNotFound, fault.ErrValidation and tenant.ErrReauthenticate for the account,
// order.ErrNotReturnable and those of returns.ComputeQuote.
func (r *Service) Create(ctx context.Context, c idempotency.Call, w Input) (idempotency.Response, error) {
	if err := authorize(c, actionRequest); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(w.Order); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := r.Idempotency.Run(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
			x, err := lockOrder(ctx, tx, c, w.Order)
			if err != nil {
				return err
			}
			next, q, err := x.quoteRequest(c, w)
			if err != nil {
				return err
			}
			x.order, x.request = next, r.newRequest(next, q, w.AuditNote)
			if x.request, err = r.withAccount(ctx, tx, c.Principal, x.request, w.RefundAccount); err != nil {
				return err
			}
			if x, err = r.write(ctx, tx, x); err != nil {
				return err
			}
			receipt = c.Receipt(ports.ReceiptCreated, x.body(c), nil, r.Now(), time.Time{})
			receipt.About(x.requestRecord)
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	})
	return answer, err
}

// quoteRequest is the order with the return that w requests, and what that refunds.
func (x orderReturns) quoteRequest(c idempotency.Call, w Input) (order.Order, returns.Quote, error) {
	customer := c.Principal.Kind == tenant.Customer
	if customer {
		if err := w.rejectStaffFields(); err != nil {
			return x.order, returns.Quote{}, err
		}
	}
	next, err := x.order.BeginReturn()
	if err != nil {
		return next, returns.Quote{}, err
	}
	wish, err := w.parse(x.order.Currency, customer)
	if err != nil {
		return next, returns.Quote{}, err
	}
	q, err := returns.ComputeQuote(x.toDomain(c.Principal.Tenant.Rounding), wish)
	return next, q, err
}

func (r *Service) newRequest(o order.Order, q returns.Quote, note string) returns.Request {
	return returns.Request{
		Quote: q, ID: r.NewID(), Tenant: o.Tenant, Environment: o.Environment, Order: o.ID, Customer: o.Customer, Currency: o.Currency,
		Status: returns.Requested, AuditNote: strings.TrimSpace(note),
	}
}
