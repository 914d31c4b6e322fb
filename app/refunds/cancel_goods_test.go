package refunds_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// goods is the use cases of fulfillments in the same tenant.
func (b *bed) goods() *fulfillments.Service {
	return &fulfillments.Service{Store: b.Store, Idempotency: b.Idempotency, Now: b.Now, NewID: shops.NewID}
}

// pack creates a fulfillment of units of the first line of an order and returns its id.
func (b *bed) pack(orderID string, units int64) string {
	b.T.Helper()
	var work string
	for _, f := range b.All(order.FulfillmentOrders) {
		if f.Text("order") == orderID {
			work = f.ID()
		}
	}
	line := order.FromRecord(b.Get(order.Schema, orderID)).Lines[0].ID
	return b.Must(b.goods().Create(b.T.Context(), b.Server("", "", ""), fulfillments.FulfillmentInput{
		FulfillmentOrder: work, Items: []order.Item{{OrderLine: line, Quantity: units}},
		Tracking: order.Tracking{Carrier: order.CJ, Number: "123456789012"},
	})).Text("fulfillment.id")
}

func (b *bed) ship(id string) (idempotency.Response, error) {
	return b.goods().Ship(b.T.Context(), b.Server("", "", ""), id, order.Tracking{})
}

func TestCancelKeepsShippedFulfillments(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("4 mug")
		sent, waiting := b.pack(id, 1), b.pack(id, 2)
		b.Must(b.ship(sent))
		done := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		if done.Text("order.status") != "canceled" || done.Text("order.paymentStatus") != "refunded" ||
			done.Text("order.fulfillmentStatus") != "partial" {
			t.Errorf("%v", done)
		}
		for at, want := range map[string]string{sent: "shipped", waiting: "canceled"} {
			if f := b.Get(order.Fulfillments, at); f.Text("status") != want {
				t.Errorf("%s, want %s", f.Text("status"), want)
			}
		}
		if l := b.Level("mug"); l.OnHand != 99 || b.All(order.FulfillmentOrders)[0].Text("status") != "canceled" {
			t.Errorf("%+v %v", l, b.All(order.FulfillmentOrders))
		}
		a, err := b.goods().Deliver(t.Context(), b.Server("", "", ""), sent)
		paymentbed.Refused(t, "its parcel arrives", a, err, order.ErrTransition)
	})
}

func TestShippedOrderCannotBeCanceled(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("2 mug")
		b.Must(b.ship(b.pack(id, 2)))
		a, err := b.CancelOrder(b.Instance, paymentbed.Key(), id)
		paymentbed.Refused(t, "shipped", a, err, order.ErrTransition)
		if o := b.Get(order.Schema, id); o.Text("status") != "shipped" || b.Level("mug").OnHand != 98 || len(b.RefundsOf(id)) != 0 {
			t.Errorf("%v %+v", o, b.Level("mug"))
		}
	})
}

// Nothing of an order ships while its cancel is refunding.
func TestNothingShipsDuringACancel(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("2 mug")
		waiting := b.pack(id, 1)
		b.BankFaults(`{"dropResponseNext":1}`)
		if _, err := b.CancelOrder(b.Instance, paymentbed.Key(), id); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatal(err)
		}
		a, err := b.ship(waiting)
		paymentbed.Refused(t, "a parcel", a, err, order.ErrTransition)
		if done := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id)); done.Text("order.status") != "canceled" ||
			b.Level("mug").OnHand != 100 {
			t.Errorf("%v %+v", done, b.Level("mug"))
		}
	})
}

func TestShipRacingCancel(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("3 mug")
		parcels := []string{b.pack(id, 1), b.pack(id, 1), b.pack(id, 1)}
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		var sent atomic.Int64
		shops.Concurrently(9, func(i int) {
			if i < 6 {
				if _, err := b.ship(parcels[i%3]); err == nil {
					sent.Add(1)
				} else if !errors.Is(err, order.ErrTransition) && !errors.Is(err, order.ErrFulfillmentTransition) {
					t.Error(err)
				}
				return
			}
			if a, err := b.CancelOrder(instances[i%2], paymentbed.Key(), id); err != nil {
				t.Errorf("%+v %v", a, err)
			}
		})
		var found fulfillments.OrderGoods
		b.Atomically(func(ctx context.Context, tx ports.Tx) (err error) {
			found, err = fulfillments.LockGoods(ctx, tx, id)
			return err
		})
		var left int64
		for _, f := range found.Fulfillments {
			if f.State == order.FulfillmentShipped {
				left++
			}
		}
		canceled := found.Order.Status == order.Canceled
		if left != sent.Load() || found.Order.Lines[0].Fulfilled != left || canceled == (found.Order.Status == order.Shipped) {
			t.Errorf("%d of %d left; %+v", left, sent.Load(), found.OrderFulfillment)
		}
		want := int64(97)
		if canceled {
			want = 100 - left
		}
		if l := b.Level("mug"); l.OnHand != want {
			t.Errorf("%+v, want %d: %s", l, want, found.Order.Status)
		}
	})
}
