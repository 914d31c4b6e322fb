package buying_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestARefusedRefundLeavesTheReturnAsItWas(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.must(b.step("receive", r))
		b.bankSays("NO_REFUNDS_TODAY")
		k := key()
		a, err := returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r)
		if !errors.Is(err, ports.ErrProviderRejected) {
			t.Fatalf("%+v %v", a, err)
		}
		b.wantReturn("refused", r, "received", "return_processing")
		if got := b.requestOf(r); got.RefundStatus != "failed" || !strings.Contains(got.RefundProblem, "NO_REFUNDS_TODAY") || strings.Contains(got.RefundProblem, "Return of order") {
			t.Errorf("%+v", got)
		}
		a, err = returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r)
		if !errors.Is(err, ports.ErrProviderRejected) || len(b.refunds(id)) != 2 {
			t.Errorf("it may be tried again: %+v %v", a, err)
		}
	})
}

func TestARefundThatTheBankCannotDoIsOwed(t *testing.T) {
	for _, all := range []bool{true, false} {
		t.Run(map[bool]string{true: "everything", false: "a part"}[all], func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.delivered("2 mug")
				units, closed, open := int64(2), "returned", "returned"
				if !all {
					units, closed, open = 1, "delivered", "return_processing"
				}
				r := b.approved(b.wish(id, units))
				b.faults(`{"asyncRefundNext":1}`)
				done := b.must(b.payOut(b.Buying, r))
				if done.text("returnRequest.status") != "refunded" || done.text("returnRequest.refundStatus") != "pending" || done.text("order.paymentStatus") != "paid" {
					t.Errorf("%v", done)
				}
				b.wantReturn("on its way", r, "refunded", closed)
				b.bankDecides(id, "fail")
				b.wantReturn("it failed", r, "approved", open)
				b.wantMoney(id, 0, "paid")
				if got := b.requestOf(r); got.RefundStatus != "failed" || got.RefundProblem == "" || !got.RefundedAt.IsZero() {
					t.Errorf("%+v", got)
				}
				a, err := b.step("cancel", r)
				refused(t, "it is owed", a, err, returns.ErrTransition)
				b.must(b.payOut(b.Buying, r))
				b.wantReturn("once more", r, "refunded", closed)
				b.wantMoney(id, units*12000, "partially_refunded")
				if o := b.orderOf(id); o.Lines[0].Returned != units {
					t.Errorf("%d came back", o.Lines[0].Returned)
				}
				b.wantSums("in the end", 27000-units*12000, 0)
			})
		})
	}
}

func TestARefundThatTheBankDoesLaterStands(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.faults(`{"asyncRefundNext":1}`)
		b.must(b.payOut(b.Buying, r))
		b.bankDecides(id, "succeed")
		b.wantReturn("done", r, "refunded", "returned")
		b.wantMoney(id, 12000, "partially_refunded")
		if got := b.requestOf(r); got.RefundStatus != "refunded" {
			t.Errorf("%+v", got)
		}
		b.bankDecides(id, "fail") // told to be done before
		if err := b.webhooked(id); err != nil {
			t.Error(err)
		}
		b.wantReturn("taken back", r, "approved", "returned")
		b.wantMoney(id, 0, "paid")
	})
}

func TestACrashWhileAReturnIsPaidOutHeals(t *testing.T) {
	for _, point := range []string{buying.FailRefundBegun, buying.FailRefundSent} {
		for _, healer := range []string{"the watch", "another call"} {
			t.Run(point+" and "+healer, func(t *testing.T) {
				both(t, func(t *testing.T, b *bed) {
					id := b.delivered("mug")
					r := b.approved(b.wish(id, 1))
					died(t, func() { _, _ = b.payOut(b.dying(point), r) })
					b.wantReturn("dead", r, "approved", "return_processing")
					a, err := b.step("cancel", r)
					refused(t, "nobody knows about the money", a, err, payment.ErrRefundBusy)
					if healer == "the watch" {
						b.Sweep(t.Context(), ports.Of(b.shop.ID))
					} else {
						b.must(b.payOut(b.Buying, r))
					}
					b.wantReturn("healed", r, "refunded", "returned")
					b.wantMoney(id, 12000, "partially_refunded")
					b.wantSums("healed", 3000, 0)
				})
			})
		}
	}
}

func TestAnAnswerThatWasLostPaysOutOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.faults(`{"dropResponseNext":1}`)
		k := key()
		if a, err := returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatalf("%+v %v", a, err)
		}
		b.must(returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r))
		b.wantReturn("asked again", r, "refunded", "returned")
		b.wantMoney(id, 12000, "partially_refunded")
	})
}

// The watch may be faster than the caller who repeats: the operation succeeded all the same.
func TestARepeatedPayOutFindsWhatTheWatchHeard(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("mug")
		r := b.approved(b.wish(id, 1))
		b.faults(`{"dropResponseNext":1}`)
		k := key()
		a, err := returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r)
		refused(t, "a lost answer", a, err, ports.ErrProviderUnavailable)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		b.wantReturn("heard", r, "refunded", "returned")
		b.must(returnsOf(b.Buying).GiveBack(t.Context(), b.server(k, "returnRequests.refund", r), r))
		if n := b.refunds(id); len(n) != 1 {
			t.Errorf("%d refunds", len(n))
		}
	})
}
