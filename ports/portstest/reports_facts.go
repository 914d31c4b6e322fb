package portstest

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	domainorder "github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// firstDay is the date of day.
var firstDay = report.DayOf(day, time.UTC)

func boundsOf(d report.Day) report.Bounds { return report.BoundsOf(d, time.UTC) }

// place places an order of so many units at a price of 5.
func (f ReportsFixture) place(t *testing.T, id tenant.ID, env tenant.Environment, at time.Time, units int64) domainorder.Order {
	t.Helper()
	name := strconv.FormatInt(nextName.Add(1), 10)
	amount, none := money.Of(5*units, "EUR"), money.Of(0, "EUR")
	o := domainorder.Order{
		ID: "order-" + name, Tenant: id, Environment: env, Number: name, Status: domainorder.Paid, Source: domainorder.FromAPI, Currency: "EUR",
		Subtotal: amount, Discount: none, Shipping: none, Total: amount, Paid: amount, Refunded: none, PlacedAt: at,
		Lines: []domainorder.Line{{Line: sale.Line{
			ID: "l" + name, Product: "mug", Quantity: units, UnitPrice: money.Of(5, "EUR"), Subtotal: amount, Discount: none, Total: amount,
		}}},
	}
	f.write(t, id, domainorder.Schema, nil, o.Record())
	return o
}

func (f ReportsFixture) write(t *testing.T, id tenant.ID, s *collection.Schema, before, after collection.Record) {
	t.Helper()
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, before, after, "event-"+strconv.FormatInt(nextName.Add(1), 10), day))
	})
}

// move records money of no checkout.
func (f ReportsFixture) move(t *testing.T, id tenant.ID, number int, kind, reference string, minor int64, at time.Time) {
	t.Helper()
	m := movement(id, number, kind, reference, minor)
	m.Checkout, m.Order, m.At = "", "", at
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Ledger.Append(ctx, m) })
}

// sum asks for two days: from sums where they were added up, else from facts.
func (f ReportsFixture) sum(t *testing.T, id tenant.ID, env tenant.Environment, g report.Grouping) []report.Row {
	t.Helper()
	s := f.state(t, id)
	p := report.Progress{First: firstDay, Made: firstDay, Today: firstDay + 1}
	if s.Made != nil {
		p.Made = *s.Made
	}
	late, err := f.Reports.LateFacts(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range late {
		p.Late = append(p.Late, report.DayOf(l.At, time.UTC))
	}
	q := ports.ReportQuery{Version: s.Version, Late: s.Late, Grouping: g}
	parts, _ := p.Plan(report.Period{From: firstDay, To: firstDay + 1}, false)
	for _, part := range parts {
		if part.Unit == report.Facts {
			for d := part.From; d < part.Until; d++ {
				q.Live = append(q.Live, boundsOf(d))
			}
			continue
		}
		q.Parts = append(q.Parts, part)
	}
	rows, ok, err := f.Reports.Sum(t.Context(), id, env, q)
	if err != nil || !ok {
		t.Fatalf("of the state that was read: %t, %v", ok, err)
	}
	return g.Add(rows)
}

func (f ReportsFixture) state(t *testing.T, id tenant.ID) ports.ReportState {
	t.Helper()
	s, err := f.Reports.State(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (f ReportsFixture) want(t *testing.T, id tenant.ID, env tenant.Environment, want report.Sums) {
	t.Helper()
	var all []report.Row
	if want != (report.Sums{}) {
		all = []report.Row{{Key: report.Key{Currency: "EUR"}, Sums: want}}
	}
	if got := f.sum(t, id, env, report.ByNothing); !slices.Equal(got, all) {
		t.Errorf("%s: %+v, want %+v", env, got, all)
	}
}

// make adds up the first day, and the next if both is true.
func (f ReportsFixture) make(t *testing.T, id tenant.ID, days int) {
	t.Helper()
	must(t, f.Sums.Reset(t.Context(), id, "UTC"))
	must(t, f.Sums.Close(t.Context(), id, (firstDay+report.Day(days)).Start(time.UTC)))
	f.step(t, id, nil, report.Step{Made: firstDay})
	for d := firstDay; d < firstDay+report.Day(days); d++ {
		f.step(t, id, &d, report.Step{Has: true, Day: d, Made: d + 1})
	}
}

// step makes a step, which other transactions of the database may keep waiting.
func (f ReportsFixture) step(t *testing.T, id tenant.ID, was *report.Day, s report.Step) {
	t.Helper()
	for {
		done, err := f.Sums.Make(t.Context(), id, was, s, boundsOf(s.Day), s.Made.Start(time.UTC))
		must(t, err)
		if done {
			return
		}
		if !f.HasBarrier {
			t.Fatalf("%+v was refused", s)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
