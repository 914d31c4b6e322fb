package metrics

import "github.com/prometheus/client_golang/prometheus"

// Taxes exports what this instance asked tax services, by what came of it.
type Taxes struct {
	Stats func() (answered, fallback, failed int64)
}

var taxQuestions = prometheus.NewDesc("cartwright_tax_questions_total",
	"Sales whose taxes a service was asked for: it answered, the shop's rates stood in, or nothing was sold.", []string{"outcome"}, nil)

// Describe implements prometheus.Collector.
func (Taxes) Describe(to chan<- *prometheus.Desc) { to <- taxQuestions }

// Collect implements prometheus.Collector.
func (t Taxes) Collect(to chan<- prometheus.Metric) {
	answered, fallback, failed := t.Stats()
	to <- prometheus.MustNewConstMetric(taxQuestions, prometheus.CounterValue, float64(answered), "answered")
	to <- prometheus.MustNewConstMetric(taxQuestions, prometheus.CounterValue, float64(fallback), "fallback")
	to <- prometheus.MustNewConstMetric(taxQuestions, prometheus.CounterValue, float64(failed), "failed")
}
