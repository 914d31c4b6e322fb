package buying

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// record writes down what became of a refund, and of the cancel it belongs to, in one transaction; c is the call that was
// answered, nil for a look-up.
func (b *Buying) record(ctx context.Context, id tenant.ID, refundID string, t told, c *call) (r payment.Refund, err error) {
	err = b.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		row, err := tx.Records.Get(ctx, payment.Transactions, refundID)
		if err != nil {
			return err
		}
		x, err := b.openBooks(ctx, tx, b.changes(), row.Text("order"), row.Text("paymentSession"))
		if err != nil {
			return err
		}
		if row, err = tx.Records.Lock(ctx, payment.Transactions, refundID); err != nil {
			return err
		}
		if c != nil {
			if err := tx.Journal.Finish(ctx, c.ProviderCall); err != nil {
				return err
			}
		}
		r, err = b.recordWithin(ctx, tx, b.changes(), x, entry{row, payment.RefundFrom(row)}, t)
		return err
	})
	return r, err
}

// entry is a refund and its row, nil for one that is written down first now.
type entry struct {
	row    collection.Record
	refund payment.Refund
}

// recordWithin is record under the lock of the order, or of the session without one.
func (b *Buying) recordWithin(ctx context.Context, tx ports.Tx, w *changes, x books, was entry, t told) (payment.Refund, error) {
	now, o := was.refund, x.order
	if now.State = was.refund.State.Join(t.state); now.ProviderID == "" {
		now.ProviderID = t.providerID
	}
	if now.State != was.refund.State {
		now.Note = noteOn(now, t)
		moved, err := b.move(ctx, tx, w, was.refund, now)
		if err != nil {
			return now, err
		}
		if x.free == nil {
			o = moved(o)
		}
	}
	w.put(payment.Transactions, was.row, now.Record())
	if x.free != nil {
		if err := b.afterFree(ctx, tx, w, x.with(now), now); err != nil {
			return now, err
		}
		return now, tx.Records.Write(ctx, w.list...)
	}
	o, err := b.afterRefund(ctx, tx, w, x.with(now), o, now)
	if err != nil {
		return now, err
	}
	if now.State != was.refund.State {
		if o, err = b.follow(ctx, tx, w, o, now); err != nil {
			return now, err
		}
	}
	w.put(order.Schema, x.record, o.Record())
	return now, tx.Records.Write(ctx, w.list...)
}

// with is x in which a refund is as it is now.
func (x books) with(r payment.Refund) books {
	purses := make([]payment.Purse, len(x.purses))
	for i, p := range x.purses {
		purses[i] = p
		if p.ID != r.Of {
			continue
		}
		purses[i].Refunds = []payment.Refund{r}
		for _, other := range p.Refunds {
			if other.ID != r.ID {
				purses[i].Refunds = append(purses[i].Refunds, other)
			}
		}
	}
	x.purses = purses
	return x
}

// noteOn is the reason, and what came of it where a person has to know.
func noteOn(r payment.Refund, t told) string {
	var what string
	switch {
	case r.State == payment.RefundRefused && t.cause != nil:
		what = "The provider refused: " + detail(t.cause)
	case r.State == payment.RefundFailed:
		what = "The refund failed later: the money is back with the shop and has to be given back again."
	default:
		return r.Note
	}
	if r.Note == "" {
		return what
	}
	return r.Note + "\n" + what
}

// move books money that is known to have gone back, or to have come back after all, and returns what that does to an order.
func (b *Buying) move(ctx context.Context, tx ports.Tx, w *changes, was, now payment.Refund) (func(order.Order) order.Order, error) {
	m := ports.Movement{
		ID: b.NewID(), Tenant: now.Tenant, Environment: now.Environment, Type: "refund", Amount: now.Amount, Provider: now.Provider,
		Account: manualAccount, Reference: now.ProviderID, Checkout: now.Checkout, Order: now.Order, At: w.now,
	}
	if m.Reference == "" {
		m.Reference = now.ID
	}
	if now.Session != "" {
		row, err := tx.Records.Get(ctx, payment.Sessions, now.Session)
		if err != nil {
			return nil, err
		}
		m.Account = payment.SessionFrom(row).AccountKey
	}
	switch {
	case now.State == payment.RefundSucceeded:
		return func(o order.Order) order.Order { return o.GiveBack(now.Amount) }, tx.Ledger.Append(ctx, m)
	case was.State == payment.RefundSucceeded:
		m.Type, m.Reference = "charge", ports.Reversed(m.Reference)
		return func(o order.Order) order.Order { return o.TakeBack(now.Amount) }, tx.Ledger.Append(ctx, m)
	}
	return func(o order.Order) order.Order { return o }, nil
}

// afterRefund goes on with a cancel: it is over when nothing is left to give back, and called off when the provider refuses.
func (b *Buying) afterRefund(ctx context.Context, tx ports.Tx, w *changes, x books, o order.Order, r payment.Refund) (order.Order, error) {
	if !o.Canceling() || !r.Cancels {
		return o, nil
	}
	if !r.State.Counts() {
		return o.StopCancel(), nil
	}
	_, open := x.unanswered()
	if _, left := x.left(); left || open {
		return o, nil
	}
	return b.endOrder(ctx, tx, w, o)
}

// follow tells the return request that a refund pays out how far it is, and returns the order as it is then.
func (b *Buying) follow(ctx context.Context, tx ports.Tx, w *changes, o order.Order, r payment.Refund) (order.Order, error) {
	if r.Return == "" {
		return o, nil
	}
	next, more, err := b.Returns(ctx, tx, o, r)
	w.list = append(w.list, more...)
	return next, err
}

// endOrder is o canceled: its work is off, what waits to be shipped stays here, what never left is on the shelf again, its
// discount uses are given back.
func (b *Buying) endOrder(ctx context.Context, tx ports.Tx, w *changes, o order.Order) (order.Order, error) {
	found, err := fulfilling.Around(ctx, tx, o)
	if err != nil {
		return o, err
	}
	goods := found.Cancel()
	for _, e := range found.Edits(goods) {
		w.put(e.Schema, e.Before, e.After)
	}
	if holder := o.Holder(); holder != "" {
		if err := tx.Uses.GiveBack(ctx, o.Tenant, holder); err != nil {
			return o, err
		}
	}
	if err := tx.Stock.Restock(ctx, o.Tenant, o.Environment, o.Unfulfilled()); err != nil {
		return o, err
	}
	return goods.Order, nil
}
