package refunds

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// authorization is the authorized payment of a session, locked with its order, or with its checkout and cart without one.
type authorization struct {
	sessionRecord collection.Record
	session       payment.Session
	held          payment.HeldPayment
	orderRecord   collection.Record // nil without an order
	order         order.Order
	unplaced      payments.LockedSession // set without an order
}

// lockAuthorization locks the authorized payment of a session; held is false if it has none, or the provider does not hold
// it any more, as far as is recorded. Errors: ports.ErrNotFound.
func lockAuthorization(ctx context.Context, tx ports.Tx, session string) (a authorization, held bool, err error) {
	found, err := tx.Records.Get(ctx, payment.Sessions, session)
	if err != nil {
		return a, false, err
	}
	if id := found.Text("order"); id != "" {
		if a.orderRecord, err = tx.Records.Lock(ctx, order.Schema, id); err == nil {
			a.order = order.FromRecord(a.orderRecord)
			a.sessionRecord, err = tx.Records.Lock(ctx, payment.Sessions, session)
		}
	} else if a.unplaced, err = lockSession(ctx, tx, session); err == nil {
		a.sessionRecord = a.unplaced.SessionRecord
	}
	if err != nil {
		return a, false, err
	}
	if a.session = payment.SessionFrom(a.sessionRecord); a.session.Order != "" && a.orderRecord == nil {
		return a, false, ports.ErrStale // it was placed since it was read
	}
	transactions, err := payments.TransactionsOf(ctx, tx.Records, "paymentSession", session)
	if err != nil {
		return a, false, err
	}
	a.held, held = payment.HeldPaymentOf(transactions)
	return a, held && a.held.Held(), nil
}

// onShipping names the capture of all that is held, once everything was shipped.
const onShipping = "shipping"

// due is what is to be done with a now, nil for nothing, and the name of the request. While it is not known what came of
// another capture, a is only looked up.
func (a authorization) due() (request ports.ProviderRequest, key string) {
	switch {
	case a.orderRecord == nil, a.order.DueVoid():
		return ports.VoidRequest{PaymentRef: connections.PaymentRef(a.session)}, ""
	case a.order.DueCapture() && a.held.MayCapture(onShipping):
		return a.captureRequest(a.order.DueCaptureAmount()), onShipping
	}
	return nil, ""
}

// captureRequest captures amount of a.
func (a authorization) captureRequest(amount money.Money) ports.CaptureRequest {
	return ports.CaptureRequest{
		PaymentRef: connections.PaymentRef(a.session), Authorized: a.held.Authorized, Amount: amount, TaxFree: a.taxFreeIn(amount),
		AuthorizedTaxFree: a.held.TaxFree,
	}
}

// taxFreeIn is the tax-free part of amount, captured of a for its order.
func (a authorization) taxFreeIn(amount money.Money) money.Money {
	if a.orderRecord == nil {
		return a.held.TaxFreeShare(amount, nil)
	}
	return a.held.TaxFreeShare(amount, new(a.order.TaxFreeIn(amount)))
}

// authorizationCall is what is asked of the provider that holds a payment; without a request it is only looked up.
type authorizationCall struct {
	session    payment.Session
	connection connections.Opened
	request    ports.ProviderRequest
	key        string // of a capture
	call       connections.Call
	refused    error // by the provider
}

// SettleAuthorization brings the authorized payment of a session in line with its order and its provider: it is captured or
// voided if that is due, and what became of it is recorded. Repeating it changes nothing. It returns when to do it again,
// zero once nothing is held any more. Errors: ports.ErrNotFound, payment.ErrNotConfigured, ports.ErrProviderUnavailable,
// ports.ErrProviderRejected when the provider refused what was due.
func (s *refunder) SettleAuthorization(ctx context.Context, id tenant.ID, session string) (next time.Time, err error) {
	var p authorizationCall
	held := false
	err = s.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) (err error) {
		var a authorization
		if a, held, err = lockAuthorization(ctx, tx, session); err != nil || !held {
			return err
		}
		request, key := a.due()
		p, err = s.beginAuthorizationCall(ctx, tx, a, request, key)
		return err
	})
	if err != nil || !held {
		return time.Time{}, err
	}
	if next, err = s.finishAuthorizationCall(ctx, p); err == nil && next.IsZero() && p.request == nil {
		err = s.SyncExternalRefunds(ctx, id, session) // it was captured elsewhere, and may have been refunded there since
	}
	return next, err
}

// lookAtAuthorization records what became of the authorized payment of a session, as SettleAuthorization does, and asks for
// nothing.
func (s *refunder) lookAtAuthorization(ctx context.Context, of payment.Session) error {
	reader := s.store.Read(ports.ForTenant(of.Tenant))
	transactions, err := payments.TransactionsOf(ctx, reader, "paymentSession", of.ID)
	if held, ok := payment.HeldPaymentOf(transactions); err != nil || !ok || !held.Held() {
		return err
	}
	p := authorizationCall{session: of}
	if p.connection, err = s.connections.Of(ctx, reader, of); err == nil {
		_, err = s.finishAuthorizationCall(ctx, p)
	}
	return err
}

