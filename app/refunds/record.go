package refunds

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// result is what became known of a refund.
type result struct {
	state      payment.RefundState
	providerID string
	cause      error           // of a refusal or a failure
	settled    payment.Settled // for it, as the provider says
}

// refusal is the error of a refund that came to nothing.
func (t result) refusal() error {
	if t.cause != nil {
		return t.cause
	}
	return ports.ErrProviderRejected.WithData("providerCode", "REFUND_FAILED")
}

// record writes what became of a refund, and of the order cancel it belongs to, in one transaction; call is
// the call that was answered, nil for a lookup.
func (w *recorder) record(
	ctx context.Context, id tenant.ID, refundID string, t result, call *connections.Call,
) (r payment.Refund, err error) {
	err = w.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		row, err := tx.Records.Get(ctx, payment.Transactions, refundID)
		if err != nil {
			return err
		}
		x, err := lockRefundable(ctx, tx, w.newChangeSet(), row.Text("order"), row.Text("paymentSession"))
		if err != nil {
			return err
		}
		if row, err = tx.Records.Lock(ctx, payment.Transactions, refundID); err != nil {
			return err
		}
		if call != nil {
			if err := tx.ProviderCalls.Finish(ctx, call.ProviderCall); err != nil {
				return err
			}
		}
		r, err = w.recordIn(ctx, tx, w.newChangeSet(), x, entry{row, payment.RefundFrom(row)}, t)
		if err == nil && call != nil && call.Confidential() && r.State != payment.RefundRequested { // it is not sent again
			err = tx.ProviderCalls.Forget(ctx, call.ProviderCall)
		}
		return err
	})
	return r, err
}

// entry is a refund and its row, nil for one that is not recorded yet.
type entry struct {
	row    collection.Record
	refund payment.Refund
}

// reportedBy is who moved money that a provider reported.
func reportedBy(ctx context.Context, provider string) tenant.Actor {
	return tenant.Actor{Kind: tenant.Provider, ID: provider, Via: ports.ActorOf(ctx).Via}
}

// recordIn is record under the lock of the order, or of the session without one.
func (w *recorder) recordIn(
	ctx context.Context, tx ports.Tx, changes *collection.ChangeSet, x refundable, was entry, t result,
) (payment.Refund, error) {
	r, o := was.refund, x.order
	if r.State = was.refund.State.Join(t.state); r.ProviderID == "" {
		r.ProviderID = t.providerID
	}
	moved := r.State != was.refund.State
	if moved {
		r.Taxes = x.taxesOf(was.refund, r)
		r.Note = note(r, t)
		applyTo, err := book(ctx, tx, changes, was.refund, r, t.settled)
		if err != nil {
			return r, err
		}
		if x.unapplied == nil {
			o = applyTo(o)
		}
	}
	if r.Actor.Kind == "" {
		r.Actor = reportedBy(ctx, r.Provider)
	}
	x, err := x.putRefund(ctx, tx, changes, was, r)
	if err != nil {
		return r, err
	}
	if x.unapplied != nil {
		if err := updateUnapplied(ctx, tx, changes, x, r); err != nil {
			return r, err
		}
		return r, tx.Records.Write(ctx, changes.List()...)
	}
	if o, err = continueCancel(ctx, tx, changes, x, o, r); err != nil {
		return r, err
	}
	if moved {
		if o, err = w.notifyReturn(ctx, tx, changes, o, r); err != nil {
			return r, err
		}
	}
	if o, err = followReversals(ctx, tx, changes, x, o, moneyChange{}); err != nil {
		return r, err
	}
	changes.Put(order.Schema, x.record, o.Record())
	return r, tx.Records.Write(ctx, changes.List()...)
}

// note is a refund's reason, and its outcome where an operator has to know about it.
func note(r payment.Refund, t result) string {
	var outcome string
	switch {
	case r.State == payment.RefundRefused && t.cause != nil:
		outcome = "Declined by the provider: " + connections.FailureDetail(t.cause)
	case r.State == payment.RefundFailed:
		outcome = "The refund failed after it was accepted: the money is back with the shop and must be refunded again."
	default:
		return r.Note
	}
	if r.Note == "" {
		return outcome
	}
	return r.Note + "\n" + outcome
}

