package metrics_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/ports"
)

// fails is a provider whose calls all end with err.
type fails struct {
	ports.Provider

	err error
}

func (p fails) Do(context.Context, ports.Connection, ports.ProviderCall) (ports.Outcome, error) {
	return ports.Outcome{}, p.err
}

func (p fails) Lookup(context.Context, ports.Connection, ports.PaymentRef) (ports.ProviderPayment, error) {
	return ports.ProviderPayment{}, p.err
}

func TestActivityIsLabeled(t *testing.T) {
	t.Parallel()
	w := metrics.NewActivity()
	w.Request("/api/products/:id", "GET", 200, 3*time.Millisecond)
	w.Request("/api/products/:id", "GET", 204, time.Second)
	w.Request("/api/products/:id", "GET", 404, time.Second)
	w.CartBatch(3)
	w.CommitBatch(make([]time.Duration, 17), 2*time.Millisecond)
	w.CartRun([]time.Duration{time.Millisecond, 2 * time.Millisecond}, 4*time.Millisecond)
	for name, err := range map[string]error{
		"works": nil, "open": ports.ErrProviderUnavailable.WithCause(fmt.Errorf("circuit: %w", ports.ErrNotSent)),
		"down": ports.ErrProviderUnavailable, "strict": ports.ErrProviderRejected, "broken": context.Canceled,
	} {
		p := w.Providers(map[string]ports.Provider{name: fails{err: err}})[name]
		_, _ = p.Do(t.Context(), ports.Connection{}, ports.ProviderCall{Operation: "refund:4711"})
		_, _ = p.Lookup(t.Context(), ports.Connection{}, ports.PaymentRef{})
	}
	exporter := metrics.New(func() []ports.Circuit { return nil }, w, metrics.Queues{
		Changes: func() int { return 5 }, Steps: func() int { return 6 },
	})
	_, body, err := exporter.Expose("application/openmetrics-text")
	if err != nil {
		t.Fatal(err)
	}
	text := string(body)
	for _, line := range []string{
		`cartwright_http_requests_total{method="GET",route="/api/products/:id",status="2xx"} 2`,
		`cartwright_http_requests_total{method="GET",route="/api/products/:id",status="4xx"} 1`,
		`cartwright_http_request_duration_seconds_bucket{method="GET",route="/api/products/:id",status="2xx",le="0.005"} 1`,
		`cartwright_cart_run_changes_sum 3`, `cartwright_cart_wait_seconds_bucket{le="0.001"} 1`, `cartwright_cart_run_seconds_count 1`,
		`cartwright_commit_wait_seconds_count 17`, `cartwright_commit_batch_steps_bucket{le="16"} 0`,
		`cartwright_commit_batch_steps_bucket{le="32"} 1`,
		`cartwright_commit_duration_seconds_bucket{le="0.0025"} 1`, `cartwright_cart_mailbox_depth 5`, `cartwright_commit_queue_steps 6`,
		`cartwright_provider_calls_total{operation="refund",outcome="ok",provider="works"} 1`,
		`cartwright_provider_calls_total{operation="lookup",outcome="unsent",provider="open"} 1`,
		`cartwright_provider_calls_total{operation="refund",outcome="unavailable",provider="down"} 1`,
		`cartwright_provider_calls_total{operation="lookup",outcome="rejected",provider="strict"} 1`,
		`cartwright_provider_calls_total{operation="refund",outcome="failed",provider="broken"} 1`,
		`cartwright_provider_call_duration_seconds_count{operation="refund",outcome="ok",provider="works"} 1`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	if strings.Contains(text, "4711") {
		t.Error("a single refund has its own series")
	}
}

// BenchmarkRequest is what counting adds to a request.
func BenchmarkRequest(b *testing.B) {
	w := metrics.NewActivity()
	b.ReportAllocs()
	for b.Loop() {
		w.Request("/api/commerce/carts/:id/items", "POST", 200, time.Millisecond)
	}
}
