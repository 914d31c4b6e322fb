package returnrequests_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestReturnFromRequestToRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("2 mug") // 24000 and 3000 of shipping
		w := b.ReturnInput(id, 2)
		w.InitialShippingRefund, w.ReturnShippingFee, w.Lines[0].RestockingFee = "3000", "2500", "1000"
		made := b.Must(b.RequestReturn(b.Instance, w))
		r := made.Text("returnRequest.id")
		if made.Text("returnRequest.refundAmount") != "23500" || made.Text("returnRequest.suggestedInitialShippingRefund") != "3000" ||
			made.Text("returnRequest.restockingFeeTotal") != "1000" || made.Text("order.status") != "return_requested" {
			t.Errorf("%v", made)
		}
		b.WantReturn("asked for", r, "requested", "return_requested")
		b.Must(b.ReturnStep("approve", r))
		b.WantReturn("approved", r, "approved", "return_processing")
		b.Must(b.ReturnStep("receive", r))
		b.WantReturn("received", r, "received", "return_processing")
		if l := b.Level("mug"); l.OnHand != 100 || b.OrderOf(id).Lines[0].Returned != 2 {
			t.Errorf("%+v", l)
		}
		k := paymentbed.Key()
		first, err := b.Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{})
		done := b.Must(first, err)
		if done.Text("returnRequest.status") != "refunded" || done.Text("returnRequest.refundStatus") != "refunded" ||
			done.Text("order.status") != "returned" || done.Text("order.paymentStatus") != "partially_refunded" {
			t.Errorf("%v", done)
		}
		b.WantMoney(id, 23500, "partially_refunded")
		again, err := b.NewInstance().Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{})
		if err != nil || again.Body.String() != first.Body.String() || !again.Replayed {
			t.Errorf("%s %v", again.Body, err)
		}
		if more := b.Must(b.PayOut(b.Instance, r)); more.Text("returnRequest.status") != "refunded" {
			t.Errorf("%v", more)
		}
		if n := b.RefundsOf(id); len(n) != 1 || n[0].Text("returnRequest") != r || b.RequestOf(r).Transaction != n[0].ID() {
			t.Errorf("%v", n)
		}
		other, err := b.RequestReturn(b.Instance, b.ReturnInput(id, 1))
		paymentbed.Refused(t, "what came back", other, err, order.ErrNotReturnable)
		b.WantSums("after a return", 3500, 0)
	})
}

func TestPartialReturn(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("3 mug", "course")
		b.Rewrite(order.Schema, id, "status", "confirmed")
		one := b.ApprovedReturn(b.ReturnInput(id, 1, 0))
		two := b.RequestedReturn(b.ReturnInput(id, 2, 1)) // while the first is open
		b.WantReturn("a second one", two, "requested", "return_processing")
		b.Must(b.PayOut(b.Instance, one)) // the shop lets the buyer keep it
		b.WantReturn("the first is paid out", one, "refunded", "return_processing")
		if l := b.Level("mug"); l.OnHand != 97 {
			t.Errorf("what never came is not on the shelf: %+v", l)
		}
		b.Must(b.ReturnStep("reject", two))
		b.WantReturn("the second is rejected", two, "rejected", "confirmed")
		rest := b.ApprovedReturn(b.ReturnInput(id, 2, 1))
		b.Must(b.ReturnStep("receive", rest))
		b.Must(b.PayOut(b.Instance, rest))
		b.WantReturn("the rest", rest, "refunded", "returned")
		if l, c := b.Level("mug"), b.Level("course"); l.OnHand != 99 || c.OnHand != 999 {
			t.Errorf("%+v, %+v", l, c)
		}
		b.WantMoney(id, 66000, "partially_refunded") // all but the shipping
		b.WantSums("after both", 3000, 0)
	})
}

