package catalog

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The internal fields of products and variants that store for each environment whether stock is low. Readers
// see lowStock.
const (
	lowStockLive = "lowLive"
	lowStockTest = "lowTest"
)

func lowStockField(env tenant.Environment) string {
	if env == tenant.Test {
		return lowStockTest
	}
	return lowStockLive
}

// lowStockFields declares lowStock, which staff see for their environment, and the internal fields behind it.
func lowStockFields() []collection.Field {
	return []collection.Field{
		{
			Name: "lowStock", Kind: collection.Boolean, Source: "stock.low", ReadOnly: true, VisibleTo: collection.Staff,
			Doc: "Whether no more units than lowStockThreshold are free, in the environment of the request.",
		},
		{
			Name: lowStockLive, Kind: collection.Boolean, ReadOnly: true, Default: false, Indexed: true, VisibleTo: collection.ServerOnly,
			Doc: "The same in live.",
		},
		{
			Name: lowStockTest, Kind: collection.Boolean, ReadOnly: true, Default: false, Indexed: true, VisibleTo: collection.ServerOnly,
			Doc: "The same in test.",
		},
	}
}

// LowStockThreshold is the number of available units at or below which r, a product or a variant, is low; nil
// for none.
func LowStockThreshold(r collection.Record) *int64 {
	if n, ok := r["lowStockThreshold"].(int64); ok {
		return &n
	}
	return nil
}

// LowStock reports whether r, a product or a variant, is stored as low in env.
func LowStock(r collection.Record, env tenant.Environment) bool { return r.Bool(lowStockField(env)) }

// WithLowStock returns r with low stored for env and shown as lowStock.
func WithLowStock(r collection.Record, env tenant.Environment, low bool) collection.Record {
	r = r.Clone()
	r[lowStockField(env)], r["lowStock"] = low, low
	return r
}

// InitLowStock sets the flag of a new record in both environments, since the test stock starts as a copy of
// the live stock. Rule catalog-16.
func InitLowStock(r collection.Record, low bool) collection.Record {
	return WithLowStock(WithLowStock(r, tenant.Live, low), tenant.Test, low)
}
