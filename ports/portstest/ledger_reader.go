package portstest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// LedgerReaderFixture is a store with what reads its ledger.
type LedgerReaderFixture struct {
	Store  ports.Store
	Reader ports.LedgerReader
	// SetReserved stores a wrong number of reserved units of a variant, as no port does.
	SetReserved func(t *testing.T, id tenant.ID, env tenant.Environment, variant string, units int64)
}

// LedgerReader checks ports.LedgerReader of the stores that open makes.
func LedgerReader(t *testing.T, open func(t *testing.T) LedgerReaderFixture) {
	f := open(t)
	t.Run("a tenant without entries has none", func(t *testing.T) {
		id := freshTenant()
		f.wantEntries(t, id, "", 9)
		if got, err := f.Reader.Balances(t.Context(), id, []string{"o1"}); err != nil || len(got) != 0 {
			t.Errorf("balances %v, %v", got, err)
		}
		f.wantDrift(t, id)
	})
	t.Run("entries are read in pages, with the order that the money belongs to", f.testEntries)
	t.Run("stock whose reserved units are not those of its reservations is drift", f.testDrift)
}

func (f LedgerReaderFixture) wantEntries(t *testing.T, id tenant.ID, after string, limit int, want ...ports.LedgerEntry) {
	t.Helper()
	got, err := f.Reader.Entries(t.Context(), id, after, limit)
	for i := range got {
		got[i].At = got[i].At.UTC()
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("after %q: %+v, %v, want %+v", after, got, err, want)
	}
}

func (f LedgerReaderFixture) testEntries(t *testing.T) {
	id, other := freshTenant(), freshTenant()
	entries := []ports.LedgerEntry{
		movement(id, 1, "charge", "p1", 10), movement(id, 2, "refund", "p1", 3), movement(id, 3, "charge", "p2", 7),
		movement(id, 4, "charge", "p3", 1),
	}
	entries[2].Order, entries[3].Order, entries[3].Environment = "", "o2", tenant.Test
	for _, i := range []int{3, 0, 2, 1} { // entries are in the order of their ids, whichever was first
		mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Ledger.Append(ctx, entries[i]) })
	}
	mustInTx(t, f.Store, other, func(ctx context.Context, tx ports.Tx) error {
		return tx.Ledger.Append(ctx, movement(other, 1, "charge", "p1", 99))
	})
	entries[2].Order = "o2"
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Ledger.Assign(ctx, entries[2]) })
	entries[0].Settled = payment.Settled{Net: money.Of(-3, "USD"), Fee: money.Of(4, "USD")}
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Ledger.Settle(ctx, entries[0], entries[0].Settled)
	})
	for after, rest := range map[string][]ports.LedgerEntry{"": entries, "m2": entries[2:], "m4": nil} {
		for limit := 1; limit <= 5; limit++ {
			f.wantEntries(t, id, after, limit, rest[:min(limit, len(rest))]...)
		}
	}
	for of, want := range map[tenant.ID]map[string]map[money.Currency]int64{
		id: {"o1": {"EUR": 7}, "o2": {"EUR": 8}}, other: {"o1": {"EUR": 99}}, freshTenant(): {},
	} {
		got, err := f.Reader.Balances(t.Context(), of, []string{"o1", "o2", "o3"})
		if err != nil || !maps.EqualFunc(got, want, maps.Equal) {
			t.Errorf("balances %v, %v, want %v", got, err, want)
		}
	}
}

func (f LedgerReaderFixture) wantDrift(t *testing.T, id tenant.ID, want ...ports.StockDrift) {
	t.Helper()
	if got, err := f.Reader.StockDrift(t.Context(), id); err != nil || !slices.Equal(got, want) {
		t.Errorf("drift %+v, %v, want %+v", got, err, want)
	}
}

func (f LedgerReaderFixture) testDrift(t *testing.T) {
	h := stockFixture{t, f.Store, freshTenant(), false}
	h.set("v", 10, true)
	h.set("w", 10, true)
	for holder, units := range map[string]int64{"c1": 2, "c2": 3} {
		if err := h.reserve(holder, ports.Demand{Variant: "v", Quantity: units}); err != nil {
			t.Fatal(err)
		}
	}
	f.wantDrift(t, h.id)
	f.SetReserved(t, h.id, tenant.Live, "v", 4)
	want := ports.StockDrift{StockKey: ports.StockKey{Environment: tenant.Live, Variant: "v"}, Reserved: 4, ReservationSum: 5}
	f.wantDrift(t, h.id, want)
	f.wantDrift(t, freshTenant())
	f.SetReserved(t, h.id, tenant.Live, "v", 5)
	f.SetReserved(t, h.id, tenant.Live, "w", 1)
	f.wantDrift(t, h.id, ports.StockDrift{StockKey: ports.StockKey{Environment: tenant.Live, Variant: "w"}, Reserved: 1})
}
