package payments_test

import (
	"context"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// shortNumbersTaken is a store whose tenant has all orders of the day with a number of the usual length.
type shortNumbersTaken struct{ ports.Store }

func (s shortNumbersTaken) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	return s.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		tx.Records = uniqueNumbers{tx.Records}
		return fn(ctx, tx)
	})
}

type uniqueNumbers struct{ ports.Records }

// Write refuses an order with a short number as the unique constraint of the database does.
func (u uniqueNumbers) Write(ctx context.Context, changes ...collection.Change) error {
	for _, c := range changes {
		if c.Schema == order.Schema && c.Before == nil && len(c.After.Text("orderNumber")) <= len("260131")+6 {
			return ports.ErrDuplicate.WithFields(fault.Field{Field: "orderNumber", Message: "Taken."})
		}
	}
	return u.Records.Write(ctx, changes...)
}

// Captured money becomes its order on a day with so many orders that all usual numbers are taken.
func TestPaidOrderFindsANumberWhereShortOnesAreTaken(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Restart(func(s *paymentbed.Settings) { s.Database = shortNumbersTaken{b.Store} })
		session := b.opened("mug")
		b.Must(b.Confirm(session, b.Approve(session, "approve")))
		if all := b.All(order.Schema); len(all) != 1 || len(all[0].Text("orderNumber")) <= len("260131")+6 {
			t.Errorf("%v", all)
		}
	})
}

// A confirm whose money was captured and could not become its order is never refused for good: once an operator has
// placed the order, the same key gets it.
func TestRefusedConfirmOfCapturedMoneyRunsAgain(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.CustomSession(b.Checkout("9 lamp").Text("checkout.id"), "ps-1")
		session := b.All(payment.Sessions)[0].ID()
		b.Advance(paymentbed.Patience * 60) // past the reservation
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		other := make([]paymentbed.Answer, 3)
		for i := range other {
			other[i] = b.opened("9 lamp")
		}
		c := b.Server(paymentbed.Key(), "paymentSessions.custom.confirm", "")
		in := paymentbed.Captured("ps-1", "pay-1", "evt-1")
		in.Captured = payment.SessionFrom(b.Get(payment.Sessions, session)).Amount
		a, err := b.Payments.Custom.Confirm(t.Context(), c, in)
		paymentbed.Refused(t, "without goods", a, err, payment.ErrRequiresAttention)
		b.Release(other[0]) // its lamps are there again
		if _, err := b.Resolve(paymentbed.Answer{"paymentSession": map[string]any{"id": session}}, payment.ResolutionPlaced); err != nil {
			t.Fatal(err)
		}
		if again := b.Must(b.Payments.Custom.Confirm(t.Context(), c, in)); again.Text("order.id") == "" {
			t.Errorf("the same key: %v", again)
		}
	})
}
