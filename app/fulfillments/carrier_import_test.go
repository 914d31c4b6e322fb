package fulfillments_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestRowWithTrackingNumberShipsOpenUnits(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		mixed, partial, other := d.sell("2 mug, 1 course"), d.sell("2 mug, 1 lamp"), d.sell("1 mug")
		d.pack(partial, "1 mug")
		file := sent(head, mixed.byCarrier+",,HYUNDAI,1234-5678-9012", ","+d.number(partial)+",KGB,01234567890",
			other.byCarrier+","+d.number(other)+",cj,")
		report := d.run(file)
		if report.Applied != 2 || report.Unchanged != 0 || len(report.Errors)+len(report.Warnings) != 0 || report.Rows != 4 {
			t.Fatalf("%+v", report)
		}
		for _, c := range []struct {
			of       storedOrder
			tracking order.Tracking
			units    int64
			status   string
		}{
			{mixed, order.Tracking{Carrier: order.Lotte, Number: "123456789012"}, 2, "shipped"},
			{partial, order.Tracking{Carrier: order.Logen, Number: "01234567890"}, 2, "preparing"},
		} {
			all := d.parcels(c.of)
			f := all[len(all)-1]
			var units int64
			for _, it := range f.Items {
				units += it.Quantity
			}
			if f.State != order.FulfillmentShipped || f.Tracking != c.tracking || units != c.units || !f.ShippedAt.Equal(start) {
				t.Errorf("%+v", f)
			}
			if status, _ := d.status(order.Schema, c.of.id); status != c.status {
				t.Errorf("the order is %s", status)
			}
		}
		if got := d.parcels(other); len(got) != 0 {
			t.Errorf("a row without a number made %+v", got)
		}
		if status, _ := d.status(order.FulfillmentOrders, mixed.byHand); status != order.FulfillmentOrderOpen {
			t.Errorf("what is done by hand is %s", status)
		}
		again := d.run(file)
		if again.Applied != 0 || again.Unchanged != 2 || len(again.Errors)+len(again.Warnings) != 0 {
			t.Errorf("%+v", again)
		}
		if _, events := d.status(order.Schema, mixed.id); events != 2 {
			t.Errorf("the order was written %d times", events)
		}
	})
}

func TestRowsAreRefusedIndividually(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d, outsider := newCarrierFixture(b), newCarrierFixture(newBed(t, b.store))
		good, manual, mixed, gone := d.sell("1 mug"), d.sell("1 course"), d.sell("1 mug, 1 course"), d.sell("1 mug")
		d.change(gone.id, func(o *order.Order) { o.Status = order.Canceled })
		live, unpaid, done, packed := d.sell("1 mug"), d.sell("1 mug"), d.sell("1 mug"), d.sell("1 mug")
		d.change(live.id, func(o *order.Order) { o.Environment = tenant.Live })
		d.change(unpaid.id, func(o *order.Order) { o.Status = order.Pending })
		d.run(sent(head, done.byCarrier+",,cj,222222222222"))
		d.pack(packed, "")
		foreign := outsider.sell("1 mug")
		rows := []struct{ cells, want string }{
			{foreign.byCarrier + ",,cj,111111111111", "no fulfillment order"},
			{"," + outsider.number(foreign) + ",cj,111111111111", "no order"},
			{shops.NewID() + ",,cj,111111111111", "no fulfillment order"},
			{"x'; DROP TABLE orders; --,,cj,111111111111", "no fulfillment order"},
			{manual.byHand + ",,cj,111111111111", "complete it"},
			{"," + d.number(manual) + ",cj,111111111111", "complete its lines"},
			{mixed.byHand + ",,cj,111111111111", "complete it"},
			{gone.byCarrier + ",,cj,111111111111", "canceled"},
			{"," + d.number(live) + ",cj,111111111111", "no order"},
			{unpaid.byCarrier + ",,cj,111111111111", "pending"},
			{done.byCarrier + ",,cj,333333333333", "by cj with number 222222222222"},
			{done.byCarrier + ",,lotte,222222222222", "by cj"},
			{packed.byCarrier + ",,cj,444444444444", "are in fulfillment"},
			{good.byCarrier + "," + d.number(done) + ",cj,111111111111", "belongs to order"},
			{good.byCarrier + ",,nobody,111111111111", "not known"},
			{good.byCarrier + ",,cj,1.23E+11", "rounded"},
			{good.byCarrier + ",,cj,12345", "10 or 12 digits"},
			{",,cj,111111111111", "neither"},
			{`"` + good.byCarrier + `"x,,cj,111111111111`, "quote"},
			{good.byCarrier + ",,cj,111111111111", ""},
		}
		file := []string{head}
		for _, row := range rows {
			file = append(file, row.cells)
		}
		report := d.run(sent(file...))
		if report.Applied != 1 || report.Unchanged != 0 || len(report.Errors) != len(rows)-1 {
			t.Errorf("%+v", report)
		}
		for i, row := range rows {
			if got := noted(report.Errors, i+2); (got == "") != (row.want == "") || !strings.Contains(got, row.want) {
				t.Errorf("row %d, %q: %q", i+2, row.cells, got)
			}
		}
		for i := 1; i < len(report.Errors); i++ {
			if report.Errors[i].Row <= report.Errors[i-1].Row {
				t.Errorf("the refusals are not in order: %+v", report.Errors)
			}
		}
		if got := outsider.parcels(foreign); len(got) != 0 {
			t.Errorf("somebody else's order has %+v", got)
		}
	})
}

