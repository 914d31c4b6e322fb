package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/ports"
)

// Webhooks tells how far deliveries are behind, of all instances, and what this one did.
type Webhooks struct {
	Lag      func(ctx context.Context) (ports.DeliveryLag, error)
	Attempts func() (succeeded, failed, discarded int64)
	Now      func() time.Time
}

var (
	pending   = prometheus.NewDesc("cartwright_webhook_pending", "Webhook deliveries that are not over.", nil, nil)
	oldest    = prometheus.NewDesc("cartwright_webhook_oldest_seconds", "Age of the oldest webhook delivery that is not over.", nil, nil)
	behind    = prometheus.NewDesc("cartwright_webhook_behind_events", "Events for which it is not decided yet which endpoints hear of them.", nil, nil)
	attempts  = prometheus.NewDesc("cartwright_webhook_attempts_total", "Requests to webhook endpoints.", []string{"outcome"}, nil)
	discarded = prometheus.NewDesc("cartwright_webhook_discarded_total", "Webhook deliveries that were given up without a request.", nil, nil)
)

// lagTime is how long the database may take to tell: a scrape waits for it.
const lagTime = 2 * time.Second

// Describe implements prometheus.Collector.
func (Webhooks) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{pending, oldest, behind, attempts, discarded} {
		to <- d
	}
}

// Collect implements prometheus.Collector. While the database is away, what it would tell is missing.
func (w Webhooks) Collect(to chan<- prometheus.Metric) {
	ok, bad, gone := w.Attempts()
	to <- prometheus.MustNewConstMetric(attempts, prometheus.CounterValue, float64(ok), "succeeded")
	to <- prometheus.MustNewConstMetric(attempts, prometheus.CounterValue, float64(bad), "failed")
	to <- prometheus.MustNewConstMetric(discarded, prometheus.CounterValue, float64(gone))
	ctx, cancel := context.WithTimeout(context.Background(), lagTime)
	defer cancel()
	lag, err := w.Lag(ctx)
	if err != nil {
		return
	}
	age := 0.0
	if !lag.Oldest.IsZero() {
		age = max(w.Now().Sub(lag.Oldest).Seconds(), 0)
	}
	to <- prometheus.MustNewConstMetric(pending, prometheus.GaugeValue, float64(lag.Pending))
	to <- prometheus.MustNewConstMetric(oldest, prometheus.GaugeValue, age)
	to <- prometheus.MustNewConstMetric(behind, prometheus.GaugeValue, float64(lag.Behind))
}
