package payments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Cancel asks the provider to close a session and frees its slot when the provider confirms that nobody can
// pay any more; it answers {paymentSession}. A session that was released is closed in the same way. Where
// kinds are given, sessions of other kinds are not found. Errors: those of idempotency,
// ports.ErrNotFound, payment.ErrSessionTerminal, payment.ErrSlotHeld when the provider does not confirm,
// ports.ErrProviderUnavailable.
func (ss *Sessions) Cancel(ctx context.Context, c idempotency.Call, id string, kinds ...payment.Kind) (idempotency.Response, error) {
	if err := checkouts.RequireCaller(c, true); err != nil {
		return idempotency.Response{}, err
	}
	return ss.cancelClaimed(ctx, c, id, kinds...)
}

// CancelAsOperator is Cancel for users whose role permits to resolve payments. Errors: those of Cancel and
// access.RequireOperator.
func (ss *Sessions) CancelAsOperator(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	c, err := checkouts.AdmitOperator(c, tenant.ResolvePayments, true)
	if err != nil {
		return idempotency.Response{}, err
	}
	return ss.cancelClaimed(ctx, c, id)
}

func (ss *Sessions) cancelClaimed(ctx context.Context, c idempotency.Call, id string, kinds ...payment.Kind) (idempotency.Response, error) {
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := ss.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return ss.cancel(ctx, c, id, claim, kinds...)
	})
	return answer, err
}

func (ss *Sessions) cancel(
	ctx context.Context, c idempotency.Call, id string, claim *idempotency.Claim, kinds ...payment.Kind,
) (idempotency.Receipt, error) {
	found, err := FindSession(ctx, ss.store, c, id, kinds...)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	s := found.Session
	if !s.MayBePaid() {
		return idempotency.Receipt{}, payment.ErrSessionTerminal
	}
	if s.Kind == payment.Custom {
		return ss.cancelCustom(ctx, c, s, claim)
	}
	var receipt idempotency.Receipt
	o, err := ss.settler.closeAndSettle(ctx, s, andThen(claim, func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if !o.Session.Closed() {
			return nil
		}
		receipt = sessionReceipt(c, ports.ReceiptOK, o.Record, ss.now())
		return claim.Save(ctx, tx, receipt)
	}))
	switch {
	case err != nil:
		return idempotency.Receipt{}, err
	case o.Session.Closed():
		return receipt, nil
	case o.Session.Booked():
		return idempotency.Receipt{}, payment.ErrSessionTerminal
	case o.Session.NeverPrepared() && o.Session.Observation == payment.ObservedFailed:
		return ss.releaseSlot(ctx, c, slotRelease{id: id, holds: payment.Session.NeverPrepared}, claim)
	}
	return idempotency.Receipt{}, payment.ErrSlotHeld.WithData("paymentSessionId", s.ID)
}

// cancelCustom ends a custom session when the shop's server says that its provider closed it; shoppers cannot.
func (ss *Sessions) cancelCustom(
	ctx context.Context, c idempotency.Call, s payment.Session, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	if !c.Server {
		return idempotency.Receipt{}, payment.ErrSlotHeld.WithData("paymentSessionId", s.ID)
	}
	save := func(ctx context.Context, tx ports.Tx, o Outcome) error {
		if !o.Session.Closed() {
			return payment.ErrSessionTerminal
		}
		receipt = sessionReceipt(c, ports.ReceiptOK, o.Record, ss.now())
		return claim.Save(ctx, tx, receipt)
	}
	_, err = ss.settler.apply(ctx, ports.ForTenant(s.Tenant), s, observation{fact: payment.FactCanceled}, settleOptions{then: save})
	return receipt, err
}

// sessionReceipt answers {paymentSession}, and more.
func sessionReceipt(
	c idempotency.Call, result ports.ReceiptResult, session collection.Record, now time.Time, more ...reply.Member,
) idempotency.Receipt {
	members := append([]reply.Member{{Name: "paymentSession", Schema: payment.Sessions, Record: session}}, more...)
	receipt := c.Receipt(result, c.Body(members...), nil, now, time.Time{})
	receipt.About(session)
	return receipt
}

