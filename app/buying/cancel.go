package buying

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Cancel asks the provider to close a session and frees its slot when the provider confirms that nobody can pay it any
// more; it answers {paymentSession}. Where kinds are named, sessions of others do not exist. Errors: those of idempotency, ports.ErrAbsent, payment.ErrTerminal,
// payment.ErrSlotHeld when the provider does not confirm, ports.ErrProviderUnavailable.
func (b *Buying) Cancel(ctx context.Context, c once.Call, id string, of ...payment.Kind) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(id); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return b.cancel(ctx, c, id, claim, of...)
	})
	return answer, err
}

func (b *Buying) cancel(ctx context.Context, c once.Call, id string, claim *once.Claim, of ...payment.Kind) (ports.Receipt, error) {
	_, s, err := b.session(ctx, c, id, of...)
	if err != nil {
		return ports.Receipt{}, err
	}
	if s.Terminal() {
		return ports.Receipt{}, payment.ErrTerminal
	}
	if s.Kind == payment.Custom {
		return b.cancelCustom(ctx, c, s, claim)
	}
	closed, err := b.close(ctx, s)
	if err != nil {
		return ports.Receipt{}, err
	}
	var receipt ports.Receipt
	o, err := b.settleAfter(ctx, s.Tenant, s.ID, closed, func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if !o.Session.Freed() {
			return nil
		}
		receipt = b.ended(c, o)
		return claim.Keep(ctx, tx, receipt)
	})
	switch {
	case err != nil:
		return ports.Receipt{}, err
	case o.Session.Freed():
		return receipt, nil
	case o.Session.Terminal():
		return ports.Receipt{}, payment.ErrTerminal
	case o.Session.NeverPrepared() && o.Session.Observation == payment.SeenFailed:
		return b.release(ctx, c, id, "", claim, payment.Session.NeverPrepared)
	}
	return ports.Receipt{}, payment.ErrSlotHeld.With("paymentSessionId", s.ID)
}

func (b *Buying) ended(c once.Call, o Outcome) ports.Receipt {
	receipt := c.Receipt(ports.OK, c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: o.Record}), nil, b.Now(), time.Time{})
	receipt.Record = o.Session.ID
	return receipt
}

// close asks the provider to take a payment off the market. Its answer is a hint, and the look-up decides; closed is for
// providers that know nothing of a payment nobody paid. The journal knows the call by the provider's session: one asked
// for before there was a session must not freeze that there is none.
func (b *Buying) close(ctx context.Context, s payment.Session) (closed bool, err error) {
	var a account
	var sent call
	err = b.atomically(ctx, s.Tenant, func(ctx context.Context, tx ports.Tx) (err error) {
		if _, err := tx.Records.Lock(ctx, payment.Sessions, s.ID); err != nil { // two at once are two attempts
			return err
		}
		if a, err = b.account(ctx, tx.Records, s); err != nil {
			return err
		}
		sent, err = b.begin(ctx, tx, a, s, opClose, s.ProviderSessionID, map[string]string{
			"providerSessionId": s.ProviderSessionID, "providerPaymentId": s.ProviderPaymentID,
		})
		return err
	})
	if err != nil {
		return false, err
	}
	said, err := b.send(ctx, a, &sent)
	b.note(ctx, sent)
	if errors.Is(err, ports.ErrProviderRejected) {
		return false, nil
	}
	return said["closed"] == "true", err
}

// Release frees the slot of a session on an operator's word, with a note why; it answers {paymentSession}. Money that
// arrives later is still recorded. Server credentials only. Errors: those of idempotency, ports.ErrAbsent,
// fault.ErrValidation, payment.ErrTerminal.
func (b *Buying) Release(ctx context.Context, c once.Call, id, note string) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if !c.Server {
		return once.Answer{}, fault.ErrForbidden
	}
	if note == "" {
		return once.Answer{}, fault.Invalidf("note", "This field is required.")
	}
	if err := c.Check(id); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		if _, _, err := b.session(ctx, c, id); err != nil {
			return ports.Receipt{}, err
		}
		return b.release(ctx, c, id, note, claim)
	})
	return answer, err
}

// release frees a slot, if what was decided on still holds of the session. Errors: payment.ErrSlotHeld when it does not.
func (b *Buying) release(ctx context.Context, c once.Call, id, note string, claim *once.Claim, still ...func(payment.Session) bool) (receipt ports.Receipt, err error) {
	err = b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Get(ctx, payment.Sessions, id)
		if err != nil {
			return err
		}
		l, err := lockBoth(ctx, tx, r.Text("checkout"))
		if err != nil {
			return err
		}
		if r, err = tx.Records.Lock(ctx, payment.Sessions, id); err != nil {
			return err
		}
		s := payment.SessionFrom(r)
		if !s.SlotHeld {
			return payment.ErrTerminal
		}
		for _, holds := range still {
			if !holds(s) {
				return payment.ErrSlotHeld.With("paymentSessionId", s.ID)
			}
		}
		w := b.changes()
		s.State, s.Note = s.Release(), note
		o := Outcome{Session: s, Record: w.put(payment.Sessions, r, s.Record())}
		w.put(checkout.Schema, l.record, l.checkout.FreeSlot(id, w.now).Record())
		if err := b.letGo(ctx, tx, l.checkout); err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		receipt = b.ended(c, o)
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, err
}
