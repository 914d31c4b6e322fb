package refunds_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// lineCancel asks to cancel units of the lines of an order, one number per line.
func (b *bed) lineCancel(orderID string, units ...int64) (in refunds.LineCancelRequest) {
	in.Reason = "Sold out"
	for i, n := range units {
		if n > 0 {
			in.Items = append(in.Items, order.Item{OrderLine: b.OrderOf(orderID).Lines[i].ID, Quantity: n})
		}
	}
	return in
}

func (b *bed) cancelLines(i *paymentbed.Instance, key, orderID string, in refunds.LineCancelRequest) (idempotency.Response, error) {
	return i.Refunds.Lines.CancelLines(b.T.Context(), b.Server(key, "orders.cancelLines", fmt.Sprint(orderID, in)), orderID, in)
}

// wantDue asserts what an order comes to, and that its money adds up everywhere.
func (b *bed) wantDue(when, orderID string, due, refunded int64, paymentStatus string) {
	b.T.Helper()
	o := b.OrderOf(orderID)
	if o.Due() != paymentbed.KRW(due) || o.Refunded != paymentbed.KRW(refunded) || o.PaymentStatus() != paymentStatus {
		b.T.Errorf("%s: %v is due, %v were refunded, %s; want %d, %d, %s", when, o.Due(), o.Refunded, o.PaymentStatus(), due, refunded, paymentStatus)
	}
	if _, differences := b.Reconciliation(); len(differences) > 0 {
		b.T.Errorf("%s: %v", when, differences)
	}
}

func TestCanceledLinesAreRefundedAndRestocked(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("3 mug", "2 lamp") // 136000, and no shipping from 50000 on
		total := b.OrderOf(id).Total.Minor
		in := b.lineCancel(id, 1, 1)
		in.Preview = true
		before := b.Get(order.Schema, id)
		told := b.Must(b.cancelLines(b.Instance, "", id, in))
		if told.At("cancellation.refundAmount") != b.Read([]byte(`{"a":62000}`)).At("a") || told.Text("order.id") != id {
			t.Errorf("%v", told)
		}
		if after := b.Get(order.Schema, id); after.Int("revision") != before.Int("revision") || len(b.RefundsOf(id)) != 0 {
			t.Errorf("a preview changed the order: %v", after)
		}
		in.Preview = false
		_, err := b.cancelLines(b.Instance, "", id, in)
		if !errors.Is(err, idempotency.ErrKeyRequired) {
			t.Errorf("without a key: %v", err)
		}
		key := paymentbed.Key()
		first, err := b.cancelLines(b.Instance, key, id, in)
		done := b.Must(first, err)
		if done.At("cancellation.refundAmount") != told.At("cancellation.refundAmount") || done.Text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
		b.WantMoney(id, 62000, "partially_refunded")
		b.wantDue("after one", id, total-62000, 62000, "partially_refunded")
		b.wantMovedByKey(inventory.Canceled, id)
		if mugs, lamps := b.Level("mug"), b.Level("lamp"); mugs.OnHand != 98 || lamps.OnHand != 29 {
			t.Errorf("%+v %+v", mugs, lamps)
		}
		again, err := b.cancelLines(b.NewInstance(), key, id, in)
		if err != nil || again.Body.String() != first.Body.String() {
			t.Errorf("%s %v", again.Body, err)
		}
		whole := b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		if whole.Text("order.status") != "canceled" {
			t.Errorf("%v", whole)
		}
		b.WantMoney(id, total, "refunded")
		if mugs, lamps := b.Level("mug"), b.Level("lamp"); mugs.OnHand != 100 || lamps.OnHand != 30 {
			t.Errorf("%+v %+v", mugs, lamps)
		}
	})
}

func TestRefusedLineCancelLeavesTheOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("3 mug")
		b.RefuseRefundsAtBank("NOT_CANCELABLE_PAYMENT")
		a, err := b.cancelLines(b.Instance, paymentbed.Key(), id, b.lineCancel(id, 1))
		paymentbed.Refused(t, "refused", a, err, ports.ErrProviderRejected)
		if o := b.OrderOf(id); len(o.LineCancels) != 0 || o.Lines[0].Canceled != 0 || b.Level("mug").OnHand != 97 {
			t.Errorf("%+v", o)
		}
		b.Must(b.ship(b.pack(id, 3)))
	})
}

// Whatever crashes, the units are canceled and the money goes back once; meanwhile nothing else happens to the order.
func TestLineCancelRecoversFromACrash(t *testing.T) {
	for _, point := range []string{refunds.FailRefundBegun, refunds.FailRefundSent} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				healed, again := b.PaidOrder("3 mug"), b.PaidOrder("3 mug")
				keys := map[string]string{healed: paymentbed.Key(), again: paymentbed.Key()}
				for id, key := range keys {
					crashing := b.NewInstanceFailingAt(point)
					crashing.Idempotency.Lease = 30 * time.Microsecond // the same request may come again at once
					paymentbed.MustCrash(t, func() { _, _ = b.cancelLines(crashing, key, id, b.lineCancel(id, 2)) })
					a, err := b.cancelLines(b.Instance, paymentbed.Key(), id, b.lineCancel(id, 1))
					paymentbed.Refused(t, "another one", a, err, payment.ErrRefundInProgress)
					a, err = b.CancelOrder(b.Instance, paymentbed.Key(), id)
					paymentbed.Refused(t, "the whole order", a, err, payment.ErrRefundInProgress)
				}
				b.Must(b.cancelLines(b.Instance, keys[again], again, b.lineCancel(again, 2)))
				b.poll()
				b.Must(b.cancelLines(b.Instance, keys[healed], healed, b.lineCancel(healed, 2)))
				for _, id := range []string{healed, again} {
					b.WantMoney(id, 24000, "partially_refunded")
					b.wantMovedByKey(inventory.Canceled, id)
					if o := b.OrderOf(id); o.Lines[0].Canceled != 2 || len(o.LineCancels) != 1 || len(b.RefundsOf(id)) != 1 {
						t.Errorf("%+v", o.LineCancels)
					}
				}
				if l := b.Level("mug"); l.OnHand != 98 {
					t.Errorf("%+v", l)
				}
			})
		})
	}
}