// ReleaseRequest says why a slot is freed.
type ReleaseRequest struct {
	Note    string
	Preview bool // tell what it would do, and do nothing
}

// Release frees the slot of a session because an operator says so, with a note why; it answers
// {paymentSession, outcome}. A payment that arrives later is still recorded. A preview answers what it would do, with the session as
// it is, and needs no key. For the shop's server and operators. Errors: those of
// idempotency, ports.ErrNotFound, fault.ErrValidation, payment.ErrSessionTerminal.
func (ss *Sessions) Release(ctx context.Context, c idempotency.Call, id string, in ReleaseRequest) (idempotency.Response, error) {
	c, err := checkouts.AdmitOperator(c, tenant.ResolvePayments, true)
	if err != nil {
		return idempotency.Response{}, err
	}
	if in.Note == "" {
		return idempotency.Response{}, fault.Invalidf("note", "This field is required.")
	}
	if in.Preview {
		return ss.previewRelease(ctx, c, id, in.Note)
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := ss.idempotency.RunClaimed(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		if _, err := FindSession(ctx, ss.store, c, id); err != nil {
			return idempotency.Receipt{}, err
		}
		return ss.releaseSlot(ctx, c, releaseOf(id, in.Note), claim)
	})
	return answer, err
}

// previewRelease answers what Release would do now.
func (ss *Sessions) previewRelease(ctx context.Context, c idempotency.Call, id, note string) (idempotency.Response, error) {
	var shown FoundSession
	of, err := preview.Run(ctx, ss.store, ports.ForTenant(c.Principal.Tenant.ID), func(ctx context.Context, within ports.Store) (err error) {
		if shown, err = FindSession(ctx, within, c, id); err != nil {
			return err
		}
		trial := Sessions{core: ss.core}
		trial.store = within
		_, err = trial.releaseSlot(ctx, c, releaseOf(id, note), nil)
		return err
	})
	if err != nil {
		return idempotency.Response{}, err
	}
	return preview.Answer(c, shown.Record, of, reply.Member{Name: "paymentSession", Schema: payment.Sessions, Record: shown.Record}), nil
}

// slotRelease is how a slot is freed, if that still holds of its session; nil: whatever holds.
type slotRelease struct {
	id, note string
	holds    func(payment.Session) bool
	more     []reply.Member // of the answer
}

// releaseOf is what an operator asked for.
func releaseOf(id, note string) slotRelease {
	return slotRelease{id: id, note: note, more: []reply.Member{preview.None}}
}

// releaseSlot frees a slot. Errors: payment.ErrSlotHeld when its condition does not hold.
func (ss *Sessions) releaseSlot(
	ctx context.Context, c idempotency.Call, in slotRelease, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	id := in.id
	err = ss.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Get(ctx, payment.Sessions, id)
		if err != nil {
			return err
		}
		l, err := LockSession(ctx, tx, r.Text("checkout"), id)
		if err != nil {
			return err
		}
		s := l.Session
		if !s.SlotHeld {
			return payment.ErrSessionTerminal
		}
		if in.holds != nil && !in.holds(s) {
			return payment.ErrSlotHeld.WithData("paymentSessionId", s.ID)
		}
		w := ss.newChangeSet()
		s = s.FreeSlot(in.note)
		r = w.Put(payment.Sessions, l.SessionRecord, s.Record())
		w.Put(checkout.Schema, l.Record, l.Checkout.ReleaseSlot(id, w.Now).Record())
		if err := checkouts.ReleaseReservation(ctx, tx, l.Checkout); err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		if err := ss.scheduleSession(ctx, tx, s); err != nil { // the buyer may still pay
			return err
		}
		receipt = sessionReceipt(c, ports.ReceiptOK, r, ss.now(), in.more...)
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}
