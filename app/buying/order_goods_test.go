package buying_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/fulfilling"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// goods is the use cases of fulfilment on the same shop.
func (b *bed) goods() *fulfilling.Fulfilling {
	return &fulfilling.Fulfilling{Store: b.store, Once: b.Once, Now: b.now, NewID: shops.NewID}
}

// pack makes a parcel of units of the first line of an order and returns its id.
func (b *bed) pack(orderID string, units int64) string {
	b.t.Helper()
	var work string
	for _, f := range b.all(order.FulfillmentOrders) {
		if f.Text("order") == orderID {
			work = f.ID()
		}
	}
	line := order.FromRecord(b.get(order.Schema, orderID)).Lines[0].ID
	return b.must(b.goods().Create(b.t.Context(), b.server("", "", ""), fulfilling.NewFulfillment{
		Work: work, Items: []order.Item{{OrderLine: line, Quantity: units}}, Tracking: order.Tracking{Carrier: order.CJ, Number: "123456789012"},
	})).text("fulfillment.id")
}

func (b *bed) ship(id string) (once.Answer, error) {
	return b.goods().Ship(b.t.Context(), b.server("", "", ""), id, order.Tracking{})
}

func TestACancelLeavesAloneWhatLeft(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("4 mug")
		sent, waiting := b.pack(id, 1), b.pack(id, 2)
		b.must(b.ship(sent))
		done := b.must(b.cancelOrder(b.Buying, key(), id))
		if done.text("order.status") != "canceled" || done.text("order.paymentStatus") != "refunded" || done.text("order.fulfillmentStatus") != "partial" {
			t.Errorf("%v", done)
		}
		for at, want := range map[string]string{sent: "shipped", waiting: "canceled"} {
			if f := b.get(order.Fulfillments, at); f.Text("status") != want {
				t.Errorf("%s, want %s", f.Text("status"), want)
			}
		}
		if l := b.level("mug"); l.OnHand != 99 || b.all(order.FulfillmentOrders)[0].Text("status") != "canceled" {
			t.Errorf("%+v %v", l, b.all(order.FulfillmentOrders))
		}
		a, err := b.goods().Deliver(t.Context(), b.server("", "", ""), sent)
		refused(t, "its parcel arrives", a, err, order.ErrTransition)
	})
}

func TestAnOrderThatLeftIsNotCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("2 mug")
		b.must(b.ship(b.pack(id, 2)))
		a, err := b.cancelOrder(b.Buying, key(), id)
		refused(t, "shipped", a, err, order.ErrTransition)
		if o := b.get(order.Schema, id); o.Text("status") != "shipped" || b.level("mug").OnHand != 98 || len(b.refunds(id)) != 0 {
			t.Errorf("%v %+v", o, b.level("mug"))
		}
	})
}

// Nothing leaves the house of an order whose money is on its way back.
func TestNothingIsShippedWhileAnOrderIsBeingCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("2 mug")
		waiting := b.pack(id, 1)
		b.faults(`{"dropResponseNext":1}`)
		if _, err := b.cancelOrder(b.Buying, key(), id); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatal(err)
		}
		a, err := b.ship(waiting)
		refused(t, "a parcel", a, err, order.ErrTransition)
		if done := b.must(b.cancelOrder(b.Buying, key(), id)); done.text("order.status") != "canceled" || b.level("mug").OnHand != 100 {
			t.Errorf("%v %+v", done, b.level("mug"))
		}
	})
}

func TestParcelsAndCancelsAtOnceAgree(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("3 mug")
		parcels := []string{b.pack(id, 1), b.pack(id, 1), b.pack(id, 1)}
		instances := []*buying.Buying{b.Buying, b.instance()}
		var sent atomic.Int64
		shops.Together(9, func(i int) {
			if i < 6 {
				if _, err := b.ship(parcels[i%3]); err == nil {
					sent.Add(1)
				} else if !errors.Is(err, order.ErrTransition) && !errors.Is(err, order.ErrFulfillmentTransition) {
					t.Error(err)
				}
				return
			}
			if a, err := b.cancelOrder(instances[i%2], key(), id); err != nil {
				t.Errorf("%+v %v", a, err)
			}
		})
		var found fulfilling.Found
		b.atomically(func(ctx context.Context, tx ports.Tx) (err error) {
			found, err = fulfilling.Open(ctx, tx, id)
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
			t.Errorf("%d of %d left; %+v", left, sent.Load(), found.Goods)
		}
		want := int64(97)
		if canceled {
			want = 100 - left
		}
		if l := b.level("mug"); l.OnHand != want {
			t.Errorf("%+v, want %d: %s", l, want, found.Order.Status)
		}
	})
}
