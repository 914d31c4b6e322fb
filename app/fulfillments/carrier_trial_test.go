package fulfillments_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// told is what a report says, without whether it was a dry run. Ids that a run invents are not in it.
func told(r fulfillments.CarrierReport) string {
	r.DryRun = false
	return r.Body(words.English).String()
}

// A dry run and the import after it say the same of every row, also where rows far apart meet.
func TestDryRunSaysWhatTheImportDoes(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		all, file := d.sellMany(450)
		mixed, packed, held, byHand := d.sell("2 mug, 1 course"), d.sell("2 mug, 1 lamp"), d.sell("1 mug"), d.sell("1 course")
		d.pack(packed, "1 mug") // under 123456789012
		d.change(held.id, func(o *order.Order) { o.Status = order.Canceled })
		rows := strings.Split(strings.TrimSpace(file), "\n")
		rows[71] = all[70].byCarrier + ",,cj,000000000011"   // the number of an order in the same transaction
		rows[301] = all[300].byCarrier + ",,cj,000000000012" // of one in an earlier batch
		rows = append(rows, rows[21], all[21].byCarrier+",,cj,999999999999", ","+d.number(mixed)+",HYUNDAI,1234-5678-9012",
			packed.byCarrier+",,cj,123456789012", packed.byCarrier+",,cj,210987654321", held.byCarrier+",,cj,111111111111",
			byHand.byHand+",,cj,111111111111", shops.NewID()+",,cj,111111111111", all[0].byCarrier+","+d.number(all[1])+",cj,1",
			all[0].byCarrier+",,nobody,111111111111", all[0].byCarrier+",,cj,=111111111111", all[0].byCarrier+",,cj,")
		file = sent(rows...)
		before := d.count(order.Fulfillments)
		trial := d.try(file)
		if got := d.count(order.Fulfillments); got != before || !trial.DryRun {
			t.Fatalf("a dry run left %d parcels where there were %d", got, before)
		}
		report := d.run(file)
		if told(trial) != told(report) {
			t.Errorf("it would be\n%s\nand was\n%s", told(trial), told(report))
		}
		if report.DryRun || report.Applied != 453 || report.Unchanged != 1 || report.Skipped != 1 || report.Refused() != 7 || len(report.Warnings) != 2 {
			t.Errorf("%d applied, %d unchanged, %d skipped, %+v %+v", report.Applied, report.Unchanged, report.Skipped, report.Errors, report.Warnings)
		}
	})
}

func TestRowsAreToldWithReasons(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		whole, part, far := d.sell("2 mug, 1 course"), d.sell("2 mug, 1 lamp"), d.sell("1 mug")
		long := strings.Repeat("A1", 25) // the longest that is kept
		d.pack(part, "1 mug")
		r := d.open(sent(head, whole.byCarrier+",,HYUNDAI,1234-5678-9012", part.byCarrier+",,cj,123456789012",
			","+"NO-1,cj,1234567890", whole.byCarrier+",,cj,", whole.byCarrier+",,nobody,1", far.byCarrier+",,other,"+long))
		defer r.Close()
		answer, err := d.Preview(t.Context(), d.staff("", ""), r)
		if err != nil {
			t.Fatal(err)
		}
		got := decoded(t, answer.Body.Bytes())
		var lines []string
		for _, row := range got.Rows {
			lines = append(lines, fmt.Sprint(row["row"], row["status"], row["quantity"], row["left"], row["reason"], row["orderNumber"], row["trackingNumber"]))
		}
		want := []string{
			fmt.Sprint(2, "applied", 2, 0, nil, d.number(whole), "123456789012"), fmt.Sprint(3, "applied", 1, 2, nil, d.number(part), "123456789012"),
			fmt.Sprint(4, "refused", 0, 0, "carrier_row_order_unknown", "NO-1", "1234567890"), fmt.Sprint(5, "skipped", 0, 0, nil, nil, nil),
			fmt.Sprint(6, "refused", 0, 0, "carrier_unknown", nil, "1"),
			fmt.Sprint(7, "applied", 1, 0, nil, d.number(far), long),
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%q\nwant %q", lines, want)
		}
		if !got.DryRun || got.Errors[0].Reason != "carrier_row_order_unknown" || len(d.parcels(whole)) != 0 {
			t.Errorf("%s", answer.Body)
		}
	})
}

// Each way in which a row is refused is mended another way, so each says its own, in Korean too.
func TestRefusedRowsSayWhatToMend(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		done, packed := d.sell("1 mug"), d.sell("1 mug")
		d.run(sent(head, done.byCarrier+",,cj,222222222222"))
		d.pack(packed, "")
		report := d.run(sent(head, packed.byCarrier+",,cj,444444444444", done.byCarrier+",,lotte,222222222222",
			shops.NewID()+",,cj,111111111111", ",2.60131E+11,cj,111111111111", done.byCarrier+",,nobody,111111111111"))
		want := []string{
			"carrier_row_packed", "carrier_row_sent_already", "carrier_row_fulfillment_order_unknown", "carrier_row_order_rounded", "carrier_unknown",
		}
		var got []string
		for _, n := range report.Errors {
			got = append(got, n.Reason)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		korean := report.Body(words.Korean).String()
		for _, part := range []string{"아직 발송하지 않은", "다른 운송장번호나 택배사", "없는 출고 지시입니다", "주문번호의 뒷자리", "쓸 수 있는 값: cj, "} {
			if !strings.Contains(korean, part) {
				t.Errorf("nothing says %s: %s", part, korean)
			}
		}
	})
}

// count is how many records of the shop there are.
func (d carrierFixture) count(s *collection.Schema) int {
	d.t.Helper()
	all, err := ports.FindAll(d.t.Context(), d.store.Read(ports.ForTenant(d.shop.ID)), collection.Query{Schema: s, Sort: s.SortBy("id")})
	if err != nil {
		d.t.Fatal(err)
	}
	return len(all)
}

func TestReportListsTheFirstRows(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		rows := slices.Repeat([]string{"x,,cj,"}, fulfillments.MaxListed+249)
		rows = append(rows, "x,,nobody,1") // to be corrected, so it is listed
		got := decoded(t, []byte(told(d.try(sent(append([]string{head}, rows...)...)))))
		if len(got.Rows) != fulfillments.MaxListed || got.MoreRows != 250 || got.Skipped != len(rows)-1 ||
			got.Rows[0]["status"] != "skipped" || got.Rows[len(got.Rows)-1]["status"] != "refused" {
			t.Errorf("%d rows and %d more, %d skipped", len(got.Rows), got.MoreRows, got.Skipped)
		}
	})
}
