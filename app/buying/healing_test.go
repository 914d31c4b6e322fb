package buying_test

import (
	"bytes"
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// sending is the sandbox as a provider that loses the first answers, and remembers what it was sent.
type sending struct {
	ports.Provider

	loses atomic.Int64
	calls []ports.ProviderCall // one after another
}

func (p *sending) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	p.calls = append(p.calls, call)
	said, err := p.Provider.Send(ctx, conn, call)
	if err == nil && p.loses.Add(-1) >= 0 {
		return nil, ports.ErrProviderUnavailable
	}
	return said, err
}

// Adapters know from FirstAt whether their provider may have forgotten the key by now, and look instead.
func TestARetrySendsTheSameBytesUnderTheSameKeyAndSaysSinceWhen(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		p := &sending{Provider: b.Providers["sandbox"]}
		b.Providers["sandbox"] = p
		id := b.checkout("mug").text("checkout.id")
		p.loses.Store(1)
		a, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
		refused(t, "a prepare without an answer", a, err, ports.ErrProviderUnavailable)
		b.advance(4 * time.Hour)
		s := b.pay(id)
		paymentKey := b.approve(s, "approve")
		p.loses.Store(1)
		b.must(b.confirm(s, paymentKey))
		if len(p.calls) != 3 || p.calls[0].Operation != "prepare" || p.calls[2].Operation != "confirm" {
			t.Fatalf("%+v", p.calls)
		}
		first, again := p.calls[0], p.calls[1]
		if again.ProviderKey != first.ProviderKey || !bytes.Equal(again.Request, first.Request) || again.Attempt != 2 || !again.FirstAt.Equal(first.StartedAt) || again.StartedAt.Sub(again.FirstAt) != 4*time.Hour {
			t.Errorf("first %+v, then %+v", first, again)
		}
	})
}

// Nobody asks, redirects or tells: the poller alone finds out what a crash left behind.
func TestTheRunningPollerHealsACrash(t *testing.T) {
	for _, point := range []string{buying.FailPrepared, buying.FailConfirmed} {
		t.Run(point, func(t *testing.T) {
			alone(t, func(t *testing.T, b *bed, _ testservers.Whole) { // a poller looks at everybody's payments
				id := b.checkout("mug").text("checkout.id")
				want := "pending"
				if dying := b.dying(point); point == buying.FailPrepared {
					died(t, func() {
						_, _ = dying.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
					})
				} else {
					s := b.pay(id)
					in := confirmation(s, b.approve(s, "approve"))
					died(t, func() { _, _ = dying.Confirm(t.Context(), b.server(key(), "paymentSessions.confirm", ""), in) })
					want = "succeeded"
				}
				poller := b.instance()
				poller.PollEvery = 10 * time.Millisecond
				ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
				ended := make(chan error, 1)
				go func() { ended <- poller.Run(ctx) }()
				for b.all(payment.Sessions)[0].Text("status") != want && ctx.Err() == nil {
					runtime.Gosched()
				}
				stop()
				if err := <-ended; err != nil || b.all(payment.Sessions)[0].Text("status") != want {
					t.Errorf("%v %v", b.all(payment.Sessions), err)
				}
			})
		})
	}
}
