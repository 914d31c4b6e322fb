package payments_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// lookupRecorder is a provider that notes which payments are looked up, in order.
type lookupRecorder struct {
	ports.Provider

	mu       sync.Mutex
	payments []string
	state    ports.ProviderState // what it answers, if not ""
}

func (l *lookupRecorder) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	l.mu.Lock()
	l.payments = append(l.payments, ref.PaymentID)
	state := l.state
	l.mu.Unlock()
	p, err := l.Provider.Lookup(ctx, conn, ref)
	if err == nil && state != "" {
		p.State = state
	}
	return p, err
}

// asked returns the payments that were looked up since the last call.
func (l *lookupRecorder) asked() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.payments
	l.payments = nil
	return out
}

// abandonMany stores n copies of an opened session that nobody will pay.
func (b *bed) abandonMany(n int, opened paymentbed.Answer) {
	b.T.Helper()
	r, err := b.Store.Read(ports.ForTenant(b.Shop.ID)).Get(b.T.Context(), payment.Sessions, opened.Text("paymentSession.id"))
	if err == nil {
		err = paymentbed.Abandon(b.T.Context(), b.Store, payment.SessionFrom(r), n, b.Now())
	}
	if err != nil {
		b.T.Fatal(err)
	}
}

// opened is a session of a new checkout.
func (b *bed) opened(name string) paymentbed.Answer {
	b.T.Helper()
	return b.Pay(b.Checkout(name).Text("checkout.id"))
}

// planned are the lanes in which anything is planned.
func (b *bed) planned() []string {
	b.T.Helper()
	lanes, err := b.Store.PaymentTasks().DueLanes(b.T.Context(), ports.ForTenant(b.Shop.ID), "", b.Now().AddDate(1, 0, 0), 100)
	if err != nil {
		b.T.Fatal(err)
	}
	return lanes
}

// pollDue does what is due.
func (b *bed) pollDue() { b.Poller.PollDue(b.T.Context(), ports.ForTenant(b.Shop.ID)) }

// onOwnPoller runs a rule on databases of its own, because Run settles every session in a database.
func onOwnPoller(t *testing.T, rule func(t *testing.T, b *bed)) {
	t.Helper()
	onOwnServers(t, func(t *testing.T, b *bed, _ testservers.Inspector) { rule(t, b) })
}

// pollUntil runs the poller until done.
func (b *bed) pollUntil(what string, done func() bool) {
	b.T.Helper()
	ctx, stop := context.WithCancel(b.T.Context())
	ended := make(chan error)
	go func() { ended <- b.Poller.Run(ctx) }()
	eventually(b.T.(*testing.T), what, done)
	stop()
	if err := <-ended; err != nil {
		b.T.Error(err)
	}
}

// A fresh payment is looked up in the first claim, however many abandoned ones are due before it.
func TestFreshPaymentIsLookedUpBeforeAbandonedOnes(t *testing.T) {
	onOwnPoller(t, func(t *testing.T, b *bed) {
		asked := &lookupRecorder{Provider: b.Providers["sandbox"]}
		b.Restart(func(to *paymentbed.Settings) {
			to.Providers = map[string]ports.Provider{"sandbox": asked}
			to.PollInterval = 5 * time.Millisecond
		})
		fresh := b.opened("mug")
		b.abandonMany(1000, fresh)
		b.CaptureAtBank(fresh, b.Approve(fresh, "approve"))
		asked.asked()
		b.pollUntil("the order is placed", func() bool { return len(b.All(order.Schema)) == 1 })
		if at := slices.Index(asked.asked(), fresh.Text("action.orderId")); at < 0 || at >= 2 {
			t.Errorf("the fresh payment was number %d to be looked up", at)
		}
	})
}

// Look-ups of an abandoned payment become rare, and end; what a shop's customers do later is settled all the same.
func TestAbandonedPaymentIsPolledEverLessAndThenNoMore(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		asked := &lookupRecorder{Provider: b.Providers["sandbox"]}
		b.Providers["sandbox"] = asked
		opened := b.opened("mug")
		asked.asked()
		lookups := 0
		for range 40 * 24 { // every hour of forty days
			b.Advance(time.Hour)
			b.pollDue()
			lookups += len(asked.asked())
		}
		if lookups < 40 || lookups > 100 {
			t.Errorf("%d look-ups in forty days", lookups)
		}
		if left := b.planned(); len(left) != 0 {
			t.Errorf("still planned: %v", left)
		}
		b.CaptureAtBank(opened, b.Approve(opened, "approve"))
		if _, err := b.Payments.Settler.Settle(t.Context(), b.Shop.ID, opened.Text("paymentSession.id")); err != nil {
			t.Fatal(err)
		}
		if len(b.All(order.Schema)) != 1 {
			t.Error("a payment that arrived late was not settled")
		}
	})
}

