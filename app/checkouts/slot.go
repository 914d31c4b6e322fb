package checkouts

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// SessionCloser closes payment sessions at their providers; package payments implements it.
type SessionCloser interface {
	// CloseReleased closes the sessions of a cart that have no slot and may still be paid, as far as their
	// providers confirm it. Errors: ports.ErrProviderUnavailable.
	CloseReleased(ctx context.Context, id tenant.ID, cart string) error
}

// errReleased is the cause of payment.ErrSlotHeld when no session holds the slot, but a released one may
// still be paid.
var errReleased = errors.New("a released payment session may still be paid")

// withFreeSlot runs work, which freezes a cart, in a transaction. If it is refused only because of released
// sessions, these are closed at their providers, outside of any transaction, and it runs again: what was paid
// until then has become the order. Errors: those of work and of SessionCloser.
func (s *Service) withFreeSlot(
	ctx context.Context, scope ports.Scope, cartID string, work func(ctx context.Context, tx ports.Tx) error,
) error {
	return WithFreeSlot(ctx, s.Sessions, scope.Tenants[0], cartID, func() error { return s.Store.Atomically(ctx, scope, work) })
}

// WithFreeSlot is withFreeSlot for work with a transaction of its own.
func WithFreeSlot(ctx context.Context, sessions SessionCloser, id tenant.ID, cartID string, work func() error) error {
	err := work()
	if sessions == nil || !errors.Is(err, errReleased) {
		return err
	}
	if err := sessions.CloseReleased(ctx, id, cartID); err != nil {
		return err
	}
	return work()
}

// EndForMerge ends the live checkout of a locked cart whose lines go into another one, by which they are bought: else the
// goods could be paid for twice. Errors: payment.ErrSlotHeld while a payment session of the cart may still be paid.
// Rule payments-38.
func EndForMerge(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, cartID string) error {
	if err := supersede(ctx, tx, w, cartID, ""); err != nil {
		return err
	}
	return checkSlotFree(ctx, tx, cartID)
}

// unsettledSessions locks the payment sessions of a cart that may still be paid or require attention, in the
// order of their ids. The cart is locked already, so there will be no others.
func unsettledSessions(ctx context.Context, tx ports.Tx, cartID string) ([]collection.Record, error) {
	return tx.Records.LockBy(ctx, payment.Sessions, UnsettledField, cartID)
}

// UnsettledField is the field of payment.Sessions by which unsettled sessions are found.
const UnsettledField = "unsettledCart"

// checkSlotFree refuses a new checkout of a cart while any of its payment sessions may still be paid. Errors:
// payment.ErrSlotHeld. Rule payments-38.
func checkSlotFree(ctx context.Context, tx ports.Tx, cartID string) error {
	sessions, err := unsettledSessions(ctx, tx, cartID)
	if err != nil {
		return err
	}
	var refusal error
	for _, r := range sessions {
		s := payment.SessionFrom(r)
		held := payment.ErrSlotHeld.WithData("paymentSessionId", s.ID)
		switch {
		case s.SlotHeld:
			return held
		case s.MayBePaid():
			refusal = held.WithCause(errReleased)
		}
	}
	return refusal
}

// supersede ends the live checkout of a cart in favor of the checkout with id by. Errors: payment.ErrSlotHeld
// while a payment holds its slot.
func supersede(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, cartID, by string) error {
	r, old, err := lockLive(ctx, tx, cartID)
	switch {
	case err != nil || r == nil:
		return err
	case old.SlotHeld:
		return payment.ErrSlotHeld.WithData("paymentSessionId", old.Session)
	case old.StatusAt(w.Now) == checkout.Expired:
		old = old.Expire()
	default:
		old = old.Supersede(by)
	}
	w.Put(checkout.Schema, r, old.Record())
	return nil
}

// lockLive locks the live checkout of a cart; nil when there is none.
func lockLive(ctx context.Context, tx ports.Tx, cartID string) (collection.Record, checkout.Checkout, error) {
	found, err := tx.Records.LockBy(ctx, checkout.Schema, liveField, cartID)
	if err != nil || len(found) == 0 {
		return nil, checkout.Checkout{}, err
	}
	return found[0], checkout.FromRecord(found[0]), nil
}

// liveField is the unique field of checkouts by which the live one of a cart is found.
const liveField = "liveCart"

// cartPrefetch is what every transaction locks that freezes a cart.
func cartPrefetch(cartID string) *ports.Prefetch {
	return &ports.Prefetch{
		Lock: []ports.Ref{{Schema: cart.Schema, ID: cartID}},
		LockBy: []ports.RefBy{
			{Schema: checkout.Schema, Field: liveField, Value: cartID}, {Schema: payment.Sessions, Field: UnsettledField, Value: cartID},
		},
	}
}

// supersedeOthers ends what the order of x leaves of its cart: every other unsettled payment session, the live
// checkout if that is another one, and the checkouts that required attention for such a session. paidBy is the
// session that pays for x. The cart is locked, so no other transaction holds one of these and waits for x.
func supersedeOthers(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, x checkout.Checkout, paidBy string) error {
	sessions, err := unsettledSessions(ctx, tx, x.Cart)
	if err != nil {
		return err
	}
	others := map[string]checkout.Checkout{} // by id
	records := map[string]collection.Record{}
	if !x.IsLive() {
		r, live, err := lockLive(ctx, tx, x.Cart)
		if err != nil {
			return err
		}
		if r != nil {
			if err := ReleaseReservation(ctx, tx, live); err != nil {
				return err
			}
			others[live.ID], records[live.ID] = live.Supersede(x.ID), r
		}
	}
	for _, r := range sessions {
		s := payment.SessionFrom(r)
		if s.ID == paidBy {
			continue
		}
		late := s.Superseded()
		w.Put(payment.Sessions, r, late.Record())
		if late.MayBePaid() && s.Kind != payment.Custom { // so that it is closed soon, however rarely it was looked up by now
			if err := tx.PaymentTasks.Schedule(ctx, LookupTask(late, w.Now, w.Now)); err != nil {
				return err
			}
		}
		if s.Checkout == x.ID || !s.Booked() {
			continue
		}
		if records[s.Checkout] == nil {
			if records[s.Checkout], err = tx.Records.Lock(ctx, checkout.Schema, s.Checkout); err != nil {
				return err
			}
			others[s.Checkout] = checkout.FromRecord(records[s.Checkout])
		}
		others[s.Checkout] = others[s.Checkout].UpdateAttention(late.AttentionCase())
	}
	for _, id := range slices.Sorted(maps.Keys(others)) {
		w.Put(checkout.Schema, records[id], others[id].Record())
	}
	return nil
}

// LookupTask is the task of looking the payment of a session up now, at its provider; it was opened or last renewed at
// since, which decides how often it is looked up.
func LookupTask(s payment.Session, since, now time.Time) ports.PaymentTask {
	_, urgency, _ := payment.NextLookup(since, now, 0)
	return ports.PaymentTask{
		Kind: ports.TaskLookup, Tenant: s.Tenant, Item: s.ID, Lane: s.Connection, Urgency: urgency, Since: since, DueAt: now,
	}
}
