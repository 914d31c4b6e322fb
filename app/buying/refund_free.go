package buying

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// openFree locks a payment session whose money belongs to no order, with its checkout and cart, and reads its money.
// Errors: ports.ErrAbsent, payment.ErrNotPaid.
func (b *Buying) openFree(ctx context.Context, tx ports.Tx, session string) (books, error) {
	x, err := b.lockCase(ctx, tx, session)
	if err != nil {
		return books{}, err
	}
	moved, err := transactionsOf(ctx, tx.Records, "paymentSession", session)
	if err != nil {
		return books{}, err
	}
	purses := payment.Purses(moved)
	if len(purses) == 0 || x.session.Order != "" {
		return books{}, payment.ErrNotPaid
	}
	return books{free: &x, purses: purses}, nil
}

// belong is what the money of x belongs to.
func (x books) belong() (id tenant.ID, env tenant.Environment, orderID, checkoutID string) {
	if x.free != nil {
		return x.free.session.Tenant, x.free.session.Environment, "", x.free.session.Checkout
	}
	return x.order.Tenant, x.order.Environment, x.order.ID, x.order.Checkout
}

// afterFree resolves a session once all of its money is on its way back, and has a person look at it again when a refund
// fails later.
func (b *Buying) afterFree(ctx context.Context, tx ports.Tx, w *changes, x books, r payment.Refund) error {
	next := x.free.session
	_, left := x.left()
	_, open := x.unanswered()
	switch {
	case r.State == payment.RefundFailed && next.Resolution == payment.Refunded:
		next.State = next.Late(next.Reason)
		w.put(checkout.Schema, x.free.record, x.free.checkout.Attend(next.Case()).Record())
	case r.State.Counts() && !left && !open && next.Status == payment.StatusAttention:
		var err error
		if next.State, err = next.Resolve(payment.Refunded); err != nil {
			return err
		}
		next.Note = r.Note
		if _, err := b.leaveQueue(ctx, tx, w, *x.free, next); err != nil {
			return err
		}
	default:
		return nil
	}
	w.put(payment.Sessions, x.free.sessionRecord, next.Record())
	return nil
}

// giveBack refunds all that a session brought, and answers what became of it. Given back before, it answers that again.
func (b *Buying) giveBack(ctx context.Context, c once.Call, in Resolving, claim *once.Claim) (receipt ports.Receipt, err error) {
	id := c.Principal.Tenant.ID
	_, s, err := b.session(ctx, c, in.Session)
	if err != nil {
		return receipt, err
	}
	var came error // unless all of it turns out to have gone back
	if s.Resolution != payment.Refunded {
		if _, err := s.Resolve(payment.Refunded); err != nil {
			return receipt, err
		}
		_, came = b.Refund(ctx, id, RefundRequest{Session: s.ID, Reason: in.Note, Key: "resolve"})
	}
	err = b.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		x, err := b.lockCase(ctx, tx, s.ID)
		if err != nil {
			return err
		}
		if x.session.Resolution != payment.Refunded {
			return cmp.Or(came, error(ports.ErrProviderUnavailable.Because(errors.New("the refund came to nothing meanwhile"))))
		}
		answer := c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: x.sessionRecord}, once.Member{Name: "checkout", Schema: checkout.Schema, Record: x.record}, once.Member{Name: "order", Schema: order.Schema, Record: nil})
		receipt = c.Receipt(ports.OK, answer, nil, b.Now(), time.Time{})
		receipt.Record = s.ID
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, err
}
