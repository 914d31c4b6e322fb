package buying_test

import (
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// wantBack asserts that a session's money went back, once.
func (b *bed) wantBack(session said, minor int64) {
	b.t.Helper()
	s := b.get(payment.Sessions, session.text("paymentSession.id"))
	r := b.get(checkout.Schema, s.Text("checkout"))
	if s.Text("status") != "canceled" || s.Text("resolution") != "refunded" || s.Text("note") != "Called the buyer." || r.Text("status") != "canceled" {
		b.t.Errorf("%v\n%v", s, r)
	}
	var back []int64
	for _, tx := range b.all(payment.Transactions) {
		if m, _ := tx.Money("amount"); tx.Text("type") == "refund" && tx.Text("paymentSession") == s.ID() && tx.Text("status") == "refunded" {
			back = append(back, m.Minor)
		}
	}
	if len(back) != 1 || back[0] != minor || b.balance("") != 0 || len(b.all(order.Schema)) != 0 {
		b.t.Errorf("went back: %v, the books say %d, %d orders", back, b.balance(""), len(b.all(order.Schema)))
	}
}

func TestMoneyWithoutAnOrderGoesBack(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		_, newer, session := b.superseded()
		c := b.server(key(), "paymentSessions.resolve", "")
		in := buying.Resolving{Session: session.text("paymentSession.id"), As: payment.Refunded, Note: "Called the buyer."}
		done := b.must(b.Resolve(t.Context(), c, in))
		again, err := b.Resolve(t.Context(), c, in)
		if b.must(again, err); !again.Replayed || done.at("order") != nil || done.text("paymentSession.resolution") != "refunded" || done.text("checkout.supersededBy") != newer.text("checkout.id") {
			t.Errorf("%v", done)
		}
		b.wantBack(session, 15000)
		b.must(b.resolve(session, payment.Refunded)) // another operator, another key: it is given back already
		b.settled(session)
		b.wantBack(session, 15000)
		a, err := b.resolve(session, payment.Placed)
		refused(t, "an order for money that went back", a, err, payment.ErrNoAttention)
	})
}

func TestOtherMoneyThanWasAskedForGoesBackWhole(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		session := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(session, "approve")
		b.faults(`{"wrongAmountNext":1}`)
		a, err := b.confirm(session, paymentKey)
		refused(t, "a wrong amount", a, err, payment.ErrMismatch)
		b.must(b.resolve(session, payment.Refunded))
		b.wantBack(session, 15001)
	})
}

func TestARefundOfFreeMoneyWhoseAnswerIsLostHappensOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		_, _, session := b.superseded()
		b.faults(`{"dropResponseNext":1}`)
		a, err := b.resolve(session, payment.Refunded)
		refused(t, "an answer that is lost", a, err, ports.ErrProviderUnavailable)
		a, err = b.resolve(session, payment.Placed)
		refused(t, "an order for money on its way back", a, err, payment.ErrRefundBusy)
		a, err = b.resolve(session, payment.Dismissed)
		refused(t, "forgetting it", a, err, payment.ErrRefundBusy)
		b.must(b.resolve(session, payment.Refunded))
		b.wantBack(session, 15000)
	})
}

func TestARefundOfFreeMoneyHealsAfterACrash(t *testing.T) {
	for _, point := range []string{buying.FailRefundBegun, buying.FailRefundSent} {
		t.Run(point, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				_, _, session := b.superseded()
				dies := b.dying(point)
				died(t, func() {
					_, _ = dies.Resolve(t.Context(), b.server(key(), "paymentSessions.resolve", ""), buying.Resolving{
						Session: session.text("paymentSession.id"), As: payment.Refunded, Note: "Called the buyer.",
					})
				})
				b.Sweep(t.Context(), ports.Of(b.shop.ID))
				b.wantBack(session, 15000)
			})
		})
	}
}

func TestARefundOfFreeMoneyThatFailsLaterIsInTheQueueAgain(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		old, _, session := b.superseded()
		id := session.text("paymentSession.id")
		b.faults(`{"asyncRefundNext":1}`)
		if done := b.must(b.resolve(session, payment.Refunded)); done.text("checkout.status") != "canceled" || b.balance("") != 15000 {
			t.Errorf("what the bank does later is out of the queue, and not yet in the books: %v", done)
		}
		b.post("/sandbox/refunds", []byte(`{"paymentId":"`+b.get(payment.Sessions, id).Text("paymentId")+`","outcome":"fail"}`))
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		s, r := b.get(payment.Sessions, id), b.get(checkout.Schema, old.text("checkout.id"))
		if s.Text("status") != "requires_attention" || s.Text("resolution") != "" || s.Text("reason") != payment.ReasonLate || r.Text("status") != "requires_attention" || r.Text("attentionSession") != id || b.balance("") != 15000 {
			t.Fatalf("%v\n%v", s, r)
		}
		b.must(b.resolve(session, payment.Refunded))
		b.wantBack(session, 15000)
	})
}

func TestOperatorsAtOnceGiveBackOnceOrPlaceOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		_, _, session := b.superseded()
		var mu sync.Mutex
		won := map[payment.Resolution]int{}
		other := b.instance()
		shops.Together(8, func(i int) {
			as := []payment.Resolution{payment.Refunded, payment.Placed}[i%2]
			by := []*buying.Buying{b.Buying, other}[i/4]
			a, err := by.Resolve(t.Context(), b.server(key(), "paymentSessions.resolve", ""), buying.Resolving{
				Session: session.text("paymentSession.id"), As: as, Note: "Called the buyer.",
			})
			if succeeded(a, err) {
				mu.Lock()
				won[as]++
				mu.Unlock()
			}
		})
		if orders := len(b.all(order.Schema)); orders == 1 {
			if won[payment.Placed] != 1 || won[payment.Refunded] != 0 || b.balance("") != 0 || b.balance(b.all(order.Schema)[0].ID()) != 15000 {
				t.Errorf("%v", won)
			}
			return
		}
		b.must(b.resolve(session, payment.Refunded))
		b.wantBack(session, 15000)
		if won[payment.Placed] != 0 {
			t.Errorf("%v", won)
		}
	})
}

func succeeded(a once.Answer, err error) bool { return err == nil && a.Fault == nil }
