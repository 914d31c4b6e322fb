package drafts_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// Rule drafts-4, against every row of every table: receipts, events and counts included.
func TestCalculateChangesNothing(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
		drafts := []string{
			b.draft("", "2 mug", "course"), b.draft(`,"discountCode":"ONCE"`, "mug"), b.draft(`,"discountCode":"NOPE"`, "99 mug"),
			b.draft(`,"shippingFee":1`), b.draft(`,"discountCode":"ONCE"`, "gift"), b.draft("", "mug"),
		}
		if status, got := b.finalize(drafts[4], key()); status != 201 && status != 422 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		b.ask("POST", "/draft-orders/"+drafts[5]+"/discard", "", owner...)
		before := all.StableSnapshot()
		for _, id := range drafts {
			b.calculate(id)
			for _, headers := range [][]string{
				append(owner, "Idempotency-Key", key()), {"Authorization", "Bearer tenant-viewer"}, {"X-API-Key", "sk_reader"},
				{"X-API-Key", "sk_stranger"}, {"X-Client-Key", "pk"},
			} {
				b.ask("POST", "/draft-orders/"+id+"/calculate", `{"explain":true}`, headers...)
			}
		}
		if tables := all.ChangedTables(before); len(tables) > 0 {
			t.Errorf("it changed %v", tables)
		}
	})
}

// Rule drafts-2: a draft is a row of its own, whatever is done to it before finalize; a refusal leaves a receipt
// alone.
func TestOnlyTheDraftIsWrittenBeforeFinalize(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
		before := all.StableSnapshot()
		id := b.draft(`,"discountCode":"ONCE"`, "2 mug", "course")
		if status, got := b.patch(id, `{"customerSnapshot":{"email":"nobody"}}`); status != 200 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		if tables := told(all.ChangedTables(before)); !slices.Equal(tables, []string{"draft_orders", "events"}) {
			t.Errorf("editing changed %v", tables)
		}
		before = all.StableSnapshot()
		if status, got := b.finalize(id, key()); status != 400 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		if tables := all.ChangedTables(before); !slices.Equal(tables, []string{"receipts"}) {
			t.Errorf("a refusal changed %v", tables)
		}
	})
}

// Rule drafts-10: finalize sends no payment link and asks nobody for money.
func TestFinalizeCallsNoProvider(t *testing.T) {
	onOwnServers(t, func(t *testing.T, b *bed, all testservers.Inspector) {
		var calls atomic.Int64
		provider := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
		t.Cleanup(provider.Close)
		b.create(payment.Connections,
			`{"name":"Bank","provider":"sandbox","accountKey":"`+provider.URL+`","environment":"test","isDefault":true}`)
		before := all.StableSnapshot()
		if status, got := b.finalize(b.draft("", "2 mug"), key()); status != 201 {
			t.Fatalf("%d %v", status, got["raw"])
		}
		made := []string{"draft_orders", "events", "fulfillment_orders", "orders", "receipts", "stock", "stock_movements"}
		if tables := told(all.ChangedTables(before)); !slices.Equal(tables, made) {
			t.Errorf("it changed %v", tables)
		}
		if calls.Load() != 0 {
			t.Errorf("%d calls", calls.Load())
		}
	})
}

// told is the tables without those that number events.
func told(tables []string) []string {
	return slices.DeleteFunc(tables, func(name string) bool { return name == "event_counters" || name == "unnumbered_events" })
}
