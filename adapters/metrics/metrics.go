// Package metrics tells how the server is doing, to Prometheus, at /metrics. Contract 12.
//
// What other parts of the server know is asked for when Prometheus asks (see New), so that it costs nothing in between.
// Labels say what kind of thing it is about and, of connections, their record ids: never a tenant's name, a key or an
// address. What is told must not grow without bound, so whoever is asked answers a bounded list.
package metrics

import (
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cartwright-dev/cartwright/ports"
)

// Metrics is all that is told.
type Metrics struct{ registry *prometheus.Registry }

// New makes the metrics of the process and of its circuits.
func New(circuits func() []ports.Circuit) *Metrics {
	m := &Metrics{prometheus.NewRegistry()}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), breakers{circuits})
	return m
}

// Mount registers GET /metrics.
func (m *Metrics) Mount(r fiber.Router) {
	r.Get("/metrics", adaptor.HTTPHandler(promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})))
}
