package portstest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	domainorder "github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ReportsFixture is a store of all collections with what adds up its facts.
type ReportsFixture struct {
	Store   ports.Store
	Reports ports.Reports
	Sums    ports.ReportSums
	// HasBarrier says that Make waits for transactions that began before Close, so that its first calls may change nothing.
	HasBarrier bool
}

// Reports checks ports.Reports and ports.ReportSums of the stores that open makes.
func Reports(t *testing.T, open func(t *testing.T) ReportsFixture) {
	f := open(t)
	t.Run("a shop without facts has no figures", f.testNothing)
	t.Run("orders count when they were placed, money when it moved", f.testFacts)
	t.Run("a day that was added up has the figures of its facts", f.testMake)
	t.Run("nothing is added up that may still change unseen", f.testMakeRefuses)
	t.Run("a fact that comes later is told by its own transaction, until its day was added up again", f.testLate)
	t.Run("what a provider settles counts once, on the day of its movement", f.testSettled)
	t.Run("a cancel changes the day on which the order was placed", f.testCancel)
	t.Run("sums can be forgotten", f.testReset)
	t.Run("tasks are counted up to a limit", f.testTasks)
}

func (f ReportsFixture) testNothing(t *testing.T) {
	id := freshTenant()
	f.want(t, id, tenant.Live, report.Sums{})
	first, err := f.Reports.FirstFact(t.Context(), id, tenant.Live)
	late, lateErr := f.Reports.LateFacts(t.Context(), id)
	tasks, tasksErr := f.Reports.Tasks(t.Context(), id, tenant.Live, []report.Task{report.ToShip, report.LowStock}, 9)
	none := map[report.Task]int{report.ToShip: 0, report.LowStock: 0}
	if err := errors.Join(err, lateErr, tasksErr); err != nil || !first.IsZero() || len(late) != 0 || !maps.Equal(tasks, none) {
		t.Errorf("first %s, late %v, tasks %v, %v", first, late, tasks, err)
	}
	if s := f.state(t, id); s != (ports.ReportState{}) {
		t.Errorf("state %+v", s)
	}
}

func (f ReportsFixture) testFacts(t *testing.T) {
	id, other := freshTenant(), freshTenant()
	f.place(t, id, tenant.Live, day, 2)
	f.place(t, id, tenant.Live, day.AddDate(0, 0, 1), 1)
	f.place(t, id, tenant.Test, day, 7)
	f.place(t, other, tenant.Live, day, 9)
	f.place(t, id, tenant.Live, boundsOf(firstDay).Since.Add(-time.Millisecond), 100) // the day before
	f.place(t, id, tenant.Live, boundsOf(firstDay+1).Until, 100)                      // the day after
	f.move(t, id, 1, "charge", "p1", 40, day)
	f.move(t, id, 2, "refund", "r1", 15, day)
	f.move(t, id, 3, "charge", ports.ReversalReference("r1"), 15, day.AddDate(0, 0, 1))
	f.move(t, id, 4, "refund", payment.Reversal{Number: 1}.Reference("p1"), 40, day)
	f.move(t, id, 5, "charge", payment.Reversal{Number: 1, MoneyGone: payment.MoneyGone{Returned: true}}.Reference("p1"), 30, day)
	f.move(t, id, 6, "charge", "p2", 1, boundsOf(firstDay).Since)
	f.want(t, id, tenant.Live, report.Sums{Orders: 2, Ordered: 15, Units: 3, Payments: 2, Revenue: 41, Refunds: 10, Movements: 6})
	f.want(t, id, tenant.Test, report.Sums{Orders: 1, Ordered: 35, Units: 7})
	f.want(t, other, tenant.Live, report.Sums{Orders: 1, Ordered: 45, Units: 9})
	want := []report.Row{{Key: report.Key{Product: "mug", Currency: "EUR"}, Sums: report.Sums{Orders: 2, Ordered: 15, Units: 3}}}
	if got := f.sum(t, id, tenant.Live, report.ByProduct); !slices.Equal(got, want) {
		t.Errorf("products %+v", got)
	}
	first, err := f.Reports.FirstFact(t.Context(), id, tenant.Live)
	if err != nil || !first.Equal(boundsOf(firstDay).Since.Add(-time.Millisecond)) {
		t.Errorf("the first fact is of %s, %v", first, err)
	}
}

