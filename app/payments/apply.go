package payments

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// LockedSession is a payment session with its checkout and cart, all locked in this transaction.
type LockedSession struct {
	checkouts.Locked

	SessionRecord collection.Record
	Session       payment.Session
}

// LockSession locks a payment session and, before it, its cart and its checkout. Errors: ports.ErrNotFound.
func LockSession(ctx context.Context, tx ports.Tx, checkoutID, id string) (l LockedSession, err error) {
	if l.Locked, err = checkouts.LockWithCart(ctx, tx, checkoutID); err != nil {
		return l, err
	}
	if l.SessionRecord, err = tx.Records.Lock(ctx, payment.Sessions, id); err != nil {
		return l, err
	}
	l.Session = payment.SessionFrom(l.SessionRecord)
	l.Session.Cart = l.Checkout.Cart // missing in records of older versions
	return l, nil
}

// applyAttempt is one attempt to apply a payment.
type applyAttempt struct {
	number     string // for the order, if one is placed
	lateReason string // why the payment cannot become its order; "": not known yet
	booked     bool   // the ledger has the provider's payment already, from another session
}

// learn reports whether err is one that the next attempt avoids, and remembers what to do differently.
func (a *applyAttempt) learn(err error) (retry bool) {
	switch {
	case errors.Is(err, ports.ErrOutOfStock):
		a.lateReason = payment.ReasonStock
	case errors.Is(err, ports.ErrDiscountUsageLimit), errors.Is(err, ports.ErrDiscountCustomerLimit):
		a.lateReason = payment.ReasonDiscount
	case errors.Is(err, ports.ErrAlreadyRecorded), errors.Is(err, ports.ErrDuplicate) && !isDuplicateOf(err, "orderNumber"):
		a.lateReason, a.booked = payment.ReasonMismatch, true
	case errors.Is(err, ports.ErrDuplicate), errors.Is(err, ports.ErrStale):
	default:
		return false
	}
	return true
}

// isDuplicateOf reports whether err says that another record has the value of a unique field.
func isDuplicateOf(err error, field string) bool {
	return errors.Is(err, ports.ErrDuplicate) &&
		slices.ContainsFunc(fault.From(err).Fields, func(f fault.Field) bool { return f.Field == field })
}

// apply writes an observation in one transaction, with what opts adds to it. A payment that turns out
// not to become its order is applied again, in a new transaction, as an unapplied payment.
func (st *Settler) apply(
	ctx context.Context, scope ports.Scope, s payment.Session, seen observation, opts settleOptions,
) (o Outcome, err error) {
	var try applyAttempt
	retry := true
	for attempt := 0; retry && attempt < placement.MaxNumberAttempts; attempt++ {
		if seen.mayPlace(s) {
			if try.number, err = st.numbers.Draw(ctx, s.Tenant, s.Environment, attempt); err != nil {
				return o, err
			}
		}
		err = st.store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) (err error) {
			o, err = st.applyOnce(ctx, tx, s, seen, try)
			if err == nil && opts.mark != nil && o.Session.Booked() {
				o.marked, err = true, opts.mark(ctx, tx)
			}
			if err == nil && opts.then != nil {
				if o, err = o.withOrder(ctx, tx.Records); err == nil {
					err = opts.then(ctx, tx, o)
				}
			}
			if err == nil && o.Session.Booked() {
				st.failpoint(FailBeforeCommit)
			}
			return err
		})
		if retry = try.learn(err); !retry {
			break
		}
		st.log.WarnContext(ctx, "retrying settlement: payment can no longer become its order",
			"session", s.ID, "because", fault.From(err).Reason)
	}
	if retry {
		return o, fault.ErrUnavailable.WithCause(err) // what the attempts met may be gone for the next caller
	}
	if err == nil && o.Session.Booked() {
		st.underway.book(o.Session)
		st.failpoint(FailCommitted)
	}
	if err == nil {
		o, err = o.withOrder(ctx, st.store.Read(scope))
	}
	return o, err
}

// applyOnce locks a session with its cart and checkout, joins what was observed to its state, and writes what
// that changes: a payment is booked, and a session that ended frees its slot and its reservation.
func (st *Settler) applyOnce(ctx context.Context, tx ports.Tx, s payment.Session, seen observation, try applyAttempt) (Outcome, error) {
	l, err := LockSession(ctx, tx, s.Checkout, s.ID)
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Session: l.Session, Record: l.SessionRecord, Checkout: l.Record}
	if l.Session.Booked() || seen.fact == "" {
		return o, nil
	}
	if seen.fact, err = seen.factWhenClosed(ctx, tx, l.Session); err != nil {
		return o, err
	}
	w := st.newChangeSet()
	o.Session.State = payment.Join(l.Session.State, seen.fact)
	switch {
	case o.Session.Booked():
		o, err = st.book(ctx, tx, w, l, o, seen.payment, try)
		if err == nil { // nothing is left to be looked up
			err = tx.PaymentTasks.Cancel(ctx, s.Tenant, s.ID, ports.TaskLookup, ports.TaskReservation)
		}
	case l.Session.SlotHeld && !o.Session.SlotHeld:
		o.Checkout = w.Put(checkout.Schema, l.Record, l.Checkout.ReleaseSlot(s.ID, w.Now).Record())
		err = checkouts.ReleaseReservation(ctx, tx, l.Checkout)
	case o.Session.LacksInstructions(seen.payment.Instructions):
		o.Session, err = instruct(ctx, tx, l, o.Session, *seen.payment.Instructions, w.Now)
	}
	if err != nil {
		return o, err
	}
	o.Record = w.Put(payment.Sessions, l.SessionRecord, o.Session.Record())
	return o, tx.Records.Write(ctx, w.List()...)
}

