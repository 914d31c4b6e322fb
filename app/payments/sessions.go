package payments

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Sessions opens, shows, confirms, cancels and releases payment sessions.
type Sessions struct {
	core

	settler *Settler
}

// SessionInput is the input of Open.
type SessionInput struct {
	payment.Action

	Checkout string
}

// pendingSession is a session that holds its slot, on its way to the provider.
type pendingSession struct {
	session    payment.Session
	record     collection.Record
	connection connections.Opened
	call       connections.Call
	prepared   bool // prepared by an earlier call: there is nothing to ask the provider
	pageOver   bool // prepared, but its page has ended: it is closed, and another session takes the slot
}

// Open takes the payment slot of a checkout and answers {paymentSession, action}, for a hosted page exactly
// {paymentSession, checkoutUrl}: 201, or 200 for a retry of exactly the action that holds the slot. Stock and
// discount uses are reserved in the transaction that takes the slot. When the provider fails, the session
// stays created and the slot held; no receipt is kept, so that the same key asks again. A session that ended
// while the provider was asked is answered with payment.ErrSessionTerminal, and closed at the provider as far
// as possible. Errors: those of idempotency, ports.ErrNotFound, fault.ErrValidation, payment.ErrSlotHeld,
// payment.ErrNotConfigured, payment.ErrMethodDisabled, payment.ErrCashReceiptUnsupported, payment.ErrNothingToPay, payment.ErrSessionTerminal,
// those of checkout.Checkout.CheckPayable and checkouts.ReserveNew, ports.ErrProviderUnavailable, ports.ErrProviderRejected.
func (ss *Sessions) Open(ctx context.Context, c idempotency.Call, in SessionInput) (idempotency.Response, error) {
	if err := checkouts.RequireCaller(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := checkURLs(c, in.Action); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(in.Checkout, in.Connection); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := ss.idempotency.Run(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return ss.open(ctx, c, in, claim)
	})
	return answer, err
}

func (ss *Sessions) open(ctx context.Context, c idempotency.Call, in SessionInput, claim *idempotency.Claim) (idempotency.Receipt, error) {
	if err := checkURLOrigins(c.Principal, in.Action); err != nil {
		return idempotency.Receipt{}, err
	}
	p, err := ss.pending(ctx, c, in, claim)
	if err == nil && p.pageOver {
		if err = ss.endPage(ctx, p.session); err == nil {
			p, err = ss.pending(ctx, c, in, claim)
		}
	}
	if err != nil {
		return idempotency.Receipt{}, err
	}
	if p.prepared {
		return ss.openedReceipt(c, p)
	}
	answer, err := ss.calls.Send(ctx, p.connection, &p.call)
	if err == nil {
		if err = checkPageURL(p.connection, p.session, answer.Prepared.CheckoutURL); err != nil {
			p.call.Fail(err)
			ss.log.WarnContext(ctx, "hosted payment page rejected: not a valid https URL", "session", p.session.ID,
				"provider", p.connection.Provider, "error", err)
		}
	}
	if err != nil {
		ss.recordDecline(ctx, p, err)
		return idempotency.Receipt{}, err
	}
	ss.failpoint(FailPrepared)
	return ss.storePrepared(ctx, c, p, answer.Prepared, claim)
}

// pending takes the slot and the claim in one transaction.
func (ss *Sessions) pending(
	ctx context.Context, c idempotency.Call, in SessionInput, claim *idempotency.Claim,
) (p pendingSession, err error) {
	scope := ports.ForTenant(c.Principal.Tenant.ID)
	var choice connections.Choice
	switch r, err := ss.recent.Get(ctx, ss.store.Read(scope), c.Principal.Tenant.ID, checkout.Schema, in.Checkout); {
	case err == nil:
		x := checkout.FromRecord(r)
		scope.Prefetch = goodsPrefetch(x)
		if x.SlotHeld {
			scope.Prefetch.Lock = append(scope.Prefetch.Lock, ports.Ref{Schema: payment.Sessions, ID: x.Session})
			break
		}
		choice, _ = ss.connections.Choose(ctx, ss.store.Read(scope), x.Tenant, x.Environment, in.Connection, in.Kind, scope.Prefetch)
		// after an error the transaction finds out, after everything that comes before
	case !errors.Is(err, ports.ErrNotFound):
		return p, err
	}
	err = claim.Atomically(ctx, ss.store, scope, func(ctx context.Context, tx ports.Tx) (err error) {
		p, err = ss.takeSlot(ctx, tx, c, in, choice)
		return err
	})
	return p, err
}

// endPage frees the slot of a session whose page has ended, as its provider confirms. Errors: payment.ErrSlotHeld when it
// does not, ports.ErrProviderUnavailable.
func (ss *Sessions) endPage(ctx context.Context, s payment.Session) error {
	o, err := ss.settler.closeAndSettle(ctx, s)
	if err == nil && !o.Session.Closed() && !o.Session.Booked() {
		return payment.ErrSlotHeld.WithData("paymentSessionId", s.ID)
	}
	return err
}

