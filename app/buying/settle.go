package buying

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Outcome is a session after settling, with its checkout and, once placed, its order.
type Outcome struct {
	Session                 payment.Session
	Record, Checkout, Order collection.Record
}

// finish is work that belongs into the transaction of a settle, after everything else: keeping an answer. Nil is none.
type finish func(ctx context.Context, tx ports.Tx, o Outcome) error

// finding is what a look-up showed.
type finding struct {
	seen    payment.Seen
	payment ports.ProviderPayment
	closed  bool // the provider said before that nobody can pay any more, or only by our confirm
}

// Settle looks a session's payment up at its provider, outside of any transaction, and applies what it finds in one:
// order, stock, uses, transaction, ledger, fulfillment orders, cart, checkout and events together. Redirects, polls,
// confirms, webhooks and reconciliation all end here; repeating it changes nothing. Errors: ports.ErrAbsent,
// ports.ErrProviderUnavailable, ports.ErrProviderRejected, payment.ErrNotConfigured.
func (b *Buying) Settle(ctx context.Context, id tenant.ID, session string) (Outcome, error) {
	return b.settle(ctx, id, session, nil)
}

func (b *Buying) settle(ctx context.Context, id tenant.ID, session string, then finish) (Outcome, error) {
	return b.settleAfter(ctx, id, session, false, then)
}

// settleAfter is settle after a close that the provider answered with closed.
func (b *Buying) settleAfter(ctx context.Context, id tenant.ID, session string, closed bool, then finish) (Outcome, error) {
	reader := b.Store.Read(ports.Of(id))
	r, err := reader.Get(ctx, payment.Sessions, session)
	if err != nil {
		return Outcome{}, err
	}
	s := payment.SessionFrom(r)
	x, err := reader.Get(ctx, checkout.Schema, s.Checkout)
	if err != nil {
		return Outcome{}, err
	}
	if s.Booked() && then == nil {
		return b.unchanged(ctx, reader, s, r, x)
	}
	var found finding
	if !s.Booked() {
		if found, err = b.lookUp(ctx, reader, s); err != nil {
			return Outcome{}, err
		}
		found.closed = closed
		b.fail(FailLookedUp)
	}
	if then == nil && payment.Join(s.State, found.seen) == s.State {
		return b.unchanged(ctx, reader, s, r, x) // what is known already adds nothing to any later state either
	}
	scope := ports.Of(s.Tenant)
	scope.Ahead = ahead(s, checkout.FromRecord(x), found.seen)
	return b.applyIn(ctx, scope, s, found, then)
}

// unchanged is a session to which nothing is to be added.
func (b *Buying) unchanged(ctx context.Context, reader ports.Reader, s payment.Session, r, x collection.Record) (o Outcome, err error) {
	o = Outcome{Session: s, Record: r, Checkout: x}
	if s.Order != "" {
		o.Order, err = reader.Get(ctx, order.Schema, s.Order)
	}
	return o, err
}

// lookUp asks the provider and compares the answer with what we asked for.
func (b *Buying) lookUp(ctx context.Context, reader ports.Reader, s payment.Session) (finding, error) {
	a, err := b.account(ctx, reader, s)
	if err != nil {
		return finding{}, err
	}
	p, err := a.provider.Lookup(ctx, a.Connection, ports.PaymentRef{
		PaymentID: s.PaymentID, ProviderSessionID: s.ProviderSessionID, ProviderPaymentID: s.ProviderPaymentID,
	})
	if err != nil {
		return finding{}, err
	}
	f := finding{seen: payment.Seen(p.State), payment: p}
	if f.seen == payment.Absent {
		return f, nil
	}
	got := payment.Captured{PaymentID: p.PaymentID, Account: p.Account, Environment: p.Environment, Amount: p.Amount}
	ours := got
	ours.Amount = s.Amount
	switch {
	case !s.Accepts(ours):
		f.seen = payment.Unknown // somebody else's payment: nothing of it is ours to book
	case f.seen == payment.Paid && !p.Refunded.IsZero():
		f.seen = payment.Unknown // some of it went back at the provider before we knew of it: no order for less than its price
	case f.seen == payment.Paid && !s.Accepts(got):
		f.seen = payment.Mismatch
		if !p.Amount.Currency.Valid() || p.Amount.Minor <= 0 {
			f.seen = payment.Unknown // no amount that could be booked
		}
	}
	return f, nil
}

