package program

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/adapters/tracing"
)

// sampler is the configured sampler.
func (c Config) sampler() tracing.Sampler {
	return tracing.Sampler{Name: c.Sampler, Ratio: c.SampleRatio}
}

// otlpEndpoint is the URL for a signal: its own, or its path at the common endpoint.
func (c Config) otlpEndpoint(own, signal string) string {
	if own != "" || c.OTLPEndpoint == "" {
		return own
	}
	all, err := url.JoinPath(c.OTLPEndpoint, "v1", signal)
	if err != nil {
		return "" // an invalid URL is refused with the configuration
	}
	return all
}

// openTracing starts tracing, if a collector is configured.
func (c Config) openTracing(ctx context.Context, log *slog.Logger) (*tracing.Tracing, error) {
	t, err := tracing.Open(ctx, tracing.Options{
		Traces: c.otlpEndpoint(c.TracesEndpoint, "traces"), Metrics: c.otlpEndpoint(c.MetricsEndpoint, "metrics"), Sampler: c.sampler(),
		Service: c.ServiceName, Version: version, Instance: newID(), Log: log,
	})
	if err != nil {
		return nil, fmt.Errorf("trace to OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	return t, nil
}

// openMetrics collects the metrics of all parts, for Prometheus and for the collector.
func (s *Server) openMetrics(ctx context.Context) error {
	s.metrics = metrics.New(s.circuits, s.workMetrics, metrics.Queues{Changes: s.carts.Depth, Steps: s.commitQueue},
		s.webhookMetrics(), metrics.Search{Backlog: s.indexer.Backlog, Products: s.productIndexer.Backlog}, metrics.Background{Stats: s.background.Stats},
		metrics.Jobs{Backlog: s.jobs.Backlog, Now: s.now}, metrics.Taxes{Stats: s.taxes.asker.Stats})
	return s.tracing.PushMetrics(ctx, s.metrics)
}
