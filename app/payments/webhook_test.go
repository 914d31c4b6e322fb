package payments_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// paymentWebhook is a webhook of the sandbox about a payment, signed with the secret of an account.
func (b *bed) paymentWebhook(event, paymentID, account string) ports.ProviderWebhook {
	return b.WebhookOf("Transaction.Paid", event, paymentID, account)
}

// deliver delivers a webhook over HTTP.
func deliver(w paymentbed.Web, connection string, n ports.ProviderWebhook) (int, paymentbed.Answer) {
	headers := []string{"X-Request-Id", "r"}
	for name, values := range n.Header {
		headers = append(headers, name, values[0])
	}
	return w.Ask(http.MethodPost, "/providers/"+connection+"/webhook", string(n.Body), headers...)
}

// captured is a session that was captured at the provider without us.
func (b *bed) captured() paymentbed.Answer {
	b.T.Helper()
	s := b.Pay(b.Checkout("mug").Text("checkout.id"))
	b.CaptureAtBank(s, b.Approve(s, "approve"))
	return s
}

// bought asserts that a session was paid for exactly one order.
func (b *bed) bought(s paymentbed.Answer) {
	b.T.Helper()
	r := b.Get(payment.Sessions, s.Text("paymentSession.id"))
	if r.Text("status") != "succeeded" || len(b.All(order.Schema)) != 1 || len(b.All(payment.Transactions)) != 1 ||
		b.Balance(r.Text("order")) != 15000 || b.Level("mug").OnHand != 99 {
		b.T.Errorf("the session is %s, %d orders, %d transactions, %+v",
			r.Text("status"), len(b.All(order.Schema)), len(b.All(payment.Transactions)), b.Level("mug"))
	}
}

func TestWebhookSettlesItsPaymentOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w, s := paymentbed.NewWeb(b.Bed), b.captured()
		n := b.paymentWebhook("evt_1", s.Text("action.orderId"), b.Account)
		for range 2 {
			if status, answer := deliver(w, b.Connection, n); status != 200 || answer.Text("received") != "true" {
				t.Fatalf("%d %v", status, answer)
			}
		}
		b.bought(s)
		provider := tenant.Actor{Kind: tenant.Provider, ID: b.Get(payment.Connections, b.Connection).Text("provider"), Via: tenant.ViaWebhook}
		if got := collection.ActorFrom(b.All(payment.Transactions)[0].Group("actor")); got != provider {
			t.Errorf("the payment was made by %q, want %q", got, provider)
		}
		placed := b.All(order.Schema)[0].ID()
		history, err := b.Store.EventLog().History(t.Context(), ports.HistoryQuery{Tenant: b.Shop.ID, Records: []string{placed}, Limit: 9})
		if err != nil || len(history) == 0 || history[0].Actor != provider {
			t.Errorf("the order's events are %+v, %v", history, err)
		}
		if processed, err := b.Store.ProcessedWebhooks().Seen(t.Context(), b.Shop.ID, b.Connection, "evt_1"); err != nil || !processed {
			t.Errorf("processed %v, %v", processed, err)
		}
	})
}

// A processed event causes no lookup, and a failed one is left to the next delivery.
func TestWebhookIsMarkedProcessedAfterSettling(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		paymentKey := b.Approve(s, "approve")
		n := b.paymentWebhook("evt_1", s.Text("action.orderId"), b.Account)
		w := paymentbed.NewWeb(b.Bed)
		b.BankFaults(`{"failNext":1}`)
		if status, answer := deliver(w, b.Connection, n); status != 503 || answer.Reason() != "provider_unavailable" {
			t.Fatalf("%d %v", status, answer)
		}
		paymentbed.MustCrash(t, func() {
			_ = b.NewInstanceFailingAt(payments.FailWebhookSettled).Webhooks.HandleWebhook(t.Context(), b.Connection, n)
		})
		if processed, err := b.Store.ProcessedWebhooks().Seen(t.Context(), b.Shop.ID, b.Connection, "evt_1"); err != nil || processed {
			t.Fatalf("processed %v, %v", processed, err)
		}
		if status, answer := deliver(w, b.Connection, n); status != 200 {
			t.Fatalf("%d %v", status, answer)
		}
		b.CaptureAtBank(s, paymentKey)
		b.BankFaults(`{"failNext":1}`)
		if status, answer := deliver(w, b.Connection, n); status != 200 { // not asked: no failure
			t.Fatalf("%d %v", status, answer)
		}
		b.BankFaults(`{}`)
		if r := b.Get(payment.Sessions, s.Text("paymentSession.id")); r.Text("status") != "processing" {
			t.Errorf("a processed event settled again: %v", r)
		}
		if status, answer := deliver(w, b.Connection, b.paymentWebhook("evt_2", s.Text("action.orderId"), b.Account)); status != 200 {
			t.Fatalf("%d %v", status, answer)
		}
		b.bought(s)
	})
}