func (f ReportsFixture) testMake(t *testing.T) {
	id := freshTenant()
	f.place(t, id, tenant.Live, day, 2)
	f.place(t, id, tenant.Test, day, 3)
	f.move(t, id, 1, "charge", "p1", 10, day)
	live := report.Sums{Orders: 1, Ordered: 10, Units: 2, Payments: 1, Revenue: 10, Movements: 1}
	for days := range 3 {
		f.make(t, id, days)
		f.want(t, id, tenant.Live, live)
		f.want(t, id, tenant.Test, report.Sums{Orders: 1, Ordered: 15, Units: 3})
		s := f.state(t, id)
		if s.Made == nil || *s.Made != firstDay+report.Day(days) || s.Zone != "UTC" || s.Late != 0 || s.Next.IsZero() != (days > 0) {
			t.Errorf("after %d days: %+v", days, s)
		}
	}
	last := firstDay + 2
	month := report.Step{Months: []report.Day{firstDay.Month()}, Made: firstDay.NextMonth() + 1}
	must(t, f.Sums.Close(t.Context(), id, month.Made.Start(time.UTC)))
	f.step(t, id, &last, month)
	s := f.state(t, id)
	rows, ok, err := f.Reports.Sum(t.Context(), id, tenant.Live, ports.ReportQuery{
		Version: s.Version, Grouping: report.ByMonth,
		Parts: []report.Part{{Unit: report.Months, From: firstDay.Month(), Until: firstDay.NextMonth()}},
	})
	if err != nil || !ok || len(rows) != 1 || rows[0].Sums != live || rows[0].Starts != firstDay.Month() {
		t.Errorf("the month: %+v, %t, %v", rows, ok, err)
	}
}

func (f ReportsFixture) testMakeRefuses(t *testing.T) {
	id := freshTenant()
	f.place(t, id, tenant.Live, day, 2)
	f.make(t, id, 1)
	made, other := firstDay+1, firstDay
	for name, try := range map[string]struct {
		was  *report.Day
		made report.Day
	}{"not closed": {&made, made + 1}, "another state": {&other, made}, "no state": {nil, made}} {
		done, err := f.Sums.Make(t.Context(), id, try.was, report.Step{Made: try.made}, boundsOf(0), try.made.Start(time.UTC))
		if done || err != nil {
			t.Errorf("%s: %t, %v", name, done, err)
		}
	}
	s := f.state(t, id)
	for name, q := range map[string]ports.ReportQuery{
		"an older state": {Version: s.Version - 1}, "fewer late facts": {Version: s.Version, Late: 1},
	} {
		if _, ok, err := f.Reports.Sum(t.Context(), id, tenant.Live, q); ok || err != nil {
			t.Errorf("a sum of %s: %t, %v", name, ok, err)
		}
	}
}

func (f ReportsFixture) testLate(t *testing.T) {
	id, other := freshTenant(), freshTenant()
	f.place(t, id, tenant.Live, day, 1)
	f.make(t, id, 1)
	f.place(t, id, tenant.Live, day, 2)
	f.move(t, id, 1, "charge", "p1", 10, day)
	f.place(t, id, tenant.Live, day.AddDate(0, 0, 1), 4) // in time
	f.place(t, other, tenant.Live, day, 9)
	want := report.Sums{Orders: 3, Ordered: 35, Units: 7, Payments: 1, Revenue: 10, Movements: 1}
	f.want(t, id, tenant.Live, want)
	late, err := f.Reports.LateFacts(t.Context(), id)
	if s := f.state(t, id); err != nil || len(late) != 2 || s.Late != 2 || f.state(t, other).Late != 0 {
		t.Fatalf("late %+v, %v, state %+v", late, err, s)
	}
	failed := errors.New("failed")
	if err := inTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		m := movement(id, 2, "charge", "p2", 5)
		return errors.Join(tx.Ledger.Append(ctx, m), failed)
	}); !errors.Is(err, failed) || f.state(t, id).Late != 2 {
		t.Errorf("a movement that was rolled back is late: %v", err)
	}
	must(t, f.Sums.Remake(t.Context(), id, boundsOf(firstDay), []report.Day{firstDay.Month()}, late[:1]))
	if s := f.state(t, id); s.Late != 1 {
		t.Errorf("%d late facts after one of two was forgotten", s.Late)
	}
	must(t, f.Sums.Remake(t.Context(), id, boundsOf(firstDay), nil, late[1:]))
	f.want(t, id, tenant.Live, want)
	if s := f.state(t, id); s.Late != 0 {
		t.Errorf("%d late facts are left", s.Late)
	}
}

// What a provider says that it settles counts on the day of the movement, however late it says so, and once.
func (f ReportsFixture) testSettled(t *testing.T) {
	id := freshTenant()
	f.move(t, id, 1, "charge", "p1", 100, day)
	f.move(t, id, 2, "refund", "r1", 30, day)
	settle := func(number int, kind, reference string, net, fee int64, c money.Currency) {
		t.Helper()
		mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
			return tx.Ledger.Settle(ctx, movement(id, number, kind, reference, 1), payment.Settled{Net: money.Of(net, c), Fee: money.Of(fee, c)})
		})
	}
	want := report.Sums{Payments: 1, Revenue: 100, Refunds: 30, Movements: 2}
	f.want(t, id, tenant.Live, want)
	settle(1, "charge", "p1", 97, 3, "EUR")
	settle(1, "charge", "p1", 50, 50, "EUR")      // what was said first stays
	settle(1, "charge", "another", 50, 50, "EUR") // of no movement
	want.Told, want.Settled, want.Fees = 1, 97, 3
	f.want(t, id, tenant.Live, want)
	f.make(t, id, 1)
	f.want(t, id, tenant.Live, want)
	settle(2, "refund", "r1", -30, 0, "EUR")
	want.Told, want.Settled = 2, 67
	f.want(t, id, tenant.Live, want)
	if s := f.state(t, id); s.Late != 1 {
		t.Errorf("what was said later is %d late facts", s.Late)
	}
	f.move(t, id, 3, "charge", "p2", 10, day.AddDate(0, 0, 1))
	settle(3, "charge", "p2", 9, 1, "USD") // another currency is not added
	want.Payments, want.Revenue, want.Movements = 2, 110, 3
	f.want(t, id, tenant.Live, want)
}