// A payment that its provider says is over is looked up no more; its reservation ends at its time.
func TestProviderEndsTheLookups(t *testing.T) {
	for _, state := range []ports.ProviderState{ports.ProviderExpired, ports.ProviderCanceled} {
		t.Run(string(state), func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				asked := &lookupRecorder{Provider: b.Providers["sandbox"], state: state}
				b.Providers["sandbox"] = asked
				b.opened("mug")
				b.pollDue()
				asked.asked()
				b.Advance(59 * time.Minute)
				b.pollDue()
				if n := len(asked.asked()); n != 0 {
					t.Errorf("%d more look-ups", n)
				}
				b.Advance(2 * time.Minute)
				b.pollDue()
				if l := b.Level("mug"); l.Reserved != 0 {
					t.Errorf("%d are still reserved", l.Reserved)
				}
				if left := b.planned(); len(left) != 0 {
					t.Errorf("still planned: %v", left)
				}
			})
		})
	}
}

// A payment that is begun again is looked up as often as a new one.
func TestRetryBeginsTheLookupsAnew(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		asked := &lookupRecorder{Provider: b.Providers["sandbox"]}
		b.Providers["sandbox"] = asked
		in := paymentbed.WidgetSession(b.Checkout("mug").Text("checkout.id"))
		open := func() {
			t.Helper()
			if _, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""), in); err != nil {
				t.Fatal(err)
			}
		}
		looksUpSoon := func() bool {
			asked.asked()
			b.Advance(6 * time.Second)
			b.pollDue()
			return len(asked.asked()) == 1
		}
		open()
		b.Advance(10 * time.Minute)
		b.pollDue()
		if looksUpSoon() {
			t.Error("a payment of ten minutes is looked up every five seconds")
		}
		open()
		if !looksUpSoon() {
			t.Error("a payment that was begun again is looked up as seldom as before")
		}
	})
}

// Of two instances one looks a payment up.
func TestOneInstanceLooksAPaymentUp(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		const sessions = 20
		for range sessions {
			b.opened("course")
		}
		var mu sync.Mutex
		claims := map[string]int{}
		var instances sync.WaitGroup
		for range 3 {
			instances.Go(func() {
				for {
					claimed, err := b.Store.PaymentTasks().Claim(t.Context(), ports.ForTenant(b.Shop.ID), b.Connection, b.Now(), b.Now().Add(time.Minute), 3)
					if err != nil || len(claimed) == 0 {
						return
					}
					mu.Lock()
					for _, c := range claimed {
						claims[c.Item]++
					}
					mu.Unlock()
				}
			})
		}
		instances.Wait()
		if len(claims) != sessions {
			t.Errorf("%d of %d payments are claimed", len(claims), sessions)
		}
		for item, n := range claims {
			if n != 1 {
				t.Errorf("%s was claimed %d times", item, n)
			}
		}
	})
}

// What an older version opened, which plans nothing, is adopted.
func TestUnplannedPaymentsAreAdopted(t *testing.T) {
	onOwnPoller(t, func(t *testing.T, b *bed) {
		opened := b.opened("mug")
		for _, lane := range b.planned() {
			claimed, err := b.Store.PaymentTasks().Claim(t.Context(), ports.ForTenant(b.Shop.ID), lane, b.Now().AddDate(1, 0, 0), b.Now(), 9)
			for _, task := range claimed {
				err = errors.Join(err, b.Store.PaymentTasks().Finish(t.Context(), task))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		b.CaptureAtBank(opened, b.Approve(opened, "approve"))
		b.Restart(func(to *paymentbed.Settings) { to.PollInterval = 5 * time.Millisecond })
		b.pollUntil("the order is placed", func() bool { return len(b.All(order.Schema)) == 1 })
	})
}
