package returning

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// GiveBack pays a return out: through the provider, or written down where nobody can be asked. A return that was paid out
// answers the same again, whatever the key: the watch may have heard of the refund before the call that asked for it was
// repeated. Errors: those of idempotency, ports.ErrAbsent, returns.ErrTransition and those of
// buying.Refund.
func (r *Returning) GiveBack(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if err := may(c, refund); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(id); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := r.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		receipt, due, err := r.settle(ctx, c, id, claim)
		if err != nil || due == nil {
			return receipt, err
		}
		if _, err := r.Buying.Refund(ctx, c.Principal.Tenant.ID, *due); err != nil {
			return receipt, r.short(ctx, c, id, err)
		}
		receipt, due, err = r.settle(ctx, c, id, claim)
		if err == nil && due != nil {
			err = ports.ErrProviderUnavailable.Because(errors.New("the refund came to nothing meanwhile"))
		}
		return receipt, err
	})
	return answer, err
}

// short is why a return could not be paid out. When that is for want of money it stays with the request: other money of the
// order went back meanwhile.
func (r *Returning) short(ctx context.Context, c once.Call, id string, because error) error {
	if !errors.Is(because, payment.ErrExceedsPaid) {
		return because
	}
	err := r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
		x, err := openRequest(ctx, tx, c, id)
		if err != nil {
			return err
		}
		x.request = x.request.Short(fault.From(because).Message)
		_, err = r.write(ctx, tx, x)
		return err
	})
	return cmp.Or(err, because)
}

// settle keeps the answer if nothing is left to give back, or returns what is due.
func (r *Returning) settle(ctx context.Context, c once.Call, id string, claim *once.Claim) (receipt ports.Receipt, due *buying.RefundRequest, err error) {
	err = r.atomically(ctx, c, func(ctx context.Context, tx ports.Tx) error {
		x, err := openRequest(ctx, tx, c, id)
		if err != nil {
			return err
		}
		due = nil
		if x.request.Status != returns.Refunded {
			if err := x.request.MayBecome(returns.Refunded); err != nil {
				return err
			}
			if !x.request.RefundAmount.IsZero() {
				due = &buying.RefundRequest{
					Order: x.order.ID, Amount: &x.request.RefundAmount, Reason: reason(x.order), Key: "return:" + id, Return: id,
				}
				return nil
			}
			if x, err = x.settled(r); err != nil {
				return err
			}
			if x, err = r.write(ctx, tx, x); err != nil {
				return err
			}
		}
		receipt = r.receipt(c, x)
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, due, err
}

// settled is x when nothing has to go back for its request.
func (x opened) settled(r *Returning) (_ opened, err error) {
	before := x.request
	x.request, err = before.Settle(r.Now())
	return x.counted(before).ended(), err
}

// counted is x with the units of its request in the order, if they are there only now.
func (x opened) counted(before returns.Request) opened {
	if !before.CameBack() && x.request.CameBack() {
		x.order = x.order.TakeUnits(x.request.Units())
	}
	return x
}

// reason is what the provider is told, and what the transaction keeps.
func reason(o order.Order) string { return "Return of order " + o.Number }

// Follow is what becomes of a return request and its order o, which is locked, with a refund that was asked for by it: it is
// told of every step, in the transaction that writes it down. Errors: returns.ErrTransition and payment.ErrExceedsPaid before
// anybody was asked.
func (r *Returning) Follow(ctx context.Context, tx ports.Tx, o order.Order, f payment.Refund) (order.Order, []collection.Change, error) {
	record, err := tx.Records.Lock(ctx, returns.Schema, f.Return)
	if err != nil {
		return o, nil, err
	}
	all, err := requestsOf(ctx, tx.Records, o.ID)
	if err != nil {
		return o, nil, err
	}
	x := opened{order: o, all: all, request: returns.FromRecord(record)}
	before := x.request
	if f.State == payment.RefundRequested || f.Provider == buying.CustomProvider {
		if x.request, err = x.request.Begin(f.ID); err != nil {
			return o, nil, err
		}
		if left := o.Paid.Minus(o.Refunded); left.Minor < 0 || f.State == payment.RefundRequested && left.Minor < f.Amount.Minor {
			return o, nil, payment.Exceeds(left)
		}
	}
	x.request = x.request.Follow(f, strings.TrimPrefix(f.Note, reason(o)+"\n"), r.Now())
	x = x.counted(before)
	switch {
	case before.Status != returns.Refunded && x.request.Status == returns.Refunded:
		x = x.ended()
	case before.Status == returns.Refunded && x.request.Status != returns.Refunded:
		x.order = x.order.ReopenReturn()
	}
	change := collection.NewChange(returns.Schema, record, x.request.Record(), r.NewID(), r.Now())
	if len(change.Changed()) == 0 {
		return x.order, nil, nil
	}
	return x.order, []collection.Change{change}, nil
}