func TestFileWithWrongColumnsIsRefused(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		s := d.sell("1 mug")
		for file, want := range map[string]error{
			sent("fulfillmentOrder,carrier", s.byCarrier+",cj"):                  carrier.ErrColumn,
			sent("trackingNumber,fulfillmentOrder", "123456789012,"+s.byCarrier): carrier.ErrColumn,
			sent(" , "):              ports.ErrSpreadsheetUnreadable,
			sent(`a"b,carrier`, "x"): ports.ErrSpreadsheetUnreadable,
			sent(head) + strings.Repeat("\n", carrier.MaxRows) + s.byCarrier + ",,cj,123456789012\n": carrier.ErrTooManyRows,
		} {
			r := d.open(file)
			if _, err := d.Run(t.Context(), d.owner(), r, nil); !errors.Is(err, want) {
				t.Errorf("%.60q: %v", file, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if got := d.parcels(s); len(got) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestSeveralRowsForOneFulfillmentOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		s := d.sell("1 mug, 1 lamp") // carriers' programs write a row for each item
		report := d.run(sent(head, s.byCarrier+",,cj,123456789012", s.byCarrier+",,cj,123456789012", s.byCarrier+",,cj,210987654321"))
		if report.Applied != 1 || report.Unchanged != 1 || noted(report.Errors, 4) == "" || len(d.parcels(s)) != 1 {
			t.Errorf("%+v", report)
		}
	})
}

func TestPendingFulfillmentWithTheNumberIsShipped(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		s := d.sell("2 mug")
		id := d.pack(s, "1 mug") // by CJ under 123456789012
		file := sent(head, s.byCarrier+",,cj,1234 5678 9012")
		report := d.run(file)
		if all := d.parcels(s); report.Applied != 1 || len(all) != 1 || all[0].ID != id || all[0].State != order.FulfillmentShipped {
			t.Errorf("%+v %+v", report, all)
		}
		if report := d.run(file); report.Unchanged != 1 || len(d.parcels(s)) != 1 {
			t.Errorf("%+v", report)
		}
	})
}

func TestCanceledFulfillmentCanBeShippedAgain(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		s := d.sell("1 mug")
		d.must(d.Cancel(t.Context(), d.staff("", ""), d.pack(s, "")))
		if report := d.run(sent(head, s.byCarrier+",,cj,123456789012")); report.Applied != 1 || len(d.parcels(s)) != 2 {
			t.Errorf("%+v", report)
		}
	})
}

func TestTrackingNumberOfAnotherOrderIsAWarning(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d, outsider := newCarrierFixture(b), newCarrierFixture(newBed(t, b.store))
		outsider.run(sent(head, outsider.sell("1 mug").byCarrier+",,cj,123456789012"))
		first, second, third, back, again := d.sell("1 mug"), d.sell("1 mug"), d.sell("1 mug"), d.sell("1 mug"), d.sell("1 mug")
		d.must(d.Cancel(t.Context(), d.staff("", ""), d.pack(back, "")))
		report := d.run(sent(head, first.byCarrier+",,cj,123456789012", second.byCarrier+",,cj,123456789012",
			third.byCarrier+",,lotte,123456789012"))
		if report.Applied != 3 || len(report.Warnings) != 1 || !strings.Contains(noted(report.Warnings, 3), d.number(first)) {
			t.Errorf("in one file: %+v", report)
		}
		report = d.run(sent(head, again.byCarrier+",,cj,123456789012"))
		if report.Applied != 1 || noted(report.Warnings, 2) == "" {
			t.Errorf("in another one: %+v", report)
		}
	})
}

// sellMany stores n orders and makes a file of them.
func (d carrierFixture) sellMany(n int) (all []storedOrder, file string) {
	rows := []string{head}
	for i := range n {
		s := d.sell("1 mug")
		all, rows = append(all, s), append(rows, fmt.Sprintf("%s,,cj,%012d", s.byCarrier, i+1))
	}
	return all, sent(rows...)
}

// Rows that have an order or a number in common are applied one after the other, however far apart they are in the file.
func TestRowsOfOneOrderAreAppliedInTurn(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		all, file := d.sellMany(100)
		rows := strings.Split(strings.TrimSpace(file), "\n")
		rows[71] = all[70].byCarrier + ",,cj,000000000011"                    // the number of the eleventh
		rows = append(rows[:91], append([]string{rows[21]}, rows[91:]...)...) // the twenty-first, again
		report := d.run(strings.Join(rows, "\n"))
		if report.Applied != 100 || report.Unchanged != 1 || len(report.Errors) != 0 || len(report.Warnings) != 1 ||
			!strings.Contains(noted(report.Warnings, 72), d.number(all[10])) {
			t.Errorf("%+v", report)
		}
	})
}

func TestConcurrentImportsOfOneFileShipOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		const orders, operators = 120, 4
		all, file := d.sellMany(orders)
		var mu sync.Mutex
		applied, unchanged := 0, 0
		shops.Concurrently(operators, func(int) {
			report := newCarrierFixture(d.bed).run(file)
			mu.Lock()
			defer mu.Unlock()
			applied, unchanged = applied+report.Applied, unchanged+report.Unchanged
			if len(report.Errors) > 0 {
				t.Errorf("%+v", report.Errors)
			}
		})
		if applied != orders || unchanged != orders*(operators-1) {
			t.Errorf("%d applied, %d unchanged", applied, unchanged)
		}
		for _, s := range all {
			if got := d.parcels(s); len(got) != 1 {
				t.Fatalf("%+v", got)
			}
		}
	})
}

// brokenFile is a file whose reader fails in the middle.
type brokenFile struct {
	ports.SpreadsheetReader

	after int
}

var errBroken = errors.New("the disk is gone")

func (r *brokenFile) Next() (ports.SpreadsheetRow, error) {
	if r.after--; r.after < 0 {
		return ports.SpreadsheetRow{}, errBroken
	}
	return r.SpreadsheetReader.Next()
}

func TestInterruptedImportIsCompletedByRetrying(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		all, file := d.sellMany(250)
		r := d.open(file)
		told := 0
		report, err := d.Run(t.Context(), d.owner(), &brokenFile{r, 252 + 220}, func(rows int) { told = rows })
		if !errors.Is(err, errBroken) || report.Applied != 200 || told != 201 {
			t.Errorf("%+v %v, %d rows were told", report, err, told)
		}
		if data := fault.From(err).Data; data["applied"] != int64(200) || data["unchanged"] != int64(0) || data["refused"] != int64(0) {
			t.Errorf("it says %v", data)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if report := d.run(file); report.Applied != 50 || report.Unchanged != 200 || report.Rows != 251 {
			t.Errorf("%+v", report)
		}
		if len(d.parcels(all[0])) != 1 || len(d.parcels(all[249])) != 1 {
			t.Error("something is missing")
		}
	})
}

func TestImportIsReplayedUnderItsKey(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		s, k := d.sell("1 mug"), key()
		file := sent(head, s.byCarrier+",,cj,123456789012", shops.NewID()+",,cj,123456789012")
		send := func(key, file string) (idempotency.Response, error) {
			r := d.open(file)
			defer r.Close()
			return d.Import(t.Context(), d.staff(key, ""), r)
		}
		first, err := send(k, file)
		if err != nil {
			t.Fatal(err)
		}
		if got := decoded(t, first.Body.Bytes()); got.Applied != 1 || got.Unchanged != 0 || len(got.Errors) != 1 ||
			got.Errors[0].Row != 3 || got.Warnings == nil {
			t.Errorf("%s", first.Body)
		}
		if again, err := send(k, file); err != nil || !again.Replayed || again.Body.String() != first.Body.String() {
			t.Errorf("%s %v", again.Body, err)
		}
		if _, err := send(k, file+"\n"); !errors.Is(err, idempotency.ErrKeyReused) {
			t.Error(err)
		}
		if fresh, err := send("", file); err != nil || decoded(t, fresh.Body.Bytes()).Unchanged != 1 {
			t.Errorf("%s %v", fresh.Body, err)
		}
	})
}

func TestCarrierImportAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		for name, c := range map[string]struct {
			who  tenant.Principal
			want error
		}{
			"admin":                 {tenant.Principal{Kind: tenant.User, Role: tenant.Admin}, nil},
			"editor":                {tenant.Principal{Kind: tenant.User, Role: tenant.Editor}, nil},
			"viewer":                {tenant.Principal{Kind: tenant.User, Role: tenant.Viewer}, fault.ErrForbidden},
			"server":                {tenant.Principal{Kind: tenant.SecretKey, CanWrite: true}, nil},
			"a key that only reads": {tenant.Principal{Kind: tenant.SecretKey, CanRead: true}, fault.ErrForbidden},
			"customer":              {tenant.Principal{Kind: tenant.Customer}, fault.ErrForbidden},
			"storefront":            {tenant.Principal{Kind: tenant.ClientKey}, fault.ErrForbidden},
			"nobody":                {tenant.Principal{}, fault.ErrUnauthenticated},
		} {
			c.who.Tenant, c.who.Environment = d.shop, tenant.Test
			call := d.staff("", "")
			call.Principal = c.who
			r := d.open(sent(head))
			if _, err := d.Import(t.Context(), call, r); !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := r.Close(); err != nil && !errors.Is(err, io.EOF) {
				t.Error(err)
			}
		}
		var _ fulfillments.CarrierReport
	})
}
