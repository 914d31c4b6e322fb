package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/ports"
)

// Search exports how far the indexes of what records are found by are behind, over all instances.
type Search struct {
	Backlog func(ctx context.Context) (ports.SearchBacklog, error)
}

var (
	searchBehind = prometheus.NewDesc("cartwright_search_behind_events", "Events not yet in the search index.", nil, nil)
	searchMaking = prometheus.NewDesc("cartwright_search_tenants_indexing", "Tenants whose search index is being made from their records.", nil, nil)
)

// Describe implements prometheus.Collector.
func (Search) Describe(to chan<- *prometheus.Desc) {
	to <- searchBehind
	to <- searchMaking
}

// Collect implements prometheus.Collector. While the database is unavailable, its metrics are missing.
func (s Search) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), lagTimeout)
	defer cancel()
	b, err := s.Backlog(ctx)
	if err != nil {
		return
	}
	to <- prometheus.MustNewConstMetric(searchBehind, prometheus.GaugeValue, float64(b.Events))
	to <- prometheus.MustNewConstMetric(searchMaking, prometheus.GaugeValue, float64(b.Making))
}
