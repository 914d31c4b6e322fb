package refunds_test

import (
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// wantBack asserts that a session's payment was refunded, once.
func (b *bed) wantBack(session paymentbed.Answer, minor int64) {
	b.T.Helper()
	s := b.Get(payment.Sessions, session.Text("paymentSession.id"))
	r := b.Get(checkout.Schema, s.Text("checkout"))
	if s.Text("status") != "canceled" || s.Text("resolution") != "refunded" || s.Text("note") != "Called the buyer." ||
		r.Text("status") != "canceled" {
		b.T.Errorf("%v\n%v", s, r)
	}
	var back []int64
	for _, tx := range b.All(payment.Transactions) {
		if m, _ := tx.Money("amount"); tx.Text("type") == "refund" && tx.Text("paymentSession") == s.ID() &&
			tx.Text("status") == "refunded" {
			back = append(back, m.Minor)
		}
	}
	if len(back) != 1 || back[0] != minor || b.Balance("") != 0 || len(b.All(order.Schema)) != 0 {
		b.T.Errorf("refunded: %v, the ledger has %d, %d orders", back, b.Balance(""), len(b.All(order.Schema)))
	}
}

func TestUnappliedPaymentIsRefunded(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		_, newer, session := b.Superseded()
		c := b.Server(paymentbed.Key(), "paymentSessions.resolve", "")
		in := refunds.ResolveRequest{Session: session.Text("paymentSession.id"), As: payment.ResolutionRefunded, Note: "Called the buyer."}
		done := b.Must(b.Refunds.Attention.Resolve(t.Context(), c, in))
		again, err := b.Refunds.Attention.Resolve(t.Context(), c, in)
		if b.Must(again, err); !again.Replayed || done.At("order") != nil || done.Text("paymentSession.resolution") != "refunded" ||
			done.Text("checkout.supersededBy") != newer.Text("checkout.id") {
			t.Errorf("%v", done)
		}
		b.wantBack(session, 15000)
		b.Must(b.Resolve(session, payment.ResolutionRefunded)) // another operator, another key: it is given back already
		b.SettleSession(session)
		b.wantBack(session, 15000)
		a, err := b.Resolve(session, payment.ResolutionPlaced)
		paymentbed.Refused(t, "an order for money that went back", a, err, payment.ErrAttentionNotRequired)
	})
}

func TestMismatchedPaymentIsRefundedInFull(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		session := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.BankFaults(`{"wrongAmountNext":1}`)
		a, err := b.Confirm(session, paymentKey)
		paymentbed.Refused(t, "a wrong amount", a, err, payment.ErrPaymentMismatch)
		b.Must(b.Resolve(session, payment.ResolutionRefunded))
		b.wantBack(session, 15001)
	})
}

func TestLostAnswerRefundsAnUnappliedPaymentOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		_, _, session := b.Superseded()
		b.BankFaults(`{"dropResponseNext":1}`)
		a, err := b.Resolve(session, payment.ResolutionRefunded)
		paymentbed.Refused(t, "an answer that is lost", a, err, ports.ErrProviderUnavailable)
		a, err = b.Resolve(session, payment.ResolutionPlaced)
		paymentbed.Refused(t, "an order for money on its way back", a, err, payment.ErrRefundInProgress)
		a, err = b.Resolve(session, payment.ResolutionDismissed)
		paymentbed.Refused(t, "forgetting it", a, err, payment.ErrRefundInProgress)
		b.Must(b.Resolve(session, payment.ResolutionRefunded))
		b.wantBack(session, 15000)
	})
}

func TestUnappliedRefundRecoversFromACrash(t *testing.T) {
	for _, point := range []string{refunds.FailRefundBegun, refunds.FailRefundSent} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				_, _, session := b.Superseded()
				dies := b.NewInstanceFailingAt(point)
				paymentbed.MustCrash(t, func() {
					_, _ = dies.Refunds.Attention.Resolve(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.resolve", ""),
						refunds.ResolveRequest{
							Session: session.Text("paymentSession.id"), As: payment.ResolutionRefunded, Note: "Called the buyer.",
						})
				})
				b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
				b.wantBack(session, 15000)
			})
		})
	}
}

func TestFailedUnappliedRefundRequiresAttentionAgain(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		old, _, session := b.Superseded()
		id := session.Text("paymentSession.id")
		b.BankFaults(`{"asyncRefundNext":1}`)
		if done := b.Must(b.Resolve(session, payment.ResolutionRefunded)); done.Text("checkout.status") != "canceled" ||
			b.Balance("") != 15000 {
			t.Errorf("a pending refund resolves the case, and is not in the ledger yet: %v", done)
		}
		b.PostToBank("/sandbox/refunds", []byte(`{"paymentId":"`+b.Get(payment.Sessions, id).Text("paymentId")+`","outcome":"fail"}`))
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		s, r := b.Get(payment.Sessions, id), b.Get(checkout.Schema, old.Text("checkout.id"))
		if s.Text("status") != "requires_attention" || s.Text("resolution") != "" || s.Text("reason") != payment.ReasonLate ||
			r.Text("status") != "requires_attention" || r.Text("attentionSession") != id || b.Balance("") != 15000 {
			t.Fatalf("%v\n%v", s, r)
		}
		b.Must(b.Resolve(session, payment.ResolutionRefunded))
		b.wantBack(session, 15000)
	})
}

func TestConcurrentResolutionsHaveOneWinner(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		_, _, session := b.Superseded()
		var mu sync.Mutex
		won := map[payment.Resolution]int{}
		other := b.NewInstance()
		shops.Concurrently(8, func(i int) {
			as := []payment.Resolution{payment.ResolutionRefunded, payment.ResolutionPlaced}[i%2]
			by := []*paymentbed.Instance{b.Instance, other}[i/4]
			a, err := by.Refunds.Attention.Resolve(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.resolve", ""),
				refunds.ResolveRequest{
					Session: session.Text("paymentSession.id"), As: as, Note: "Called the buyer.",
				})
			if succeeded(a, err) {
				mu.Lock()
				won[as]++
				mu.Unlock()
			}
		})
		if orders := len(b.All(order.Schema)); orders == 1 {
			if won[payment.ResolutionPlaced] != 1 || won[payment.ResolutionRefunded] != 0 || b.Balance("") != 0 ||
				b.Balance(b.All(order.Schema)[0].ID()) != 15000 {
				t.Errorf("%v", won)
			}
			return
		}
		b.Must(b.Resolve(session, payment.ResolutionRefunded))
		b.wantBack(session, 15000)
		if won[payment.ResolutionPlaced] != 0 {
			t.Errorf("%v", won)
		}
	})
}

func succeeded(a idempotency.Response, err error) bool { return err == nil && a.Fault == nil }
