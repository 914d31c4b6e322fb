package buying

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Resolving is what an operator decides about a payment that requires attention.
type Resolving struct {
	Session string
	As      payment.Resolution
	Note    string // why; it stays with the session
}

// Resolve ends a payment that requires attention as an operator decides and answers {paymentSession, checkout, order}, the
// order null unless the money became one. Placing takes goods and codes as they are now; nothing is placed for a cart that
// was ordered otherwise. Refunding gives all of the money back, as Refund does. The checkout leaves the queue with the last
// of its payments. Server credentials only. Errors: those of idempotency, ports.ErrAbsent, fault.ErrValidation,
// payment.ErrNoAttention, payment.ErrNotPaid, payment.ErrMismatch, payment.ErrRefundBusy, checkout.ErrNotOpen,
// ports.ErrShort, ports.ErrUsedUp, and those of Refund.
func (b *Buying) Resolve(ctx context.Context, c once.Call, in Resolving) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	switch {
	case !c.Server:
		return once.Answer{}, fault.ErrForbidden
	case in.Note == "":
		return once.Answer{}, fault.Invalidf("note", "This field is required.")
	}
	if err := c.Check(in.Session); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		if _, _, err := b.session(ctx, c, in.Session); err != nil {
			return ports.Receipt{}, err
		}
		if in.As == payment.Refunded {
			return b.giveBack(ctx, c, in, claim)
		}
		err = placing.Drawing(b.Now, func(number string) error {
			receipt, err = b.resolve(ctx, c, in, claim, number)
			return err
		})
		return receipt, err
	})
	return answer, err
}

func (b *Buying) resolve(ctx context.Context, c once.Call, in Resolving, claim *once.Claim, number string) (receipt ports.Receipt, err error) {
	err = b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		x, err := b.lockCase(ctx, tx, in.Session)
		if err != nil {
			return err
		}
		w := b.changes()
		o, err := b.decide(ctx, tx, w, x, in, number)
		if err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		answer := c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: o.Record}, once.Member{Name: "checkout", Schema: checkout.Schema, Record: o.Checkout}, once.Member{Name: "order", Schema: order.Schema, Record: o.Order})
		receipt = c.Receipt(ports.OK, answer, nil, w.now, time.Time{})
		receipt.Record = in.Session
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, err
}

// attended is a payment that requires attention with its checkout and cart, all locked.
type attended struct {
	locked

	sessionRecord collection.Record
	session       payment.Session
}

func (b *Buying) lockCase(ctx context.Context, tx ports.Tx, id string) (x attended, err error) {
	r, err := tx.Records.Get(ctx, payment.Sessions, id)
	if err != nil {
		return x, err
	}
	if x.locked, err = lockBoth(ctx, tx, r.Text("checkout")); err != nil {
		return x, err
	}
	if x.sessionRecord, err = tx.Records.Lock(ctx, payment.Sessions, id); err != nil {
		return x, err
	}
	x.session = payment.SessionFrom(x.sessionRecord)
	return x, nil
}

// decide writes down what became of the payment.
func (b *Buying) decide(ctx context.Context, tx ports.Tx, w *changes, x attended, in Resolving, number string) (o Outcome, err error) {
	o.Session = x.session
	if o.Session.State, err = x.session.Resolve(in.As); err != nil {
		return o, err
	}
	o.Session.Note = in.Note
	if err := untouched(ctx, tx, x.session.ID); err != nil {
		return o, err
	}
	if in.As == payment.Placed {
		o.Order, o.Checkout, err = b.placeLate(ctx, tx, w, x, number)
		o.Session.Order = o.Order.ID()
	} else {
		o.Checkout, err = b.leaveQueue(ctx, tx, w, x, o.Session)
	}
	if err != nil {
		return o, err
	}
	o.Record = w.put(payment.Sessions, x.sessionRecord, o.Session.Record())
	return o, nil
}

// untouched refuses to decide about money that is on its way back. Errors: payment.ErrRefundBusy.
func untouched(ctx context.Context, tx ports.Tx, session string) error {
	moved, err := transactionsOf(ctx, tx.Records, "paymentSession", session)
	for _, p := range payment.Purses(moved) {
		if p.Left() != p.Paid {
			return payment.ErrRefundBusy
		}
	}
	return err
}

// placeLate places the order that the money was for, and gives it the money in the books.
func (b *Buying) placeLate(ctx context.Context, tx ports.Tx, w *changes, x attended, number string) (o, c collection.Record, err error) {
	if x.checkout.Status == checkout.Completed || x.cart == cart.Completed {
		return nil, nil, checkout.ErrNotOpen
	}
	paid, err := charge(ctx, tx, x.session.ID)
	if err != nil {
		return nil, nil, err
	}
	if amount, _ := paid.Money("amount"); amount != x.checkout.Totals.Total {
		return nil, nil, payment.ErrMismatch
	}
	if o, c, err = b.place(ctx, tx, w, x.locked, number); err != nil {
		return nil, nil, err
	}
	now := paid.Clone()
	now["order"] = o.ID()
	w.put(payment.Transactions, paid, now)
	s := x.session
	err = tx.Ledger.Assign(ctx, ports.Movement{
		Tenant: s.Tenant, Environment: s.Environment, Provider: s.Provider, Account: s.AccountKey, Reference: reference(s), Order: o.ID(), At: w.now,
	})
	return o, c, err
}

// charge is the transaction of the money that a session brought. Errors: payment.ErrNotPaid when it brought none: another
// session's payment was taken for its own.
func charge(ctx context.Context, tx ports.Tx, session string) (collection.Record, error) {
	s := payment.Transactions
	page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Limit: 1, Page: 1, Uncounted: true, Where: collection.And{
		s.Where("paymentSession", collection.Equals, session), s.Where("type", collection.Equals, "payment"),
	}})
	switch {
	case err != nil:
		return nil, err
	case len(page.Docs) == 0:
		return nil, payment.ErrNotPaid
	}
	return page.Docs[0], nil
}

// leaveQueue takes a checkout out of the queue unless another payment of it requires attention, and frees a slot that a
// payment nobody knew held.
func (b *Buying) leaveQueue(ctx context.Context, tx ports.Tx, w *changes, x attended, resolved payment.Session) (collection.Record, error) {
	next := x.checkout
	if x.session.SlotHeld {
		next = next.FreeSlot(resolved.ID, w.now)
		if err := b.letGo(ctx, tx, x.checkout); err != nil {
			return nil, err
		}
	}
	if next.Status != checkout.Attention || next.Case.Session != resolved.ID {
		return w.put(checkout.Schema, x.record, next.Record()), nil
	}
	s := payment.Sessions
	page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Limit: collection.MaxLimit, Page: 1, Uncounted: true, Where: collection.And{
		s.Where("checkout", collection.Equals, next.ID), s.Where("status", collection.Equals, string(payment.StatusAttention)),
	}})
	if err != nil {
		return nil, err
	}
	next = next.Attended()
	for _, r := range page.Docs {
		if other := payment.SessionFrom(r); other.ID != resolved.ID && other.Booked() {
			next = next.Attend(other.Case())
		}
	}
	return w.put(checkout.Schema, x.record, next.Record()), nil
}
