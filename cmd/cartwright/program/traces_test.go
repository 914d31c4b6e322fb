package program

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// otlpCollector is an OpenTelemetry collector that stores what it receives.
type otlpCollector struct {
	url string

	mu      sync.Mutex
	spans   []*traces.Span
	text    string   // of all traces
	metrics []string // names
}

// newCollector starts a collector, which runs until the test ends.
func newCollector(t *testing.T) *otlpCollector {
	t.Helper()
	c := &otlpCollector{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !c.take(r.URL.Path, body) {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

func (c *otlpCollector) take(path string, body []byte) (ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch path {
	case "/v1/traces":
		var sent traces.TracesData // a request has the same fields
		ok = proto.Unmarshal(body, &sent) == nil
		c.text += prototext.Format(&sent)
		for _, of := range sent.GetResourceSpans() {
			for _, in := range of.GetScopeSpans() {
				c.spans = append(c.spans, in.GetSpans()...)
			}
		}
	case "/v1/metrics":
		var sent metrics.MetricsData
		ok = proto.Unmarshal(body, &sent) == nil
		for _, of := range sent.GetResourceMetrics() {
			for _, in := range of.GetScopeMetrics() {
				for _, m := range in.GetMetrics() {
					c.metrics = append(c.metrics, m.GetName())
				}
			}
		}
	}
	return ok
}

// pathTo are the names of the spans from the root of a trace to its span with that name; nil if there is none.
func (c *otlpCollector) pathTo(trace string, name string) (path []string) {
	parents := map[string]*traces.Span{}
	var at *traces.Span
	for _, s := range c.spans {
		if fmt.Sprintf("%x", s.GetTraceId()) != trace {
			continue
		}
		parents[string(s.GetSpanId())] = s
		if s.GetName() == name {
			at = s
		}
	}
	for ; at != nil; at = parents[string(at.GetParentSpanId())] {
		path = append(path, at.GetName())
	}
	slices.Reverse(path)
	return path
}

// traced is a header that makes a request part of the trace with that id.
func traced(trace string) string { return "traceparent: 00-" + trace + "-00f067aa0ba902b7-01" }

// A request is one trace, from the caller to the database, Redis and the payment provider, without personal data.
func TestTraceCoversRequestWithoutPersonalData(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) { checkTraces(t, newCommandEnv(t), false) })
	t.Run("postgres", func(t *testing.T) {
		checkTraces(t,
			newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", migratedDB.Postgres(t)).with("CARTWRIGHT_REDIS_URL", testservers.Redis(t)),
			true)
	})
}

func checkTraces(t *testing.T, m commandEnv, redis bool) {
	collector := newCollector(t)
	m = m.with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url).with("OTEL_SERVICE_NAME", "our-shop")
	server := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	const addTrace, listTrace, loginTrace = "4bf92f3577b34da6a3ce929d0e0e4736", "6bf92f3577b34da6a3ce929d0e0e4736",
		"7bf92f3577b34da6a3ce929d0e0e4736"
	b := newBuyer(t, server.url, creds.TestSecretKey)
	cart := b.must("/carts", "{}")
	id, idem := textAt(cart, "cart", "id"), "ik_planted4planted4planted4planted4"
	add := func(trace, key string) {
		requestJSON(t, "POST", server.url+"/api/server/commerce/carts/"+id+"/items",
			fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, b.variant), b.key, "Idempotency-Key: "+key, traced(trace))
	}
	add(addTrace, idem)
	for range 20 { // reads its receipt; Redis has 100 ms for it, which a busy machine may miss
		add(addTrace, idem)
	}
	b.buy()
	requestJSON(t, "GET", server.url+"/api/customers?where[email][equals]=planted@example.com", "", b.key, traced(listTrace),
		"User-Agent: planted-agent", "X-Forwarded-For: 192.0.2.77")
	requestJSON(t, "POST", server.url+"/api/graphql",
		`{"query": "{ Products(where: {name: {equals: \"planted-name\"}}) { totalDocs } }"}`, b.key)
	requestJSON(t, "GET", server.url+"/api/customers?token=planted-token", "", b.key)
	requestJSON(t, "GET", server.url+"/api/planted-path/planted-path", "", b.key)
	requestJSON(t, "POST", server.url+"/api/users/login", `{"email": "planted@example.com", "password": "planted-password"}`,
		traced(loginTrace))
	if err := server.stop(); err != nil {
		t.Fatal(err)
	}

	collector.mu.Lock()
	defer collector.mu.Unlock()
	item := "POST /api/server/commerce/carts/:id/items"
	for name, want := range map[string][]string{
		"commit":       {item, "carts.addItem", "cart changes", "commit"},
		"commit batch": {item, "carts.addItem", "cart changes", "commit", "commit batch"},
	} {
		if got := collector.pathTo(addTrace, name); !slices.Equal(got, want) {
			t.Errorf("the path to the span %s is %q", name, got)
		}
	}
	if got := collector.pathTo(listTrace, "find"); !slices.Equal(got, []string{"GET /api/customers", "find"}) {
		t.Errorf("the path to the query of a list is %q", got)
	}
	if got := collector.pathTo(loginTrace, "SELECT"); !slices.Equal(got, []string{"POST /api/users/login", "users.login", "SELECT"}) {
		t.Errorf("the path to the query of an account is %q", got)
	}
	if got := collector.pathTo(addTrace, "redis.pipeline get"); redis &&
		!slices.Equal(got, []string{item, "carts.addItem", "redis.pipeline get"}) {
		t.Errorf("the path to a round trip to Redis is %q", got)
	}
	for _, name := range []string{"provider confirm", "transaction", "GET unmatched", "our-shop"} {
		if !strings.Contains(collector.text, `"`+name+`"`) {
			t.Errorf("the traces do not contain %q", name)
		}
	}
	for _, private := range []string{
		"planted", creds.SecretKey, creds.TestSecretKey, creds.AdminEmail, id, b.variant, "where[", "192.0.2.77",
	} {
		if at := strings.Index(collector.text, private); at >= 0 {
			t.Errorf("the traces contain %s: %s", private, collector.text[max(0, at-200):min(len(collector.text), at+100)])
		}
	}
	for _, name := range []string{"cartwright_http_requests_total", "cartwright_commit_duration_seconds", "go_goroutines"} {
		if !slices.Contains(collector.metrics, name) {
			t.Errorf("the metric %s was not pushed: %v", name, collector.metrics)
		}
	}
}

// A collector that never answers delays neither requests nor the shutdown of the server.
func TestHangingCollectorBlocksNothing(t *testing.T) {
	t.Parallel()
	hung, over := make(chan struct{}, 1), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		select {
		case hung <- struct{}{}:
		default:
		}
		<-over
	}))
	defer server.Close()
	defer close(over)
	m := newDemoEnv(t).with("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", server.URL+"/v1/traces")
	running := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	for i, held := 0, false; i < 2500 || !held; i++ { // more than the queue of spans holds
		if status, body := requestJSON(t, "GET", running.url+"/api/brands?limit=1", "", "X-API-Key: "+creds.SecretKey); status != http.StatusOK {
			t.Fatalf("%d %v", status, body)
		}
		select {
		case <-hung:
			held = true
		default:
		}
	}
	if err := running.stop(); err != nil {
		t.Error(err)
	}
}

func TestInvalidSamplerIsRejected(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"OTEL_TRACES_SAMPLER": "sometimes", "OTEL_TRACES_SAMPLER_ARG": "2", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
		"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318",
	} {
		if _, err := loadConfig(commandEnv{map[string]string{name: value}}.getenv); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}