// attempt is how money is applied: late is why it cannot become an order, known that the books have it already.
type attempt struct {
	number string
	late   string
	known  bool
}

// apply writes a finding. Money that cannot become the order after all is applied again as late, in a new transaction.
func (b *Buying) apply(ctx context.Context, s payment.Session, f finding, then finish) (Outcome, error) {
	return b.applyIn(ctx, ports.Of(s.Tenant), s, f, then)
}

// applyIn is apply in a scope of the session's tenant.
func (b *Buying) applyIn(ctx context.Context, scope ports.Scope, s payment.Session, f finding, then finish) (o Outcome, err error) {
	try := attempt{}
	for range placing.Tries {
		try.number = placing.Number(b.Now())
		err = b.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) (err error) {
			o, err = b.applyOnce(ctx, tx, s, f, try)
			if err != nil {
				return err
			}
			if then != nil {
				if err := then(ctx, tx, o); err != nil {
					return err
				}
			}
			if o.Session.Booked() {
				b.fail(FailBeforeCommit)
			}
			return nil
		})
		switch {
		case errors.Is(err, ports.ErrShort):
			try.late = payment.ReasonStock
		case errors.Is(err, ports.ErrUsedUp), errors.Is(err, ports.ErrCustomerUsedUp):
			try.late = payment.ReasonDiscount
		case errors.Is(err, ports.ErrMoneyKnown), errors.Is(err, ports.ErrDuplicate) && !taken(err, "orderNumber"): // another session's payment
			try.late, try.known = payment.ReasonMismatch, true
		case errors.Is(err, ports.ErrDuplicate), errors.Is(err, ports.ErrStale):
		default:
			if err == nil && o.Session.Booked() {
				b.fail(FailCommitted)
			}
			return o, err
		}
		b.log().WarnContext(ctx, "settle goes another way", "session", s.ID, "because", fault.From(err).Reason)
	}
	return o, err
}

// taken reports whether err says that another record has the value of a unique field.
func taken(err error, field string) bool {
	return errors.Is(err, ports.ErrDuplicate) && slices.ContainsFunc(fault.From(err).Fields, func(f fault.Field) bool { return f.Field == field })
}

func (b *Buying) applyOnce(ctx context.Context, tx ports.Tx, s payment.Session, f finding, try attempt) (Outcome, error) {
	l, err := lockBoth(ctx, tx, s.Checkout)
	if err != nil {
		return Outcome{}, err
	}
	r, err := tx.Records.Lock(ctx, payment.Sessions, s.ID)
	if err != nil {
		return Outcome{}, err
	}
	now := payment.SessionFrom(r)
	o := Outcome{Session: now, Record: r, Checkout: l.record}
	if now.Booked() || f.seen == "" {
		return b.withOrder(ctx, tx, o)
	}
	if f.seen, err = f.within(ctx, tx, now); err != nil {
		return o, err
	}
	w := b.changes()
	next := now
	next.State = payment.Join(now.State, f.seen)
	switch {
	case next.Booked():
		err = b.book(ctx, tx, w, &o, l, next, f.payment, try)
	case now.SlotHeld && !next.SlotHeld:
		o.Session = next
		o.Checkout = w.put(checkout.Schema, l.record, l.checkout.FreeSlot(s.ID, w.now).Record())
		err = b.letGo(ctx, tx, l.checkout)
	default:
		o.Session = next
	}
	if err != nil {
		return o, err
	}
	o.Record = w.put(payment.Sessions, r, o.Session.Record())
	return o, tx.Records.Write(ctx, w.list...)
}

