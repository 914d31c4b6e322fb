package buying_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// told is a webhook of the sandbox about a payment, signed with the secret of an account.
func (b *bed) told(event, paymentID, account string) ports.Notice {
	return b.toldOf("Transaction.Paid", event, paymentID, account)
}

// toldOf is told of something else than that it was paid.
func (b *bed) toldOf(kind, event, paymentID, account string) ports.Notice {
	body := `{"type":"` + kind + `","data":{"paymentId":"` + paymentID + `"}}`
	stamp := strconv.FormatInt(b.now().Unix(), 10)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(bank.WebhookSecret(bankSecret, account), "whsec_"))
	if err != nil {
		b.t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(event + "." + stamp + "." + body))
	return ports.Notice{Body: []byte(body), Header: map[string][]string{
		"Webhook-Id": {event}, "Webhook-Timestamp": {stamp}, "Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}}
}

// tell delivers a webhook over HTTP.
func (w web) tell(connection string, n ports.Notice) (int, said) {
	w.b.t.Helper()
	headers := []string{"X-Request-Id", "r"}
	for name, values := range n.Header {
		headers = append(headers, name, values[0])
	}
	return w.ask(http.MethodPost, "/providers/"+connection+"/webhook", string(n.Body), headers...)
}

// captured is a session that was paid behind our back.
func (b *bed) captured() said {
	b.t.Helper()
	s := b.pay(b.checkout("mug").text("checkout.id"))
	b.capture(s, b.approve(s, "approve"))
	return s
}

// bought asserts that a session was paid for exactly one order.
func (b *bed) bought(s said) {
	b.t.Helper()
	r := b.get(payment.Sessions, s.text("paymentSession.id"))
	if r.Text("status") != "succeeded" || len(b.all(order.Schema)) != 1 || len(b.all(payment.Transactions)) != 1 || b.balance(r.Text("order")) != 15000 || b.level("mug").OnHand != 99 {
		b.t.Errorf("the session is %s, %d orders, %d transactions, %+v", r.Text("status"), len(b.all(order.Schema)), len(b.all(payment.Transactions)), b.level("mug"))
	}
}

func TestAWebhookHasItsPaymentSettledOnce(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w, s := newWeb(b), b.captured()
		n := b.told("evt_1", s.text("action.orderId"), b.account)
		for range 2 {
			if status, answer := w.tell(b.connection, n); status != 200 || answer.text("received") != "true" {
				t.Fatalf("%d %v", status, answer)
			}
		}
		b.bought(s)
		if heard, err := b.store.Heard().Has(t.Context(), b.shop.ID, b.connection, "evt_1"); err != nil || !heard {
			t.Errorf("heard %v, %v", heard, err)
		}
	})
}

// The provider is not even asked again about an event that was acted on, and a failed one is free for the next delivery.
func TestAnEventIsHeardOnceItsPaymentsAreSettled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		s := b.pay(b.checkout("mug").text("checkout.id"))
		paymentKey := b.approve(s, "approve")
		n := b.told("evt_1", s.text("action.orderId"), b.account)
		w := newWeb(b)
		b.faults(`{"failNext":1}`)
		if status, answer := w.tell(b.connection, n); status != 503 || answer.reason() != "provider_unavailable" {
			t.Fatalf("%d %v", status, answer)
		}
		if status, answer := w.tell(b.connection, n); status != 200 {
			t.Fatalf("%d %v", status, answer)
		}
		b.capture(s, paymentKey)
		b.faults(`{"failNext":1}`)
		if status, answer := w.tell(b.connection, n); status != 200 { // not asked: no failure
			t.Fatalf("%d %v", status, answer)
		}
		b.faults(`{}`)
		if r := b.get(payment.Sessions, s.text("paymentSession.id")); r.Text("status") != "processing" {
			t.Errorf("an event that was heard settled again: %v", r)
		}
		if status, answer := w.tell(b.connection, b.told("evt_2", s.text("action.orderId"), b.account)); status != 200 {
			t.Fatalf("%d %v", status, answer)
		}
		b.bought(s)
	})
}

