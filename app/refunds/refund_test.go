package refunds_test

import (
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestPartialRefundThenTheRest(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		r, err := b.Refund(b.Instance, id, "first", 4000)
		if err != nil || r.State != payment.RefundSucceeded {
			t.Fatalf("%+v %v", r, err)
		}
		b.WantMoney(id, 4000, "partially_refunded")
		if again, err := b.Refund(b.NewInstance(), id, "first", 4000); err != nil || again.ID != r.ID {
			t.Errorf("the same again: %+v %v", again, err)
		}
		if _, err := b.Refund(b.Instance, id, "too much", 11001); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("%v", err)
		}
		if _, err := b.Refund(b.Instance, id, "the rest", 0); err != nil {
			t.Error(err)
		}
		b.WantMoney(id, 15000, "refunded")
		if _, err := b.Refund(b.Instance, id, "nothing left", 0); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("%v", err)
		}
		if o := b.Get(order.Schema, id); o.Text("status") != "paid" {
			t.Errorf("the order is %s", o.Text("status"))
		}
		if _, err := b.Refund(b.Instance, shops.NewID(), "nobody's", 1); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("%v", err)
		}
	})
}

func TestConcurrentRefundsNeverExceedPaid(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug") // 15000: three times 4500 fit
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		var done, refused atomic.Int64
		shops.Concurrently(16, func(i int) {
			for {
				_, err := b.Refund(instances[i%2], id, "refund "+strconv.Itoa(i), 4500)
				switch {
				case errors.Is(err, payment.ErrRefundInProgress):
					continue
				case err == nil:
					done.Add(1)
				case errors.Is(err, payment.ErrExceedsPaid):
					refused.Add(1)
				default:
					t.Errorf("refund %d: %v", i, err)
				}
				return
			}
		})
		if done.Load() != 3 || refused.Load() != 13 {
			t.Errorf("%d done, %d refused", done.Load(), refused.Load())
		}
		b.WantMoney(id, 13500, "partially_refunded")
	})
}

func TestLostAnswerNeverRefundsTwice(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.BankFaults(`{"dropResponseNext":1}`)
		if r, err := b.Refund(b.Instance, id, "k", 5000); !errors.Is(err, ports.ErrProviderUnavailable) ||
			r.State != payment.RefundRequested {
			t.Fatalf("%+v %v", r, err)
		}
		if _, err := b.Refund(b.Instance, id, "another", 5000); !errors.Is(err, payment.ErrRefundInProgress) {
			t.Errorf("while the outcome is unknown: %v", err)
		}
		shops.Concurrently(4, func(int) {
			if r, err := b.Refund(b.NewInstance(), id, "k", 5000); err != nil || r.State != payment.RefundSucceeded {
				t.Errorf("%+v %v", r, err)
			}
		})
		b.WantMoney(id, 5000, "partially_refunded")
		b.BankFaults(`{"failNext":1}`)
		if _, err := b.Refund(b.Instance, id, "k2", 5000); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("%v", err)
		}
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID)) // the watch asks again
		b.WantMoney(id, 10000, "partially_refunded")
	})
}

func TestRefundRecoversFromACrash(t *testing.T) {
	for _, point := range []string{refunds.FailRefundBegun, refunds.FailRefundSent} {
		for _, healer := range []string{"the watch", "the same call"} {
			t.Run(point+" and "+healer, func(t *testing.T) {
				onBothDatabases(t, func(t *testing.T, b *bed) {
					id := b.PaidOrder("mug")
					paymentbed.MustCrash(t, func() { _, _ = b.Refund(b.NewInstanceFailingAt(point), id, "k", 5000) })
					if healer == "the watch" {
						b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
					} else if _, err := b.Refund(b.Instance, id, "k", 5000); err != nil {
						t.Error(err)
					}
					b.WantMoney(id, 5000, "partially_refunded")
				})
			})
		}
	}
}

func TestPendingRefundIsSettledLater(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.BankFaults(`{"asyncRefundNext":2}`)
		r, err := b.Refund(b.Instance, id, "k1", 5000)
		if err != nil || r.State != payment.RefundPending {
			t.Fatalf("%+v %v", r, err)
		}
		b.WantMoney(id, 0, "paid")
		if _, err := b.Refund(b.Instance, id, "too much", 10001); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("what is on its way counts: %v", err)
		}
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		b.WantMoney(id, 0, "paid")
		b.FinishRefundsAtBank(id, "succeed")
		b.WantMoney(id, 5000, "partially_refunded")
		if _, err := b.Refund(b.Instance, id, "k2", 10000); err != nil {
			t.Error(err)
		}
		b.FinishRefundsAtBank(id, "fail") // the pending one, and the one reported as done
		if err := b.SettleByWebhook(id); err != nil {
			t.Error(err)
		}
		b.WantMoney(id, 0, "paid")
		for _, r := range b.RefundsOf(id) {
			if r.Text("status") != "failed" || !strings.Contains(r.Text("note"), "failed after it was accepted") {
				t.Errorf("%v", r)
			}
		}
		if _, err := b.Refund(b.Instance, id, "k3", 0); err != nil {
			t.Errorf("all of it may go back again: %v", err)
		}
		b.WantMoney(id, 15000, "refunded")
	})
}
