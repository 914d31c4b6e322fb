package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/ports"
)

// webhookReceiver is a shop's webhook URL. It answers with the given statuses, then 200.
type webhookReceiver struct {
	mu       sync.Mutex
	answers  []int
	received []ports.ProviderWebhook
	path     string
	more     chan struct{}
}

func (e *webhookReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	e.received, e.path = append(e.received, ports.ProviderWebhook{Header: r.Header, Body: body}), r.URL.Path
	status := http.StatusOK
	if len(e.answers) > 0 {
		status, e.answers = e.answers[0], e.answers[1:]
	}
	e.mu.Unlock()
	w.WriteHeader(status)
	e.more <- struct{}{}
}

// wait returns the next n deliveries.
func (e *webhookReceiver) wait(t *testing.T, n int) (all []ports.ProviderWebhook, path string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for i := range n {
		select {
		case <-e.more:
		case <-ctx.Done():
			t.Fatalf("%d deliveries came, want %d", i, n)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	all, e.received = e.received, nil
	return all, e.path
}

func (s *shop) webhookSecret() string { return bank.WebhookSecret(sharedSecret, s.conn.AccountKey) }

// about is the event type of a webhook and the payments that it names.
func (s *shop) about(t *testing.T, n ports.ProviderWebhook) (kind, event string, payments []ports.PaymentRef) {
	t.Helper()
	n.ReceivedAt = s.clock.now()
	hint, err := s.provider.Hint(s.conn, []string{s.webhookSecret()}, n)
	var said struct{ Type string }
	if err := errors.Join(err, json.Unmarshal(n.Body, &said)); err != nil {
		t.Fatal(err)
	}
	return said.Type, hint.EventID, hint.Payments
}

// listening is a shop that receives webhooks.
func listening(t *testing.T, s *shop, answers ...int) *webhookReceiver {
	t.Helper()
	e := &webhookReceiver{answers: answers, more: make(chan struct{}, 100)}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	s.provider = sandbox.New(s.server.URL, server.URL+"/api", s.client)
	return e
}

func TestWebhookPlansAreSent(t *testing.T) {
	for plan, want := range map[string][]string{
		"once":     {"Transaction.Ready", "Transaction.Paid"},
		"twice":    {"Transaction.Ready", "Transaction.Ready", "Transaction.Paid", "Transaction.Paid"},
		"reversed": {"Transaction.Paid", "Transaction.Ready"},
	} {
		t.Run(plan, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			e := listening(t, s)
			p := s.register(t, "hosted_v2")
			s.authorize(t, map[string]any{"sessionId": p.Session, "outcome": "approve", "webhooks": plan})
			var types, events []string
			all, path := e.wait(t, len(want))
			for _, n := range all {
				kind, event, payments := s.about(t, n)
				if !slices.Equal(payments, []ports.PaymentRef{{PaymentID: p.PaymentID}}) {
					t.Errorf("it names %+v", payments)
				}
				types, events = append(types, kind), append(events, event)
			}
			slices.Sort(events)
			if !slices.Equal(types, want) || len(slices.Compact(events)) != 2 || path != "/api/providers/"+s.conn.ID+"/webhook" {
				t.Errorf("sent %v of %v to %v", types, events, path)
			}
		})
	}
}

func TestLateWebhookIsDelayed(t *testing.T) {
	t.Parallel()
	s := open(t)
	e := listening(t, s)
	late, now := s.register(t, "hosted_v2"), s.register(t, "hosted_v2")
	s.authorize(t, map[string]any{"sessionId": late.Session, "outcome": "approve", "webhooks": "late"})
	s.authorize(t, map[string]any{"sessionId": now.Session, "outcome": "approve", "webhooks": "once"})
	for _, of := range []registered{now, late} {
		all, _ := e.wait(t, 2)
		for _, n := range all {
			if _, _, payments := s.about(t, n); !slices.Equal(payments, []ports.PaymentRef{{PaymentID: of.PaymentID}}) {
				t.Errorf("received instead of those of %s: %s", of.PaymentID, n.Body)
			}
		}
		s.clock.advance(5 * time.Second)
	}
}

func TestFailedWebhookIsRetried(t *testing.T) {
	t.Parallel()
	s := open(t)
	e := listening(t, s, 503, 200)
	p := s.register(t, "hosted_v2")
	s.authorize(t, map[string]any{"sessionId": p.Session, "outcome": "approve"})
	first, _ := e.wait(t, 2)
	s.clock.advance(time.Second)
	again, _ := e.wait(t, 1)
	if string(again[0].Body) != string(first[0].Body) || again[0].Header["Webhook-Id"][0] != first[0].Header["Webhook-Id"][0] {
		t.Errorf("%s, then %s", first[0].Body, again[0].Body)
	}
	s.authorize(t, map[string]any{"sessionId": p.Session, "outcome": "approve"}) // again, without a change
	if all := s.webhooks(t, p); len(all) != 2 {
		t.Errorf("%+v", all)
	}
}