// takeSlot decides under the lock of the cart and the checkout: a retry of the action that holds the slot, or a new session.
// Choice is the connection that it would use, as it was before the transaction.
func (ss *Sessions) takeSlot(
	ctx context.Context, tx ports.Tx, c idempotency.Call, in SessionInput, choice connections.Choice,
) (pendingSession, error) {
	l, err := ss.lockPayable(ctx, tx, c, in.Checkout)
	if err != nil {
		return pendingSession{}, err
	}
	r, x := l.Record, l.Checkout
	if x.SlotHeld {
		return ss.reuseSlot(ctx, tx, x, in.Action)
	}
	a, err := ss.connections.Pick(ctx, tx.Records, x.Environment, in.Connection, in.Kind, choice)
	if err != nil {
		return pendingSession{}, err
	}
	if err := in.CheckEnabled(a.EnabledMethods, x.Currency); err != nil {
		return pendingSession{}, err
	}
	if err := in.CheckCashReceipt(a.Description, x.Currency); err != nil {
		return pendingSession{}, err
	}
	in.Connection = a.ID
	s := ss.newSession(x, in.Action, a)
	if err := checkouts.ReserveNew(ctx, tx, x, s.ExpiresAt); err != nil {
		return pendingSession{}, err
	}
	w := ss.newChangeSet()
	w.Put(checkout.Schema, r, x.TakeSlot(s.ID).Record())
	p := pendingSession{session: s, record: w.Put(payment.Sessions, nil, s.Record()), connection: a}
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return pendingSession{}, err
	}
	if err := ss.scheduleSession(ctx, tx, s); err != nil {
		return pendingSession{}, err
	}
	p.call, err = ss.beginPrepare(ctx, tx, p)
	return p, err
}

// lockPayable locks a checkout and its cart for a caller who wants to pay it. Errors: ports.ErrNotFound,
// checkout.ErrNotOpen, also when the cart was ordered; while the slot is free also payment.ErrNothingToPay and
// those of checkout.Checkout.CheckPayable.
func (c *core) lockPayable(ctx context.Context, tx ports.Tx, call idempotency.Call, id string) (checkouts.Locked, error) {
	l, err := checkouts.LockWithCart(ctx, tx, id)
	if err != nil {
		return l, err
	}
	if err := checkouts.Authorize(call, l.Checkout); err != nil {
		return l, err
	}
	switch {
	case l.IsCartSpent():
		return l, checkout.ErrNotOpen
	case l.Checkout.SlotHeld:
		return l, nil
	}
	if err := l.Checkout.CheckPayable(c.now()); err != nil {
		return l, err
	}
	if l.Checkout.Totals.Total.IsZero() {
		return l, payment.ErrNothingToPay
	}
	return l, nil
}

func (ss *Sessions) beginPrepare(ctx context.Context, tx ports.Tx, p pendingSession) (connections.Call, error) {
	return ss.calls.Begin(ctx, tx, p.connection, p.session, "", connections.PrepareRequest(p.connection, p.session, ss.now()))
}

// newSession is a new session of a checkout.
func (c *core) newSession(x checkout.Checkout, a payment.Action, to connections.Opened) payment.Session {
	var random [20]byte
	mostName := cmp.Or(to.Description.Limits.OrderName, payment.MaxOrderName)
	_, _ = rand.Read(random[:]) // never fails
	s := payment.BeginSession(payment.Session{
		ID: c.newID(), Tenant: x.Tenant, Environment: x.Environment, Action: a, Amount: x.Totals.Total, TaxFree: x.TaxFree(), Provider: to.Provider,
		AccountKey: to.AccountKey, PaymentID: payment.NewPaymentID(random), Cart: x.Cart, Checkout: x.ID, OrderName: orderName(x, mostName),
		CustomerName: x.Contact.Name, Email: x.Contact.Email, Phone: x.Contact.Phone, PhoneE164: x.Contact.PhoneE164, ExpiresAt: c.reservationExpiry(),
		Digital: !x.RequiresShipping(), Capture: to.Capture,
	})
	return s.TellVAT(to.Description, x.Totals.Taxes)
}

// orderName is what the provider shows the shopper: the title of the first line, and how many more lines there are.
func orderName(x checkout.Checkout, most int) string {
	const moreLines = 20 // room for how many more lines there are
	name := []rune(x.Lines[0].Title)
	if len(name) > most-moreLines {
		name = name[:most-moreLines]
	}
	if more := len(x.Lines) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", string(name), more)
	}
	return string(name)
}

