package payments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Confirmation is what the buyer's redirect brought back. It is compared with what was asked for before
// anything is done.
type Confirmation struct {
	Session    string
	PaymentKey string // the provider's name of the approval
	OrderID    string // our payment id
	Amount     money.Money
}

// Confirm captures an approved widget payment and answers {paymentSession, checkout, order}; a paid session
// answers the same again under any key. One by virtual account answers no order before the deposit, and its
// instructions. Server credentials only. Errors: those of idempotency,
// ports.ErrNotFound, payment.ErrPaymentMismatch, payment.ErrSessionTerminal, payment.ErrRequiresAttention,
// payment.ErrNotPaid, checkout.ErrNotOpen, ports.ErrOutOfStock, ports.ErrProviderUnavailable,
// ports.ErrProviderRejected.
func (ss *Sessions) Confirm(ctx context.Context, c idempotency.Call, in Confirmation) (idempotency.Response, error) {
	if err := checkouts.RequireServer(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(in.Session, in.OrderID, in.PaymentKey); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := ss.idempotency.Run(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return ss.confirm(ctx, c, in, claim)
	})
	return answer, err
}

func (ss *Sessions) confirm(
	ctx context.Context, c idempotency.Call, in Confirmation, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	found, err := findSession(ctx, ss.recent, ss.store, c, in.Session) // what is compared never changes
	if err != nil {
		return idempotency.Receipt{}, err
	}
	s := found.Session
	if in.OrderID != s.PaymentID || in.Amount != s.Amount || s.Kind != payment.Widget {
		return idempotency.Receipt{}, payment.ErrPaymentMismatch
	}
	receipt, err := ss.captureAndSettle(ctx, c, found, in.PaymentKey, claim)
	return receipt, idempotency.NotStored(err)
}

// captureAndSettle captures a payment that is not booked yet, and settles it. Whatever goes wrong, also before the
// capture of this attempt, an earlier one may have captured the money: no refusal is stored.
func (ss *Sessions) captureAndSettle(
	ctx context.Context, c idempotency.Call, found FoundSession, paymentKey string, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	s := found.Session
	var made capturing
	var options []SettleOption
	if !s.Booked() {
		defer ss.settler.underway.begin(s)(nil)
		var err error
		if made, err = ss.capture(ctx, found, paymentKey, claim); err != nil {
			return idempotency.Receipt{}, err
		}
		if made.call != nil {
			options = append(options, knowing(made.known))
		}
	}
	call := made.call
	var receipt idempotency.Receipt
	finished := false
	o, err := ss.settler.Settle(ctx, s.Tenant, s.ID, append(options, andThen(claim, func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if finished = call != nil; finished {
			if err := tx.ProviderCalls.Finish(ctx, call.ProviderCall); err != nil {
				return err
			}
		}
		if !o.Session.Accepted() {
			return nil
		}
		receipt = o.receipt(c, ss.now())
		return claim.Save(ctx, tx, receipt)
	}))...)
	if call != nil && (err != nil || !finished) {
		ss.calls.Finish(ctx, *call)
	}
	switch {
	case err != nil:
		return idempotency.Receipt{}, err
	case o.Session.Accepted():
		return receipt, nil
	case o.Session.AwaitsDeposit():
		receipt = o.receipt(c, ss.now())
		receipt.Passing = true // later the same key answers the order
		return receipt, nil
	case o.Session.Reason == payment.ReasonMismatch:
		return idempotency.Receipt{}, payment.ErrPaymentMismatch.WithData("paymentSessionId", s.ID)
	case o.Session.Status == payment.StatusRequiresAttention:
		return idempotency.Receipt{}, payment.ErrRequiresAttention.WithData("cause", o.Session.Reason)
	case o.Session.Resolution == payment.ResolutionVoided:
		return idempotency.Receipt{}, payment.ErrVoided.WithData("cause", o.Session.Reason)
	case o.Session.EndedWithoutOrder():
		return idempotency.Receipt{}, payment.ErrSessionTerminal
	case made.refusal != nil:
		return idempotency.Receipt{}, made.refusal
	}
	return idempotency.Receipt{}, payment.ErrNotPaid.WithRetry(time.Second)
}

