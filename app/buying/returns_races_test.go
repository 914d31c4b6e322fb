package buying_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

// outcome is the refusal of an answer, or the error.
func outcome(a once.Answer, err error) error {
	if err == nil && a.Fault != nil {
		return a.Fault
	}
	return err
}

func TestReturnsAtOnceNeverPassTheQuantity(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("5 mug")
		w := b.wish(id, 2)
		instances := []*buying.Buying{b.Buying, b.instance()}
		var made atomic.Int64
		shops.Together(20, func(i int) {
			switch err := outcome(b.askReturn(instances[i%2], w)); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, returns.ErrQuantity):
				t.Errorf("%d: %v", i, err)
			}
		})
		if all := b.all(returns.Schema); made.Load() != 2 || len(all) != 2 {
			t.Errorf("%d answered, %d are there", made.Load(), len(all))
		}
	})
}

func TestReturnsAtOnceNeverPassTheShippingPaid(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("9 mug", "9 mug", "9 mug")
		w := b.wish(id, 1)
		w.InitialShippingRefund = "700"
		instances := []*buying.Buying{b.Buying, b.instance()}
		var made atomic.Int64
		shops.Together(20, func(i int) {
			mine := w
			mine.Lines = b.wish(id, 1, 1, 1).Lines[i%3 : i%3+1]
			switch err := outcome(b.askReturn(instances[i%2], mine)); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, returns.ErrShippingCap):
				t.Errorf("%d: %v", i, err)
			}
		})
		var back int64
		for _, r := range b.all(returns.Schema) {
			back += returns.FromRecord(r).InitialShippingRefund.Minor
		}
		if made.Load() != 4 || back != 2800 {
			t.Errorf("%d returns with %d of 3000", made.Load(), back)
		}
	})
}

func TestPayingOutAtOncePaysOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("2 mug")
		r := b.approved(b.wish(id, 2))
		instances := []*buying.Buying{b.Buying, b.instance()}
		shops.Together(20, func(i int) {
			if err := outcome(b.payOut(instances[i%2], r)); err != nil && !errors.Is(err, returns.ErrTransition) {
				t.Errorf("%d: %v", i, err)
			}
		})
		b.wantReturn("paid out", r, "refunded", "returned")
		b.wantMoney(id, 24000, "partially_refunded")
		if n := len(b.refunds(id)); n != 1 {
			t.Errorf("%d refunds", n)
		}
		b.wantSums("after it", 3000, 0)
	})
}

func TestDifferentReturnsArePaidOutAtOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("6 mug")
		var all []string
		for range 6 {
			all = append(all, b.approved(b.wish(id, 1)))
		}
		instances := []*buying.Buying{b.Buying, b.instance()}
		shops.Together(6, func(i int) {
			for {
				err := outcome(b.payOut(instances[i%2], all[i]))
				if !errors.Is(err, payment.ErrRefundBusy) {
					if err != nil {
						t.Errorf("%d: %v", i, err)
					}
					return
				}
			}
		})
		b.wantReturn("all of them", all[0], "refunded", "returned")
		b.wantMoney(id, 72000, "partially_refunded")
		b.wantSums("after them", 3000, 0)
	})
}

// Of a refund and a cancel of the same return one happens, and the money follows it.
func TestACancelAgainstAPayOut(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		for range 4 {
			id := b.delivered("mug")
			r := b.approved(b.wish(id, 1))
			shops.Together(4, func(i int) {
				var err error
				if i%2 == 0 {
					err = outcome(b.payOut(b.Buying, r))
				} else {
					err = outcome(b.step("cancel", r))
				}
				if err != nil && !errors.Is(err, returns.ErrTransition) && !errors.Is(err, payment.ErrRefundBusy) {
					t.Error(err)
				}
			})
			switch got := b.requestOf(r); got.Status {
			case returns.Refunded:
				b.wantMoney(id, 12000, "partially_refunded")
			case returns.Canceled:
				b.wantMoney(id, 0, "paid")
			default:
				t.Errorf("it is %s", got.Status)
			}
		}
	})
}

// An order is canceled, or it is delivered and returned; never both.
func TestAReturnAgainstACancelOfTheOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		for range 3 {
			id := b.ordered("mug")
			w := b.wish(id, 1)
			shops.Together(3, func(i int) {
				switch i {
				case 0:
					b.deliverUnlessCanceled(id)
				case 1:
					if err := outcome(b.askReturn(b.Buying, w)); err != nil && !errors.Is(err, order.ErrNotReturnable) {
						t.Error(err)
					}
				default:
					if err := outcome(b.cancelOrder(b.Buying, key(), id)); err != nil && !errors.Is(err, order.ErrTransition) {
						t.Error(err)
					}
				}
			})
			b.Sweep(t.Context(), ports.Of(b.shop.ID))
			o := b.orderOf(id)
			switch o.Status {
			case order.Canceled:
				b.wantMoney(id, 15000, "refunded")
			case order.Delivered, order.ReturnRequested:
				b.wantMoney(id, 0, "paid")
			default:
				t.Errorf("it is %s", o.Status)
			}
			var open int
			for _, r := range b.all(returns.Schema) {
				if r.Text("order") == id {
					open++
				}
			}
			if (open == 1) != (o.Status == order.ReturnRequested) {
				t.Errorf("%s with %d returns", o.Status, open)
			}
		}
	})
}

// deliverUnlessCanceled does what fulfilment will.
func (b *bed) deliverUnlessCanceled(id string) {
	err := b.store.Atomically(b.t.Context(), ports.Of(b.shop.ID), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		o := order.FromRecord(r)
		if o.Canceling() || o.Status == order.Canceled {
			return nil
		}
		o.Status = order.Delivered
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, r, o.Record(), shops.NewID(), b.now()))
	})
	if err != nil {
		b.t.Error(err)
	}
}
