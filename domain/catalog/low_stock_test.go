package catalog_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestLowStockIsPerEnvironment(t *testing.T) {
	t.Parallel()
	fresh := record{"id": "p"}
	live := catalog.WithLowStock(fresh, tenant.Live, true)
	if catalog.LowStock(fresh, tenant.Live) || catalog.LowStock(fresh, tenant.Test) || len(fresh) != 1 {
		t.Errorf("the record before changed: %v", fresh)
	}
	if !catalog.LowStock(live, tenant.Live) || catalog.LowStock(live, tenant.Test) || live["lowStock"] != true {
		t.Errorf("low in live: %v", live)
	}
	if live["lowLive"] != true || live["lowTest"] != nil {
		t.Errorf("filters in live would not match: %v", live)
	}
	both := catalog.WithLowStock(live, tenant.Test, true)
	if !catalog.LowStock(both, tenant.Live) || !catalog.LowStock(both, tenant.Test) {
		t.Errorf("low in both: %v", both)
	}
	test := catalog.WithLowStock(both, tenant.Live, false)
	if catalog.LowStock(test, tenant.Live) || !catalog.LowStock(test, tenant.Test) || test["lowStock"] != false {
		t.Errorf("low in test: %v", test)
	}
	for _, low := range []bool{true, false} {
		if born := catalog.InitLowStock(fresh, low); catalog.LowStock(born, tenant.Live) != low ||
			catalog.LowStock(born, tenant.Test) != low || born["lowStock"] != low {
			t.Errorf("born: %v", born)
		}
	}
}

func TestLowStockThreshold(t *testing.T) {
	t.Parallel()
	if n := catalog.LowStockThreshold(record{"lowStockThreshold": int64(0)}); n == nil || *n != 0 {
		t.Errorf("threshold of a record without one: %v", n)
	}
	for _, r := range []record{nil, {}, {"lowStockThreshold": nil}} {
		if n := catalog.LowStockThreshold(r); n != nil {
			t.Errorf("%v: %v", r, *n)
		}
	}
}
