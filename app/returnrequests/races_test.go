package returnrequests_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestConcurrentReturnsNeverExceedTheQuantity(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("5 mug")
		w := b.ReturnInput(id, 2)
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		var made atomic.Int64
		shops.Concurrently(20, func(i int) {
			switch err := paymentbed.Outcome(b.RequestReturn(instances[i%2], w)); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, returns.ErrQuantityExceeded):
				t.Errorf("%d: %v", i, err)
			}
		})
		if all := b.All(returns.Schema); made.Load() != 2 || len(all) != 2 {
			t.Errorf("%d answered, %d are there", made.Load(), len(all))
		}
	})
}

func TestConcurrentReturnsNeverExceedTheShippingPaid(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("9 mug", "9 mug", "9 mug")
		w := b.ReturnInput(id, 1)
		w.InitialShippingRefund = "700"
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		var made atomic.Int64
		shops.Concurrently(20, func(i int) {
			mine := w
			mine.Lines = b.ReturnInput(id, 1, 1, 1).Lines[i%3 : i%3+1]
			switch err := paymentbed.Outcome(b.RequestReturn(instances[i%2], mine)); {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, returns.ErrShippingCap):
				t.Errorf("%d: %v", i, err)
			}
		})
		var back int64
		for _, r := range b.All(returns.Schema) {
			back += returns.FromRecord(r).InitialShippingRefund.Minor
		}
		if made.Load() != 4 || back != 2800 {
			t.Errorf("%d returns with %d of 3000", made.Load(), back)
		}
	})
}

func TestConcurrentReturnRefundsPayOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("2 mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 2))
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		shops.Concurrently(20, func(i int) {
			if err := paymentbed.Outcome(b.PayOut(instances[i%2], r)); err != nil && !errors.Is(err, returns.ErrTransition) {
				t.Errorf("%d: %v", i, err)
			}
		})
		b.WantReturn("paid out", r, "refunded", "returned")
		b.WantMoney(id, 24000, "partially_refunded")
		if n := len(b.RefundsOf(id)); n != 1 {
			t.Errorf("%d refunds", n)
		}
		b.WantSums("after it", 3000, 0)
	})
}

func TestDifferentReturnsAreRefundedConcurrently(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("6 mug")
		var all []string
		for range 6 {
			all = append(all, b.ApprovedReturn(b.ReturnInput(id, 1)))
		}
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		shops.Concurrently(6, func(i int) {
			for {
				err := paymentbed.Outcome(b.PayOut(instances[i%2], all[i]))
				if !errors.Is(err, payment.ErrRefundInProgress) {
					if err != nil {
						t.Errorf("%d: %v", i, err)
					}
					return
				}
			}
		})
		b.WantReturn("all of them", all[0], "refunded", "returned")
		b.WantMoney(id, 72000, "partially_refunded")
		b.WantSums("after them", 3000, 0)
	})
}

// Of a concurrent refund and cancel of the same return one succeeds, and the money is as it says.
func TestCancelRacingAReturnRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for range 4 {
			id := b.DeliveredOrder("mug")
			r := b.ApprovedReturn(b.ReturnInput(id, 1))
			shops.Concurrently(4, func(i int) {
				var err error
				if i%2 == 0 {
					err = paymentbed.Outcome(b.PayOut(b.Instance, r))
				} else {
					err = paymentbed.Outcome(b.ReturnStep("cancel", r))
				}
				if err != nil && !errors.Is(err, returns.ErrTransition) && !errors.Is(err, payment.ErrRefundInProgress) {
					t.Error(err)
				}
			})
			switch got := b.RequestOf(r); got.Status {
			case returns.Refunded:
				b.WantMoney(id, 12000, "partially_refunded")
			case returns.Canceled:
				b.WantMoney(id, 0, "paid")
			default:
				t.Errorf("it is %s", got.Status)
			}
		}
	})
}

// An order is canceled, or delivered and returned, never both.
func TestReturnRacingAnOrderCancel(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for range 3 {
			id := b.PaidOrder("mug")
			w := b.ReturnInput(id, 1)
			shops.Concurrently(3, func(i int) {
				switch i {
				case 0:
					b.deliverUnlessCanceled(id)
				case 1:
					if err := paymentbed.Outcome(b.RequestReturn(b.Instance, w)); err != nil && !errors.Is(err, order.ErrNotReturnable) {
						t.Error(err)
					}
				default:
					if err := paymentbed.Outcome(b.CancelOrder(b.Instance, paymentbed.Key(), id)); err != nil &&
						!errors.Is(err, order.ErrTransition) {
						t.Error(err)
					}
				}
			})
			b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
			o := b.OrderOf(id)
			switch o.Status {
			case order.Canceled:
				b.WantMoney(id, 15000, "refunded")
			case order.Delivered, order.ReturnRequested:
				b.WantMoney(id, 0, "paid")
			default:
				t.Errorf("it is %s", o.Status)
			}
			var open int
			for _, r := range b.All(returns.Schema) {
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

// deliverUnlessCanceled delivers an order as fulfillment does.
func (b *bed) deliverUnlessCanceled(id string) {
	err := b.Store.Atomically(b.T.Context(), ports.ForTenant(b.Shop.ID), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		o := order.FromRecord(r)
		if o.Canceling() || o.Status == order.Canceled {
			return nil
		}
		o.Status = order.Delivered
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, r, o.Record(), shops.NewID(), b.Now()))
	})
	if err != nil {
		b.T.Error(err)
	}
}
