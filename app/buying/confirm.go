package buying

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Confirmation is what the buyer's redirect brought back, compared with what was asked for before anything is done.
type Confirmation struct {
	Session    string
	PaymentKey string // the provider's name of the approval
	OrderID    string // our payment id
	Amount     money.Money
}

// Confirm captures an approved widget payment and answers {paymentSession, checkout, order}; a paid session answers the
// same again, whatever the key. Server credentials only. Errors: those of idempotency, ports.ErrAbsent,
// payment.ErrMismatch, payment.ErrTerminal, payment.ErrAttention, payment.ErrNotPaid, checkout.ErrNotOpen, ports.ErrShort,
// ports.ErrProviderUnavailable, ports.ErrProviderRejected.
func (b *Buying) Confirm(ctx context.Context, c once.Call, in Confirmation) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if !c.Server {
		return once.Answer{}, fault.ErrForbidden
	}
	if err := c.Check(in.Session, in.OrderID, in.PaymentKey); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return b.confirm(ctx, c, in, claim)
	})
	return answer, err
}

func (b *Buying) confirm(ctx context.Context, c once.Call, in Confirmation, claim *once.Claim) (ports.Receipt, error) {
	_, s, err := b.session(ctx, c, in.Session)
	if err != nil {
		return ports.Receipt{}, err
	}
	if in.OrderID != s.PaymentID || in.Amount != s.Amount || s.Kind != payment.Widget {
		return ports.Receipt{}, payment.ErrMismatch
	}
	var refusal error
	if !s.Booked() {
		if refusal, err = b.capture(ctx, s, in.PaymentKey); err != nil {
			return ports.Receipt{}, err
		}
	}
	var receipt ports.Receipt
	o, err := b.settle(ctx, s.Tenant, s.ID, func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if o.Session.Status != payment.StatusSucceeded {
			return nil
		}
		receipt = b.confirmed(c, o)
		return claim.Keep(ctx, tx, receipt)
	})
	switch {
	case err != nil:
		return ports.Receipt{}, err
	case o.Session.Status == payment.StatusSucceeded:
		return receipt, nil
	case o.Session.Reason == payment.ReasonMismatch:
		return ports.Receipt{}, payment.ErrMismatch.With("paymentSessionId", s.ID)
	case o.Session.Status == payment.StatusAttention:
		return ports.Receipt{}, payment.ErrAttention.With("cause", o.Session.Reason)
	case o.Session.Over():
		return ports.Receipt{}, payment.ErrTerminal
	case refusal != nil:
		return ports.Receipt{}, refusal
	}
	return ports.Receipt{}, payment.ErrNotPaid.Retry(time.Second)
}

func (b *Buying) confirmed(c once.Call, o Outcome) ports.Receipt {
	answer := c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: o.Record}, once.Member{Name: "checkout", Schema: checkout.Schema, Record: o.Checkout}, once.Member{Name: "order", Schema: order.Schema, Record: o.Order})
	receipt := c.Receipt(ports.OK, answer, nil, b.Now(), time.Time{})
	receipt.Record = o.Session.ID
	return receipt
}

// capture asks the provider to take the money, if the goods can still be promised. A refusal of the provider comes back
// beside err: the look-up that follows has the last word.
func (b *Buying) capture(ctx context.Context, s payment.Session, paymentKey string) (refusal, err error) {
	var a account
	var sent call
	ready := false
	err = b.atomically(ctx, s.Tenant, func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, checkout.Schema, s.Checkout)
		if err != nil {
			return err
		}
		sr, err := tx.Records.Lock(ctx, payment.Sessions, s.ID)
		if err != nil {
			return err
		}
		now := payment.SessionFrom(sr)
		if ready = !now.Booked(); !ready {
			return nil // somebody was faster
		}
		if now, err = b.mayCapture(ctx, tx, checkout.FromRecord(r), now); err != nil {
			return err
		}
		w := b.changes()
		w.put(payment.Sessions, sr, now.Record())
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		if a, err = b.account(ctx, tx.Records, now); err != nil {
			return err
		}
		sent, err = b.begin(ctx, tx, a, now, opConfirm, variant(paymentKey), map[string]string{"paymentKey": paymentKey})
		return err
	})
	if err != nil || !ready {
		return nil, err
	}
	_, refusal = b.send(ctx, a, &sent)
	b.fail(FailConfirmed)
	b.note(ctx, sent)
	return refusal, nil
}

// mayCapture refuses to take money that could not become an order. It answers s as it is kept meanwhile: near the end of
// its reservation it has a new one, since the watch would let the goods go while the provider is asked.
func (b *Buying) mayCapture(ctx context.Context, tx ports.Tx, x checkout.Checkout, s payment.Session) (payment.Session, error) {
	switch {
	case s.Over():
		return s, payment.ErrTerminal
	case !s.SlotHeld || x.Session != s.ID || !x.Live():
		return s, checkout.ErrNotOpen
	}
	if err := wanted(ctx, tx, x); err != nil {
		return s, err
	}
	if until := b.until(); until.Sub(s.ExpiresAt) > b.reservation()/2 {
		s.ExpiresAt = until
	}
	return s, b.reserve(ctx, tx, x, s.ExpiresAt)
}

// wanted refuses money for a cart that was ordered by another checkout. Errors: checkout.ErrNotOpen.
func wanted(ctx context.Context, tx ports.Tx, x checkout.Checkout) error {
	r, err := tx.Records.Get(ctx, cart.Schema, x.Cart)
	if err == nil && cart.Status(r.Text("status")) == cart.Completed {
		return checkout.ErrNotOpen
	}
	return err
}

// variant tells the confirms of one session apart by their payment key, which stays out of the journal.
func variant(paymentKey string) string {
	sum := sha256.Sum256([]byte(paymentKey))
	return hex.EncodeToString(sum[:8])
}