// reuseSlot repeats exactly the action that holds the slot, after it renewed the reservation.
func (ss *Sessions) reuseSlot(ctx context.Context, tx ports.Tx, x checkout.Checkout, asked payment.Action) (pendingSession, error) {
	r, err := tx.Records.Lock(ctx, payment.Sessions, x.Session)
	if err != nil {
		return pendingSession{}, err
	}
	s := payment.SessionFrom(r)
	if asked.Connection == "" {
		asked.Connection = s.Connection // the default connection may have changed since; the action has not
	}
	if !s.SameAction(asked) || s.Terminal() {
		return pendingSession{}, payment.ErrSlotHeld.WithData("paymentSessionId", x.Session)
	}
	a, err := ss.connections.Of(ctx, tx.Records, s)
	if err != nil {
		return pendingSession{}, err
	}
	if s.PageOver(ss.now()) {
		return pendingSession{session: s, pageOver: true}, nil
	}
	prepared := s.Prepared != nil
	if !prepared { // while the provider's circuit is open, retries read but write nothing
		if err := a.Adapter.Ready(a.Connection); err != nil {
			return pendingSession{}, err
		}
	}
	if s, err = ss.renewReservation(x, s); err != nil {
		return pendingSession{}, err
	}
	if err := checkouts.Reserve(ctx, tx, x, s.ExpiresAt); err != nil {
		return pendingSession{}, err
	}
	w := ss.newChangeSet()
	p := pendingSession{session: s, record: w.Put(payment.Sessions, r, s.Record()), connection: a, prepared: prepared}
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return p, err
	}
	if err := ss.scheduleSession(ctx, tx, s); err != nil || p.prepared {
		return p, err
	}
	p.call, err = ss.beginPrepare(ctx, tx, p)
	return p, err
}

// openedReceipt is the answer that says how the buyer pays.
func (ss *Sessions) openedReceipt(c idempotency.Call, p pendingSession) (idempotency.Receipt, error) {
	act, err := browserAction(p.connection, p.session)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	result := ports.ReceiptCreated
	if p.prepared {
		result = ports.ReceiptOK
	}
	name := "action"
	if page, ok := act.(map[string]any); ok && p.session.Kind == payment.Hosted {
		name, act = "checkoutUrl", page["checkoutUrl"]
	}
	answer := c.Body(reply.Member{Name: "paymentSession", Schema: payment.Sessions, Record: p.record}, reply.Member{Name: name, Value: act})
	receipt := c.Receipt(result, answer, nil, ss.now(), time.Time{})
	receipt.About(p.record)
	return receipt, nil
}

// browserAction is what the buyer's browser needs to pay, made from the provider's stored answer to prepare.
func browserAction(a connections.Opened, s payment.Session) (collection.JSONValue, error) {
	var prepared payment.Prepared
	if s.Prepared != nil {
		prepared = *s.Prepared
	}
	return a.Adapter.Action(a.Connection, connections.PaymentRequest(s), prepared)
}

// storePrepared stores the provider's answer to prepare with the receipt. Of two concurrent attempts the
// first answer stays. A session that ended meanwhile is not answered with its page.
func (ss *Sessions) storePrepared(
	ctx context.Context, c idempotency.Call, p pendingSession, prepared payment.Prepared, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	err = ss.store.Atomically(ctx, sessionScope(p.session), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, payment.Sessions, p.session.ID)
		if err != nil {
			return err
		}
		w := ss.newChangeSet()
		p.session = payment.SessionFrom(r).Prepare(prepared)
		p.record = w.Put(payment.Sessions, r, p.session.Record())
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		if err := tx.ProviderCalls.Finish(ctx, p.call.ProviderCall); err != nil || p.session.EndedWithoutOrder() {
			return err
		}
		if receipt, err = ss.openedReceipt(c, p); err != nil {
			return err
		}
		return claim.Save(ctx, tx, receipt)
	})
	if err == nil {
		ss.settler.underway.open(p.session)
	}
	if err != nil || !p.session.EndedWithoutOrder() {
		return receipt, err
	}
	if _, err := ss.closeAtProvider(ctx, p.session); err != nil {
		ss.log.WarnContext(ctx, "could not close the session of an ended payment", "session", p.session.ID, "error", err)
	}
	return idempotency.Receipt{}, payment.ErrSessionTerminal
}

// recordDecline logs a failed prepare. A definite refusal is observed on the session, so that it can be canceled.
func (ss *Sessions) recordDecline(ctx context.Context, p pendingSession, cause error) {
	ss.calls.Finish(ctx, p.call)
	if !p.call.Declined() {
		return
	}
	err := connections.AfterCall(ctx, ss.store, sessionScope(p.session), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, payment.Sessions, p.session.ID)
		if err != nil {
			return err
		}
		w, s := ss.newChangeSet(), payment.SessionFrom(r)
		s.State = payment.Join(s.State, payment.FactFailed)
		w.Put(payment.Sessions, r, s.Record())
		return tx.Records.Write(ctx, w.List()...)
	})
	if err != nil {
		ss.log.WarnContext(ctx, "could not record a declined prepare call", "session", p.session.ID, "refusal", cause, "error", err)
	}
}

// Retrieve answers {paymentSession}. Errors: ports.ErrNotFound.
func (ss *Sessions) Retrieve(ctx context.Context, c idempotency.Call, id string) (*reply.Body, error) {
	if err := checkouts.RequireCaller(c, false); err != nil {
		return nil, err
	}
	found, err := FindSession(ctx, ss.store, c, id)
	if err != nil {
		return nil, err
	}
	return c.Body(reply.Member{Name: "paymentSession", Schema: payment.Sessions, Record: found.Record}), nil
}
