package catalog_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestARecordRemembersWhereItIsLow(t *testing.T) {
	t.Parallel()
	fresh := record{"id": "p"}
	live := catalog.WithLow(fresh, tenant.Live, true)
	if catalog.Low(fresh, tenant.Live) || catalog.Low(fresh, tenant.Test) || len(fresh) != 1 {
		t.Errorf("the record before changed: %v", fresh)
	}
	if !catalog.Low(live, tenant.Live) || catalog.Low(live, tenant.Test) || live["lowStock"] != true {
		t.Errorf("low in live: %v", live)
	}
	if live["lowLive"] != true || live["lowTest"] != nil {
		t.Errorf("filters of live would not find it: %v", live)
	}
	both := catalog.WithLow(live, tenant.Test, true)
	if !catalog.Low(both, tenant.Live) || !catalog.Low(both, tenant.Test) {
		t.Errorf("low in both: %v", both)
	}
	test := catalog.WithLow(both, tenant.Live, false)
	if catalog.Low(test, tenant.Live) || !catalog.Low(test, tenant.Test) || test["lowStock"] != false {
		t.Errorf("low in test: %v", test)
	}
	for _, low := range []bool{true, false} {
		if born := catalog.BornLow(fresh, low); catalog.Low(born, tenant.Live) != low || catalog.Low(born, tenant.Test) != low || born["lowStock"] != low {
			t.Errorf("born: %v", born)
		}
	}
}

func TestAThresholdIsANumberOrNone(t *testing.T) {
	t.Parallel()
	if n := catalog.Threshold(record{"lowStockThreshold": int64(0)}); n == nil || *n != 0 {
		t.Errorf("none at all is a threshold: %v", n)
	}
	for _, r := range []record{nil, {}, {"lowStockThreshold": nil}} {
		if n := catalog.Threshold(r); n != nil {
			t.Errorf("%v: %v", r, *n)
		}
	}
}
