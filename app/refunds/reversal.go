package refunds

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// syncLosses records what the provider of a booked payment took back without a refund, what it returned of that, and the
// disputes of the payment. Under the lock of the order, or of the session without one, it is decided again. Errors:
// payment.ErrRefundInProgress while the outcome of a refund of ours is unknown, which may be why the payment is not paid.
func (s *refunder) syncLosses(
	ctx context.Context, of payment.Session, recorded payment.RefundablePayment, listed ports.ProviderPayment,
) error {
	known, err := disputesOf(ctx, s.store.Read(ports.ForTenant(of.Tenant)), of.ID, listed.Disputes)
	if err != nil {
		return err
	}
	seen := losses{seenMoney(listed, recorded.Paid.Currency), listed.Disputes}
	if gone, back := recorded.CompareReversals(seen.money); len(gone)+len(back)+len(payment.CompareDisputes(known, seen.disputes)) == 0 {
		return nil
	}
	err = s.atomically(ctx, of.Tenant, func(ctx context.Context, tx ports.Tx) error {
		row, err := tx.Records.Get(ctx, payment.Sessions, of.ID) // it may have an order by now
		if err != nil {
			return err
		}
		w := s.newChangeSet()
		x, err := lockRefundable(ctx, tx, w, row.Text("order"), of.ID)
		if err != nil {
			return err
		}
		return s.recordLosses(ctx, tx, w, x, payment.SessionFrom(row), seen)
	})
	if errors.Is(err, ports.ErrAlreadyRecorded) {
		s.log.WarnContext(ctx, "reversal already in the ledger", "session", of.ID)
		return nil
	}
	return err
}

// losses is what a look-up shows beyond payment and refunds.
type losses struct {
	money    payment.SeenMoney
	disputes []payment.SeenDispute
}

// seenMoney is where the money of a booked payment is, according to its provider.
func seenMoney(listed ports.ProviderPayment, c money.Currency) payment.SeenMoney {
	seen := payment.SeenMoney{Refunded: money.Of(0, c), Gone: listed.Gone}
	for _, r := range listed.Refunds {
		if providerRefund(r).TakesMoney() && r.Amount.Currency == c {
			seen.Refunded = seen.Refunded.Plus(r.Amount)
		}
	}
	wasRefunded := seen.Refunded.Minor > 0
	switch listed.State {
	case ports.ProviderPaid:
		seen.Paid = payment.MoneyThere
	case ports.ProviderOpen, ports.ProviderProcessing, ports.ProviderFailed, ports.ProviderExpired:
		seen.Paid = payment.MoneyNotThere
	case ports.ProviderCanceled: // refunded: then it had been paid
		if seen.Paid = payment.MoneyNotThere; wasRefunded {
			seen.Paid = payment.MoneyThere
		}
	case ports.ProviderUnknown: // refunded in part
		if wasRefunded {
			seen.Paid = payment.MoneyThere
		}
	case ports.ProviderAbsent, ports.ProviderAuthorized:
	}
	return seen
}

// recordLosses writes what seen shows beyond what is recorded of the payment of a session, to the ledger, its transactions
// and disputes, and the order or the session that it concerns.
func (s *refunder) recordLosses(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, of payment.Session, seen losses,
) error {
	p, paid, err := sessionPayment(ctx, tx.Records, of.ID) // with the reversals from before there was an order
	if err != nil || !paid {
		return err
	}
	p, taken, moved, err := s.recordReversals(ctx, tx, w, x, p, of, seen.money)
	if err != nil {
		return err
	}
	disputed, opened, changed, err := s.recordDisputes(ctx, tx, w, x, p, of, seen.disputes)
	if err != nil || !moved && !changed {
		return err
	}
	if err := s.follow(ctx, tx, w, x.withPayment(p), moneyChange{session: of.ID, fresh: taken || opened, disputed: disputed}); err != nil {
		return err
	}
	// Of two answers that cross, the older one may be recorded last: the next look corrects that.
	if err := tx.PaymentTasks.Schedule(ctx, payments.WatchTask(of, w.Now)); err != nil {
		return err
	}
	return tx.Records.Write(ctx, w.List()...)
}

