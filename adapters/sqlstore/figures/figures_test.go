package figures_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const shop = tenant.ID("t1")

var at = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// readWhole is what a plan says of a table that grows with a shop and that it reads as a whole, or for the tenant alone.
var readWhole = regexp.MustCompile(`(?m)(SCAN|Seq Scan on) (e|o|r|report_figures|orders|ledger_entries)\b` +
	`|SEARCH (e|o|report_figures|orders|ledger_entries) USING [^(]*\(tenant=\?( AND environment=\?)?\)`)

// Whatever is asked is found by an index that narrows it down to its days.
func TestReportsAreFoundByIndex(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		s, _ := open(t, registry.Schemas()...)
		day := report.BoundsOf(report.DayOf(at, time.UTC), time.UTC)
		plans, err := s.Reports().Plans(t.Context(), shop, ports.ReportQuery{
			Parts: []report.Part{
				{Unit: report.Months, From: day.Day.Month(), Until: day.Day.NextMonth()}, {Unit: report.Days, From: day.Day, Until: day.Day + 1},
			},
			Live: []report.Bounds{day, report.BoundsOf(day.Day+1, time.UTC)},
		}, day)
		if err != nil {
			t.Fatal(err)
		}
		for name, plan := range plans {
			if found := readWhole.FindString(plan); found != "" {
				t.Errorf("%s: %s\n%s", name, found, plan)
			}
		}
	})
}

// A transaction that recorded money before its day was closed tells nobody that it is late. So the day is not added up before
// it has ended. Rule reports-4.
func TestDayIsNotAddedUpBeforeThoseWhoDidNotSeeItCloseHaveEnded(t *testing.T) {
	t.Parallel()
	s := stores.Open(t, sqlstore.Options{URL: testservers.Postgres(t)}, registry.Schemas()...)
	day := report.DayOf(at, time.UTC)
	recorded, commit, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.Atomically(t.Context(), ports.ForTenant(shop), func(ctx context.Context, tx ports.Tx) error {
			err := tx.Ledger.Append(ctx, ports.LedgerEntry{
				ID: "m1", Tenant: shop, Environment: tenant.Live, Type: "charge", Amount: money.Of(7, "EUR"), Provider: "p", AccountKey: "a",
				Reference: "r1", At: at,
			})
			close(recorded)
			<-commit
			return err
		})
	}()
	<-recorded
	sums := s.ReportSums()
	if err := sums.Reset(t.Context(), shop, "UTC"); err != nil {
		t.Fatal(err)
	}
	if err := sums.Close(t.Context(), shop, (day + 1).Start(time.UTC)); err != nil {
		t.Fatal(err)
	}
	add := func() bool {
		done, err := sums.Make(t.Context(), shop, nil, report.Step{Has: true, Day: day, Made: day + 1}, report.BoundsOf(day, time.UTC),
			(day + 1).Start(time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	for range 3 {
		if add() {
			t.Fatal("the day was added up without money that is being recorded")
		}
	}
	close(commit)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for !add() { // other transactions of the database may be older, too
	}
	state, err := s.Reports().State(t.Context(), shop)
	if err != nil || state.Late != 0 {
		t.Fatalf("%+v, %v", state, err)
	}
	rows, ok, err := s.Reports().Sum(t.Context(), shop, tenant.Live, ports.ReportQuery{
		Version: state.Version, Parts: []report.Part{{Unit: report.Days, From: day, Until: day + 1}},
	})
	if err != nil || !ok || len(rows) != 1 || rows[0].Revenue != 7 {
		t.Errorf("%+v, %t, %v", rows, ok, err)
	}
}

// What a server of an older version added up has no figures of providers, so it is forgotten and made again: until then nothing is
// read from it, and its sums are no figures that a provider told. Rule reports-8.
func TestSumsOfAnOlderVersionAreMadeAgain(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		s, _ := open(t, registry.Schemas()...)
		sums, day := s.ReportSums(), report.DayOf(at, time.UTC)
		zone := func(when, want string) ports.ReportState {
			t.Helper()
			state, err := s.Reports().State(t.Context(), shop)
			if err != nil || state.Zone != want {
				t.Fatalf("%s: %+v, %v", when, state, err)
			}
			return state
		}
		if err := sums.Reset(t.Context(), shop, "UTC"); err != nil {
			t.Fatal(err)
		}
		zone("of this version", "UTC")
		if err := sums.AddOlderRow(t.Context(), shop, day); err != nil {
			t.Fatal(err)
		}
		state := zone("of an older one", "")
		rows, ok, err := s.Reports().Sum(t.Context(), shop, tenant.Live, ports.ReportQuery{
			Version: state.Version, Parts: []report.Part{{Unit: report.Days, From: day, Until: day + 1}},
		})
		if err != nil || !ok || len(rows) != 1 || rows[0].Revenue != 9 || rows[0].Movements >= 0 || rows[0].IsTold() {
			t.Errorf("%+v, %t, %v", rows, ok, err)
		}
		if err := sums.Reset(t.Context(), shop, "UTC"); err != nil {
			t.Fatal(err)
		}
		zone("forgotten", "UTC")
	})
}
