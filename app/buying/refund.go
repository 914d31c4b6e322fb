package buying

import (
	"context"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const opRefund = "refund"

// RefundRequest is money of an order, or of a payment session without one, that is to go back.
type RefundRequest struct {
	Order   string
	Session string       // where the money belongs to no order
	Amount  *money.Money // nil: all that is left
	Reason  string       // told to the provider, and kept as the transaction's note
	Key     string       // names the operation: under one key an amount goes back once, however often it is asked for
	Return  string       // the return request that it pays out; "" for none
}

// Refund gives money of an order back, in part or all that is left, to where it came from. It is written down before the
// provider is asked, and counts from then on: of any number at once no more goes back than was paid. An amount comes from
// the first payment of the order that has enough left.
//
// Decisions: one refund of a payment waits for the answer to the one before, since providers compare what is left; a refund
// that the provider accepted but does later counts as done for its caller, and the watch follows it; money that came by a
// custom session or by hand is only written down, never asked for, and so is money of an order that was paid elsewhere. When a
// refund is refused because other money went back at the provider, that is written down and the request is decided anew.
//
// Errors: ports.ErrAbsent, payment.ErrExceedsPaid, payment.ErrRefundBusy, payment.ErrNotConfigured, payment.ErrNoAttention,
// ports.ErrProviderRejected when nothing goes back, ports.ErrProviderUnavailable while nobody knows: the same key asks again,
// and never pays back twice.
func (b *Buying) Refund(ctx context.Context, id tenant.ID, in RefundRequest) (r payment.Refund, err error) {
	for range decideTries {
		if r, err = b.refundOnce(ctx, id, in); !errors.Is(err, errAnew) {
			break
		}
	}
	return r, err
}

// refundOnce is Refund by what the books say now.
func (b *Buying) refundOnce(ctx context.Context, id tenant.ID, in RefundRequest) (payment.Refund, error) {
	var p refunding
	err := b.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		w := b.changes()
		books, err := b.openBooks(ctx, tx, w, in.Order, in.Session)
		if err != nil {
			return err
		}
		if begun, ok := books.begun(in.Key); ok {
			p, err = b.resume(ctx, tx, books, begun)
			return err
		}
		if books.free != nil { // somebody may have dealt with the money meanwhile
			if _, err := books.free.session.Resolve(payment.Refunded); err != nil {
				return err
			}
		}
		draft, err := books.draft(in)
		if err != nil {
			return err
		}
		p, err = b.beginRefund(ctx, tx, w, books, draft)
		return err
	})
	if err != nil || p.refund.State != payment.RefundRequested {
		return p.refund, err
	}
	return b.carryOut(ctx, p)
}

// resume takes up a refund that was begun before: it is asked for again if nobody knows what became of it.
func (b *Buying) resume(ctx context.Context, tx ports.Tx, x books, r payment.Refund) (refunding, error) {
	if r.State != payment.RefundRequested {
		return refunding{refund: r}, nil
	}
	return b.askAgain(ctx, tx, x.purses, r)
}

// draft is the refund that in asks for.
func (x books) draft(in RefundRequest) (payment.Refund, error) {
	refused, most := error(payment.ErrExceedsPaid), int64(-1)
	for _, p := range x.purses {
		var amount money.Money
		if in.Amount != nil {
			amount = *in.Amount
			if amount.IsZero() {
				break
			}
		}
		r, err := p.Begin(amount)
		if err == nil {
			r.Key, r.Note, r.Return = in.Key, in.Reason, in.Return
			return r, nil
		}
		if left := p.Left().Minor; left > most {
			refused, most = err, left
		}
	}
	return payment.Refund{}, refused
}

// books is an order, locked, and what was paid for it and given back; or the same of a payment session without one.
type books struct {
	record collection.Record
	order  order.Order
	free   *attended // the session, instead of an order
	purses []payment.Purse
}

// begun is the refund that an operation began, unless it came to nothing: then the operation may try once more.
func (x books) begun(key string) (r payment.Refund, ok bool) {
	for _, p := range x.purses {
		for _, r := range p.Refunds {
			if r.Key == key && r.State.Counts() {
				return r, true
			}
		}
	}
	return r, false
}

// left is the first payment of which something is left; ok is false when everything went back, or is about to.
func (x books) left() (p payment.Purse, ok bool) {
	for _, p := range x.purses {
		if !p.Left().IsZero() {
			return p, true
		}
	}
	return p, false
}