func TestConcurrentLineCancelsNeverTakeMoreThanThereIs(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("9 mug")
		in := b.lineCancel(id, 1)
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		var done atomic.Int64
		shops.Concurrently(64, func(i int) {
			key := paymentbed.Key()
			for range 200 {
				a, err := b.cancelLines(instances[i%2], key, id, in)
				switch {
				case err == nil && a.Fault == nil:
					done.Add(1)
					return
				case errors.Is(err, payment.ErrRefundInProgress) || a.Fault != nil && errors.Is(a.Fault, payment.ErrRefundInProgress):
					continue
				case errors.Is(err, order.ErrWholeOrder) || a.Fault != nil && errors.Is(a.Fault, order.ErrWholeOrder):
					return
				case err != nil && errors.Is(err, idempotency.ErrInProgress):
					continue
				}
				t.Errorf("%v %v", err, a.Fault)
				return
			}
			t.Error("it never got its turn")
		})
		if o := b.OrderOf(id); done.Load() != 8 || o.Lines[0].Canceled != 8 || b.Level("mug").OnHand != 99 {
			t.Errorf("%d were canceled: %+v, %+v", done.Load(), o.Lines[0], b.Level("mug"))
		}
		b.WantMoney(id, 8*12000, "partially_refunded")
	})
}

func TestUnpaidOrderComesToLess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.drafted() // 3 mugs and a lamp
		total := b.OrderOf(id).Total.Minor
		done := b.Must(b.cancelLines(b.Instance, paymentbed.Key(), id, b.lineCancel(id, 2)))
		if done.Text("order.status") != "pending" || done.Text("order.paymentStatus") != "unpaid" || len(b.RefundsOf(id)) != 0 {
			t.Errorf("%v", done)
		}
		b.wantDue("unpaid", id, total-24000, 0, "unpaid")
		b.move(id, order.Paid)
		b.wantOrder("paid by hand", id, order.Paid, "paid", total-24000, "")
		b.Must(b.cancelLines(b.Instance, paymentbed.Key(), id, b.lineCancel(id, 0, 1)))
		b.wantDue("then canceled", id, total-24000-50000, 50000, "partially_refunded")
		if mugs, lamps := b.Level("mug"), b.Level("lamp"); mugs.OnHand != 99 || lamps.OnHand != 30 {
			t.Errorf("%+v %+v", mugs, lamps)
		}
	})
}

// Of an authorized payment less is captured, and the rest is released.
func TestAuthorizedOrderIsCapturedForWhatIsLeft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.captureLater(checkout.CaptureOnShipping)
		id := b.PaidOrder("3 mug") // 36000, and shipping
		total := b.OrderOf(id).Total.Minor
		b.Must(b.cancelLines(b.Instance, paymentbed.Key(), id, b.lineCancel(id, 1)))
		b.wantOrder("less is to be captured", id, order.Authorized, "authorized", 0, "")
		a, err := b.capture(b.Instance, paymentbed.Key(), id, total)
		paymentbed.Refused(t, "all that is held", a, err, order.ErrCaptureTooLarge)
		b.Must(b.ship(b.pack(id, 1)))
		b.poll()
		b.wantOrder("a part has left", id, order.Preparing, "authorized", 0, "")
		b.Must(b.cancelLines(b.Instance, paymentbed.Key(), id, b.lineCancel(id, 1))) // now all that is left has left
		b.poll()
		b.wantOrder("captured", id, order.Shipped, "paid", total-24000, "")
		b.wantDue("captured", id, total-24000, 0, "paid")
	})
}

// What is canceled, and what is returned later, come to what was paid.
func TestReturnsRefundWhatWasNotCanceled(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Must(b.Checkouts.Create(t.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""),
			b.CheckoutInput(b.Cart([]string{"ONCE"}, "7 mug")))).Text("checkout.id")) // 75600 after the discount
		id := b.Must(b.Confirm(session, b.Approve(session, "approve"))).Text("order.id")
		paid, _ := b.BankTotals(id)
		b.Must(b.cancelLines(b.Instance, paymentbed.Key(), id, b.lineCancel(id, 3)))
		b.Must(b.ship(b.pack(id, 4)))
		b.Rewrite(order.Schema, id, "status", "delivered")
		a, err := b.RequestReturn(b.Instance, b.ReturnInput(id, 5))
		if err == nil && a.Fault == nil {
			t.Errorf("units were returned that never left: %v", a)
		}
		back := b.ApprovedReturn(b.ReturnInput(id, 4))
		b.Must(b.ReturnStep("receive", back))
		b.Must(b.PayOut(b.Instance, back))
		b.WantReturn("all that left came back", back, "refunded", "returned")
		o := b.OrderOf(id)
		if lines := o.Lines[0].Total.Minor; o.Refunded.Minor != lines || paid-lines != o.Shipping.Minor {
			t.Errorf("%v of %d were refunded", o.Refunded, lines)
		}
		b.wantDue("returned", id, o.Due().Minor, o.Refunded.Minor, o.PaymentStatus())
	})
}
