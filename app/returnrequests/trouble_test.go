package returnrequests_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestRefusedRefundLeavesTheReturnUnchanged(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.Must(b.ReturnStep("receive", r))
		b.RefuseRefundsAtBank("NO_REFUNDS_TODAY")
		k := paymentbed.Key()
		a, err := b.Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{})
		if !errors.Is(err, ports.ErrProviderRejected) {
			t.Fatalf("%+v %v", a, err)
		}
		b.WantReturn("refused", r, "received", "return_processing")
		if got := b.RequestOf(r); got.RefundStatus != "failed" || !strings.Contains(got.RefundProblem, "NO_REFUNDS_TODAY") ||
			strings.Contains(got.RefundProblem, "Return of order") {
			t.Errorf("%+v", got)
		}
		a, err = b.Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{})
		if !errors.Is(err, ports.ErrProviderRejected) || len(b.RefundsOf(id)) != 2 {
			t.Errorf("it may be tried again: %+v %v", a, err)
		}
	})
}

func TestFailedReturnRefundCanBeRetried(t *testing.T) {
	for _, all := range []bool{true, false} {
		t.Run(map[bool]string{true: "everything", false: "a part"}[all], func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.DeliveredOrder("2 mug")
				units, closed, open := int64(2), "returned", "returned"
				if !all {
					units, closed, open = 1, "delivered", "return_processing"
				}
				r := b.ApprovedReturn(b.ReturnInput(id, units))
				b.BankFaults(`{"asyncRefundNext":1}`)
				done := b.Must(b.PayOut(b.Instance, r))
				if done.Text("returnRequest.status") != "refunded" || done.Text("returnRequest.refundStatus") != "pending" ||
					done.Text("order.paymentStatus") != "paid" {
					t.Errorf("%v", done)
				}
				b.WantReturn("on its way", r, "refunded", closed)
				b.FinishRefundsAtBank(id, "fail")
				b.WantReturn("it failed", r, "approved", open)
				b.WantMoney(id, 0, "paid")
				if got := b.RequestOf(r); got.RefundStatus != "failed" || got.RefundProblem == "" || !got.RefundedAt.IsZero() {
					t.Errorf("%+v", got)
				}
				a, err := b.ReturnStep("cancel", r)
				paymentbed.Refused(t, "it is owed", a, err, returns.ErrTransition)
				b.Must(b.PayOut(b.Instance, r))
				b.WantReturn("once more", r, "refunded", closed)
				b.WantMoney(id, units*12000, "partially_refunded")
				if o := b.OrderOf(id); o.Lines[0].Returned != units {
					t.Errorf("%d came back", o.Lines[0].Returned)
				}
				b.WantSums("in the end", 27000-units*12000, 0)
			})
		})
	}
}

func TestPendingReturnRefundCounts(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.BankFaults(`{"asyncRefundNext":1}`)
		b.Must(b.PayOut(b.Instance, r))
		b.FinishRefundsAtBank(id, "succeed")
		b.WantReturn("done", r, "refunded", "returned")
		b.WantMoney(id, 12000, "partially_refunded")
		if got := b.RequestOf(r); got.RefundStatus != "refunded" {
			t.Errorf("%+v", got)
		}
		b.FinishRefundsAtBank(id, "fail") // reported as done before
		if err := b.SettleByWebhook(id); err != nil {
			t.Error(err)
		}
		b.WantReturn("taken back", r, "approved", "returned")
		b.WantMoney(id, 0, "paid")
	})
}

func TestReturnRefundRecoversFromACrash(t *testing.T) {
	for _, point := range []string{refunds.FailRefundBegun, refunds.FailRefundSent} {
		for _, healer := range []string{"the watch", "another call"} {
			t.Run(point+" and "+healer, func(t *testing.T) {
				onBothDatabases(t, func(t *testing.T, b *bed) {
					id := b.DeliveredOrder("mug")
					r := b.ApprovedReturn(b.ReturnInput(id, 1))
					paymentbed.MustCrash(t, func() { _, _ = b.PayOut(b.NewInstanceFailingAt(point), r) })
					b.WantReturn("dead", r, "approved", "return_processing")
					a, err := b.ReturnStep("cancel", r)
					paymentbed.Refused(t, "nobody knows about the money", a, err, payment.ErrRefundInProgress)
					if healer == "the watch" {
						b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
					} else {
						b.Must(b.PayOut(b.Instance, r))
					}
					b.WantReturn("healed", r, "refunded", "returned")
					b.WantMoney(id, 12000, "partially_refunded")
					b.WantSums("healed", 3000, 0)
				})
			})
		}
	}
}

func TestLostAnswerPaysAReturnOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.BankFaults(`{"dropResponseNext":1}`)
		k := paymentbed.Key()
		a, err := b.Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{})
		if !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatalf("%+v %v", a, err)
		}
		b.Must(b.Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{}))
		b.WantReturn("asked again", r, "refunded", "returned")
		b.WantMoney(id, 12000, "partially_refunded")
	})
}

// When the poller settles the refund before the caller retries, the retry succeeds all the same.
func TestRepeatedReturnRefundSeesThePolledResult(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("mug")
		r := b.ApprovedReturn(b.ReturnInput(id, 1))
		b.BankFaults(`{"dropResponseNext":1}`)
		k := paymentbed.Key()
		a, err := b.Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{})
		paymentbed.Refused(t, "a lost answer", a, err, ports.ErrProviderUnavailable)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		b.WantReturn("heard", r, "refunded", "returned")
		b.Must(b.Returns.Refund(t.Context(), b.Server(k, "returnRequests.refund", r), r, returnrequests.RefundInput{}))
		if n := b.RefundsOf(id); len(n) != 1 {
			t.Errorf("%d refunds", len(n))
		}
	})
}
