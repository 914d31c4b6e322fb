package payments_test

import (
	"bytes"
	"context"
	"runtime"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// What a confirm answers about the payment need not be asked again, unless a provider may be repeating what it said to an
// earlier attempt, or said nothing.
func TestAnswerOfAConfirmIsNotAskedForAgain(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		looks := &lookupRecorder{Provider: b.Providers["sandbox"]}
		lossy := &lossyProvider{Provider: looks}
		b.Providers["sandbox"] = lossy
		confirm := func(s paymentbed.Answer, key string, lookups int) {
			t.Helper()
			if a := b.Must(b.Confirm(s, key)); a.Text("order.status") != "paid" {
				t.Errorf("%v", a)
			}
			if asked := looks.asked(); len(asked) != lookups {
				t.Errorf("%d lookups, want %d", len(asked), lookups)
			}
		}
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		confirm(s, b.Approve(s, "approve"), 0)

		s = b.Pay(b.Checkout("mug").Text("checkout.id"))
		key := b.Approve(s, "approve")
		lossy.loses.Store(1)
		confirm(s, key, 1) // no answer

		s = b.Pay(b.Checkout("mug").Text("checkout.id"))
		key = b.Approve(s, "approve")
		lossy.loses.Store(1)
		looks.state = ports.ProviderProcessing
		if _, err := b.Confirm(s, key); err == nil {
			t.Error("a confirm without an answer, of a payment that is not paid")
		}
		looks.state = ""
		looks.asked()
		confirm(s, key, 1) // the second attempt
	})
}

// gatedLookups is a provider whose lookups wait until the gate opens.
type gatedLookups struct {
	ports.Provider

	entered chan struct{}
	open    chan struct{}
}

func (g *gatedLookups) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	g.entered <- struct{}{}
	<-g.open
	return g.Provider.Lookup(ctx, conn, ref)
}

// isWaiting reports whether a goroutine waits for what another one finds out about a payment.
func isWaiting() bool {
	stacks := make([]byte, 4<<20)
	return bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("payments.(*underway).wait("))
}

// The provider's webhook comes as the buyer returns: whoever is second waits for what the first finds out.
func TestBuyerAndWebhookAskTheProviderOnce(t *testing.T) { // not beside others: it looks at all goroutines
	b := newBed(t, shops.SQLite())
	gate := &gatedLookups{Provider: b.Providers["sandbox"], entered: make(chan struct{}, 10), open: make(chan struct{})}
	b.Providers["sandbox"] = gate
	s := b.open(hosted(b.Checkout("mug").Text("checkout.id")))
	b.decide(s, "approve")
	webhook, returned := make(chan error, 1), make(chan paymentbed.Answer, 1)
	n := b.paymentWebhook("evt_1", b.Get(payment.Sessions, s.Text("paymentSession.id")).Text("paymentId"), b.Account)
	go func() { webhook <- b.Webhooks.HandleWebhook(t.Context(), b.Connection, n) }()
	<-gate.entered
	go func() { returned <- b.retrieve(b.Server("", "", ""), s) }()
	for !isWaiting() && len(gate.entered) == 0 {
		runtime.Gosched()
	}
	close(gate.open)
	if err := <-webhook; err != nil {
		t.Error(err)
	}
	if a := <-returned; a.Text("order.status") != "paid" {
		t.Errorf("%v", a)
	}
	if n := len(gate.entered); n > 0 {
		t.Errorf("%d more lookups", n)
	}
}
