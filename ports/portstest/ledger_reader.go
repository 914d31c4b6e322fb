package portstest

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
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
	t.Run("taxes are read by time, in pages", f.testTaxes)
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

func (f LedgerReaderFixture) testTaxes(t *testing.T) {
	id, other := freshTenant(), freshTenant()
	entry := func(name string, at time.Duration, side tax.Side, list ...tax.Amount) tax.Entry {
		return tax.Entry{ID: name, Tenant: id, Environment: tenant.Live, Transaction: "t-" + name, Side: side, At: day.Add(at), Taxes: list}
	}
	vat := tax.Amount{
		Rate: "r", Name: "VAT", Country: "KR", Percent: money.DecimalFromE8(7_12500000), Base: money.Of(100, "KRW"), Amount: money.Of(7, "KRW"),
	}
	off := tax.Amount{Name: "City", Base: money.Of(-100, "EUR"), Amount: money.Of(-3, "EUR")}
	entries := []tax.Entry{
		entry("e3", 0, tax.Paid, vat, off), entry("e1", time.Second, tax.Refunded, off), entry("e2", time.Second, tax.Lost, vat),
		entry("e0", time.Hour, tax.Paid, vat),
	}
	test, foreign := entry("e8", 0, tax.Paid, vat), entry("e9", 0, tax.Paid, vat)
	test.Environment, foreign.Tenant = tenant.Test, other
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		for _, e := range []tax.Entry{entries[3], entries[2], entries[1], entries[0], test} {
			if err := tx.Ledger.AppendTaxes(ctx, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err := inTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Ledger.AppendTaxes(ctx, foreign) }); err == nil {
		t.Error("taxes of another tenant were recorded")
	}
	for limit := 1; limit <= 5; limit++ {
		var all []tax.Entry
		q := ports.TaxQuery{Tenant: id, Environment: tenant.Live, Since: day, Until: day.Add(time.Hour), Limit: limit}
		for more := true; more; {
			found, err := f.Reader.Taxes(t.Context(), q)
			if err != nil || len(found) > limit {
				t.Fatal(found, err)
			}
			for _, e := range found {
				q.Since, q.After = e.At, e.ID
				e.At = e.At.UTC()
				all = append(all, e)
			}
			more = len(found) == limit
		}
		if !reflect.DeepEqual(all, entries[:3]) {
			t.Errorf("%d at a time: %+v", limit, all)
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
