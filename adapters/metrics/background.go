package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/app/background"
)

// Background exports the state of background tasks.
type Background struct{ Stats func() []background.Stats }

var (
	backgroundPanics = prometheus.NewDesc("cartwright_background_panics_total", "Panics of background work.", []string{"task"}, nil)
	loopRestarts     = prometheus.NewDesc("cartwright_background_restarts_total",
		"Background loops that failed and began again.", []string{"task"}, nil)
	itemFailures = prometheus.NewDesc("cartwright_background_failures_total", "Failures of single background items.", []string{"task"}, nil)
	itemsAside   = prometheus.NewDesc("cartwright_background_set_aside",
		"Background items set aside by this process after repeated failures.", []string{"task"}, nil)
)

// Describe implements prometheus.Collector.
func (Background) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{backgroundPanics, loopRestarts, itemFailures, itemsAside} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (b Background) Collect(to chan<- prometheus.Metric) {
	for _, s := range b.Stats() {
		to <- prometheus.MustNewConstMetric(backgroundPanics, prometheus.CounterValue, float64(s.Panics), s.Task)
		to <- prometheus.MustNewConstMetric(loopRestarts, prometheus.CounterValue, float64(s.Restarts), s.Task)
		to <- prometheus.MustNewConstMetric(itemFailures, prometheus.CounterValue, float64(s.Failures), s.Task)
		to <- prometheus.MustNewConstMetric(itemsAside, prometheus.GaugeValue, float64(s.SetAside), s.Task)
	}
}
