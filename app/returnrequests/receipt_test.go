package returnrequests_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// Rule returns-18.
func TestReceiptDecidesTheRefund(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("3 mug") // 36000
		r := b.ApprovedReturn(b.ReturnInput(id, 3))
		line := b.RequestOf(r).Lines[0].OrderLine
		in := returnrequests.Receipt{Lines: []returns.Arrival{{OrderLine: line, Quantity: new(int64(2)), Condition: returns.Opened}}}
		receive := b.receiving(r, in)
		seen := b.Must(receive(true))
		if seen.Text("receipt.refundAmount") != "24000" || seen.Text("returnRequest.refundAmount") != "36000" ||
			seen.Text("returnRequest.status") != "approved" {
			t.Errorf("%v", seen)
		}
		done := b.Must(receive(false))
		if done.Text("receipt.refundAmount") != "24000" || done.Text("returnRequest.lines.0.requestedQuantity") != "3" ||
			done.Text("returnRequest.lines.0.condition") != "opened" || done.Text("returnRequest.status") != "received" {
			t.Errorf("%v", done)
		}
		if l := b.Level("mug"); l.OnHand != 97 || b.OrderOf(id).Lines[0].Returned != 2 {
			t.Errorf("what was opened is not sold again: %+v", l)
		}
		b.Must(b.PayOut(b.Instance, r))
		b.WantMoney(id, 24000, "partially_refunded")
		rest := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.Must(b.ReturnStep("receive", rest))
		b.Must(b.PayOut(b.Instance, rest))
		b.WantMoney(id, 36000, "partially_refunded")
		b.WantSums("after both returns", 3000, 0)
	})
}

// A refund without the goods was about to be requested when half of them were received: no more goes out than they come to.
//
// Rule returns-19.
func TestReceiptBeforeTheRefundBeginsDecidesTheAmount(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("2 mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 2))
		was := b.RequestOf(r)
		one := []returns.Arrival{{OrderLine: was.Lines[0].OrderLine, Quantity: new(int64(1))}}
		b.Must(b.receiving(r, returnrequests.Receipt{Lines: one})(false))
		_, err := b.Refunds.Refund(t.Context(), b.Shop.ID, refunds.Request{Order: id, Amount: &was.RefundAmount, Key: "return:" + r, Return: r})
		if !errors.Is(err, payment.ErrRefundInProgress) {
			t.Errorf("%v", err)
		}
		b.WantMoney(id, 0, "paid")
		b.Must(b.PayOut(b.Instance, r))
		b.WantMoney(id, 12000, "partially_refunded")
	})
}