// instruct is s with what its buyer has to pay where. The goods are kept until then: their reservation lasts, so that to
// replace it by a longer one takes nothing from anybody.
func instruct(
	ctx context.Context, tx ports.Tx, l LockedSession, s payment.Session, i payment.Instructions, now time.Time,
) (payment.Session, error) {
	s, prolonged := s.Instruct(i, now)
	if !prolonged {
		return s, nil
	}
	return s, checkouts.Reserve(ctx, tx, l.Checkout, s.ExpiresAt)
}

// book adds a payment to w with what it came to: the order that it pays for, an unapplied payment that requires attention,
// or an authorization that is to be released. Money is appended to the ledger, and a payment is never dropped. o is the
// outcome so far.
func (st *Settler) book(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l LockedSession, o Outcome, p ports.ProviderPayment, try applyAttempt,
) (_ Outcome, err error) {
	if !try.booked {
		o.Session.ProviderPaymentID, o.Session.MethodUsed = p.ProviderID, p.Method
	}
	authorized := o.Session.Status == payment.StatusAuthorized
	reason := unappliedReason(l.Checkout, o.Session, p.Amount, l.IsCartSpent(), try)
	switch {
	case reason == "":
		o, err = placePaid(ctx, tx, w, l, o, p, try.number)
	case authorized && !try.booked:
		o.Session.State = o.Session.VoidWithoutOrder(reason)
		o.Checkout = w.Put(checkout.Schema, l.Record, l.Checkout.ReleaseSlot(o.Session.ID, w.Now).Record())
	default:
		o.Session.State = o.Session.BookedWithoutOrder(reason)
		o.Checkout = w.Put(checkout.Schema, l.Record, l.Checkout.RequireAttention(o.Session.AttentionCase()).Record())
	}
	if err == nil && reason != "" && (l.Checkout.Session == o.Session.ID || !l.Checkout.SlotHeld) {
		err = checkouts.ReleaseReservation(ctx, tx, l.Checkout)
	}
	if err != nil || try.booked {
		return o, err
	}
	s := o.Session
	t := payment.Transaction{
		ID: w.NewID(), Order: s.Order, Session: s, Amount: p.Amount, Authorized: authorized, Method: p.Method, ReceiptURL: p.ReceiptURL,
		Note: reason, CashReceipt: p.CashReceipt, Escrow: p.Escrow, Actor: ports.ActorOf(ctx),
	}
	if reason == "" && !authorized {
		t.Taxes = order.FromRecord(o.Order).TaxesIn(p.Amount)
	}
	if err := PutTransaction(ctx, tx, w, nil, t.Record()); err != nil {
		return o, err
	}
	switch {
	case authorized: // no money moved yet
		return o, tx.PaymentTasks.Schedule(ctx, AuthorizationTask(s, w.Now, payment.NextAuthorizationTask(s.State, p.Until, w.Now)))
	case s.Instructions != nil || p.SettledLater:
		err = tx.PaymentTasks.Schedule(ctx, WatchTask(s, w.Now))
	}
	if err != nil {
		return o, err
	}
	return o, AppendSettled(ctx, tx, ChargeEntry(w, s, p.Amount), p.Settled)
}

// AppendSettled appends an entry to the ledger with what its provider says that it settles for it.
// Errors: ports.ErrAlreadyRecorded.
func AppendSettled(ctx context.Context, tx ports.Tx, m ports.LedgerEntry, s payment.Settled) error {
	if err := tx.Ledger.Append(ctx, m); err != nil || !s.IsTold() {
		return err
	}
	return tx.Ledger.Settle(ctx, m, s)
}

// placePaid places the order of a paid or authorized session.
func placePaid(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l LockedSession, o Outcome, p ports.ProviderPayment, number string,
) (_ Outcome, err error) {
	l.PaidBy = o.Session.ID
	if o.Session.Status == payment.StatusAuthorized {
		l.Authorization = &order.Authorization{
			Session: o.Session.ID, Amount: p.Amount, Capture: o.Session.Capture, Until: collection.TruncateTime(p.Until),
		}
	}
	o.Order, o.Checkout, err = checkouts.Place(ctx, tx, w, l.Locked, number)
	o.Session.Order = o.Order.ID()
	return o, err
}

// ChargeEntry is the ledger's entry of the money that the payment of a session brought.
func ChargeEntry(w *collection.ChangeSet, s payment.Session, amount money.Money) ports.LedgerEntry {
	return ports.LedgerEntry{
		ID: w.NewID(), Tenant: s.Tenant, Environment: s.Environment, Type: "charge", Amount: amount, Provider: s.Provider,
		AccountKey: s.AccountKey, Reference: LedgerReference(s), Checkout: s.Checkout, Order: s.Order, At: w.Now,
	}
}

// unappliedReason says why the payment of s cannot become the order of its checkout, "" when it can: whoever
// holds the slot, money that fits becomes the order. An expired checkout still takes its payment, one that was
// replaced does not, and neither does one whose price changed since the slot was freed. Rule payments-38.
func unappliedReason(x checkout.Checkout, s payment.Session, got money.Money, spent bool, try applyAttempt) string {
	switch {
	case try.booked:
		return try.lateReason
	case spent:
		return payment.ReasonLate
	case s.Status == payment.StatusRequiresAttention:
		return s.Reason
	case try.lateReason != "":
		return try.lateReason
	case x.Status == checkout.Canceled, x.SupersededBy != "":
		return payment.ReasonLate
	case x.Totals.Total != s.Amount, got != s.Amount:
		return payment.ReasonMismatch
	}
	return ""
}

// LedgerReference names the payment of a session in the ledger.
func LedgerReference(s payment.Session) string {
	if s.ProviderPaymentID != "" {
		return s.ProviderPaymentID
	}
	return s.PaymentID
}
