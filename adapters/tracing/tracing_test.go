package tracing_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/trace"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/cartwright-dev/cartwright/adapters/tracing"
	"github.com/cartwright-dev/cartwright/ports"
)

// open traces to a collector of its own; sent closes the tracing and returns the spans by name.
func open(t testing.TB, sampler tracing.Sampler) (tr *tracing.Tracing, sent func() map[string]*traces.Span) {
	t.Helper()
	var mu sync.Mutex
	spans := map[string]*traces.Span{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var data traces.TracesData
		if err := proto.Unmarshal(body, &data); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, of := range data.GetResourceSpans() {
			for _, in := range of.GetScopeSpans() {
				for _, s := range in.GetSpans() {
					spans[s.GetName()] = s
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	tr, err := tracing.Open(context.Background(), tracing.Options{
		Traces: server.URL + "/v1/traces", Sampler: sampler, Service: "s", Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr, func() map[string]*traces.Span {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		return spans
	}
}

// Work done for several requests at once belongs to the first sampled one; it links to the others, and they
// to it.
func TestSharedWorkLinksAllCallers(t *testing.T) {
	t.Parallel()
	tr, sent := open(t, tracing.Sampler{})
	one, first := tr.Tracer().Start(t.Context(), "first")
	two, second := tr.Tracer().Start(t.Context(), "second")
	ctx, end := tr.MailboxWrapper()(t.Context(), []context.Context{t.Context(), one, two})
	committed := tr.CommitBatchHook()([]context.Context{ctx, two})
	committed()
	end()
	first.End()
	second.End()
	spans := sent()
	run, batch := spans["cart changes"], spans["commit batch"]
	if run == nil || batch == nil || string(run.GetParentSpanId()) != string(spans["first"].GetSpanId()) ||
		string(batch.GetParentSpanId()) != string(run.GetSpanId()) {
		t.Fatalf("the shared work is not below the first request: %v", spans)
	}
	if links := run.GetLinks(); len(links) != 1 || string(links[0].GetSpanId()) != string(spans["second"].GetSpanId()) {
		t.Errorf("the batch links to %v", links)
	}
	if links := spans["second"].GetLinks(); len(links) != 2 || string(links[0].GetSpanId()) != string(run.GetSpanId()) ||
		string(links[1].GetSpanId()) != string(batch.GetSpanId()) {
		t.Errorf("the second request links to %v", links)
	}
}

// committer does nothing.
type committer struct{}

func (committer) Commit(context.Context, ports.CommitRequest) error { return nil }

// Without a collector nothing is wrapped, so tracing costs nothing.
func TestDisabledTracingWrapsNothing(t *testing.T) {
	t.Parallel()
	tr, err := tracing.Open(t.Context(), tracing.Options{})
	if err != nil || tr != nil {
		t.Fatalf("%v %v", tr, err)
	}
	if got := tr.Committer(committer{}); got != ports.Committer(committer{}) {
		t.Errorf("a committer became %T", got)
	}
	if tr.Tracer() != nil || tr.MailboxWrapper() != nil || tr.CommitBatchHook() != nil || tr.BunHook() != nil ||
		tr.InstrumentRedis(nil) != nil || tr.Store(nil) != nil || tr.Webhooks(nil) != nil || tr.PushMetrics(t.Context(), nil) != nil ||
		tr.Close() != nil {
		t.Error("something is traced")
	}
}

// Requests that are not sampled make no spans further in.
func TestUnsampledRequestsMakeNoSpans(t *testing.T) {
	t.Parallel()
	tr, sent := open(t, tracing.Sampler{Name: "parentbased_traceidratio", Ratio: "0"})
	ctx, span := tr.Tracer().Start(t.Context(), "request")
	if err := tr.Committer(committer{}).Commit(ctx, ports.CommitRequest{}); err != nil {
		t.Error(err)
	}
	run, end := tr.MailboxWrapper()(ctx, []context.Context{ctx})
	end()
	span.End()
	if run != ctx || !trace.SpanContextFromContext(ctx).IsValid() {
		t.Error("a request that is not sampled has an id for the log, and nothing else")
	}
	if spans := sent(); len(spans) != 0 {
		t.Errorf("there are spans: %v", spans)
	}
}

// sender fails with an error that has a secret.
type sender struct{}

func (sender) Send(context.Context, ports.WebhookRequest) ports.WebhookResponse {
	return ports.WebhookResponse{Status: http.StatusGone, Excerpt: "planted", Failure: "refused"}
}

// An attempt of a delivery is a trace of its own with its outcome, but without its URL and contents.
func TestWebhookAttemptStartsATrace(t *testing.T) {
	t.Parallel()
	tr, sent := open(t, tracing.Sampler{})
	tr.Webhooks(sender{}).Send(t.Context(), ports.WebhookRequest{
		URL: "https://planted.example/planted", Headers: map[string]string{"webhook-signature": "planted"}, Body: []byte("planted"),
	})
	attempt := sent()["webhook attempt"]
	if attempt == nil || len(attempt.GetParentSpanId()) != 0 {
		t.Fatalf("the span is %v", attempt)
	}
	if said := prototext.Format(attempt); strings.Contains(said, "planted") || !strings.Contains(said, "410") ||
		!strings.Contains(said, `"refused"`) {
		t.Errorf("the span has %s", said)
	}
}

// A refusal is recorded by its documented reason, never by its text.
func TestSpanErrorsUseReasons(t *testing.T) {
	t.Parallel()
	tr, sent := open(t, tracing.Sampler{})
	p := tr.Providers(map[string]ports.Provider{"sandbox": broken{}})["sandbox"]
	_, _ = p.Do(t.Context(), ports.Connection{}, ports.ProviderCall{Operation: "refund:planted"})
	call := sent()["provider refund"]
	if said := prototext.Format(call); call == nil || strings.Contains(said, "planted") ||
		!strings.Contains(said, `"provider_unavailable"`) || !strings.Contains(said, `"sandbox"`) {
		t.Errorf("the span has %s", said)
	}
}

// broken is a provider whose errors hold a secret.
type broken struct{ ports.Provider }

func (broken) Do(context.Context, ports.Connection, ports.ProviderCall) (ports.Outcome, error) {
	return ports.Outcome{}, ports.ErrProviderUnavailable.WithCause(errors.New("planted"))
}

// BenchmarkCommit measures what the wrapper adds to a commit: without a collector, not sampled, and sampled.
func BenchmarkCommit(b *testing.B) {
	run := func(b *testing.B, tr *tracing.Tracing) {
		b.Helper()
		c, ctx := tr.Committer(committer{}), context.Background()
		if t := tr.Tracer(); t != nil {
			var span trace.Span
			ctx, span = t.Start(ctx, "request")
			defer span.End()
		}
		b.ReportAllocs()
		for b.Loop() {
			_ = c.Commit(ctx, ports.CommitRequest{})
		}
	}
	b.Run("off", func(b *testing.B) { run(b, nil) })
	b.Run("not sampled", func(b *testing.B) {
		tr, _ := open(b, tracing.Sampler{Name: "always_off"})
		run(b, tr)
	})
	b.Run("traced", func(b *testing.B) {
		tr, _ := open(b, tracing.Sampler{Name: "always_on"})
		run(b, tr)
	})
}
