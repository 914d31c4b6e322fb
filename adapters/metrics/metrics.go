// Package metrics exports the state of the server to Prometheus at /metrics. Rule running-6.
//
// State that other parts of the server hold is read when Prometheus scrapes (see New), so that it costs
// nothing in between; events are counted as they happen (see Activity). Labels are kinds of things and, for
// connections, record ids: never a tenant's name or id, a key or an address. The number of series is bounded:
// requests are labeled with the pattern of their route, unmatched requests share one label, and collectors
// return bounded lists.
package metrics

import (
	"bytes"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"github.com/cartwright-dev/cartwright/ports"
)

// Exporter gives metrics to scrapers and to gatherers.
type Exporter struct{ prometheus.Gatherer }

// New exports the metrics of the process, of its circuits, and of others.
func New(circuits func() []ports.Circuit, others ...prometheus.Collector) Exporter {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		circuitCollector{circuits})
	registry.MustRegister(others...)
	return Exporter{registry}
}

// Expose writes the metrics in the format that a scraper asks for in its Accept header: Prometheus' text or
// protocol buffers.
func (e Exporter) Expose(accept string) (contentType string, body []byte, err error) {
	families, err := e.Gather()
	if err != nil {
		return "", nil, err
	}
	format := expfmt.NegotiateAccept(http.Header{"Accept": {accept}}, expfmt.DefaultAcceptedFormats()...)
	var out bytes.Buffer
	encoder := expfmt.NewEncoder(&out, format)
	for _, family := range families {
		if err := encoder.Encode(family); err != nil {
			return "", nil, err
		}
	}
	return string(format), out.Bytes(), nil
}