func TestACrashBeforeAnEventIsKeptHealsWithTheNextDelivery(t *testing.T) {
	for _, point := range []string{buying.FailLookedUp, buying.FailBeforeCommit, buying.FailCommitted, buying.FailHeard} {
		t.Run(point, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				s := b.captured()
				n := b.told("evt_1", s.text("action.orderId"), b.account)
				died(t, func() { _ = b.dying(point).Hear(t.Context(), b.connection, n) })
				if heard, err := b.store.Heard().Has(t.Context(), b.shop.ID, b.connection, "evt_1"); err != nil || heard {
					t.Fatalf("heard %v, %v", heard, err)
				}
				if err := b.Hear(t.Context(), b.connection, n); err != nil {
					t.Error(err)
				}
				b.bought(s)
			})
		})
	}
}

func TestTwentyDeliveriesAtOnceMakeOneOrder(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		s, instances := b.captured(), []*buying.Buying{b.Buying, b.instance()}
		shops.Together(20, func(i int) {
			if err := instances[i%2].Hear(t.Context(), b.connection, b.told("evt_"+strconv.Itoa(i%3), s.text("action.orderId"), b.account)); err != nil {
				t.Error(err)
			}
		})
		b.bought(s)
	})
}

func TestWebhooksThatChangeNothing(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w, s, other := newWeb(b), b.captured(), newBed(t, b.store)
		theirs := b.create(payment.Connections, `{"name":"No adapter","provider":"custom","accountKey":"c","environment":"test"}`)
		id := s.text("action.orderId")
		forged := b.told("evt_1", id, b.account)
		forged.Body = []byte(strings.Replace(string(forged.Body), "Paid", "Laid", 1))
		old := b.told("evt_1", id, b.account)
		b.advance(6 * time.Minute)
		_, missing := w.tell(shops.NewID(), b.told("evt_1", id, b.account))
		for name, c := range map[string]struct {
			connection string
			notice     ports.Notice
			status     int
			reason     string
		}{
			"forged":                 {b.connection, forged, 401, "webhook_signature_invalid"},
			"signed by another shop": {b.connection, b.told("evt_1", id, other.account), 401, "webhook_signature_invalid"},
			"not signed":             {b.connection, ports.Notice{Body: []byte(`{}`)}, 401, "webhook_signature_invalid"},
			"signed long ago":        {b.connection, old, 401, "webhook_signature_invalid"},
			"for nobody":             {shops.NewID(), b.told("evt_1", id, b.account), 404, "not_found"},
			"for no adapter":         {theirs, b.told("evt_1", id, b.account), 404, "not_found"},
			"of a payment of others": {other.connection, b.told("evt_1", id, other.account), 200, ""},
			"of an unknown payment":  {b.connection, b.told("evt_1", "Unknown1", b.account), 200, ""},
			"of no payment":          {b.connection, b.told("evt_1", "", b.account), 200, ""},
			"with an endless event":  {b.connection, b.told(strings.Repeat("e", 300), id, b.account), 400, "malformed_request"},
			"larger than one may be": {b.connection, ports.Notice{Body: make([]byte, 1<<20+1)}, 413, "body_too_large"},
		} {
			status, answer := w.tell(c.connection, c.notice)
			if status != c.status || answer.reason() != c.reason {
				t.Errorf("%s: %d %v", name, status, answer)
			}
			if status == 404 && answer.text("raw") != missing.text("raw") {
				t.Errorf("%s tells more than that nothing is there: %s", name, answer.text("raw"))
			}
		}
		if r := b.get(payment.Sessions, s.text("paymentSession.id")); r.Text("status") != "pending" || len(b.all(order.Schema)) != 0 {
			t.Errorf("%v", r)
		}
		for _, at := range []struct {
			shop       tenant.ID
			connection string
		}{{b.shop.ID, b.connection}, {other.shop.ID, other.connection}} {
			if heard, err := b.store.Heard().Has(t.Context(), at.shop, at.connection, "evt_1"); err != nil || heard {
				t.Errorf("a trace of it is kept: %v %v", heard, err)
			}
		}
	})
}

// crowded is a provider that keeps look-ups waiting until there are as many as there may be, and counts them.
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

