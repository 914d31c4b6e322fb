package buying_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// ordered is a paid order.
func (b *bed) ordered(names ...string) (orderID string) {
	b.t.Helper()
	session := b.pay(b.checkout(names...).text("checkout.id"))
	return b.must(b.confirm(session, b.approve(session, "approve"))).text("order.id")
}

func (b *bed) refund(i *buying.Buying, orderID, key string, amount int64) (payment.Refund, error) {
	in := buying.RefundRequest{Order: orderID, Reason: "It came broken", Key: key}
	if amount > 0 {
		m := krw(amount)
		in.Amount = &m
	}
	return i.Refund(b.t.Context(), b.shop.ID, in)
}

// atBank asks the provider itself about the payment of an order.
func (b *bed) atBank(orderID string) (amount, refunded int64) {
	b.t.Helper()
	req, _ := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.bankURL+"/v1/payments/"+b.paymentID(orderID), nil)
	req.SetBasicAuth(bank.AccountSecret(bankSecret, b.account), "")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	var told struct{ Amount, Refunded int64 }
	if err := json.NewDecoder(res.Body).Decode(&told); err != nil {
		b.t.Fatal(err)
	}
	return told.Amount, told.Refunded
}

func (b *bed) paymentID(orderID string) string {
	for _, s := range b.all(payment.Sessions) {
		if s.Text("order") == orderID {
			return s.Text("paymentId")
		}
	}
	b.t.Fatalf("no session of order %s", orderID)
	return ""
}

// bankDecides has the bank decide about refunds that it does later.
func (b *bed) bankDecides(orderID, outcome string) {
	b.t.Helper()
	b.post("/sandbox/refunds", []byte(`{"paymentId":"`+b.paymentID(orderID)+`","outcome":"`+outcome+`"}`))
	b.Sweep(b.t.Context(), ports.Of(b.shop.ID))
}

func (b *bed) refunds(orderID string) (all []collection.Record) {
	for _, r := range b.all(payment.Transactions) {
		if r.Text("type") == "refund" && r.Text("order") == orderID {
			all = append(all, r)
		}
	}
	return all
}

// wantMoney compares order, books and bank: what was given back, and how it reads.
func (b *bed) wantMoney(orderID string, refunded int64, status string) {
	b.t.Helper()
	o := b.get(order.Schema, orderID)
	back, _ := o.Money("refundedAmount")
	paid, at := b.atBank(orderID)
	if back != krw(refunded) || o.Text("paymentStatus") != status || at != refunded || b.balance(orderID) != paid-refunded {
		b.t.Errorf("refunded %v, %s; the bank gave back %d, the books say %d of %d are here; want %d, %s", back, o.Text("paymentStatus"), at, b.balance(orderID), paid, refunded, status)
	}
}

func TestAPartAndTheRestGoBack(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		r, err := b.refund(b.Buying, id, "first", 4000)
		if err != nil || r.State != payment.RefundSucceeded {
			t.Fatalf("%+v %v", r, err)
		}
		b.wantMoney(id, 4000, "partially_refunded")
		if again, err := b.refund(b.instance(), id, "first", 4000); err != nil || again.ID != r.ID {
			t.Errorf("the same again: %+v %v", again, err)
		}
		if _, err := b.refund(b.Buying, id, "too much", 11001); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("%v", err)
		}
		if _, err := b.refund(b.Buying, id, "the rest", 0); err != nil {
			t.Error(err)
		}
		b.wantMoney(id, 15000, "refunded")
		if _, err := b.refund(b.Buying, id, "nothing left", 0); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("%v", err)
		}
		if o := b.get(order.Schema, id); o.Text("status") != "paid" {
			t.Errorf("the order is %s", o.Text("status"))
		}
		if _, err := b.refund(b.Buying, shops.NewID(), "nobody's", 1); !errors.Is(err, ports.ErrAbsent) {
			t.Errorf("%v", err)
		}
	})
}

