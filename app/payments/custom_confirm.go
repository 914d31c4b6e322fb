package payments

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Confirm settles a custom session by what the caller verified at the provider, and answers {paymentSession,
// checkout, order}; the same payment again answers the same order under any key and event. The captured
// amount must be exactly the session's. No provider is called. For the shop's server and operators. Errors: those of
// idempotency, fault.ErrValidation, ports.ErrNotFound, payment.ErrPaymentMismatch, payment.ErrEventReused,
// ports.ErrAlreadyRecorded, payment.ErrRequiresAttention, payment.ErrSessionTerminal for a payment that an
// operator refunded. Rules payments-16, payments-17.
func (cs *CustomSessions) Confirm(ctx context.Context, c idempotency.Call, in CustomPayment) (idempotency.Response, error) {
	c, err := checkouts.AdmitOperator(c, tenant.ResolvePayments, true)
	if err != nil {
		return idempotency.Response{}, err
	}
	if err := in.check(); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(in.ProviderSession, in.ProviderPayment, in.Event); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := cs.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return cs.confirm(ctx, c, in, claim)
	})
	return answer, err
}

// errPaymentOfAnotherSession rolls back the transaction that would record another session's payment again.
var errPaymentOfAnotherSession = errors.New("the payment belongs to another session")

func (cs *CustomSessions) confirm(
	ctx context.Context, c idempotency.Call, in CustomPayment, claim *idempotency.Claim,
) (idempotency.Receipt, error) {
	r, err := findCustomSession(ctx, cs.store.Read(ports.ForPrincipal(c.Principal)), c.Principal, "customSession", in.ProviderSession)
	if err != nil {
		return idempotency.Receipt{}, idempotency.NotStored(err)
	}
	s := payment.SessionFrom(r)
	if err := c.CheckKey(s.ID, s.Checkout, s.PaymentID); err != nil {
		return idempotency.Receipt{}, err
	}
	if in.Captured != s.Amount {
		return idempotency.Receipt{}, idempotency.NotStored(payment.ErrPaymentMismatch.WithData("paymentSessionId", s.ID))
	}
	receipt, err := cs.settle(ctx, c, s, in, claim)
	return receipt, idempotency.NotStored(err) // of money that was captured no refusal is the last word
}

// settle settles s by the caller's statement, which names its money.
func (cs *CustomSessions) settle(
	ctx context.Context, c idempotency.Call, s payment.Session, in CustomPayment, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	save := func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if err := cs.recordEvent(ctx, tx, c, in, o.Session); err != nil || o.Session.Status != payment.StatusSucceeded {
			return err
		}
		receipt = o.receipt(c, cs.now())
		return claim.Save(ctx, tx, receipt)
	}
	o, err := cs.settler.apply(ctx, ports.ForTenant(s.Tenant), s, in.observation(s), settleOptions{then: save})
	switch {
	case errors.Is(err, errPaymentOfAnotherSession):
		return idempotency.Receipt{}, ports.ErrAlreadyRecorded
	case err != nil:
		return idempotency.Receipt{}, err
	case o.Session.Status == payment.StatusSucceeded:
		return receipt, nil
	case o.Session.EndedWithoutOrder(): // an operator resolved it
		return idempotency.Receipt{}, payment.ErrSessionTerminal
	}
	return idempotency.Receipt{}, payment.ErrRequiresAttention.WithData("cause", o.Session.Reason)
}

// observation is what a lookup would have shown if the caller's statement is true.
func (in CustomPayment) observation(s payment.Session) observation {
	return observation{fact: payment.FactPaid, payment: ports.ProviderPayment{
		State: ports.ProviderPaid, PaymentID: s.PaymentID, ProviderID: in.ProviderPayment, AccountKey: s.AccountKey,
		Environment: s.Environment, Amount: in.Captured,
	}}
}

// recordEvent stores the event, and refuses an event that reported something else before and a payment that
// is not the session's. The event is an idempotency key of its own, in the scope of the tenant's environment;
// the fingerprint of its receipt is what it reported.
func (cs *CustomSessions) recordEvent(ctx context.Context, tx ports.Tx, c idempotency.Call, in CustomPayment, s payment.Session) error {
	event := idempotency.Call{
		Principal: tenant.Principal{Kind: tenant.System, ID: string(s.Environment), Tenant: c.Principal.Tenant},
		Operation: "paymentSessions.custom.event", Key: in.Event, RequestID: c.RequestID,
		Fingerprint: idempotency.Fingerprint("", "", []string{
			in.ProviderSession, in.ProviderPayment, in.Captured.Major(), string(in.Captured.Currency),
		}, nil),
	}
	earlier, err := tx.Records.Receipt(ctx, event.ReceiptKey())
	switch {
	case errors.Is(err, ports.ErrNotFound):
		receipt := event.Receipt(ports.ReceiptOK, event.Body(), nil, cs.now(), time.Time{})
		receipt.Record = s.ID
		if err = tx.Receipts.Save(ctx, receipt.Receipt, 0); errors.Is(err, ports.ErrReceiptExists) {
			return payment.ErrEventReused // for another session, concurrently
		}
	case err == nil && earlier.Fingerprint != event.Fingerprint:
		return payment.ErrEventReused
	}
	switch {
	case err != nil:
		return err
	case s.ProviderPaymentID == "":
		return errPaymentOfAnotherSession
	case s.ProviderPaymentID != in.ProviderPayment:
		return payment.ErrPaymentMismatch.WithData("paymentSessionId", s.ID)
	}
	return nil
}
