package connections_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// deleteConnection deletes the bed's connection as an operator does.
func (b *bed) deleteConnection() error {
	_, err := b.Records.Delete(b.T.Context(), idempotency.Call{Principal: b.Owner()}, payment.Connections, b.Connection,
		records.Projection{})
	return err
}

func TestUsedConnectionCannotBeDeleted(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Pay(b.Checkout("mug").Text("checkout.id"))
		if err := b.deleteConnection(); !errors.Is(err, payment.ErrConnectionInUse) {
			t.Error(err)
		}
	})
}

// Of a delete and concurrent payments, either is refused.
func TestConnectionDeleteRacingSessionOpen(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		var opened atomic.Int64
		var all sync.WaitGroup
		for range 8 {
			x := b.Checkout("mug").Text("checkout.id")
			all.Go(func() {
				_, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
					paymentbed.WidgetSession(x))
				if err == nil {
					opened.Add(1)
				}
			})
		}
		var err error
		all.Go(func() { err = b.deleteConnection() })
		all.Wait()
		if forgotten := err == nil; forgotten && len(b.All(payment.Sessions)) > 0 || !forgotten && opened.Load() == 0 {
			t.Errorf("forgotten: %v, %d sessions", err, len(b.All(payment.Sessions)))
		}
	})
}