// within is what was seen, or Canceled of an unpaid payment that was closed. Under the session's lock no confirm begins:
// when none did that may have captured, none ever will, for a canceled session takes none.
func (f finding) within(ctx context.Context, tx ports.Tx, s payment.Session) (payment.Seen, error) {
	switch f.seen {
	case payment.Absent, payment.Open, payment.Failed, payment.Expired:
	default:
		return f.seen, nil
	}
	if !f.closed {
		return f.seen, nil
	}
	capturing, err := tx.Journal.Undeclined(ctx, s.Tenant, s.ID, opConfirm)
	if err != nil || capturing {
		return f.seen, err
	}
	return payment.Canceled, nil
}

// withOrder adds the order of a checkout that has one.
func (b *Buying) withOrder(ctx context.Context, tx ports.Tx, o Outcome) (Outcome, error) {
	if o.Session.Order == "" {
		return o, nil
	}
	var err error
	o.Order, err = tx.Records.Get(ctx, order.Schema, o.Session.Order)
	return o, err
}

// letGo ends what a checkout was promised.
func (b *Buying) letGo(ctx context.Context, tx ports.Tx, x checkout.Checkout) error {
	if err := tx.Uses.Release(ctx, x.Tenant, x.ID); err != nil {
		return err
	}
	return tx.Stock.Release(ctx, x.Tenant, x.ID)
}

// late says why the money of s cannot become the order of its checkout, "" when it can. An expired checkout still takes its
// money; one whose price changed since its slot was released does not.
func late(l locked, s payment.Session) string {
	x := l.checkout
	switch {
	case x.Status != checkout.Open && x.Status != checkout.PaymentPending && x.Status != checkout.Expired:
		return payment.ReasonLate
	case x.SlotHeld && x.Session != s.ID, l.cart == cart.Completed:
		return payment.ReasonLate
	case x.Totals.Total != s.Amount:
		return payment.ReasonMismatch
	}
	return ""
}

// book records money: with the order it pays for, or for a person to look at. Money is never dropped.
func (b *Buying) book(ctx context.Context, tx ports.Tx, w *changes, o *Outcome, l locked, s payment.Session, p ports.ProviderPayment, try attempt) error {
	if !try.known {
		s.ProviderPaymentID, s.MethodUsed = p.ProviderID, p.Method
	}
	reason := try.late
	switch {
	case s.Status == payment.StatusAttention:
		reason = s.Reason
	case reason == "":
		reason = late(l, s)
	}
	var err error
	if reason == "" {
		o.Order, o.Checkout, err = b.place(ctx, tx, w, l, try.number)
		s.Order = o.Order.ID()
	} else {
		s.State = s.Late(reason)
		o.Checkout = w.put(checkout.Schema, l.record, l.checkout.Attend(s.Case()).Record())
		if l.checkout.Session == s.ID || !l.checkout.SlotHeld {
			err = b.letGo(ctx, tx, l.checkout)
		}
	}
	o.Session = s
	if err != nil || try.known {
		return err
	}
	t := payment.Transaction{ID: b.NewID(), Order: s.Order, Session: s, Amount: p.Amount, Method: p.Method, ReceiptURL: p.ReceiptURL, Note: reason}
	w.put(payment.Transactions, nil, t.Record())
	return tx.Ledger.Append(ctx, ports.Movement{
		ID: b.NewID(), Tenant: s.Tenant, Environment: s.Environment, Type: "charge", Amount: p.Amount, Provider: s.Provider,
		Account: s.AccountKey, Reference: reference(s), Checkout: s.Checkout, Order: s.Order, At: w.now,
	})
}

// reference names a payment in the books.
func reference(s payment.Session) string {
	if s.ProviderPaymentID != "" {
		return s.ProviderPaymentID
	}
	return s.PaymentID
}
