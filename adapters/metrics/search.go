package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cartwright-dev/cartwright/ports"
)

// Search exports how far the indexes of what records and products are found by are behind, over all instances.
type Search struct {
	Backlog  func(ctx context.Context) (ports.SearchBacklog, error) // of what operators search
	Products func(ctx context.Context) (ports.SearchBacklog, error) // of what shoppers search
}

var (
	searchBehind  = prometheus.NewDesc("cartwright_search_behind_events", "Events not yet in the search index.", nil, nil)
	searchMaking  = prometheus.NewDesc("cartwright_search_tenants_indexing", "Tenants whose search index is being made from their records.", nil, nil)
	productBehind = prometheus.NewDesc("cartwright_product_search_behind_events", "Events not yet in the product index.", nil, nil)
	productMaking = prometheus.NewDesc("cartwright_product_search_tenants_indexing", "Tenants whose product index is being made from their records.", nil, nil)
)

// Describe implements prometheus.Collector.
func (Search) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{searchBehind, searchMaking, productBehind, productMaking} {
		to <- d
	}
}

// Collect implements prometheus.Collector. While the database is unavailable, its metrics are missing.
func (s Search) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), lagTimeout)
	defer cancel()
	for _, one := range []struct {
		backlog        func(ctx context.Context) (ports.SearchBacklog, error)
		behind, making *prometheus.Desc
	}{{s.Backlog, searchBehind, searchMaking}, {s.Products, productBehind, productMaking}} {
		b, err := one.backlog(ctx)
		if err != nil {
			return
		}
		to <- prometheus.MustNewConstMetric(one.behind, prometheus.GaugeValue, float64(b.Events))
		to <- prometheus.MustNewConstMetric(one.making, prometheus.GaugeValue, float64(b.Making))
	}
}
