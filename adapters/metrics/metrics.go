// Package metrics tells how the server is doing, to Prometheus, at /metrics. Contract 12.
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

// Told is what there is to tell, to whoever asks over HTTP or gathers it.
type Told struct {
	http.Handler
	prometheus.Gatherer
}

// New tells the metrics of the process and of its circuits, and what else there is.
func New(circuits func() []ports.Circuit, others ...prometheus.Collector) Told {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), breakers{circuits})
	registry.MustRegister(others...)
	return Told{promhttp.HandlerFor(registry, promhttp.HandlerOpts{}), registry}
}
