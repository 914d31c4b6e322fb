// Package metrics tells how the server is doing, to Prometheus, at /metrics. Rule running-6.
//
// What other parts of the server know is asked for when Prometheus asks (see New), so that it costs nothing in between;
// what would be gone by then is counted as it happens (see Work). Labels say what kind of thing it is about and, of
// connections, their record ids: never a tenant's name or id, a key or an address. What is told must not grow without bound:
// requests are told by the patterns of their routes, all that match none as one, and whoever is asked answers a bounded list.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cartwright-dev/cartwright/ports"
)

// Exporter is what there is to tell, to whoever asks over HTTP or gathers it.
type Exporter struct {
	http.Handler
	prometheus.Gatherer
}

// New tells the metrics of the process and of its circuits, and what else there is.
func New(circuits func() []ports.Circuit, others ...prometheus.Collector) Exporter {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), circuitCollector{circuits})
	registry.MustRegister(others...)
	return Exporter{promhttp.HandlerFor(registry, promhttp.HandlerOpts{}), registry}
}