func TestRejectedReturnFreesItsUnits(t *testing.T) {
	for _, how := range []string{"reject", "cancel"} {
		t.Run(how, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.DeliveredOrder("2 mug")
				w := b.ReturnInput(id, 2)
				w.InitialShippingRefund = "3000"
				for _, from := range []string{"requested", "approved"} {
					r := b.RequestedReturn(w)
					if from == "approved" {
						b.Must(b.ReturnStep("approve", r))
					}
					a, err := b.RequestReturn(b.Instance, b.ReturnInput(id, 1))
					paymentbed.Refused(t, "nothing is left", a, err, returns.ErrQuantityExceeded)
					ended := b.Must(b.ReturnStep(how, r))
					if ended.Text("returnRequest.statusReason") == "" {
						t.Errorf("%v", ended)
					}
					b.WantReturn(from, r, map[string]string{"reject": "rejected", "cancel": "canceled"}[how], "delivered")
					a, err = b.ReturnStep("approve", r)
					paymentbed.Refused(t, "it is over", a, err, returns.ErrTransition)
				}
				b.RequestedReturn(w)
			})
		})
	}
}

func TestReturnOfAManualPaymentIsRefundedManually(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		paid := b.PaidOrder("mug")
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		custom := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))).Text("order.id")
		o := b.OrderOf(paid).WithStockTaken(nil)
		o.ID, o.Number, o.Checkout, o.Source, o.ReturnPolicy, o.Status = shops.NewID(), "imported-1", "", order.FromAPI, nil,
			order.Delivered
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, o.Record(), shops.NewID(), b.Now()))
		})
		b.Rewrite(order.Schema, custom, "status", "delivered")
		clear(b.Providers) // none is called
		stock := b.Level("mug").OnHand
		for _, id := range []string{custom, o.ID} {
			w := b.ReturnInput(id, 1)
			w.InitialShippingRefund, w.AuditNote = "3000", "It came broken."
			r := b.ApprovedReturn(w)
			b.Must(b.ReturnStep("receive", r))
			b.Must(b.PayOut(b.Instance, r))
			b.WantReturn("by hand", r, "refunded", "returned")
			if got := b.OrderOf(id); got.Refunded != paymentbed.KRW(15000) || b.Balance(id) != 0 || len(b.RefundsOf(id)) != 1 {
				t.Errorf("%v refunded, %d are left", got.Refunded, b.Balance(id))
			}
		}
		if l := b.Level("mug"); l.OnHand != stock+1 {
			t.Errorf("the imported order took none: %+v", l)
		}
	})
}

// An order that was sent and never paid: its goods come back, and no money is given back that nobody paid.
func TestReturnOfAnUnpaidOrderRefundsNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		o := b.OrderOf(b.PaidOrder("mug")).WithStockTaken(nil)
		o.ID, o.Number, o.Checkout, o.Source, o.Status = shops.NewID(), "invoice-1", "", order.FromAPI, order.Delivered
		o.Paid = paymentbed.KRW(0)
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, o.Record(), shops.NewID(), b.Now()))
		})
		clear(b.Providers)
		r := b.ApprovedReturn(b.ReturnInput(o.ID, 1))
		b.Must(b.ReturnStep("receive", r))
		done := b.Must(b.PayOut(b.Instance, r))
		b.WantReturn("unpaid", r, "refunded", "returned")
		if amount := fmt.Sprint(done.At("returnRequest.refundAmount")); amount != "0" || len(b.RefundsOf(o.ID)) != 0 || !b.OrderOf(o.ID).Refunded.IsZero() {
			t.Errorf("%s is refunded of an order without a payment: %v", amount, b.RefundsOf(o.ID))
		}
	})
}

func TestReturnWithoutRefundCallsNoProvider(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("mug")
		w := b.ReturnInput(id, 1)
		w.Lines[0].RestockingFee = "12000"
		r := b.ApprovedReturn(w)
		clear(b.Providers)
		done := b.Must(b.PayOut(b.Instance, r))
		if done.Text("returnRequest.status") != "refunded" || done.At("returnRequest.refundStatus") != nil ||
			done.Text("order.status") != "returned" || len(b.RefundsOf(id)) != 0 {
			t.Errorf("%v", done)
		}
		free := b.Must(b.Checkouts.CompleteFree(t.Context(), b.Server(paymentbed.Key(), "checkouts.complete", ""),
			b.Checkout("gift").Text("checkout.id"))).Text("order.id")
		b.Rewrite(order.Schema, free, "status", "delivered")
		b.Must(b.PayOut(b.Instance, b.ApprovedReturn(b.ReturnInput(free, 1))))
	})
}
