package payments_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// scriptedProvider is the sandbox with changed answers to lookups and confirms.
type scriptedProvider struct {
	ports.Provider

	change atomic.Pointer[func(*ports.ProviderPayment)]
	asked  atomic.Int64
}

func (b *bed) scriptProvider() *scriptedProvider {
	p := &scriptedProvider{Provider: b.Providers["sandbox"]}
	b.Providers["sandbox"] = p
	return p
}

func (p *scriptedProvider) script(change func(*ports.ProviderPayment)) { p.change.Store(&change) }

func (p *scriptedProvider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p.asked.Add(1)
	got, err := p.Provider.Lookup(ctx, conn, ref)
	if change := p.change.Load(); change != nil {
		(*change)(&got)
	}
	return got, err
}

func (p *scriptedProvider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	said, err := p.Provider.Do(ctx, conn, call)
	if change := p.change.Load(); change != nil && said.Payment != nil {
		(*change)(said.Payment)
	}
	return said, err
}

func settled(t *testing.T, b *bed, s paymentbed.Answer) payment.Session {
	t.Helper()
	o, err := b.Payments.Settler.Settle(t.Context(), b.Shop.ID, s.Text("paymentSession.id"))
	if err != nil {
		t.Fatal(err)
	}
	return o.Session
}

func TestTransientUnknownStateStillSettles(t *testing.T) {
	for name, change := range map[string]func(*ports.ProviderPayment){
		"an unknown word":     func(p *ports.ProviderPayment) { p.State = ports.ProviderUnknown },
		"another account":     func(p *ports.ProviderPayment) { p.AccountKey = "somebody else's" },
		"another payment":     func(p *ports.ProviderPayment) { p.PaymentID = "Other12345" },
		"another environment": func(p *ports.ProviderPayment) { p.Environment = tenant.Live },
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				p := b.scriptProvider()
				p.script(change)
				s := b.captured()
				if got := settled(t, b, s); got.Status != payment.StatusRequiresAttention || got.Reason != payment.ReasonUnknown ||
					!got.SlotHeld || len(b.All(payment.Transactions)) != 0 {
					t.Fatalf("%+v", got.State)
				}
				p.script(func(*ports.ProviderPayment) {})
				b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
				b.bought(s)
			})
		})
	}
}

func TestUnknownPaymentCanBeCanceled(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p, x := b.scriptProvider(), b.Checkout("mug")
		s := b.Pay(x.Text("checkout.id"))
		p.script(func(p *ports.ProviderPayment) { p.State = ports.ProviderUnknown })
		settled(t, b, s)
		p.script(func(*ports.ProviderPayment) {})
		ended := b.Must(b.Payments.Sessions.Cancel(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.cancel", ""),
			s.Text("paymentSession.id")))
		if ended.Text("paymentSession.slotHeld") != "false" || b.Get(checkout.Schema, x.Text("checkout.id")).Text("status") != "open" ||
			b.Level("mug").Reserved != 0 {
			t.Errorf("%v", ended)
		}
	})
}

// One provider payment pays one session, whatever the provider says about other sessions.
func TestProviderPaymentSettlesOneSession(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		first, second := b.captured(), b.captured()
		b.scriptProvider().script(func(p *ports.ProviderPayment) { p.ProviderID = "one-and-the-same" })
		if got := settled(t, b, first); got.Status != payment.StatusSucceeded {
			t.Fatalf("%+v", got.State)
		}
		if got := settled(t, b, second); got.Status != payment.StatusRequiresAttention || got.Reason != payment.ReasonMismatch ||
			got.ProviderPaymentID != "" {
			t.Errorf("%+v", got)
		}
		if len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 || b.Balance("") != 0 {
			t.Errorf("%d orders, %d transactions", len(b.All(order.Schema)), len(b.All(payment.Transactions)))
		}
	})
}

func TestPollerFindsPaymentOfAReleasedSession(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(s, "approve")
		b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.release", ""),
			s.Text("paymentSession.id"), payments.ReleaseRequest{Note: "The shopper called."}))
		b.Advance(10 * time.Minute)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		b.CaptureAtBank(s, paymentKey)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		b.bought(s) // the checkout is open and the goods are there
	})
}
