package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/ports"
)

// circuitCollector exports the state of every circuit.
type circuitCollector struct{ circuits func() []ports.Circuit }

var (
	circuitState = prometheus.NewDesc("cartwright_circuit_state",
		"State of the circuit breaker of the database, Redis, the mail server, or a connection to a payment provider, a tax service or a message service: "+
			"0 closed, 1 half-open, 2 open.",
		[]string{"circuit", "connection"}, nil)
	inFlightCalls = prometheus.NewDesc("cartwright_provider_calls_active",
		"In-flight calls of payment providers, tax services and message services per connection.", []string{"connection"}, nil)
)

var circuitValues = map[ports.CircuitState]float64{ports.CircuitClosed: 0, ports.CircuitHalfOpen: 1, ports.CircuitOpen: 2}

// Describe implements prometheus.Collector.
func (circuitCollector) Describe(to chan<- *prometheus.Desc) {
	to <- circuitState
	to <- inFlightCalls
}

// Collect implements prometheus.Collector.
func (b circuitCollector) Collect(to chan<- prometheus.Metric) {
	for _, c := range b.circuits() {
		to <- prometheus.MustNewConstMetric(circuitState, prometheus.GaugeValue, circuitValues[c.State], c.Name, c.Connection)
		if c.Connection != "" {
			to <- prometheus.MustNewConstMetric(inFlightCalls, prometheus.GaugeValue, float64(c.InFlight), c.Connection)
		}
	}
}
