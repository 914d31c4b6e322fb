package refunds_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// An external refund is told apart from a refund of ours that is still pending at the bank.
func TestExternalRefundWhileOneIsPending(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.BankFaults(`{"asyncRefundNext":1}`)
		if r, err := b.Refund(b.Instance, id, "k1", 5000); err != nil || r.State != payment.RefundPending {
			t.Fatalf("%+v %v", r, err)
		}
		b.refundInConsole(id, 5000)
		if err := b.refundWebhook(b.Instance, "evt_1", id); err != nil {
			t.Error(err)
		}
		b.wantRefunds(id, "5000 pending", "5000 refunded elsewhere")
		b.WantMoney(id, 5000, "partially_refunded")
		_, err := b.Refund(b.Instance, id, "k2", 5001)
		if !errors.Is(err, payment.ErrExceedsPaid) || fault.From(err).Data["left"] != collection.JSONNumber("5000") {
			t.Errorf("%v", err)
		}
		b.FinishRefundsAtBank(id, "succeed")
		b.wantRefunds(id, "5000 refunded", "5000 refunded elsewhere")
		b.WantMoney(id, 10000, "partially_refunded")
		b.WantSums("in the end", 5000, 0)
	})
}

// A refund of ours without an answer may be the one that the provider lists: it is settled first.
func TestExternalRefundWhileOneIsUnanswered(t *testing.T) {
	for name, c := range map[string]struct {
		trouble  string
		back     int64
		ofTheKey []string
	}{
		"and was made":        {`{"dropResponseNext":1}`, 9000, []string{"5000 refunded", "4000 refunded elsewhere"}},
		"and never got there": {`{"failNext":1}`, 9000, []string{"5000 failed", "5000 refunded", "4000 refunded elsewhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.PaidOrder("mug")
				b.BankFaults(c.trouble)
				if r, err := b.Refund(b.Instance, id, "k", 5000); !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Fatalf("%+v %v", r, err)
				}
				b.BankFaults(`{}`)
				b.refundInConsole(id, 4000)
				if err := b.Refunds.SyncExternalRefunds(t.Context(), b.Shop.ID, b.sessionOf(id)); !errors.Is(err, payment.ErrRefundInProgress) ||
					len(b.RefundsOf(id)) != 1 {
					t.Errorf("while the outcome of ours is unknown: %v", err)
				}
				if r, err := b.Refund(b.NewInstance(), id, "k", 5000); err != nil || r.State != payment.RefundSucceeded {
					t.Errorf("%+v %v", r, err)
				}
				if err := b.refundWebhook(b.Instance, "evt_1", id); err != nil {
					t.Error(err)
				}
				b.wantRefunds(id, c.ofTheKey...)
				b.WantMoney(id, c.back, "partially_refunded")
				b.WantSums("in the end", 15000-c.back, 0)
			})
		})
	}
}

// The poller settles refunds without an answer, but does not plan a refused one again: it may have been made
// in the console instead.
func TestPollerDoesNotRetryRefusedRefunds(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		b.BankFaults(`{"failNext":1}`)
		if _, err := b.Refund(b.Instance, id, "k", 5000); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatal(err)
		}
		b.refundInConsole(id, 5000)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		b.wantRefunds(id, "5000 failed", "5000 refunded elsewhere")
		b.WantMoney(id, 5000, "partially_refunded")
	})
}

func (b *bed) sessionOf(orderID string) string {
	for _, s := range b.All(payment.Sessions) {
		if s.Text("order") == orderID {
			return s.ID()
		}
	}
	b.T.Fatalf("no session of order %s", orderID)
	return ""
}

// An external refund may be made between our lookup and our request, each time.
func TestExternalRefundBetweenLookupAndRequest(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		var times atomic.Int64
		i := b.NewInstanceOver(&paymentbed.Wire{Instead: func(r *http.Request) (int, string) {
			if strings.HasSuffix(r.URL.Path, "/cancel") && times.Add(1) <= 3 {
				b.refundInConsole(id, 1000)
			}
			return 0, ""
		}})
		if r, err := b.Refund(i, id, "k", 5000); err != nil || r.State != payment.RefundSucceeded ||
			r.RemainingBefore != paymentbed.KRW(12000) {
			t.Errorf("%+v %v", r, err)
		}
		b.WantMoney(id, 8000, "partially_refunded")
		b.WantSums("in the end", 7000, 0)
		other := b.PaidOrder("mug")
		times.Store(0)
		id = other
		b.Must(b.CancelOrder(i, paymentbed.Key(), other))
		b.WantMoney(other, 15000, "refunded")
		b.wantRefunds(other, "15000 failed", "14000 failed", "13000 failed", "12000 refunded", "1000 refunded elsewhere",
			"1000 refunded elsewhere", "1000 refunded elsewhere")
	})
}

func TestConcurrentExternalRefundsNeverExceedPaid(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		shops.Concurrently(12, func(i int) {
			switch i % 3 {
			case 0:
				b.refundInConsole(id, 700)
			case 1:
				if err := b.refundWebhook(instances[i%2], "evt_"+strconv.Itoa(i), id); err != nil &&
					!errors.Is(err, ports.ErrProviderUnavailable) {
					t.Error(err)
				}
			default:
				for {
					_, err := b.Refund(instances[i%2], id, "refund "+strconv.Itoa(i), 2000)
					if errors.Is(err, payment.ErrRefundInProgress) || errors.Is(err, ports.ErrProviderRejected) {
						continue
					}
					if err != nil {
						t.Errorf("refund %d: %v", i, err)
					}
					return
				}
			}
		})
		if err := b.refundWebhook(b.Instance, "evt_last", id); err != nil {
			t.Error(err)
		}
		b.WantMoney(id, 4*700+4*2000, "partially_refunded")
		b.WantSums("in the end", 15000-4*700-4*2000, 0)
	})
}
