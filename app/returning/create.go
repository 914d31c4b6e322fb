package returning

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// look reads an order that c may reach, with its return requests, as they are now; nobody waits for it.
func (r *Returning) look(ctx context.Context, c once.Call, id string) (x opened, err error) {
	if err := may(c, look); err != nil {
		return x, err
	}
	reader := r.Store.Read(ports.For(c.Principal))
	if x.record, err = reader.Get(ctx, order.Schema, id); err != nil {
		return x, err
	}
	x.order = order.FromRecord(x.record)
	if err := reaches(c, x.order.Environment, x.order.Customer); err != nil {
		return x, err
	}
	x.all, err = requestsOf(ctx, reader, id)
	return x, err
}

// Returnable is what may still come back of an order. Spec 3.3 rule 2. Errors: ports.ErrAbsent, order.ErrNotReturnable when it
// never was delivered.
func (r *Returning) Returnable(ctx context.Context, c once.Call, id string) (order.Order, returns.Overview, error) {
	x, err := r.look(ctx, c, id)
	if err != nil {
		return x.order, returns.Overview{}, err
	}
	if !x.order.WasDelivered() {
		return x.order, returns.Overview{}, order.ErrNotReturnable.With("status", string(x.order.Status))
	}
	return x.order, returns.Returnable(x.sale(c.Principal.Tenant.Rounding)), nil
}

// Preview is what a return would give back. Nothing changes. Errors: those of Create.
func (r *Returning) Preview(ctx context.Context, c once.Call, w Wish) (order.Order, returns.Quote, error) {
	x, err := r.look(ctx, c, w.Order)
	if err != nil {
		return x.order, returns.Quote{}, err
	}
	_, q, err := x.propose(c, w)
	return x.order, q, err
}

// Create opens a return request and moves its order to return_requested. It answers {returnRequest, order}. Spec 3.3.
// Errors: those of idempotency, ports.ErrAbsent, order.ErrNotReturnable and those of returns.Refund.
func (r *Returning) Create(ctx context.Context, c once.Call, w Wish) (once.Answer, error) {
	if err := may(c, ask); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(w.Order); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := r.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
			x, err := open(ctx, tx, c, w.Order)
			if err != nil {
				return err
			}
			next, q, err := x.propose(c, w)
			if err != nil {
				return err
			}
			x.order, x.request = next, r.request(next, q, w.AuditNote)
			if x, err = r.write(ctx, tx, x); err != nil {
				return err
			}
			receipt = c.Receipt(ports.Created, x.body(c), nil, r.Now(), time.Time{})
			receipt.Record = x.request.ID
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	})
	return answer, err
}

// propose is the order with the return that w asks for, and what that gives back.
func (x opened) propose(c once.Call, w Wish) (order.Order, returns.Quote, error) {
	customer := c.Principal.Kind == tenant.Customer
	if customer {
		if err := w.shopOnly(); err != nil {
			return x.order, returns.Quote{}, err
		}
	}
	next, err := x.order.BeginReturn()
	if err != nil {
		return next, returns.Quote{}, err
	}
	wish, err := w.read(x.order.Currency, customer)
	if err != nil {
		return next, returns.Quote{}, err
	}
	q, err := returns.Refund(x.sale(c.Principal.Tenant.Rounding), wish)
	return next, q, err
}

func (r *Returning) request(o order.Order, q returns.Quote, note string) returns.Request {
	return returns.Request{
		Quote: q, ID: r.NewID(), Tenant: o.Tenant, Environment: o.Environment, Order: o.ID, Customer: o.Customer, Currency: o.Currency,
		Status: returns.Requested, AuditNote: strings.TrimSpace(note),
	}
}
