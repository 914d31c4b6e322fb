package returnrequests_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// wantExceedsPaid asserts that a return was refused because only left is left of the payment.
func wantExceedsPaid(t *testing.T, name, left string, a idempotency.Response, err error) {
	t.Helper()
	err = paymentbed.Outcome(a, err)
	text, encodeErr := json.Marshal(fault.From(err).Data["left"]) // a number, also of a stored refusal
	if !errors.Is(err, payment.ErrExceedsPaid) || encodeErr != nil || string(text) != left {
		t.Errorf("%s: %v, want that %s are left, not %s", name, err, left, text)
	}
}

// The refund of a return is set aside until it is rejected or canceled: the returns of an order and its other refunds
// together never take more than was paid. Rule returns-15.
func TestReturnsSetAsideNoMoreThanIsLeft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("2 mug") // 24000 and 3000 of shipping
		if _, err := b.Refund(b.Instance, id, "goodwill", 15000); err != nil {
			t.Fatal(err)
		}
		a, err := b.RequestReturn(b.Instance, b.ReturnInput(id, 2))
		wantExceedsPaid(t, "both mugs", "12000", a, err)
		for _, how := range []string{"reject", "cancel"} {
			first := b.RequestedReturn(b.ReturnInput(id, 1))
			a, err = b.RequestReturn(b.NewInstance(), b.ReturnInput(id, 1))
			wantExceedsPaid(t, "the other mug", "0", a, err)
			_, _, err = b.Returns.Preview(t.Context(), b.Server("", "returnRequests.preview", id), b.ReturnInput(id, 1))
			wantExceedsPaid(t, "a preview of the other mug", "0", idempotency.Response{}, err)
			b.Must(b.ReturnStep(how, first))
		}
		r := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.Must(b.PayOut(b.Instance, r))
		a, err = b.RequestReturn(b.Instance, b.ReturnInput(id, 1))
		wantExceedsPaid(t, "after the first was refunded", "0", a, err)
		b.WantMoney(id, 27000, "refunded")
		b.WantSums("in the end", 0, 0)
	})
}

// Money that another refund took after a return was approved is missing at its refund: the request says so, and can be
// refunded when the money is there again.
func TestReturnSaysThatTooLittleIsLeft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("2 mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 2))
		b.BankFaults(`{"asyncRefundNext":1}`)
		if _, err := b.Refund(b.Instance, id, "goodwill", 10000); err != nil {
			t.Fatal(err)
		}
		a, err := b.PayOut(b.Instance, r)
		wantExceedsPaid(t, "24000 of 27000 less 10000", "17000", a, err)
		b.WantReturn("too little is left", r, "approved", "return_processing")
		if got := b.RequestOf(r); got.RefundStatus != "failed" || got.RefundProblem == "" || got.Transaction != "" {
			t.Errorf("%+v", got)
		}
		b.FinishRefundsAtBank(id, "fail")
		b.Must(b.PayOut(b.Instance, r))
		b.WantReturn("it is there again", r, "refunded", "returned")
		b.WantMoney(id, 24000, "partially_refunded")
		b.WantSums("in the end", 3000, 0)
	})
}

// The refund of a return begins only from a state that may be refunded, whoever asks for it and whatever was read
// before: one that was canceled meanwhile, or refunded under another key, pays nothing.
func TestOnlyAnApprovedReturnIsRefundedAndOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("3 mug")
		requested, canceled := b.RequestedReturn(b.ReturnInput(id, 1)), b.RequestedReturn(b.ReturnInput(id, 1))
		b.Must(b.ReturnStep("cancel", canceled))
		refunded := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.Must(b.PayOut(b.Instance, refunded))
		amount := paymentbed.KRW(12000)
		for name, r := range map[string]string{"requested": requested, "canceled": canceled, "refunded": refunded} {
			_, err := b.Refunds.Refund(t.Context(), b.Shop.ID, refunds.Request{
				Order: id, Amount: &amount, Reason: "Return", Key: "another " + name, Return: r,
			})
			if !errors.Is(err, returns.ErrTransition) {
				t.Errorf("%s: %v", name, err)
			}
			if got := b.RequestOf(r); string(got.Status) != name {
				t.Errorf("it was %s and is %s", name, got.Status)
			}
		}
		if n := len(b.RefundsOf(id)); n != 1 {
			t.Errorf("%d refunds", n)
		}
		b.WantMoney(id, 12000, "partially_refunded")
	})
}

// What the order says has gone back counts, even where no refund of ours is recorded for it.
func TestReturnIsRefundedFromWhatTheOrderHasLeft(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		paid := b.DeliveredOrder("mug") // 15000, of which the return is 12000
		b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		custom := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))).Text("order.id")
		b.Rewrite(order.Schema, custom, "status", "delivered")
		for name, id := range map[string]string{"through the provider": paid, "by hand": custom} {
			r := b.ApprovedReturn(b.ReturnInput(id, 1))
			b.Rewrite(order.Schema, id, "refundedAmount", paymentbed.KRW(5000))
			if err := paymentbed.Outcome(b.PayOut(b.Instance, r)); !errors.Is(err, payment.ErrExceedsPaid) {
				t.Errorf("%s: %v", name, err)
			}
			b.WantReturn(name, r, "approved", "return_processing")
			if n := len(b.RefundsOf(id)); n != 0 {
				t.Errorf("%s: %d refunds", name, n)
			}
			b.Rewrite(order.Schema, id, "refundedAmount", paymentbed.KRW(0))
			b.Must(b.PayOut(b.Instance, r))
			if got := b.OrderOf(id); got.Refunded != paymentbed.KRW(12000) || b.Balance(id) != 3000 {
				t.Errorf("%s: %v went back, %d are left", name, got.Refunded, b.Balance(id))
			}
		}
	})
}
