package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/ports"
)

// Webhooks exports the delivery backlog of all instances, and the attempts of this one.
type Webhooks struct {
	Lag      func(ctx context.Context) (ports.DeliveryLag, error)
	Attempts func() (succeeded, failed, discarded int64)
	Now      func() time.Time
}

var (
	webhookPending   = prometheus.NewDesc("cartwright_webhook_pending", "Pending webhook deliveries.", nil, nil)
	webhookOldest    = prometheus.NewDesc("cartwright_webhook_oldest_seconds", "Age of the oldest pending webhook delivery.", nil, nil)
	webhookBehind    = prometheus.NewDesc("cartwright_webhook_behind_events", "Events not yet fanned out to webhook endpoints.", nil, nil)
	webhookAttempts  = prometheus.NewDesc("cartwright_webhook_attempts_total", "Requests to webhook endpoints.", []string{"outcome"}, nil)
	webhookDiscarded = prometheus.NewDesc("cartwright_webhook_discarded_total", "Webhook deliveries discarded without a request.", nil, nil)
)

// lagTimeout bounds the database query of a scrape.
const lagTimeout = 2 * time.Second

// Describe implements prometheus.Collector.
func (Webhooks) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{webhookPending, webhookOldest, webhookBehind, webhookAttempts, webhookDiscarded} {
		to <- d
	}
}

// Collect implements prometheus.Collector. While the database is unavailable, its metrics are missing.
func (w Webhooks) Collect(to chan<- prometheus.Metric) {
	ok, bad, gone := w.Attempts()
	to <- prometheus.MustNewConstMetric(webhookAttempts, prometheus.CounterValue, float64(ok), "succeeded")
	to <- prometheus.MustNewConstMetric(webhookAttempts, prometheus.CounterValue, float64(bad), "failed")
	to <- prometheus.MustNewConstMetric(webhookDiscarded, prometheus.CounterValue, float64(gone))
	ctx, cancel := context.WithTimeout(context.Background(), lagTimeout)
	defer cancel()
	lag, err := w.Lag(ctx)
	if err != nil {
		return
	}
	age := 0.0
	if !lag.Oldest.IsZero() {
		age = max(w.Now().Sub(lag.Oldest).Seconds(), 0)
	}
	to <- prometheus.MustNewConstMetric(webhookPending, prometheus.GaugeValue, float64(lag.Pending))
	to <- prometheus.MustNewConstMetric(webhookOldest, prometheus.GaugeValue, age)
	to <- prometheus.MustNewConstMetric(webhookBehind, prometheus.GaugeValue, float64(lag.EventsBehind))
}
