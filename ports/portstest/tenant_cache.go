package portstest

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/ports"
)

// TenantCache checks ports.TenantCache of what receipts and counter keep.
func TenantCache(t *testing.T, c ports.TenantCache, receipts ports.ReceiptCache, counter ports.SharedCounter) {
	id, other := freshTenant(), freshTenant()
	gone, kept := receiptOf(id, freshKey()), receiptOf(other, freshKey())
	month := quota.MonthOf(quota.DayOf(day))
	for _, r := range []ports.Receipt{gone, kept} {
		receipts.Put(t.Context(), receipts.Epoch(), r)
		eventually(t, "the receipt is cached", func() bool { _, ok := receipts.Find(t.Context(), r.Key); return ok })
		if err := counter.RaiseTo(t.Context(), r.Tenant, month, map[string]int64{"c": 7}); err != nil {
			t.Fatal(err)
		}
	}
	known := func(r ports.Receipt) bool {
		_, _, err := counter.Admit(t.Context(), r.Tenant, month, ports.CounterState{Counter: "c", Calls: 1}, 1000)
		return err == nil
	}
	for range 2 { // what is gone may be forgotten again
		if err := c.ForgetReceipts(t.Context(), []ports.ReceiptKey{gone.Key, freshKey()}); err != nil {
			t.Fatal(err)
		}
		if err := c.ForgetTenant(t.Context(), id, day.AddDate(0, 1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := receipts.Find(t.Context(), gone.Key); ok || known(gone) {
		t.Errorf("of the tenant a receipt (%t) or its count is left", ok)
	}
	if _, ok := receipts.Find(t.Context(), kept.Key); !ok || !known(kept) {
		t.Errorf("another tenant's receipt (%t) or count is gone", ok)
	}
}