// recordReversals adds to w what the provider of p took back, and returned; it returns p as it is then, whether money was
// taken, and whether anything changed. Errors: payment.ErrRefundInProgress.
func (s *refunder) recordReversals(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, p payment.RefundablePayment, of payment.Session,
	seen payment.SeenMoney,
) (_ payment.RefundablePayment, taken, moved bool, err error) {
	gone, back := p.CompareReversals(seen)
	if other, busy := p.UnansweredRefund(); busy && len(gone)+len(back) > 0 {
		return p, false, false, payment.ErrRefundInProgress.WithData("transactionId", other.ID)
	}
	record := func(row collection.Record, r payment.Reversal) error {
		if err := payments.PutTransaction(ctx, tx, w, row, r.Record()); err != nil {
			return err
		}
		p = p.WithReversal(r)
		return bookReversal(ctx, tx, w, of, r)
	}
	for _, g := range gone {
		r := p.BeginReversal(g)
		r.ID, r.Actor = s.newID(), reportedBy(ctx, r.Provider)
		r.Tenant, r.Environment, r.Order, r.Checkout = x.owner()
		if err := record(nil, r); err != nil {
			return p, false, false, err
		}
	}
	for _, r := range back {
		row, err := tx.Records.Lock(ctx, payment.Transactions, r.ID)
		if err != nil {
			return p, false, false, err
		}
		r = payment.ReversalFrom(row)
		r.Returned = true
		if err := record(row, r); err != nil {
			return p, false, false, err
		}
	}
	return p, len(gone) > 0, len(gone)+len(back) > 0, nil
}

// bookReversal appends to the ledger that a reversal took money, or that its money was returned.
func bookReversal(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, of payment.Session, r payment.Reversal) error {
	m := ports.LedgerEntry{
		ID: w.NewID(), Tenant: r.Tenant, Environment: r.Environment, Type: "refund", Amount: r.Amount, Provider: r.Provider,
		AccountKey: of.AccountKey, Reference: r.Reference(payments.LedgerReference(of)), Checkout: r.Checkout,
		Order: r.Order, At: w.Now,
	}
	if r.Returned {
		m.Type = "charge"
	}
	return tx.Ledger.Append(ctx, m)
}

// moneyChange is what happened just now to the payment of a session; the zero value, nothing of that kind.
type moneyChange struct {
	session  string
	fresh    bool // money was taken back, or a dispute opened
	disputed bool // a dispute of it is open
}

// follow adds to w what the reversals and disputes of x do to its order, or to its session without one.
func (s *refunder) follow(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, change moneyChange) error {
	if x.unapplied != nil {
		return followUnapplied(ctx, tx, w, x)
	}
	o, err := followReversals(ctx, tx, w, x, x.order, change)
	if err != nil {
		return err
	}
	w.Put(order.Schema, x.record, o.Record())
	return nil
}

// followReversals is o, the order of x as it is by now, on hold while the provider of a payment has taken money back or the
// buyer disputes it. The sessions of such payments, which it adds to w, require attention until an operator, a second
// payment or the bank settles it.
func followReversals(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable, o order.Order, change moneyChange,
) (order.Order, error) {
	reversed, disputed, dismissed, some := money.Of(0, o.Currency), false, true, false
	for _, p := range x.payments {
		changed := p.Session != "" && p.Session == change.session
		if len(p.Reversals) == 0 && !changed {
			continue
		}
		row, err := tx.Records.Lock(ctx, payment.Sessions, p.Session)
		if err != nil {
			return o, err
		}
		next := payment.SessionFrom(row)
		if changed {
			next.Disputed = change.disputed
		}
		next.State = next.Follow(payment.MoneyState{
			Reversed: !p.ReversedAmount().IsZero(), Disputed: next.Disputed, Fresh: changed && change.fresh, Shipped: o.HasShipped(),
			Canceled: o.Status == order.Canceled, Left: !p.RefundableAmount().IsZero(),
		})
		w.Put(payment.Sessions, row, next.Record())
		reversed, disputed, some = reversed.Plus(p.ReversedAmount()), disputed || next.Disputed, true
		dismissed = dismissed && next.Resolution == payment.ResolutionDismissed
	}
	if !some {
		return o, nil
	}
	return o.Follow(reversed, disputed, dismissed), nil
}

// followUnapplied adds to w the session of x, whose payment became no order, and its checkout: nothing is left to decide
// once the provider took the money back, and everything again when it returned it.
func followUnapplied(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x refundable) error {
	l := *x.unapplied
	_, left := x.next()
	next := l.Session
	next.State = next.FollowUnapplied(!left)
	if next.State == l.Session.State {
		return nil
	}
	w.Put(payment.Sessions, l.SessionRecord, next.Record())
	if next.Status == payment.StatusRequiresAttention {
		w.Put(checkout.Schema, l.Record, l.Checkout.RequireAttention(next.AttentionCase()).Record())
		return nil
	}
	_, err := leaveAttention(ctx, tx, w, l, next)
	return err
}