func (f ReportsFixture) testCancel(t *testing.T) {
	id := freshTenant()
	o := f.place(t, id, tenant.Live, day, 3)
	f.make(t, id, 1)
	before, err := f.Store.Read(ports.ForTenant(id)).Get(t.Context(), domainorder.Schema, o.ID)
	must(t, err)
	noted := before.Clone()
	noted["notes"] = "nothing that figures are made of"
	f.write(t, id, domainorder.Schema, before, noted)
	if s := f.state(t, id); s.Late != 0 {
		t.Errorf("a note is %d late facts", s.Late)
	}
	before, err = f.Store.Read(ports.ForTenant(id)).Get(t.Context(), domainorder.Schema, o.ID)
	must(t, err)
	o.Lines[0].Canceled = 1
	o.LineCancels = []domainorder.LineCancel{{Done: true, At: day, Shipping: money.Of(0, "EUR")}}
	part := before.Clone()
	maps.Copy(part, o.Record())
	f.write(t, id, domainorder.Schema, before, part)
	f.want(t, id, tenant.Live, report.Sums{Orders: 1, Ordered: 15, Units: 3, UnitsCanceled: 1})
	before, err = f.Store.Read(ports.ForTenant(id)).Get(t.Context(), domainorder.Schema, o.ID)
	must(t, err)
	whole := before.Clone()
	whole["status"] = string(domainorder.Canceled)
	f.write(t, id, domainorder.Schema, before, whole)
	canceled := report.Sums{Orders: 1, OrdersCanceled: 1, Ordered: 15, Units: 3, UnitsCanceled: 3}
	f.want(t, id, tenant.Live, canceled)
	late, err := f.Reports.LateFacts(t.Context(), id)
	must(t, err)
	must(t, f.Sums.Remake(t.Context(), id, boundsOf(firstDay), nil, late))
	f.want(t, id, tenant.Live, canceled)
}

func (f ReportsFixture) testReset(t *testing.T) {
	id, other := freshTenant(), freshTenant()
	for _, shop := range []tenant.ID{id, other} {
		f.place(t, shop, tenant.Live, day, 1)
		f.make(t, shop, 1)
	}
	before := f.state(t, id)
	must(t, f.Sums.Reset(t.Context(), id, "Asia/Seoul"))
	if s := f.state(t, id); s.Made != nil || s.Zone != "Asia/Seoul" || s.Version <= before.Version || !s.Closed.Equal(before.Closed) {
		t.Errorf("state %+v after %+v", s, before)
	}
	if s := f.state(t, other); s.Made == nil {
		t.Error("another shop's sums were forgotten")
	}
	f.want(t, id, tenant.Live, report.Sums{Orders: 1, Ordered: 5, Units: 1})
}

func (f ReportsFixture) testTasks(t *testing.T) {
	id, other := freshTenant(), freshTenant()
	for range 3 {
		f.place(t, id, tenant.Live, day, 1)
	}
	f.place(t, id, tenant.Test, day, 1)
	f.place(t, other, tenant.Live, day, 1)
	held := f.place(t, id, tenant.Live, day, 1)
	record := func(o domainorder.Order) collection.Record {
		r, err := f.Store.Read(ports.ForTenant(id)).Get(t.Context(), domainorder.Schema, o.ID)
		must(t, err)
		return r
	}
	before := record(held)
	onHold := before.Clone()
	onHold["hold"] = domainorder.HoldDisputed
	f.write(t, id, domainorder.Schema, before, onHold)
	for limit, want := range map[int]int{9: 3, 2: 2} {
		got, err := f.Reports.Tasks(t.Context(), id, tenant.Live, []report.Task{report.ReturnsOpen, report.ToPack}, limit)
		if err != nil || !maps.Equal(got, map[report.Task]int{report.ReturnsOpen: 0, report.ToPack: want}) {
			t.Errorf("up to %d: %v, %v", limit, got, err)
		}
	}
	for _, one := range []report.Task{
		report.ToPack, report.ToShip, report.WaitingForDeposit, report.Attention, report.LowStock, report.ReturnsOpen,
	} {
		if got, err := f.Reports.Tasks(t.Context(), id, tenant.Test, []report.Task{one}, 1); err != nil || len(got) != 1 {
			t.Errorf("%s alone: %v, %v", one, got, err)
		}
	}
	if got, err := f.Reports.Tasks(t.Context(), id, tenant.Live, nil, 1); err != nil || len(got) != 0 {
		t.Errorf("none: %v, %v", got, err)
	}
}