// beginAuthorizationCall logs the next attempt of what is asked of the provider, nil for nothing, and plans to look what
// became of it should nobody else. The first attempt freezes what is sent.
func (s *refunder) beginAuthorizationCall(
	ctx context.Context, tx ports.Tx, a authorization, request ports.ProviderRequest, key string,
) (p authorizationCall, err error) {
	p.session, p.request, p.key = a.session, request, key
	if p.connection, err = s.connections.Of(ctx, tx.Records, a.session); err != nil || request == nil {
		return p, err
	}
	w := s.newChangeSet()
	if key != "" {
		w.Put(payment.Transactions, a.held.Record, a.held.BeginCapture(key, w.Now))
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return p, err
		}
	}
	if p.call, err = s.calls.Begin(ctx, tx, p.connection, a.session, key, request); err != nil {
		return p, err
	}
	look := w.Now.Add(payment.AnswerWait(p.call.Attempt))
	return p, tx.PaymentTasks.Schedule(ctx, payments.AuthorizationTask(a.session, w.Now, look))
}

// finishAuthorizationCall asks the provider, looks up what became of the payment, and records it. The look-up decides: of a
// capture and a void that cross, the provider did one.
func (s *refunder) finishAuthorizationCall(ctx context.Context, p authorizationCall) (next time.Time, err error) {
	if p.request != nil {
		s.failpoint(FailAuthorizationBegun)
		_, p.refused = s.calls.Send(ctx, p.connection, &p.call)
		s.failpoint(FailAuthorizationSent)
		s.calls.Finish(ctx, p.call)
		if p.refused != nil && !errors.Is(p.refused, ports.ErrProviderRejected) {
			return time.Time{}, p.refused
		}
	}
	listed, err := p.connection.Adapter.Lookup(ctx, p.connection.Connection, connections.PaymentRef(p.session))
	switch {
	case err == nil:
		return s.recordAuthorization(ctx, p, s.fateOf(ctx, p.session, listed))
	case errors.Is(err, ports.ErrProviderRejected) && p.refused != nil: // such as a key that was revoked: nothing happened
		return s.recordAuthorization(ctx, p, fate{held: true})
	}
	return time.Time{}, err
}

// fate is what became of an authorized payment, according to its provider. Of the zero value that is not known.
type fate struct {
	held, released bool
	unclear        bool // it contradicts our records: somebody has to look
	captured       money.Money
	settled        payment.Settled // for what was captured, as the provider says
	later          bool            // the provider will say
	until          time.Time
}

// fateOf compares an answer of the provider with what is recorded.
func (s *refunder) fateOf(ctx context.Context, of payment.Session, listed ports.ProviderPayment) fate {
	got := payment.CapturedPayment{PaymentID: listed.PaymentID, AccountKey: listed.AccountKey, Environment: listed.Environment, Amount: of.Amount}
	if listed.State != ports.ProviderAbsent && (listed.ProviderID != of.ProviderPaymentID || !of.Matches(got)) {
		s.log.ErrorContext(ctx, "provider contradicts our records of an authorized payment; ignoring it", "session", of.ID,
			"account", listed.AccountKey)
		return fate{unclear: true}
	}
	refunded := listed.Refunded.Minor > 0
	switch listed.State {
	case ports.ProviderAuthorized:
		return fate{held: true, until: listed.Until}
	case ports.ProviderPaid:
		return fate{captured: listed.Amount, settled: listed.Settled, later: listed.SettledLater}
	case ports.ProviderCanceled, ports.ProviderUnknown: // refunded: then it had been captured
		if refunded {
			return fate{captured: listed.Amount, settled: listed.Settled, later: listed.SettledLater}
		}
		return fate{released: listed.State == ports.ProviderCanceled, unclear: listed.State == ports.ProviderUnknown}
	case ports.ProviderExpired, ports.ProviderFailed:
		return fate{released: true}
	case ports.ProviderAbsent:
		return fate{unclear: true}
	case ports.ProviderOpen, ports.ProviderProcessing:
	}
	return fate{}
}

// recordAuthorization records what became of an authorized payment, once, under the lock of its order. It returns when to
// look again. Errors: p.refused while the provider still holds the payment.
func (s *refunder) recordAuthorization(ctx context.Context, p authorizationCall, seen fate) (next time.Time, err error) {
	err = s.atomically(ctx, p.session.Tenant, func(ctx context.Context, tx ports.Tx) error {
		a, held, err := lockAuthorization(ctx, tx, p.session.ID)
		if err != nil || !held {
			return err
		}
		w := s.newChangeSet()
		switch {
		case seen.captured.Minor > 0:
			err = bookCapture(ctx, tx, w, &a, seen)
		case seen.released:
			err = bookRelease(ctx, tx, w, &a)
		default:
			next = a.stillHeld(w, p, seen)
			err = tx.PaymentTasks.Schedule(ctx, payments.AuthorizationTask(a.session, w.Now, next))
		}
		if err != nil {
			return err
		}
		if a.orderRecord != nil {
			w.Put(order.Schema, a.orderRecord, a.order.Record())
		}
		return tx.Records.Write(ctx, w.List()...)
	})
	if err == nil && !next.IsZero() {
		err = p.refused
	}
	return next, err
}

