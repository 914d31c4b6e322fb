package buying_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// telling is the sandbox as a provider whose answers to look-ups are changed on the way.
type telling struct {
	ports.Provider

	change atomic.Pointer[func(*ports.ProviderPayment)]
	asked  atomic.Int64
}

func (b *bed) telling() *telling {
	p := &telling{Provider: b.Providers["sandbox"]}
	b.Providers["sandbox"] = p
	return p
}

func (p *telling) says(change func(*ports.ProviderPayment)) { p.change.Store(&change) }

func (p *telling) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p.asked.Add(1)
	got, err := p.Provider.Lookup(ctx, conn, ref)
	if change := p.change.Load(); change != nil {
		(*change)(&got)
	}
	return got, err
}

func settled(t *testing.T, b *bed, s said) payment.Session {
	t.Helper()
	o, err := b.Settle(t.Context(), b.shop.ID, s.text("paymentSession.id"))
	if err != nil {
		t.Fatal(err)
	}
	return o.Session
}

func TestAnAnswerNobodyUnderstandsOnceDoesNotKeepMoneyFromItsOrder(t *testing.T) {
	for name, change := range map[string]func(*ports.ProviderPayment){
		"an unknown word":     func(p *ports.ProviderPayment) { p.State = ports.ProviderUnknown },
		"another account":     func(p *ports.ProviderPayment) { p.Account = "somebody else's" },
		"another payment":     func(p *ports.ProviderPayment) { p.PaymentID = "Other12345" },
		"another environment": func(p *ports.ProviderPayment) { p.Environment = tenant.Live },
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				p := b.telling()
				p.says(change)
				s := b.captured()
				if got := settled(t, b, s); got.Status != payment.StatusAttention || got.Reason != payment.ReasonUnknown || !got.SlotHeld || len(b.all(payment.Transactions)) != 0 {
					t.Fatalf("%+v", got.State)
				}
				p.says(func(*ports.ProviderPayment) {})
				b.Sweep(t.Context(), ports.Of(b.shop.ID))
				b.bought(s)
			})
		})
	}
}

func TestWhatNobodyUnderstoodCanBeCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		p, x := b.telling(), b.checkout("mug")
		s := b.pay(x.text("checkout.id"))
		p.says(func(p *ports.ProviderPayment) { p.State = ports.ProviderUnknown })
		settled(t, b, s)
		p.says(func(*ports.ProviderPayment) {})
		ended := b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), s.text("paymentSession.id")))
		if ended.text("paymentSession.slotHeld") != "false" || b.get(checkout.Schema, x.text("checkout.id")).Text("status") != "open" || b.level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
	})
}

// One payment of a provider pays for one session, whatever the provider says of others.
func TestAPaymentOfAnotherSessionIsNotTakenForTwo(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		first, second := b.captured(), b.captured()
		b.telling().says(func(p *ports.ProviderPayment) { p.ProviderID = "one-and-the-same" })
		if got := settled(t, b, first); got.Status != payment.StatusSucceeded {
			t.Fatalf("%+v", got.State)
		}
		if got := settled(t, b, second); got.Status != payment.StatusAttention || got.Reason != payment.ReasonMismatch || got.ProviderPaymentID != "" {
			t.Errorf("%+v", got)
		}
		if len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 || b.balance("") != 0 {
			t.Errorf("%d orders, %d transactions", len(b.all(order.Schema)), len(b.all(payment.Transactions)))
		}
	})
}

func TestMoneyForAReleasedSessionIsFoundWithoutAWebhook(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		s := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(s, "approve")
		b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), s.text("paymentSession.id"), "The shopper called."))
		b.advance(10 * time.Minute)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		b.capture(s, paymentKey)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		b.bought(s) // the checkout is open and the goods are there
	})
}

// The money of a released session may come while another session holds the slot: both tell the same of it.
func TestLateMoneyLeavesTheSlotToTheSessionThatHoldsIt(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		x := b.checkout("mug").text("checkout.id")
		first := b.pay(x)
		paymentKey := b.approve(first, "approve")
		b.must(b.Release(t.Context(), b.server(key(), "paymentSessions.release", ""), first.text("paymentSession.id"), "The shopper called."))
		second := b.pay(x)
		b.capture(first, paymentKey)
		if got := settled(t, b, first); got.Status != payment.StatusAttention || got.Reason != payment.ReasonLate {
			t.Fatalf("%+v", got.State)
		}
		want := func(held bool) {
			t.Helper()
			c := b.get(checkout.Schema, x)
			s := b.get(payment.Sessions, second.text("paymentSession.id"))
			if c.Text("status") != "requires_attention" || c.Group("paymentSlot").Bool("held") != held || s.Bool("slotHeld") != held {
				t.Errorf("the checkout says %v, the session %v", c.Group("paymentSlot"), s.Bool("slotHeld"))
			}
		}
		want(true)
		again, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(x))
		refused(t, "another try to pay", again, err, checkout.ErrNotOpen)
		b.must(b.Cancel(t.Context(), b.server(key(), "paymentSessions.cancel", ""), second.text("paymentSession.id")))
		want(false)
	})
}
