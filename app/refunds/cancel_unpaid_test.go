package refunds_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// expire lets time do to unpaid orders what it does where they live for hours.
func (b *bed) expire(hours int64) {
	b.T.Helper()
	shop := b.Shop
	shop.UnpaidOrderHours = hours
	u := &orders.UnpaidExpiry{Store: b.Store, Canceler: b.Refunds.Canceler, Now: b.Now}
	if err := u.CancelTenant(b.T.Context(), shop); err != nil {
		b.T.Fatal(err)
	}
}

func TestUnpaidOrdersFreeTheirStock(t *testing.T) {
	for _, sale := range []string{"to be paid later", "by an operator"} {
		t.Run(sale, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				before := b.Level("mug").OnHand
				id := sales[sale](b)
				paid, failed := sales[sale](b), sales[sale](b)
				b.move(paid, order.Paid)
				b.move(failed, order.Failed)
				b.Advance(24*time.Hour - time.Millisecond)
				b.expire(24)
				b.wantStatus("a moment too early", id, "pending")
				b.Advance(time.Millisecond)
				b.expire(0)
				b.wantStatus("in a shop that keeps them", id, "pending")
				b.expire(25)
				b.wantStatus("in a shop that waits longer", id, "pending")
				b.expire(24)
				b.expire(24)
				b.wantStatus("after a day", id, "canceled")
				b.wantStatus("that failed", failed, "canceled")
				b.wantStatus("that was paid", paid, "paid")
				if l := b.Level("mug"); l.OnHand != before-3 {
					t.Errorf("%d are on hand, want %d", l.OnHand, before-3)
				}
				restocked := map[string]int64{}
				for _, m := range b.All(inventory.Movements) {
					if m.Text("kind") == string(inventory.Canceled) && m.Text("variant") == b.Variants["mug"] {
						restocked[m.Text("order")+" "+m.Group("actor").Text("kind")] += m.Int("delta")
					}
				}
				if len(restocked) != 2 || restocked[id+" system"] != 3 || restocked[failed+" system"] != 3 {
					t.Errorf("movements: %v", restocked)
				}
			})
		})
	}
}

func (b *bed) wantStatus(which, id, want string) {
	b.T.Helper()
	if got := b.Get(order.Schema, id).Text("status"); got != want {
		b.T.Errorf("the order %s is %s, want %s", which, got, want)
	}
}

// orders is the use cases of orders in the same tenant.
func (b *bed) orders() *orders.Service {
	return &orders.Service{Store: b.Store, Idempotency: b.Idempotency, Canceler: b.Refunds.Canceler, Now: b.Now, NewID: shops.NewID}
}

// move makes a manual transition.
func (b *bed) move(id string, to order.Status) {
	b.T.Helper()
	b.Must(b.orders().Transition(b.T.Context(), b.Server(paymentbed.Key(), "orders.transition", id), id, orders.Transition{To: to}))
}