// A webhook is marked as processed by the transaction that books its payment: after a crash before it the next delivery
// books the payment, after one behind it nothing is left to be done.
func TestWebhookIsMarkedWithItsPayment(t *testing.T) {
	for point, marked := range map[string]bool{
		payments.FailLookedUp: false, payments.FailBeforeCommit: false, payments.FailCommitted: true, payments.FailWebhookSettled: true,
	} {
		t.Run(point, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				s := b.captured()
				n := b.paymentWebhook("evt_1", s.Text("action.orderId"), b.Account)
				paymentbed.MustCrash(t, func() { _ = b.NewInstanceFailingAt(point).Webhooks.HandleWebhook(t.Context(), b.Connection, n) })
				if processed, err := b.Store.ProcessedWebhooks().Seen(t.Context(), b.Shop.ID, b.Connection, "evt_1"); err != nil ||
					processed != marked {
					t.Fatalf("processed %v, %v", processed, err)
				}
				if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, n); err != nil {
					t.Error(err)
				}
				b.bought(s)
			})
		})
	}
}

func TestConcurrentWebhooksPlaceOneOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		s, instances := b.captured(), []*paymentbed.Instance{b.Instance, b.NewInstance()}
		shops.Concurrently(20, func(i int) {
			if err := instances[i%2].Webhooks.HandleWebhook(t.Context(), b.Connection,
				b.paymentWebhook("evt_"+strconv.Itoa(i%3), s.Text("action.orderId"), b.Account)); err != nil {
				t.Error(err)
			}
		})
		b.bought(s)
	})
}

func TestWebhooksThatChangeNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w, s, other := paymentbed.NewWeb(b.Bed), b.captured(), newBed(t, b.Store)
		theirs := b.Create(payment.Connections, `{"name":"No adapter","provider":"custom","accountKey":"c","environment":"test"}`)
		id := s.Text("action.orderId")
		forged := b.paymentWebhook("evt_1", id, b.Account)
		forged.Body = []byte(strings.Replace(string(forged.Body), "Paid", "Laid", 1))
		old := b.paymentWebhook("evt_1", id, b.Account)
		b.Advance(6 * time.Minute)
		_, missing := deliver(w, shops.NewID(), b.paymentWebhook("evt_1", id, b.Account))
		for name, c := range map[string]struct {
			connection string
			notice     ports.ProviderWebhook
			status     int
			reason     string
		}{
			"forged":                    {b.Connection, forged, 401, "webhook_signature_invalid"},
			"signed by another shop":    {b.Connection, b.paymentWebhook("evt_1", id, other.Account), 401, "webhook_signature_invalid"},
			"not signed":                {b.Connection, ports.ProviderWebhook{Body: []byte(`{}`)}, 401, "webhook_signature_invalid"},
			"signed long ago":           {b.Connection, old, 401, "webhook_signature_invalid"},
			"for an unknown connection": {shops.NewID(), b.paymentWebhook("evt_1", id, b.Account), 404, "not_found"},
			"for no adapter":            {theirs, b.paymentWebhook("evt_1", id, b.Account), 404, "not_found"},
			"of a payment of others":    {other.Connection, b.paymentWebhook("evt_1", id, other.Account), 200, ""},
			"of an unknown payment":     {b.Connection, b.paymentWebhook("evt_1", "Unknown1", b.Account), 200, ""},
			"of no payment":             {b.Connection, b.paymentWebhook("evt_1", "", b.Account), 200, ""},
			"with an endless event": {
				b.Connection, b.paymentWebhook(strings.Repeat("e", 300), id, b.Account), 400, "malformed_request",
			},
			"larger than one may be": {b.Connection, ports.ProviderWebhook{Body: make([]byte, 1<<20+1)}, 413, "body_too_large"},
		} {
			status, answer := deliver(w, c.connection, c.notice)
			if status != c.status || answer.Reason() != c.reason {
				t.Errorf("%s: %d %v", name, status, answer)
			}
			if status == 404 && answer.Text("raw") != missing.Text("raw") {
				t.Errorf("%s differs from the answer for a missing record: %s", name, answer.Text("raw"))
			}
		}
		if r := b.Get(payment.Sessions, s.Text("paymentSession.id")); r.Text("status") != "pending" || len(b.All(order.Schema)) != 0 {
			t.Errorf("%v", r)
		}
		for _, at := range []struct {
			shop       tenant.ID
			connection string
		}{{b.Shop.ID, b.Connection}, {other.Shop.ID, other.Connection}} {
			if processed, err := b.Store.ProcessedWebhooks().Seen(t.Context(), at.shop, at.connection, "evt_1"); err != nil || processed {
				t.Errorf("it is marked as processed: %v %v", processed, err)
			}
		}
	})
}

