package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/ports"
)

// breakers tells the state of every circuit.
type breakers struct{ circuits func() []ports.Circuit }

var (
	state = prometheus.NewDesc("cartwright_circuit_state",
		"Whether the breaker in front of the database, Redis or the provider of a connection lets calls through: 0 closed, all; 1 half-open, one to see how it ends; 2 open, none.",
		[]string{"circuit", "connection"}, nil)
	busy = prometheus.NewDesc("cartwright_provider_calls_active", "Calls under way at the provider of a connection.", []string{"connection"}, nil)
)

var values = map[ports.CircuitState]float64{ports.CircuitClosed: 0, ports.CircuitHalfOpen: 1, ports.CircuitOpen: 2}

// Describe implements prometheus.Collector.
func (breakers) Describe(to chan<- *prometheus.Desc) {
	to <- state
	to <- busy
}

// Collect implements prometheus.Collector.
func (b breakers) Collect(to chan<- prometheus.Metric) {
	for _, c := range b.circuits() {
		to <- prometheus.MustNewConstMetric(state, prometheus.GaugeValue, values[c.State], c.Name, c.Connection)
		if c.Connection != "" {
			to <- prometheus.MustNewConstMetric(busy, prometheus.GaugeValue, float64(c.Busy), c.Connection)
		}
	}
}