// book appends to the ledger a refund that is known to be done, or the reversal of one that failed later, and
// returns what that does to the order.
func book(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, was, r payment.Refund, settled payment.Settled,
) (func(order.Order) order.Order, error) {
	m := ports.LedgerEntry{
		ID: w.NewID(), Tenant: r.Tenant, Environment: r.Environment, Type: "refund", Amount: r.Amount, Provider: r.Provider,
		AccountKey: payments.ManualAccount, Reference: r.ProviderID, Checkout: r.Checkout, Order: r.Order, At: w.Now,
	}
	if m.Reference == "" {
		m.Reference = r.ID
	}
	if r.Session != "" {
		row, err := tx.Records.Get(ctx, payment.Sessions, r.Session)
		if err != nil {
			return nil, err
		}
		m.AccountKey = payment.SessionFrom(row).AccountKey
	}
	switch {
	case r.State == payment.RefundSucceeded:
		return func(o order.Order) order.Order { return o.AddRefund(r.Amount) }, payments.AppendSettled(ctx, tx, m, settled)
	case was.State == payment.RefundSucceeded:
		m.Type, m.Reference = "charge", ports.ReversalReference(m.Reference)
		return func(o order.Order) order.Order { return o.ReverseRefund(r.Amount) }, tx.Ledger.Append(ctx, m)
	}
	return func(o order.Order) order.Order { return o }, nil
}

// notifyReturn moves the return request that a refund pays out along with it, and returns the order as it is then.
func (w *recorder) notifyReturn(
	ctx context.Context, tx ports.Tx, changes *collection.ChangeSet, o order.Order, r payment.Refund,
) (order.Order, error) {
	if r.ReturnRequest == "" {
		return o, nil
	}
	next, more, err := w.returns.FollowRefund(ctx, tx, o, r)
	changes.Add(more...)
	return next, err
}

// continueCancel continues the cancel that a refund belongs to: it is finished when nothing is left to refund, or once the
// refund of canceled lines was accepted, and stopped when the provider refuses.
func continueCancel(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, o order.Order, r payment.Refund,
) (order.Order, error) {
	if lines, ok := o.LineCancelInProgress(); ok && lines.Key == r.Key {
		if !r.State.CountsAgainstPaid() {
			return o.StopLineCancel(), nil
		}
		if r.State == payment.RefundRequested {
			return o, nil
		}
		return finishLineCancel(ctx, tx, w, x, o)
	}
	if !o.Canceling() || !r.CancelsOrder {
		return o, nil
	}
	if !r.State.CountsAgainstPaid() {
		return o.StopCancel(), nil
	}
	_, open := x.unanswered()
	if _, left := x.next(); left || open {
		return o, nil
	}
	return finishCancel(ctx, tx, w, o)
}

// finishCancel is o canceled: its fulfillment orders and unshipped fulfillments are canceled, unshipped stock
// is restocked, its discount uses are released.
func finishCancel(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, o order.Order) (order.Order, error) {
	found, err := fulfillments.LoadGoods(ctx, tx, o)
	if err != nil {
		return o, err
	}
	goods := found.Cancel()
	for _, e := range found.Edits(goods) {
		w.Put(e.Schema, e.Before, e.After)
	}
	if holder := o.DiscountHolder(); holder != "" {
		if _, err := tx.DiscountUses.ReleaseAll(ctx, o.Tenant, holder); err != nil {
			return o, err
		}
	}
	cause := ports.StockCause{Kind: inventory.Canceled, Order: o.ID, Note: o.CancelReason, Actor: o.CanceledBy}
	if err := tx.Stock.Restock(ctx, o.Tenant, o.Environment, o.UnfulfilledStock(), cause); err != nil {
		return o, err
	}
	return goods.Order, nil
}

// updateUnapplied resolves a session once all of its payment is refunded or being refunded, and lets it
// require attention again when a refund fails later.
func updateUnapplied(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, r payment.Refund) error {
	next := x.unapplied.Session
	_, left := x.next()
	_, open := x.unanswered()
	switch {
	case r.State == payment.RefundFailed && next.Resolution == payment.ResolutionRefunded:
		next.State = next.BookedWithoutOrder(next.Reason)
		w.Put(checkout.Schema, x.unapplied.Record, x.unapplied.Checkout.RequireAttention(next.AttentionCase()).Record())
	case r.State.CountsAgainstPaid() && !left && !open && next.Status == payment.StatusRequiresAttention:
		var err error
		if next.State, err = next.Resolve(payment.ResolutionRefunded); err != nil {
			return err
		}
		next.Note = r.Note
		if _, err := leaveAttention(ctx, tx, w, *x.unapplied, next); err != nil {
			return err
		}
	default:
		return nil
	}
	w.Put(payment.Sessions, x.unapplied.SessionRecord, next.Record())
	return nil
}