// bookCapture adds to w that what seen tells of a was captured, with the ledger's charge. Money that was captured although its order
// is not to be had any more requires attention.
func bookCapture(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, a *authorization, seen fate) error {
	amount := seen.captured
	paid := a.held.End(amount, a.taxFreeIn(amount), a.order.TaxesIn(amount))
	if err := payments.PutTransaction(ctx, tx, w, a.held.Record, paid); err != nil {
		return err
	}
	wasCanceled := a.order.Status == order.Canceled
	if a.orderRecord != nil {
		a.order = a.order.AddCapture(amount)
	}
	a.follow(w, payment.AuthorizationState{Captured: true, Canceled: wasCanceled})
	if seen.later {
		if err := tx.PaymentTasks.Schedule(ctx, payments.WatchTask(a.session, w.Now)); err != nil {
			return err
		}
	}
	return payments.AppendSettled(ctx, tx, payments.ChargeEntry(w, a.session, amount), seen.settled)
}

// bookRelease adds to w that the provider released a. An order that was being canceled is canceled then.
func bookRelease(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, a *authorization) (err error) {
	w.Put(payment.Transactions, a.held.Record, a.held.End(money.Money{}, money.Money{}, nil))
	if a.orderRecord != nil {
		a.order = a.order.LoseAuthorization()
	}
	if a.order.Canceling() {
		if a.order, err = finishCancel(ctx, tx, w, a.order); err != nil {
			return err
		}
	}
	a.follow(w, payment.AuthorizationState{Released: true, Canceled: a.order.Status == order.Canceled})
	return nil
}

// followVoided adds to w that nobody has to decide any more about a payment that its provider released, if held is one: its
// order was canceled.
func followVoided(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, held payment.HeldPayment) error {
	if held.Record == nil || held.Held() || !held.Captured.IsZero() {
		return nil
	}
	row, err := tx.Records.Lock(ctx, payment.Sessions, held.Record.Text("paymentSession"))
	if err != nil {
		return err
	}
	s := payment.SessionFrom(row)
	s.State = s.FollowAuthorization(payment.AuthorizationState{Released: true, Placed: true, Canceled: true})
	w.Put(payment.Sessions, row, s.Record())
	return nil
}

// stillHeld adds to w what follows from a being held, or from an answer that does not say what became of it, and says when
// to look again. A cancel whose void was refused is called off.
func (a *authorization) stillHeld(w *collection.ChangeSet, p authorizationCall, seen fate) (next time.Time) {
	until := a.updateUntil(seen)
	next = payment.NextAuthorizationLook(until, w.Now)
	_, captures := p.request.(ports.CaptureRequest)
	refused := captures && p.refused != nil && seen.held
	switch {
	case p.request != nil && (p.refused == nil || !seen.held): // accepted, and not done yet, or nobody knows
		next = w.Now.Add(payment.AnswerWait(p.call.Attempt))
	case refused:
		a.session.Note = connections.FailureDetail(p.refused)
		if a.held.CaptureKey == p.key {
			w.Put(payment.Transactions, a.held.Record, a.held.DropCapture())
		}
	case p.request != nil:
		a.order = a.order.StopCancel()
	case seen.held && a.held.CaptureKey != "" && a.held.CaptureAnswered(w.Now): // what it named came to nothing
		w.Put(payment.Transactions, a.held.Record, a.held.DropCapture())
		if a.order.DueCapture() {
			next = w.Now
		}
	case a.held.CaptureKey != "":
		next = a.held.CaptureBegun.Add(payment.AnswerGrace)
	}
	a.follow(w, payment.AuthorizationState{Refused: refused, Unclear: seen.unclear, Ending: seen.held && a.held.Ends(until, w.Now)})
	return next
}

// updateUntil is when the provider releases a at the latest, which the order keeps; zero: it does not say.
func (a *authorization) updateUntil(seen fate) time.Time {
	if a.order.Authorization == nil {
		return seen.until
	}
	held := *a.order.Authorization
	if !seen.until.IsZero() {
		held.Until = collection.TruncateTime(seen.until)
	}
	a.order.Authorization = &held
	return held.Until
}

// follow adds the session of a to w, as it is after what became of its payment, and its checkout where no order was placed.
func (a *authorization) follow(w *collection.ChangeSet, became payment.AuthorizationState) {
	became.Placed, became.Shipped = a.orderRecord != nil, a.order.HasShipped()
	a.session.State = a.session.FollowAuthorization(became)
	w.Put(payment.Sessions, a.sessionRecord, a.session.Record())
	if a.orderRecord == nil && a.session.Status == payment.StatusRequiresAttention {
		w.Put(checkout.Schema, a.unplaced.Record, a.unplaced.Checkout.RequireAttention(a.session.AttentionCase()).Record())
	}
}
