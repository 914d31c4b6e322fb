package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/app/jobs"
)

// Jobs exports how many exports and imports wait and run, over all instances.
type Jobs struct {
	Backlog func(ctx context.Context) ([]jobs.Backlog, error)
	Now     func() time.Time
}

var (
	jobsOpen   = prometheus.NewDesc("cartwright_jobs", "Exports and imports that have not ended.", []string{"collection", "status"}, nil)
	jobsOldest = prometheus.NewDesc("cartwright_jobs_oldest_waiting_seconds",
		"Age of the oldest export or import that waits; 0 while none does.", []string{"collection"}, nil)
)

// Describe implements prometheus.Collector.
func (Jobs) Describe(to chan<- *prometheus.Desc) {
	to <- jobsOpen
	to <- jobsOldest
}

// Collect implements prometheus.Collector. While the database is unavailable, its metrics are missing.
func (j Jobs) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), lagTimeout)
	defer cancel()
	all, err := j.Backlog(ctx)
	if err != nil {
		return
	}
	for _, b := range all {
		age := time.Duration(0)
		if !b.Since.IsZero() {
			age = max(0, j.Now().Sub(b.Since))
		}
		to <- prometheus.MustNewConstMetric(jobsOpen, prometheus.GaugeValue, float64(b.Waiting), b.Collection, "waiting")
		to <- prometheus.MustNewConstMetric(jobsOpen, prometheus.GaugeValue, float64(b.Running), b.Collection, "running")
		to <- prometheus.MustNewConstMetric(jobsOldest, prometheus.GaugeValue, age.Seconds(), b.Collection)
	}
}
