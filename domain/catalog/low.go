package catalog

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Where products and variants remember in which environment their stock is low; what a reader sees is lowStock.
const (
	lowLive = "lowLive"
	lowTest = "lowTest"
)

func lowIn(env tenant.Environment) string {
	if env == tenant.Test {
		return lowTest
	}
	return lowLive
}

// lowFields tell that stock is low: to staff in their environment, and to the store in both.
func lowFields() []collection.Field {
	return []collection.Field{
		{Name: "lowStock", Kind: collection.Boolean, Source: "stock.low", Owned: true, Read: collection.Staff, Doc: "Whether no more units than lowStockThreshold are free, in the environment of the request."},
		{Name: lowLive, Kind: collection.Boolean, Owned: true, Default: false, Indexed: true, Read: collection.Nobody, Doc: "The same in live."},
		{Name: lowTest, Kind: collection.Boolean, Owned: true, Default: false, Indexed: true, Read: collection.Nobody, Doc: "The same in test."},
	}
}

// Threshold is the number of free units at which r, a product or a variant, is low; nil for none.
func Threshold(r collection.Record) *int64 {
	if n, ok := r["lowStockThreshold"].(int64); ok {
		return &n
	}
	return nil
}

// Low reports what r, a product or a variant, remembers: whether its stock is low in env.
func Low(r collection.Record, env tenant.Environment) bool { return r.Bool(lowIn(env)) }

// WithLow is r remembering whether its stock is low in env, and showing it.
func WithLow(r collection.Record, env tenant.Environment, low bool) collection.Record {
	r = r.Clone()
	r[lowIn(env)], r["lowStock"] = low, low
	return r
}

// BornLow is a new record whose stock is the same in both environments: its test row starts as a copy. Contract 2.
func BornLow(r collection.Record, low bool) collection.Record {
	return WithLow(WithLow(r, tenant.Live, low), tenant.Test, low)
}
