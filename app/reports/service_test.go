package reports_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// A report of many days is complete or refused. Rule reports-5.
func TestReportIsRefusedWhileTooManyDaysWait(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		f := newFixture(t.Context(), t, store, "Asia/Seoul")
		f.place(tenant.Live, start.AddDate(0, 0, -100), "", "KRW", line{"mug", 1, 100})
		ask := func(from string) (reports.Summary, error) {
			return f.service().Summary(t.Context(), f.admin(tenant.Live), reports.Query{From: from, To: "2026-03-01", Grouping: report.ByMonth})
		}
		if _, err := ask("2025-01-01"); !errors.Is(err, reports.ErrPending) {
			t.Errorf("101 days wait: %v", err)
		}
		if _, err := ask("2026-01-01"); err != nil {
			t.Errorf("60 days wait: %v", err)
		}
		f.make()
		got, err := ask("2025-01-01")
		if err != nil || len(got.Groups) != 1 || got.Groups[0].Starts.String() != "2025-11-01" || got.TimeZone != "Asia/Seoul" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// What a report is asked for is checked before anything is read.
func TestQueriesOfReportsAreChecked(t *testing.T) {
	store := shops.SQLite()
	f := newFixture(t.Context(), t, store, "")
	for field, q := range map[string]reports.Query{
		"from": {From: "yesterday", To: "2026-03-01"}, "to": {From: "2026-03-01", To: "2026-02-28"},
	} {
		_, err := f.service().Summary(t.Context(), f.admin(tenant.Live), q)
		if e := fault.From(err); e == nil || len(e.Fields) != 1 || e.Fields[0].Field != field {
			t.Errorf("%+v: %v", q, err)
		}
	}
	for name, p := range map[string]tenant.Principal{
		"a client key": {Kind: tenant.ClientKey, Tenant: f.shop}, "a customer": {Kind: tenant.Customer, ID: "c1", Tenant: f.shop},
		"a key that may not read": {Kind: tenant.SecretKey, CanWrite: true, Tenant: f.shop},
	} {
		if _, err := f.service().Summary(t.Context(), p, reports.Query{From: "2026-03-01", To: "2026-03-01"}); !errors.Is(err, fault.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A round adds up the days of every shop, and of one with many days in several turns.
func TestRoundAddsUpTheDaysOfEveryShop(t *testing.T) {
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, _ testservers.Inspector) {
		first, second := newFixture(t.Context(), t, store, ""), newFixture(t.Context(), t, store, "Asia/Seoul")
		for _, f := range []*fixture{first, second} {
			f.open()
		}
		for n := range 230 {
			first.place(tenant.Live, start.AddDate(0, 0, -1-n), "", "KRW", line{"mug", 1, 100})
		}
		second.place(tenant.Live, start.AddDate(0, 0, -1), "", "KRW", line{"mug", 1, 100})
		rounds, more := 0, true
		for ; more; rounds++ {
			var err error
			if more, err = first.maker.RunRound(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range []*fixture{first, second} {
			zone, err := time.LoadLocation(f.shop.TimeZone)
			s, stateErr := store.Reports().State(t.Context(), f.shop.ID)
			if err := errors.Join(err, stateErr); err != nil || s.Made == nil || *s.Made != report.DayOf(start, zone) {
				t.Errorf("%+v after %d rounds, %v", s, rounds, err)
			}
		}
		if again, err := first.maker.RunRound(t.Context()); again || err != nil {
			t.Errorf("there is more to do: %v", err)
		}
	})
}
