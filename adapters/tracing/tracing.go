// Package tracing sends spans of requests, and metrics, to an OpenTelemetry collector over OTLP. Without an
// endpoint there is no span, no wrapper and no goroutine (Open returns nil).
//
// A request is a span named by its method and the pattern of its route. Below it are its operation, its
// transactions, reads and commits, and the calls of payment providers. Work for many callers at once, such as
// a batch of cart changes or a transaction of the committer, belongs to the first sampled caller and is
// linked with the others in both directions. Provider calls and webhook attempts outside of a request start
// traces of their own. Periodic loops do not, since they would report every few seconds that there was
// nothing to do.
//
// Spans have the route, operation, collection, provider and outcome; a request also its id, tenant and kind
// of caller. They never have a path, a query, a header, a body, an argument of a statement, the id of a
// record or the text of an error: any of these may be a secret or personal data. The error of a span is the
// reason that the API documents.
//
// W3C traceparent is accepted from callers, but not sent to providers and webhook endpoints: they are other
// parties, who would learn which requests belong together. The sampler decides whether callers can have their
// requests traced: those named "parentbased…" let them.
//
// The ready-made instrumentations of Redis (redisotel) and bun (bunotel 1.2, which works with bun 1.3; bun
// runs a few account look-ups, and everything else is traced at the ports) are used without keys, values and
// arguments. The one of fiber (otelfiber 2.1) is not: it records the whole URL with its query, the client's
// address and user agent in every span, labels metrics with the Host header, which clients choose, and
// measures bodies by reading them into memory without our limits. adapters/rest starts those spans itself.
//
// Cost, measured with addItem at 64 carts on SQLite (allocations, since processor times vary on a busy
// machine): 303 per change without a collector, as many as before tracing was added; 315 when a hundredth of
// the requests is traced, and 395 when all are. Tracing everything adds about half to the server's processor
// time per change; at a hundredth the difference was smaller than between two runs. A span takes about 8 µs,
// and 0.1 µs when the request is not sampled (BenchmarkCommit). When spans come faster than the collector
// takes them they are dropped: at most 2048 are queued.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	promclient "github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options say where to send traces and metrics, and which. Anything else follows the standard variables that
// the libraries read, such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_BSP_MAX_QUEUE_SIZE
// and OTEL_RESOURCE_ATTRIBUTES.
type Options struct {
	Traces   string  // URL that takes spans, such as http://collector:4318/v1/traces; "": none are made
	Metrics  string  // URL that takes metrics; "": none are pushed
	Sampler  Sampler // which traces are made
	Service  string  // name of the service
	Version  string  // version of the service
	Instance string  // id of this process
	Log      *slog.Logger
}

// Tracing makes spans and pushes metrics. A nil Tracing does nothing and costs nothing.
type Tracing struct {
	options      Options
	resource     *resource.Resource
	spans        *sdk.TracerProvider
	metrics      *metric.MeterProvider
	tracer       trace.Tracer
	lastReported atomic.Int64 // when an export error was last logged; Unix seconds
}

// Open starts tracing, or returns nil when o has no endpoint. An absent collector is not an error: what
// cannot be sent is dropped.
func Open(ctx context.Context, o Options) (*Tracing, error) {
	if o.Traces == "" && o.Metrics == "" {
		return nil, nil
	}
	t := &Tracing{options: o}
	var err error
	t.resource, err = resource.New(ctx,
		resource.WithAttributes(attribute.String("service.version", o.Version), attribute.String("service.instance.id", o.Instance)),
		resource.WithTelemetrySDK(), resource.WithFromEnv(), resource.WithAttributes(attribute.String("service.name", o.Service)))
	if err != nil {
		return nil, fmt.Errorf("describe this process: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(t.reportExportError))
	if o.Traces == "" {
		return t, nil
	}
	to, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(o.Traces), otlptracehttp.WithHTTPClient(client()))
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	t.spans = sdk.NewTracerProvider(sdk.WithBatcher(to), sdk.WithResource(t.resource), sdk.WithSampler(o.Sampler.sampler()))
	t.tracer = t.spans.Tracer("github.com/cartwright-dev/cartwright")
	return t, nil
}

// exportTimeout bounds one export.
const exportTimeout = 10 * time.Second

// client is an HTTP client with its own connections.
func client() *http.Client {
	return &http.Client{Timeout: exportTimeout, Transport: http.DefaultTransport.(*http.Transport).Clone()}
}

// PushMetrics sends the metrics of from to the collector, once a minute (OTEL_METRIC_EXPORT_INTERVAL) and on
// Close.
func (t *Tracing) PushMetrics(ctx context.Context, from promclient.Gatherer) error {
	if t == nil || t.options.Metrics == "" {
		return nil
	}
	to, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(t.options.Metrics), otlpmetrichttp.WithHTTPClient(client()))
	if err != nil {
		return fmt.Errorf("send metrics: %w", err)
	}
	reader := metric.NewPeriodicReader(to, metric.WithProducer(prometheus.NewMetricProducer(prometheus.WithGatherer(from))))
	t.metrics = metric.NewMeterProvider(metric.WithReader(reader), metric.WithResource(t.resource))
	return nil
}

// Tracer starts the spans of requests; nil: there are none.
func (t *Tracing) Tracer() trace.Tracer {
	if t == nil || t.tracer == nil {
		return nil
	}
	return t.tracer
}

// flushTimeout is how long Close waits for the collector.
const flushTimeout = 3 * time.Second

// Close sends what is left, within flushTimeout.
func (t *Tracing) Close() error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	var errs []error
	if t.spans != nil {
		errs = append(errs, t.spans.Shutdown(ctx))
	}
	if t.metrics != nil {
		errs = append(errs, t.metrics.Shutdown(ctx))
	}
	if err := errors.Join(errs...); err != nil {
		t.reportExportError(err) // an unavailable collector is not an error of Close
	}
	return nil
}

// reportInterval is how often export errors are logged.
const reportInterval = time.Minute

func (t *Tracing) reportExportError(err error) {
	now, last := time.Now().Unix(), t.lastReported.Load()
	if now-last < int64(reportInterval/time.Second) || !t.lastReported.CompareAndSwap(last, now) {
		return
	}
	t.options.Log.Warn("OpenTelemetry export failed; traces and metrics are dropped until the collector is reachable", "error", err)
}
