package fulfillments_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestDamagedFileIsRefusedWhole(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		all, file := d.sellMany(210)
		r := d.open(file)
		defer r.Close()
		if report, err := d.Run(t.Context(), d.owner(), &brokenFile{r, 205}, nil); !errors.Is(err, errBroken) || report.Applied != 0 {
			t.Errorf("%+v %v", report, err)
		}
		long := d.open(file + strings.Repeat("\n", carrier.MaxRows) + "x,,cj,1\n")
		defer long.Close()
		if _, err := d.Run(t.Context(), d.owner(), long, nil); !errors.Is(err, carrier.ErrTooManyRows) {
			t.Error(err)
		}
		if got := d.parcels(all[0]); len(got) != 0 {
			t.Errorf("something was applied: %+v", got)
		}
	})
}

func TestImportStopsWhenTheCallerLeaves(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		r := d.open(sent(head, d.sell("1 mug").byCarrier+",,cj,123456789012"))
		defer r.Close()
		gone, leave := context.WithCancel(t.Context())
		leave()
		if report, err := d.Run(gone, d.owner(), r, nil); !errors.Is(err, context.Canceled) || report.Rows != 0 {
			t.Errorf("%+v %v", report, err)
		}
	})
}

func TestConcurrentImportsAreLimited(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d, file := newCarrierFixture(b), sent(head)
		var last ports.SpreadsheetReader
		for range fulfillments.MaxImports {
			r, err := d.Open(strings.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			last = r
			defer r.Close()
		}
		for range 2 {
			if _, err := d.Open(strings.NewReader(file)); !errors.Is(err, fulfillments.ErrTooManyImports) || !fault.From(err).Retryable {
				t.Error(err)
			}
		}
		if err := last.Close(); err != nil {
			t.Error(err)
		}
		_ = last.Close() // its slot is released once
		r, err := d.Open(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Open(strings.NewReader(file)); !errors.Is(err, fulfillments.ErrTooManyImports) {
			t.Error(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := d.Open(strings.NewReader("")); errors.Is(err, fulfillments.ErrTooManyImports) {
			t.Error(err)
		}
		if _, err := d.Open(strings.NewReader(file)); err != nil { // an unreadable file occupies no slot
			t.Error(err)
		}
	})
}

func TestReportNotesAreCapped(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		const refused = fulfillments.MaxNotes + 450
		rows := []string{head}
		for i := range refused {
			if i%2 == 0 {
				rows = append(rows, ",,cj,123456789012") // refused when it is parsed, the others when they are looked up
				continue
			}
			rows = append(rows, ",nobody's,cj,123456789012")
		}
		r := d.open(sent(rows...))
		defer r.Close()
		answer, err := d.Import(t.Context(), d.staff("", ""), r)
		if err != nil {
			t.Fatal(err)
		}
		got := decoded(t, answer.Body.Bytes())
		if len(got.Errors) != fulfillments.MaxNotes || got.MoreErrors != 450 || got.MoreWarnings != 0 || got.Errors[0].Row != 2 ||
			got.Errors[fulfillments.MaxNotes-1].Row != fulfillments.MaxNotes+1 {
			t.Errorf("%d errors, %d more, the last of row %d", len(got.Errors), got.MoreErrors, got.Errors[len(got.Errors)-1].Row)
		}
	})
}

func TestOrderNumberMatchesExactlyFirst(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		named := func(number string) storedOrder {
			s := d.sell("1 mug")
			d.change(s.id, func(o *order.Order) { o.Number = number })
			return s
		}
		whole, point, power, quoted, bare := named("77"), named("77.0"), named("7.7E1"), named("'Q1"), named("Q2")
		exported := d.exported(d.owner(), fulfillments.CarrierExport{Carrier: order.CJ, Format: ports.CSV})
		rows := []string{head}
		for i, row := range exported[1:] { // the tenant's own file, imported again
			rows = append(rows, fmt.Sprintf("%s,%s,cj,11111111111%d", row[1], row[0], i))
		}
		if got := d.run(sent(rows...)); got.Applied != len(exported)-1 || len(got.Errors) != 0 {
			t.Errorf("the shop's own file: %+v", got)
		}
		for text, want := range map[string]storedOrder{
			"77": whole, "77.0": point, "7.7E1": power, "'Q1": quoted, "'Q2": bare, "77.00": whole, "'77.0": point,
		} {
			number := d.parcels(want)[0].Tracking.Number
			if got := d.run(sent(head, ","+text+",cj,"+number)); got.Unchanged != 1 {
				t.Errorf("%s: %+v", text, got)
			}
			if got := d.run(sent(head, want.byCarrier+","+text+",cj,"+number)); got.Unchanged != 1 {
				t.Errorf("%s beside its fulfillment order: %+v", text, got)
			}
		}
		if got := d.run(sent(head, ",2.6E+11,cj,123456789012", whole.byCarrier+",2.6E+11,cj,111111111110")); got.Unchanged != 1 ||
			!strings.Contains(noted(got.Errors, 2), "rounded") {
			t.Errorf("a number that was rounded: %+v", got)
		}
	})
}

func TestTrackingNumbersAreNormalized(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		first, second := d.sell("1 mug"), d.sell("1 mug")
		id := d.pack(first, "")
		d.must(d.Ship(t.Context(), d.staff("", ""), id, order.Tracking{Carrier: order.CJ, Number: "1234-5678-9012"}))
		if got := d.parcels(first)[0].Tracking.Number; got != "123456789012" {
			t.Error(got)
		}
		report := d.run(sent(head, second.byCarrier+",,cj,123456789012"))
		if report.Applied != 1 || !strings.Contains(noted(report.Warnings, 2), d.number(first)) {
			t.Errorf("%+v", report)
		}
		d.must(d.Track(t.Context(), d.staff("", ""), id, order.Tracking{Carrier: order.UPS, Number: "1z-12e3"}))
		if got := d.parcels(first)[0].Tracking; got != (order.Tracking{Carrier: order.UPS, Number: "1Z12E3"}) {
			t.Error(got)
		}
	})
}

func TestAFormulaIsRefusedInEveryFormat(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		s := d.sell("1 mug")
		var book bytes.Buffer
		f := excelize.NewFile()
		defer f.Close()
		err := errors.Join(f.SetSheetRow("Sheet1", "A1", &[]any{"fulfillmentOrder", "carrier", "trackingNumber"}),
			f.SetSheetRow("Sheet1", "A2", &[]any{s.byCarrier, "cj"}), f.SetCellFormula("Sheet1", "C2", "A9"), f.Write(&book))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{
			book.String(), sent("fulfillmentOrder,carrier,trackingNumber", s.byCarrier+`,cj,"=""123456789012"""`),
		} {
			if got := d.run(file); got.Applied != 0 || !strings.Contains(noted(got.Errors, 2), "formula") {
				t.Errorf("%+v", got)
			}
		}
	})
}
