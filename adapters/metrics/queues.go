package metrics

import "github.com/prometheus/client_golang/prometheus"

// Queues tells how much waits at the moment.
type Queues struct {
	Changes func() int // of carts, for their worker
	Steps   func() int // for their commit
}

var (
	depth = prometheus.NewDesc("cartwright_cart_mailbox_depth", "Changes of carts that wait for their worker or are being done.", nil, nil)
	steps = prometheus.NewDesc("cartwright_commit_queue_steps", "Steps that wait for a transaction of the committer.", nil, nil)
)

// Describe implements prometheus.Collector.
func (Queues) Describe(to chan<- *prometheus.Desc) {
	to <- depth
	to <- steps
}

// Collect implements prometheus.Collector.
func (q Queues) Collect(to chan<- prometheus.Metric) {
	to <- prometheus.MustNewConstMetric(depth, prometheus.GaugeValue, float64(q.Changes()))
	to <- prometheus.MustNewConstMetric(steps, prometheus.GaugeValue, float64(q.Steps()))
}