// receipt answers {paymentSession, checkout, order}.
func (o Outcome) receipt(c idempotency.Call, now time.Time) idempotency.Receipt {
	receipt := c.Receipt(ports.ReceiptOK, c.Body(o.Members()...), nil, now, time.Time{})
	receipt.About(o.Record)
	return receipt
}

// capturing is a capture that the provider was asked for.
type capturing struct {
	call    *connections.Call // its outcome is to be stored; nil: a concurrent settle has booked the payment
	known   knownSession      // the session that was captured
	refusal error             // of the provider: the look-up that follows decides
}

// capture asks the provider to capture a payment, if its stock and codes can still be reserved. It takes the claim with
// the transaction before the call.
func (ss *Sessions) capture(ctx context.Context, found FoundSession, paymentKey string, claim *idempotency.Claim) (made capturing, err error) {
	var a connections.Opened
	var call connections.Call
	booked := false
	s := found.Session
	request := func(s payment.Session) ports.ConfirmRequest {
		return ports.ConfirmRequest{PaymentRequest: connections.PaymentRequest(s), PaymentKey: paymentKey}
	}
	variant := paymentKeyHash(paymentKey)
	scope := ports.ForTenant(s.Tenant)
	scope.Prefetch = goodsPrefetch(found.Checkout)
	scope.Prefetch.Lock = append(scope.Prefetch.Lock, ports.Ref{Schema: payment.Sessions, ID: s.ID})
	scope.Prefetch.Get = append(scope.Prefetch.Get, ports.Ref{Schema: payment.Connections, ID: s.Connection})
	scope.Prefetch.Calls = []ports.CallRef{connections.CallRef(s.ID, variant, request(s))}
	err = claim.Atomically(ctx, ss.store, scope, func(ctx context.Context, tx ports.Tx) error {
		l, err := LockSession(ctx, tx, s.Checkout, s.ID)
		if err != nil {
			return err
		}
		if booked = l.Session.Booked(); booked {
			return nil // by a concurrent settle
		}
		current, err := ss.prepareCapture(ctx, tx, l)
		if err != nil {
			return err
		}
		w := ss.newChangeSet()
		made.known = knownSession{record: w.Put(payment.Sessions, l.SessionRecord, current.Record()), checkout: l.Record, connection: &a}
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		if err := ss.scheduleSession(ctx, tx, current); err != nil {
			return err
		}
		if a, err = ss.connections.Of(ctx, tx.Records, current); err != nil {
			return err
		}
		call, err = ss.calls.Begin(ctx, tx, a, current, variant, request(current))
		return err
	})
	if err != nil || booked {
		return capturing{}, err
	}
	made.call = &call
	var answer ports.Outcome
	if answer, made.refusal = ss.calls.Send(ctx, a, &call); made.refusal == nil && call.Attempt == 1 {
		made.known.payment = answer.Payment
	}
	ss.failpoint(FailConfirmed)
	return made, nil
}

// prepareCapture refuses a payment that could not become an order, and reserves stock and codes for it. Near
// its end the reservation is extended, so that the poller does not release it while the provider is asked; it
// returns the session with the new expiry.
func (ss *Sessions) prepareCapture(ctx context.Context, tx ports.Tx, l LockedSession) (payment.Session, error) {
	s, x := l.Session, l.Checkout
	switch {
	case s.EndedWithoutOrder():
		return s, payment.ErrSessionTerminal
	case l.IsCartSpent(), !s.SlotHeld, !x.SlotHeld, x.Session != s.ID:
		return s, checkout.ErrNotOpen
	}
	if ss.reservationExpiry().Sub(s.ExpiresAt) > ss.reservationTTL/2 {
		var err error
		if s, err = ss.renewReservation(x, s); err != nil {
			return s, err
		}
	}
	return s, checkouts.Reserve(ctx, tx, x, s.ExpiresAt)
}

// paymentKeyHash tells the confirms of one session apart by their payment key, which is not written to the
// provider call log.
func paymentKeyHash(paymentKey string) string {
	sum := sha256.Sum256([]byte(paymentKey))
	return hex.EncodeToString(sum[:8])
}
