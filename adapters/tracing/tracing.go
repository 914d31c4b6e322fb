// Package tracing tells what a request went through, to an OpenTelemetry collector over OTLP, and pushes the metrics there
// too. Without an endpoint nothing of it is made or called: no span, no wrapper, no goroutine (Open answers nil).
//
// A request is a span named by its method and the pattern of its route; below it stand its operation, its transactions,
// reads and commits, and the calls of payment providers. What is done for many at once, a run of changes of one cart or a
// transaction of the committer, belongs to the first of them that is traced; the others are linked with it, both ways.
// Calls of providers and webhook attempts begin traces of their own where no request asked for them. Loops that look after
// things do not: they would tell every few seconds that there was nothing to do.
//
// Spans say which route, operation, collection, provider and outcome; a request also its id, tenant and kind of caller.
// They never hold a path, a query, a header, a body, an argument of a statement, an id of a record or an error's text: all
// of these may be somebody's secret or address. The error of a span is the reason that the API documents.
//
// W3C traceparent is taken from callers. It is sent to nobody: providers and the receivers of webhooks are other people's
// systems, which it would tell what belongs together, and get nothing for that. The sampler decides whether callers may
// have themselves traced: those that begin with "parentbased" let them.
//
// Of the ready-made instrumentations, those of Redis (redisotel) and bun (bunotel 1.2, which builds and works with bun 1.3;
// bun does a few look-ups of accounts, all else goes through ports and is told there) are used, told to leave out
// keys, values and arguments. The one of fiber (otelfiber 2.1) is not: it writes the whole address with its query, the client's address and
// its user agent into every span, names the host the client sent in metrics, which strangers choose, and measures bodies by
// reading them into memory, without the limits that ours have. adapters/rest begins those spans itself.
//
// Of what it costs, measured with addItem at 64 carts on SQLite, allocations can be told on a machine that is busy: 303 for
// each change without a collector, as many as before there was any of this, 315 when a hundredth of the requests is traced
// and 395 when all are. The server's processor time for a change is then half as much again; at a hundredth, the difference
// was smaller than that between two runs. A span takes some 8 µs, one that is not made because nobody traces its request 0.1
// (BenchmarkCommit). Spans that come faster than a collector takes them are dropped: at most 2048 wait.
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

// Options say where to, and of what. What is not here follows the standard variables that the libraries read themselves,
// such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_BSP_MAX_QUEUE_SIZE and OTEL_RESOURCE_ATTRIBUTES.
type Options struct {
	Traces   string  // URL that takes spans, such as http://collector:4318/v1/traces; "": none are made
	Metrics  string  // URL that takes metrics; "": none are pushed
	Sampler  Sampler // which traces are made
	Service  string  // name of the service
	Version  string  // of it
	Instance string  // id of this process
	Log      *slog.Logger
}

// Tracing makes spans and pushes metrics. The nil one does nothing and costs nothing.
type Tracing struct {
	options      Options
	resource     *resource.Resource
	spans        *sdk.TracerProvider
	metrics      *metric.MeterProvider
	tracer       trace.Tracer
	lastReported atomic.Int64 // when it was last said that something could not be exported; Unix seconds
}

// Open begins to trace, or answers nil where o names no endpoint. A collector that is not there hinders nobody: what cannot
// be sent is dropped.
func Open(ctx context.Context, o Options) (*Tracing, error) {
	if o.Traces == "" && o.Metrics == "" {
		return nil, nil
	}
	t := &Tracing{options: o}
	var err error
	t.resource, err = resource.New(ctx, resource.WithAttributes(attribute.String("service.version", o.Version), attribute.String("service.instance.id", o.Instance)),
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

// exportTimeout bounds one export, whatever the collector does.
const exportTimeout = 10 * time.Second

// client is one of its own: connections to a collector are not the ones of anything else.
func client() *http.Client {
	return &http.Client{Timeout: exportTimeout, Transport: http.DefaultTransport.(*http.Transport).Clone()}
}

// PushMetrics sends what from gathers to the collector, once a minute (OTEL_METRIC_EXPORT_INTERVAL) and at the end.
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

// Tracer begins the spans of requests; nil: there are none.
func (t *Tracing) Tracer() trace.Tracer {
	if t == nil || t.tracer == nil {
		return nil
	}
	return t.tracer
}

// flushTimeout is how long the end of the process waits for a collector.
const flushTimeout = 3 * time.Second

// Close sends what is left, as far as the collector takes it soon.
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
		t.reportExportError(err) // a collector that is away is no failure of ours
	}
	return nil
}

// reportInterval is how often it is said that a collector does not take what it is sent.
const reportInterval = time.Minute

func (t *Tracing) reportExportError(err error) {
	now, last := time.Now().Unix(), t.lastReported.Load()
	if now-last < int64(reportInterval/time.Second) || !t.lastReported.CompareAndSwap(last, now) {
		return
	}
	t.options.Log.Warn("OpenTelemetry export failed; traces and metrics are dropped until the collector is reachable", "error", err)
}
