package exports_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

func TestOrdersAreExportedWithARowForEachLine(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(2)
		for _, format := range transfer.Formats {
			id := b.ask(func(q *transfer.Request) {
				q.Format, q.Locale = format, transfer.Korean
				q.Columns = []string{
					"orderNumber", "sku", "title", "quantity", "unitPrice", "totalAmount", "recipientName", "notes", "trackingNumbers", "placedAt",
				}
			})
			b.refused(id, transfer.ErrNotDone)
			b.run()
			line := func(order, sku string) string {
				return strings.Join([]string{
					order, sku, "=Mug", "2", "6000", "27000", "김 민수", "quick, \"please\"\nor not", "", "2026-01-31T09:00:00.000Z",
				}, ";")
			}
			want := []string{
				"주문번호;SKU;상품명;수량;단가;주문 합계;수령인;메모;운송장번호;주문일시",
				line("20260131-000000", "MUG-1"), line("20260131-000000", "MUG-2"), line("20260131-000001", "MUG-1"), line("20260131-000001", "MUG-2"),
			}
			rows := b.table(id)
			if len(rows) != len(want) {
				t.Fatalf("%s: %q", format, rows)
			}
			for i, row := range rows {
				if got := strings.Join(row, ";"); got != want[i] {
					t.Errorf("%s: row %d is %q, want %q", format, i, got, want[i])
				}
			}
			if j := b.job(id); j.Status != job.Done || j.Handled != 2 || j.Total == nil || *j.Total != 2 {
				t.Errorf("%s: %+v", format, j)
			}
		}
	})
}

// The rows of many orders are never in memory together.
func TestExportReadsPageByPage(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		const orders = 1250
		b.sell(orders)
		id := b.ask(nil)
		b.run()
		if rows := b.table(id); len(rows) != 1+2*orders {
			t.Errorf("the file has %d rows", len(rows))
		}
		if b.reads.largest > 100 || b.reads.pages < orders/100 {
			t.Errorf("read %d pages of at most %d orders", b.reads.pages, b.reads.largest)
		}
	})
}

func TestExportsThatMakeNoSenseAreRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		for name, q := range map[string]transfer.Request{
			"unknown kind":   {Kind: "dreams"},
			"unknown column": {Kind: "orders", Columns: []string{"orderNumber", "shoeSize"}},
			"twice":          {Kind: "orders", Columns: []string{"sku", "sku"}},
			"no column":      {Kind: "orders", Columns: []string{}},
			"where":          {Kind: "orders", Where: map[string]any{"shoeSize": map[string]any{"equals": "42"}}},
			"hidden field":   {Kind: "orders", Where: map[string]any{"importHash": map[string]any{"exists": true}}},
			"not a where":    {Kind: "orders", Where: "all"},
		} {
			q.Format, q.Locale = "csv", transfer.English
			if _, err := b.Start(t.Context(), b.as(b.editor()), q); fault.From(err).Kind != fault.Invalid {
				t.Errorf("%s: %v", name, err)
			}
		}
		if all := shops.NewView(t, b.store, b.shop.ID).All(transfer.Exports); len(all) != 0 {
			t.Errorf("stored %v", all)
		}
	})
}

func TestRepeatedRequestStartsOneExport(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		call := b.as(b.editor())
		call.Key = "ik_0123456789abcdef"
		q := transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English}
		first, err := b.Start(t.Context(), call, q)
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.Start(t.Context(), call, q)
		if err != nil || again.Body.String() != first.Body.String() {
			t.Errorf("%v, %v", again, err)
		}
		if all := shops.NewView(t, b.store, b.shop.ID).All(transfer.Exports); len(all) != 1 {
			t.Errorf("%d exports", len(all))
		}
	})
}
