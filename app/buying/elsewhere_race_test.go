package buying_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// While the bank still works on a refund of ours, one of the console is told apart from it.
func TestARefundOfTheConsoleWhileOneOfOursIsPending(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.faults(`{"asyncRefundNext":1}`)
		if r, err := b.refund(b.Buying, id, "k1", 5000); err != nil || r.State != payment.RefundPending {
			t.Fatalf("%+v %v", r, err)
		}
		b.console(id, 5000)
		if err := b.toldBack(b.Buying, "evt_1", id); err != nil {
			t.Error(err)
		}
		b.wantRefunds(id, "5000 pending", "5000 refunded elsewhere")
		b.wantMoney(id, 5000, "partially_refunded")
		_, err := b.refund(b.Buying, id, "k2", 5001)
		if !errors.Is(err, payment.ErrExceedsPaid) || fault.From(err).Data["left"] != "5000" {
			t.Errorf("%v", err)
		}
		b.bankDecides(id, "succeed")
		b.wantRefunds(id, "5000 refunded", "5000 refunded elsewhere")
		b.wantMoney(id, 10000, "partially_refunded")
		b.wantSums("in the end", 5000, 0)
	})
}

// One that was never answered may be the one that the provider tells of: it is settled first.
func TestARefundOfTheConsoleWhileOneOfOursIsUnanswered(t *testing.T) {
	for name, c := range map[string]struct {
		trouble  string
		back     int64
		ofTheKey []string
	}{
		"and was made":        {`{"dropResponseNext":1}`, 9000, []string{"5000 refunded", "4000 refunded elsewhere"}},
		"and never got there": {`{"failNext":1}`, 9000, []string{"5000 failed", "5000 refunded", "4000 refunded elsewhere"}},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				id := b.ordered("mug")
				b.faults(c.trouble)
				if r, err := b.refund(b.Buying, id, "k", 5000); !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Fatalf("%+v %v", r, err)
				}
				b.faults(`{}`)
				b.console(id, 4000)
				if err := b.CatchUp(t.Context(), b.shop.ID, b.sessionOf(id)); !errors.Is(err, payment.ErrRefundBusy) || len(b.refunds(id)) != 1 {
					t.Errorf("nobody knows which is which: %v", err)
				}
				if r, err := b.refund(b.instance(), id, "k", 5000); err != nil || r.State != payment.RefundSucceeded {
					t.Errorf("%+v %v", r, err)
				}
				if err := b.toldBack(b.Buying, "evt_1", id); err != nil {
					t.Error(err)
				}
				b.wantRefunds(id, c.ofTheKey...)
				b.wantMoney(id, c.back, "partially_refunded")
				b.wantSums("in the end", 15000-c.back, 0)
			})
		})
	}
}

// The watch settles what nobody answered, but pays nobody again: the person in the console may have done it in our place.
func TestTheWatchDoesNotDecideAnew(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.faults(`{"failNext":1}`)
		if _, err := b.refund(b.Buying, id, "k", 5000); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Fatal(err)
		}
		b.console(id, 5000)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		b.wantRefunds(id, "5000 failed", "5000 refunded elsewhere")
		b.wantMoney(id, 5000, "partially_refunded")
	})
}

func (b *bed) sessionOf(orderID string) string {
	for _, s := range b.all(payment.Sessions) {
		if s.Text("order") == orderID {
			return s.ID()
		}
	}
	b.t.Fatalf("no session of order %s", orderID)
	return ""
}

// The person in the console may be faster than our request each time, also after we looked.
func TestARefundOfTheConsoleBetweenOurLookAndOurAsk(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		var times atomic.Int64
		i := b.wired(&wire{instead: func(r *http.Request) (int, string) {
			if strings.HasSuffix(r.URL.Path, "/cancel") && times.Add(1) <= 3 {
				b.console(id, 1000)
			}
			return 0, ""
		}})
		i.Returns = returnsOf(i).Follow
		if r, err := b.refund(i, id, "k", 5000); err != nil || r.State != payment.RefundSucceeded || r.Remaining != krw(12000) {
			t.Errorf("%+v %v", r, err)
		}
		b.wantMoney(id, 8000, "partially_refunded")
		b.wantSums("in the end", 7000, 0)
		other := b.ordered("mug")
		times.Store(0)
		id = other
		b.must(b.cancelOrder(i, key(), other))
		b.wantMoney(other, 15000, "refunded")
		b.wantRefunds(other, "15000 failed", "14000 failed", "13000 failed", "12000 refunded", "1000 refunded elsewhere", "1000 refunded elsewhere", "1000 refunded elsewhere")
	})
}

func TestRefundsAndTheConsoleAtOnceNeverPassWhatWasPaid(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		instances := []*buying.Buying{b.Buying, b.instance()}
		shops.Together(12, func(i int) {
			switch i % 3 {
			case 0:
				b.console(id, 700)
			case 1:
				if err := b.toldBack(instances[i%2], "evt_"+strconv.Itoa(i), id); err != nil && !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Error(err)
				}
			default:
				for {
					_, err := b.refund(instances[i%2], id, "refund "+strconv.Itoa(i), 2000)
					if errors.Is(err, payment.ErrRefundBusy) || errors.Is(err, ports.ErrProviderRejected) {
						continue
					}
					if err != nil {
						t.Errorf("refund %d: %v", i, err)
					}
					return
				}
			}
		})
		if err := b.toldBack(b.Buying, "evt_last", id); err != nil {
			t.Error(err)
		}
		b.wantMoney(id, 4*700+4*2000, "partially_refunded")
		b.wantSums("in the end", 15000-4*700-4*2000, 0)
	})
}