// A webhook of a payment that its process has just booked asks nobody and stores nothing; one that may be about a refund
// does, so does every one later, and every one that comes to another process.
func TestWebhookOfAPaymentBookedLatelyTellsNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		first, s := b.captured(), b.Pay(b.Checkout("mug").Text("checkout.id"))
		other := b.NewInstance()
		handle := func(at *paymentbed.Instance, kind, event string, session paymentbed.Answer) {
			t.Helper()
			if err := at.Webhooks.HandleWebhook(t.Context(), b.Connection,
				b.WebhookOf(kind, event, session.Text("action.orderId"), b.Account)); err != nil {
				t.Error(event, err)
			}
		}
		handle(b.Instance, "Transaction.Paid", "evt_first", first) // from now on the connection is known
		b.Must(b.Confirm(s, b.Approve(s, "approve")))
		handle(b.Instance, "Transaction.Paid", "evt_paid", s)
		handle(b.Instance, "Transaction.Cancelled", "evt_back", s)
		handle(other, "Transaction.Paid", "evt_other", s)
		b.Advance(2 * time.Minute)
		handle(b.Instance, "Transaction.Paid", "evt_later", s)
		for event, want := range map[string]bool{"evt_first": true, "evt_paid": false, "evt_back": true, "evt_other": true, "evt_later": true} {
			if processed, err := b.Store.ProcessedWebhooks().Seen(t.Context(), b.Shop.ID, b.Connection, event); err != nil || processed != want {
				t.Errorf("%s: processed %v, want %v, %v", event, processed, want, err)
			}
		}
	})
}

// crowded is a provider that holds lookups until the limit of concurrent ones is reached, and counts them.
type crowded struct {
	ports.Provider

	now, most atomic.Int64
	full      chan struct{}
	once      sync.Once
}

func (c *crowded) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); n > most && !c.most.CompareAndSwap(most, n); most = c.most.Load() {
	}
	if n == 8 {
		c.once.Do(func() { close(c.full) })
	}
	<-c.full
	return c.Provider.Lookup(ctx, conn, ref)
}

func TestWebhooksUseAtMostTheirShareOfAConnection(t *testing.T) {
	t.Parallel()
	b := newBed(t, shops.SQLite())
	c := &crowded{Provider: b.Providers["sandbox"], full: make(chan struct{})}
	b.Providers["sandbox"] = c
	notices := make([]ports.ProviderWebhook, 16)
	for i := range notices {
		notices[i] = b.paymentWebhook("evt_"+strconv.Itoa(i), b.captured().Text("action.orderId"), b.Account)
	}
	shops.Concurrently(len(notices), func(i int) {
		err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, notices[i])
		for ; errors.Is(err, ports.ErrProviderUnavailable); err = b.Webhooks.HandleWebhook(t.Context(), b.Connection, notices[i]) {
			// a machine that is slow: the provider delivers it again
		}
		if err != nil {
			t.Error(err)
		}
	})
	if n := len(b.All(order.Schema)); c.most.Load() != 8 || n != len(notices) {
		t.Errorf("%d lookups at the same time, %d orders", c.most.Load(), n)
	}
}

func TestForgedWebhooksCauseOneLookup(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		u := b.Unsigned()
		rarely := func(s *paymentbed.Settings) { u.Install(s); s.LookupInterval = time.Hour }
		b.Restart(rarely)
		two, w := b.NewInstance(rarely), paymentbed.NewWeb(b.Bed)
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		forged := ports.ProviderWebhook{Body: []byte(s.Text("action.orderId"))}
		var accepted atomic.Int64
		shops.Concurrently(10, func(i int) {
			switch err := []*paymentbed.Instance{b.Instance, two}[i%2].Webhooks.HandleWebhook(t.Context(), b.Connection, forged); {
			case err == nil:
				accepted.Add(1)
			case !errors.Is(err, fault.ErrUnavailable):
				t.Error(err)
			}
		})
		if accepted.Load() != 1 || u.Asked.Load() != 1 || u.Kept.Load() != 0 {
			t.Errorf("%d were accepted, with %d lookups, %d are marked", accepted.Load(), u.Asked.Load(), u.Kept.Load())
		}
		if status, answer := deliver(w, b.Connection, forged); status != 503 || answer.Reason() != "unavailable" {
			t.Errorf("one more: %d %v", status, answer)
		}
	})
}

// A true webhook that comes too soon after a forged one is processed when its provider delivers it again.
func TestUnsignedWebhookIsProcessedEventually(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		u := b.Unsigned()
		b.Restart(func(s *paymentbed.Settings) { u.Install(s); s.LookupInterval = 20 * time.Millisecond })
		s := b.Pay(b.Checkout("mug").Text("checkout.id"))
		n := ports.ProviderWebhook{Body: []byte(s.Text("action.orderId"))}
		if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, n); err != nil {
			t.Fatal(err)
		}
		b.CaptureAtBank(s, b.Approve(s, "approve"))
		for begun := time.Now(); time.Since(begun) < time.Minute; {
			err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, n)
			if err == nil {
				break
			}
			if !errors.Is(err, fault.ErrUnavailable) {
				t.Fatal(err)
			}
		}
		b.bought(s)
		if err := b.Webhooks.HandleWebhook(t.Context(), b.Connection, n); err != nil { // there is nothing left to ask
			t.Errorf("what is known already: %v", err)
		}
		if u.Asked.Load() != 2 || u.Kept.Load() != 0 {
			t.Errorf("%d lookups, %d marked", u.Asked.Load(), u.Kept.Load())
		}
	})
}
