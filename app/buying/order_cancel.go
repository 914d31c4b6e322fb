package buying

import (
	"context"
	"encoding/hex"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxCancelReason is how many characters the reason of a cancel has at most.
const MaxCancelReason = 500

// CancelOrder ends an order before it ships and answers {order}: what is left of what was paid goes back, units that never
// left are on the shelf again, discount uses are given back, open work is off.
//
// Decisions: money first. The order stays as it was until the provider took the refund, and nothing else moves it meanwhile;
// when the provider refuses, the cancel is called off with provider_rejected, and may be tried again, unless it refused because
// money went back in its console: then the cancel gives back what is left, and is over at once when nothing is. A refund that the
// provider does later cancels the order at once: should it fail then, the order is paid again though canceled, its
// transaction says so, and a cancel of it gives back what is owed. A canceled order of which nothing is left to give back is
// order_transition_invalid, but for calls that found it not canceled: those of one time all answer the canceled order.
//
// Errors: those of idempotency, ports.ErrAbsent, fault.ErrValidation, order.ErrTransition and those of Refund.
func (b *Buying) CancelOrder(ctx context.Context, c once.Call, id, reason string) (once.Answer, error) {
	if err := access.Operator(c.Principal, tenant.Admin); err != nil { // who may give money back
		return once.Answer{}, err
	}
	switch {
	case reason == "":
		return once.Answer{}, fault.Invalidf("reason", "This field is required.")
	case utf8.RuneCountInString(reason) > MaxCancelReason:
		return once.Answer{}, fault.Invalidf("reason", "This field takes at most %d characters.", MaxCancelReason)
	}
	if err := c.Check(id); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return b.cancelOrder(ctx, c, canceling{order: id, reason: reason}, claim)
	})
	return answer, err
}

// canceling is a cancel, and how far it is.
type canceling struct {
	order, reason, key string
	receipt            ports.Receipt
	done               bool
	began              bool      // the order was not canceled when this call came
	refund             refunding // to be carried out next
}

// cancelOrder gives one payment back after the other until nothing is left: each with its own refund, which a crash leaves
// for the next attempt or the watch.
func (b *Buying) cancelOrder(ctx context.Context, c once.Call, x canceling, claim *once.Claim) (ports.Receipt, error) {
	key := c.ReceiptKey()
	x.key = hex.EncodeToString(key[:])
	for tries := 1; ; tries++ {
		err := b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) (err error) {
			x.done, x.refund = false, refunding{}
			return b.cancelStep(ctx, tx, c, &x, claim)
		})
		if err != nil || x.done {
			return x.receipt, err
		}
		if x.refund.refund.State != payment.RefundRequested {
			continue // written down by hand
		}
		if _, err := b.carryOut(ctx, x.refund); err != nil && !(errors.Is(err, errAnew) && tries < decideTries) {
			return ports.Receipt{}, err
		}
	}
}

// cancelStep decides under the order's lock what comes next: the answer, a refund that nobody answered yet, or a new one.
func (b *Buying) cancelStep(ctx context.Context, tx ports.Tx, c once.Call, x *canceling, claim *once.Claim) error {
	w := b.changes()
	found, err := b.openBooks(ctx, tx, w, x.order, "")
	if err != nil {
		return err
	}
	o := found.order
	if o.Environment != c.Principal.Environment {
		return ports.ErrAbsent
	}
	if r, open := found.unanswered(); open {
		if !r.Cancels {
			return payment.ErrRefundBusy.With("transactionId", r.ID)
		}
		x.began = true
		x.refund, err = b.resume(ctx, tx, found, r)
		return err
	}
	purse, left := found.left()
	if !left && o.Status == order.Canceled && (o.CancelKey == x.key || x.began) {
		return b.canceled(ctx, tx, c, x, claim, found.record)
	}
	if found.order, err = o.BeginCancel(x.reason, x.key, left); err != nil {
		return err
	}
	x.began = true
	if left {
		return b.cancelPayment(ctx, tx, w, found, x, purse)
	}
	if o, err = b.endOrder(ctx, tx, w, found.order); err != nil {
		return err
	}
	after := w.put(order.Schema, found.record, o.Record())
	if err := tx.Records.Write(ctx, w.list...); err != nil {
		return err
	}
	return b.canceled(ctx, tx, c, x, claim, after)
}

// cancelPayment begins to give back what is left of one payment.
func (b *Buying) cancelPayment(ctx context.Context, tx ports.Tx, w *changes, found books, x *canceling, purse payment.Purse) error {
	r, err := purse.Begin(money.Money{})
	if err != nil {
		return err
	}
	r.Cancels, r.Note, r.Key = true, x.reason, x.key
	x.refund, err = b.beginRefund(ctx, tx, w, found, r)
	return err
}

// canceled keeps the answer.
func (b *Buying) canceled(ctx context.Context, tx ports.Tx, c once.Call, x *canceling, claim *once.Claim, o collection.Record) error {
	x.receipt, x.done = c.Receipt(ports.OK, c.Body(once.Member{Name: "order", Schema: order.Schema, Record: o}), nil, b.Now(), time.Time{}), true
	x.receipt.Record = x.order
	return claim.Keep(ctx, tx, x.receipt)
}
