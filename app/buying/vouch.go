package buying

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ConfirmCustom settles a custom session by what the caller verified at the provider, and answers {paymentSession,
// checkout, order}; the same payment told again answers the same order, whatever key and event. What was captured has to
// be exactly what the session asks for. Nobody is called. Server credentials only. Errors: those of idempotency,
// fault.ErrValidation, ports.ErrAbsent, payment.ErrMismatch, payment.ErrEventReused, ports.ErrMoneyKnown,
// payment.ErrAttention, payment.ErrTerminal for money that an operator gave back. Contract 8.
func (b *Buying) ConfirmCustom(ctx context.Context, c once.Call, in CustomPayment) (once.Answer, error) {
	if err := vouching(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := in.check(); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(in.ProviderSession, in.ProviderPayment, in.Event); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return b.confirmCustom(ctx, c, in, claim)
	})
	return answer, err
}

// errElsewhere is a payment that another session has; it ends the transaction that would record it again.
var errElsewhere = errors.New("the payment belongs to another session")

func (b *Buying) confirmCustom(ctx context.Context, c once.Call, in CustomPayment, claim *once.Claim) (ports.Receipt, error) {
	r, err := customBy(ctx, b.Store.Read(ports.For(c.Principal)), c.Principal, "customSession", in.ProviderSession)
	if err != nil {
		return ports.Receipt{}, err
	}
	s := payment.SessionFrom(r)
	if err := c.Check(s.ID, s.Checkout, s.PaymentID); err != nil {
		return ports.Receipt{}, err
	}
	if in.Captured != s.Amount {
		return ports.Receipt{}, payment.ErrMismatch.With("paymentSessionId", s.ID)
	}
	var receipt ports.Receipt
	o, err := b.apply(ctx, s, in.finding(s), func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if err := b.takeIn(ctx, tx, c, in, o.Session); err != nil || o.Session.Status != payment.StatusSucceeded {
			return err
		}
		receipt = b.confirmed(c, o)
		return claim.Keep(ctx, tx, receipt)
	})
	switch {
	case errors.Is(err, errElsewhere):
		return ports.Receipt{}, ports.ErrMoneyKnown
	case err != nil:
		return ports.Receipt{}, err
	case o.Session.Status == payment.StatusSucceeded:
		return receipt, nil
	case o.Session.Over(): // an operator dealt with the money
		return ports.Receipt{}, payment.ErrTerminal
	}
	return ports.Receipt{}, payment.ErrAttention.With("cause", o.Session.Reason)
}

// finding is what a look-up would have shown, on the caller's word.
func (in CustomPayment) finding(s payment.Session) finding {
	return finding{seen: payment.Paid, payment: ports.ProviderPayment{
		State: ports.ProviderPaid, PaymentID: s.PaymentID, ProviderID: in.ProviderPayment, Account: s.AccountKey, Environment: s.Environment,
		Amount: in.Captured,
	}}
}

// takeIn remembers the event, and refuses one that told something else before and a payment that is not the session's.
// The event is a key of its own, in the scope of the shop's environment: its receipt stands for what it told.
func (b *Buying) takeIn(ctx context.Context, tx ports.Tx, c once.Call, in CustomPayment, s payment.Session) error {
	event := once.Call{
		Principal: tenant.Principal{Kind: tenant.System, ID: string(s.Environment), Tenant: c.Principal.Tenant},
		Operation: "paymentSessions.custom.event", Key: in.Event, RequestID: c.RequestID,
		Fingerprint: once.Fingerprint("", "", []string{
			in.ProviderSession, in.ProviderPayment, in.Captured.Major(), string(in.Captured.Currency),
		}, nil),
	}
	told, err := tx.Records.Receipt(ctx, event.ReceiptKey())
	switch {
	case errors.Is(err, ports.ErrAbsent):
		receipt := event.Receipt(ports.OK, []byte("{}"), nil, b.Now(), time.Time{})
		receipt.Record = s.ID
		if err = tx.Receipts.Keep(ctx, receipt, 0); errors.Is(err, ports.ErrReceiptExists) {
			return payment.ErrEventReused // for another session, a moment ago
		}
	case err == nil && told.Fingerprint != event.Fingerprint:
		return payment.ErrEventReused
	}
	switch {
	case err != nil:
		return err
	case s.ProviderPaymentID == "":
		return errElsewhere
	case s.ProviderPaymentID != in.ProviderPayment:
		return payment.ErrMismatch.With("paymentSessionId", s.ID)
	}
	return nil
}

// cancelCustom ends a custom session on the word of the shop's server that its provider closed it; a shopper's word is
// not enough.
func (b *Buying) cancelCustom(ctx context.Context, c once.Call, s payment.Session, claim *once.Claim) (receipt ports.Receipt, err error) {
	if !c.Server {
		return ports.Receipt{}, payment.ErrSlotHeld.With("paymentSessionId", s.ID)
	}
	_, err = b.apply(ctx, s, finding{seen: payment.Canceled}, func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if o.Session.Status != payment.StatusCanceled {
			return payment.ErrTerminal
		}
		receipt = b.ended(c, o)
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, err
}