func TestRefundsAtOnceNeverPassWhatWasPaid(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug") // 15000: three times 4500 fit
		instances := []*buying.Buying{b.Buying, b.instance()}
		var done, refused atomic.Int64
		shops.Together(16, func(i int) {
			for {
				_, err := b.refund(instances[i%2], id, "refund "+strconv.Itoa(i), 4500)
				switch {
				case errors.Is(err, payment.ErrRefundBusy):
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
		b.wantMoney(id, 13500, "partially_refunded")
	})
}

func TestALostAnswerNeverPaysBackTwice(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.faults(`{"dropResponseNext":1}`)
		if r, err := b.refund(b.Buying, id, "k", 5000); !errors.Is(err, ports.ErrProviderUnavailable) || r.State != payment.RefundRequested {
			t.Fatalf("%+v %v", r, err)
		}
		if _, err := b.refund(b.Buying, id, "another", 5000); !errors.Is(err, payment.ErrRefundBusy) {
			t.Errorf("while nobody knows: %v", err)
		}
		shops.Together(4, func(int) {
			if r, err := b.refund(b.instance(), id, "k", 5000); err != nil || r.State != payment.RefundSucceeded {
				t.Errorf("%+v %v", r, err)
			}
		})
		b.wantMoney(id, 5000, "partially_refunded")
		b.faults(`{"failNext":1}`)
		if _, err := b.refund(b.Buying, id, "k2", 5000); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("%v", err)
		}
		b.Sweep(t.Context(), ports.Of(b.shop.ID)) // the watch asks again
		b.wantMoney(id, 10000, "partially_refunded")
	})
}

func TestACrashInARefundHeals(t *testing.T) {
	for _, point := range []string{buying.FailRefundBegun, buying.FailRefundSent} {
		for _, healer := range []string{"the watch", "the same call"} {
			t.Run(point+" and "+healer, func(t *testing.T) {
				both(t, func(t *testing.T, b *bed) {
					id := b.ordered("mug")
					died(t, func() { _, _ = b.refund(b.dying(point), id, "k", 5000) })
					if healer == "the watch" {
						b.Sweep(t.Context(), ports.Of(b.shop.ID))
					} else if _, err := b.refund(b.Buying, id, "k", 5000); err != nil {
						t.Error(err)
					}
					b.wantMoney(id, 5000, "partially_refunded")
				})
			})
		}
	}
}

func TestARefundThatTheBankDoesLater(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.ordered("mug")
		b.faults(`{"asyncRefundNext":2}`)
		r, err := b.refund(b.Buying, id, "k1", 5000)
		if err != nil || r.State != payment.RefundPending {
			t.Fatalf("%+v %v", r, err)
		}
		b.wantMoney(id, 0, "paid")
		if _, err := b.refund(b.Buying, id, "too much", 10001); !errors.Is(err, payment.ErrExceedsPaid) {
			t.Errorf("what is on its way counts: %v", err)
		}
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		b.wantMoney(id, 0, "paid")
		b.bankDecides(id, "succeed")
		b.wantMoney(id, 5000, "partially_refunded")
		if _, err := b.refund(b.Buying, id, "k2", 10000); err != nil {
			t.Error(err)
		}
		b.bankDecides(id, "fail") // the pending one, and the one that was told to be done
		if err := b.webhooked(id); err != nil {
			t.Error(err)
		}
		b.wantMoney(id, 0, "paid")
		for _, r := range b.refunds(id) {
			if r.Text("status") != "failed" || !strings.Contains(r.Text("note"), "failed later") {
				t.Errorf("%v", r)
			}
		}
		if _, err := b.refund(b.Buying, id, "k3", 0); err != nil {
			t.Errorf("all of it may go back again: %v", err)
		}
		b.wantMoney(id, 15000, "refunded")
	})
}

// webhooked is what a webhook about the payment of an order does.
func (b *bed) webhooked(orderID string) error {
	for _, s := range b.all(payment.Sessions) {
		if s.Text("order") == orderID {
			return b.SettleRefunds(b.t.Context(), b.shop.ID, s.ID())
		}
	}
	return nil
}
