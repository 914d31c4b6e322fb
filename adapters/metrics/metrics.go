// Package metrics exports the state of the server to Prometheus at /metrics. Rule running-6.
//
// State that other parts of the server hold is read when Prometheus scrapes (see New), so that it costs
// nothing in between; events are counted as they happen (see Activity). Labels are kinds of things and, for
// connections, record ids: never a tenant's name or id, a key or an address. The number of series is bounded:
// requests are labeled with the pattern of their route, unmatched requests share one label, and collectors
// return bounded lists.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cartwright-dev/cartwright/ports"
)

// Exporter serves metrics over HTTP and to gatherers.
type Exporter struct {
	http.Handler
	prometheus.Gatherer
}

// New exports the metrics of the process, of its circuits, and of others.
func New(circuits func() []ports.Circuit, others ...prometheus.Collector) Exporter {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		circuitCollector{circuits})
	registry.MustRegister(others...)
	return Exporter{promhttp.HandlerFor(registry, promhttp.HandlerOpts{}), registry}
}
