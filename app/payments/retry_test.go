package payments_test

import (
	"bytes"
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// lossyProvider is the sandbox with its first answers lost; it records what it was sent.
type lossyProvider struct {
	ports.Provider

	loses atomic.Int64
	calls []ports.ProviderCall // one after another
}

func (p *lossyProvider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	p.calls = append(p.calls, call)
	said, err := p.Provider.Do(ctx, conn, call)
	if err == nil && p.loses.Add(-1) >= 0 {
		return ports.Outcome{}, ports.ErrProviderUnavailable
	}
	return said, err
}

// Adapters know from FirstAt whether their provider may have forgotten the key by now, and look up instead.
func TestRetrySendsTheSameRequestUnderTheSameKey(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p := &lossyProvider{Provider: b.Providers["sandbox"]}
		b.Providers["sandbox"] = p
		id := b.Checkout("mug").Text("checkout.id")
		p.loses.Store(1)
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
			paymentbed.WidgetSession(id))
		paymentbed.Refused(t, "a prepare without an answer", a, err, ports.ErrProviderUnavailable)
		b.Advance(4 * time.Hour)
		s := b.Pay(id)
		paymentKey := b.Approve(s, "approve")
		p.loses.Store(1)
		b.Must(b.Confirm(s, paymentKey))
		if len(p.calls) != 3 || p.calls[0].Operation != "prepare" || p.calls[2].Operation != "confirm" {
			t.Fatalf("%+v", p.calls)
		}
		first, again := p.calls[0], p.calls[1]
		if again.ProviderKey != first.ProviderKey || !bytes.Equal(again.Request, first.Request) || again.Attempt != 2 ||
			!again.FirstAttemptAt.Equal(first.StartedAt) || again.StartedAt.Sub(again.FirstAttemptAt) != 4*time.Hour {
			t.Errorf("first %+v, then %+v", first, again)
		}
	})
}

// Without any request, redirect or webhook, the poller alone recovers what a crash left behind.
func TestPollerRecoversFromACrash(t *testing.T) {
	for _, point := range []string{payments.FailPrepared, payments.FailConfirmed} {
		t.Run(point, func(t *testing.T) {
			onOwnServers(t, func(t *testing.T, b *bed, _ testservers.Inspector) { // a poller looks at everybody's payments
				id := b.Checkout("mug").Text("checkout.id")
				want := "pending"
				if dying := b.NewInstanceFailingAt(point); point == payments.FailPrepared {
					paymentbed.MustCrash(t, func() {
						_, _ = dying.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
							paymentbed.WidgetSession(id))
					})
				} else {
					s := b.Pay(id)
					in := paymentbed.Confirmation(s, b.Approve(s, "approve"))
					paymentbed.MustCrash(t, func() {
						_, _ = dying.Payments.Sessions.Confirm(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.confirm", ""), in)
					})
					want = "succeeded"
				}
				poller := b.NewInstance(func(s *paymentbed.Settings) { s.PollInterval = 10 * time.Millisecond })
				ctx, stop := context.WithTimeout(t.Context(), paymentbed.Patience)
				ended := make(chan error, 1)
				go func() { ended <- poller.Poller.Run(ctx) }()
				for b.All(payment.Sessions)[0].Text("status") != want && ctx.Err() == nil {
					runtime.Gosched()
				}
				stop()
				if err := <-ended; err != nil || b.All(payment.Sessions)[0].Text("status") != want {
					t.Errorf("%v %v", b.All(payment.Sessions), err)
				}
			})
		})
	}
}

// A buyer who asks for the same action again and again keeps the goods no longer than the checkout lives, and one
// reservation.
func TestReservationIsNotRenewedForever(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, _ testservers.Inspector) { // a sweep releases everybody's reservations
		id := b.Checkout("mug").Text("checkout.id")
		b.Pay(id)
		began := b.Now()
		for b.Now().Sub(began) < 24*time.Hour {
			b.Advance(30 * time.Minute)
			b.Pay(id)
		}
		b.Advance(59 * time.Minute)
		b.Pay(id)
		b.Advance(time.Minute)
		a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""), paymentbed.WidgetSession(id))
		paymentbed.Refused(t, "a retry after a day and an hour", a, err, checkout.ErrExpired)
		if _, err := b.Store.Sweep(t.Context(), b.Now()); err != nil {
			t.Fatal(err)
		}
		if l := b.Level("mug"); l.Reserved != 0 {
			t.Errorf("still reserved: %+v", l)
		}
	})
}
