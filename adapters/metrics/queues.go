package metrics

import "github.com/prometheus/client_golang/prometheus"

// Queues exports the length of queues.
type Queues struct {
	Changes func() int // cart changes waiting for their worker
	Steps   func() int // changes waiting for a commit
}

var (
	mailboxDepth     = prometheus.NewDesc("cartwright_cart_mailbox_depth", "Cart changes queued or in progress.", nil, nil)
	commitQueueSteps = prometheus.NewDesc("cartwright_commit_queue_steps", "Steps waiting for the group commit.", nil, nil)
)

// Describe implements prometheus.Collector.
func (Queues) Describe(to chan<- *prometheus.Desc) {
	to <- mailboxDepth
	to <- commitQueueSteps
}

// Collect implements prometheus.Collector.
func (q Queues) Collect(to chan<- prometheus.Metric) {
	to <- prometheus.MustNewConstMetric(mailboxDepth, prometheus.GaugeValue, float64(q.Changes()))
	to <- prometheus.MustNewConstMetric(commitQueueSteps, prometheus.GaugeValue, float64(q.Steps()))
}