// unanswered is the refund of which nobody knows whether the provider heard of it.
func (x books) unanswered() (r payment.Refund, ok bool) {
	for _, p := range x.purses {
		if r, ok := p.Unanswered(); ok {
			return r, true
		}
	}
	return r, false
}

// openBooks locks an order, or where there is none a session, and reads its money. An order that was paid elsewhere has its payment written down now: what goes
// back must have come. Errors: ports.ErrAbsent.
func (b *Buying) openBooks(ctx context.Context, tx ports.Tx, w *changes, id, session string) (books, error) {
	if id == "" {
		return b.openFree(ctx, tx, session)
	}
	r, err := tx.Records.Lock(ctx, order.Schema, id)
	if err != nil {
		return books{}, err
	}
	x := books{record: r, order: order.FromRecord(r)}
	moved, err := transactionsOf(ctx, tx.Records, "order", id)
	if err != nil {
		return x, err
	}
	x.purses = payment.Purses(moved)
	if len(x.purses) > 0 || x.order.Paid.IsZero() {
		return x, nil
	}
	if x.order.Source == order.FromCheckout { // its money came by us: without a trace of it nothing may go back
		return x, fault.ErrInternal.Because(fmt.Errorf("order %s has no payment", id))
	}
	p, err := b.paidElsewhere(ctx, tx, w, x.order)
	x.purses = []payment.Purse{p}
	return x, err
}

// transactionsOf lists the money of what a field of theirs names, oldest first.
func transactionsOf(ctx context.Context, r ports.Reader, field, id string) ([]collection.Record, error) {
	s := payment.Transactions
	oldest := []collection.Order{{Path: s.Where("createdAt", collection.Exists, true).Path}}
	return ports.All(ctx, r, collection.Query{Schema: s, Where: s.Where(field, collection.Equals, id), Sort: oldest})
}

// paidElsewhere writes down the payment of an order that came with none of ours, and what went back of it elsewhere.
func (b *Buying) paidElsewhere(ctx context.Context, tx ports.Tx, w *changes, o order.Order) (payment.Purse, error) {
	t := b.byHand(o, "Paid elsewhere.")
	w.put(payment.Transactions, nil, t.Record())
	p := payment.Purse{ID: t.ID, Paid: o.Paid, Provider: CustomProvider}
	if err := b.bookByHand(ctx, tx, o, "charge", o.Paid); err != nil || o.Refunded.IsZero() {
		return p, err
	}
	back := payment.Refund{
		ID: b.NewID(), Tenant: o.Tenant, Environment: o.Environment, State: payment.RefundSucceeded, Of: t.ID, Amount: o.Refunded,
		Remaining: o.Paid, Order: o.ID, Provider: CustomProvider, Note: "Refunded elsewhere.",
	}
	w.put(payment.Transactions, nil, back.Record())
	p.Refunds = []payment.Refund{back}
	return p, b.bookByHand(ctx, tx, o, "refund", o.Refunded)
}

// PaidByHand books that o, whose row tx has locked, was paid where nobody tells us: the change it returns, for the caller to
// write with the others, is the payment as operators see it, with their note. Errors: ports.ErrMoneyKnown.
func (b *Buying) PaidByHand(ctx context.Context, tx ports.Tx, o order.Order, note string) (collection.Change, error) {
	t := collection.NewChange(payment.Transactions, nil, b.byHand(o, note).Record(), b.NewID(), b.Now())
	return t, b.bookByHand(ctx, tx, o, "charge", o.Paid)
}

// byHand is the payment of an order that came by none of our sessions.
func (b *Buying) byHand(o order.Order, note string) payment.Transaction {
	return payment.Transaction{
		ID: b.NewID(), Order: o.ID, Amount: o.Paid, Note: note,
		Session: payment.Session{Tenant: o.Tenant, Environment: o.Environment, Provider: CustomProvider},
	}
}

// bookByHand appends to the journal what was paid for o, or went back, by no account of ours.
func (b *Buying) bookByHand(ctx context.Context, tx ports.Tx, o order.Order, kind string, amount money.Money) error {
	return tx.Ledger.Append(ctx, ports.Movement{
		ID: b.NewID(), Tenant: o.Tenant, Environment: o.Environment, Type: kind, Amount: amount, Provider: CustomProvider,
		Account: manualAccount, Reference: "order:" + o.ID, Order: o.ID, At: b.Now(),
	})
}

// manualAccount is where money is that came by no account of ours.
const manualAccount = "manual"