func TestWebhooksLeaveMostOfAConnectionToBuyers(t *testing.T) {
	t.Parallel()
	b := newBed(t, shops.SQLite())
	c := &crowded{Provider: b.Providers["sandbox"], full: make(chan struct{})}
	b.Providers["sandbox"] = c
	notices := make([]ports.Notice, 16)
	for i := range notices {
		notices[i] = b.told("evt_"+strconv.Itoa(i), b.captured().text("action.orderId"), b.account)
	}
	shops.Together(len(notices), func(i int) {
		if err := b.Hear(t.Context(), b.connection, notices[i]); err != nil {
			t.Error(err)
		}
	})
	if n := len(b.all(order.Schema)); c.most.Load() != 8 || n != len(notices) {
		t.Errorf("%d look-ups at the same time, %d orders", c.most.Load(), n)
	}
}

// unsigned is a provider whose webhooks anybody may have written, and counts look-ups; what is heard of them is kept nowhere.
type unsigned struct {
	ports.Provider
	ports.Heard

	asked, kept *atomic.Int64
}

func (unsigned) Hint(_ ports.Connection, _ []string, n ports.Notice) (ports.Hint, error) {
	id, back := strings.CutPrefix(string(n.Body), "back:")
	return ports.Hint{Payments: []ports.PaymentRef{{PaymentID: id}}, Refunds: back}, nil
}

func (u unsigned) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	u.asked.Add(1)
	return u.Provider.Lookup(ctx, conn, ref)
}

func (u unsigned) Keep(ctx context.Context, id tenant.ID, connection, event string, until time.Time) error {
	u.kept.Add(1)
	return u.Heard.Keep(ctx, id, connection, event, until)
}

// signNothing has the provider of instances sign nothing.
func (b *bed) signNothing(instances ...*buying.Buying) unsigned {
	u := unsigned{Provider: b.Providers["sandbox"], Heard: b.Heard, asked: &atomic.Int64{}, kept: &atomic.Int64{}}
	for _, i := range instances {
		i.Providers["sandbox"], i.Heard = u, u
	}
	return u
}

func TestForgedWebhooksCauseOneLookUpAndLeaveNothing(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		two, w := b.instance(), newWeb(b)
		u := b.signNothing(b.Buying, two)
		b.LookEvery, two.LookEvery = time.Hour, time.Hour
		s := b.pay(b.checkout("mug").text("checkout.id"))
		forged := ports.Notice{Body: []byte(s.text("action.orderId"))}
		var heard atomic.Int64
		shops.Together(10, func(i int) {
			switch err := []*buying.Buying{b.Buying, two}[i%2].Hear(t.Context(), b.connection, forged); {
			case err == nil:
				heard.Add(1)
			case !errors.Is(err, fault.ErrUnavailable):
				t.Error(err)
			}
		})
		if heard.Load() != 1 || u.asked.Load() != 1 || u.kept.Load() != 0 {
			t.Errorf("%d were heard, with %d look-ups, %d are kept", heard.Load(), u.asked.Load(), u.kept.Load())
		}
		if status, answer := w.tell(b.connection, forged); status != 503 || answer.reason() != "unavailable" {
			t.Errorf("one more: %d %v", status, answer)
		}
	})
}

// A true word that came too soon after a forged one is brought again by its provider.
func TestAnUnsignedWebhookIsHeardInTheEnd(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		u := b.signNothing(b.Buying)
		b.LookEvery = 20 * time.Millisecond
		s := b.pay(b.checkout("mug").text("checkout.id"))
		n := ports.Notice{Body: []byte(s.text("action.orderId"))}
		if err := b.Hear(t.Context(), b.connection, n); err != nil {
			t.Fatal(err)
		}
		b.capture(s, b.approve(s, "approve"))
		for begun := time.Now(); time.Since(begun) < time.Minute; {
			err := b.Hear(t.Context(), b.connection, n)
			if err == nil {
				break
			}
			if !errors.Is(err, fault.ErrUnavailable) {
				t.Fatal(err)
			}
		}
		b.bought(s)
		if err := b.Hear(t.Context(), b.connection, n); err != nil { // there is nothing left to ask
			t.Errorf("what is known already: %v", err)
		}
		if u.asked.Load() != 2 || u.kept.Load() != 0 {
			t.Errorf("%d look-ups, %d kept", u.asked.Load(), u.kept.Load())
		}
	})
}
