package reports_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
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
		turns := 0
		first.repeat(func() bool {
			more, err := first.maker.RunRound(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			turns++
			if made := !more && first.isMade() && second.isMade(); made || more {
				return made
			}
			first.now = first.now.Add(10 * time.Minute) // the next round: transactions of others were under way in this one
			second.now = first.now
			return false
		})
		if turns < 2 {
			t.Errorf("230 days were added up in %d turns", turns)
		}
		if again, err := first.maker.RunRound(t.Context()); again || err != nil {
			t.Errorf("there is more to do: %v", err)
		}
	})
}

// A settlement tells days and providers apart, and says nothing of a provider that the ledger does not. Rule reports-8.
func TestSettlementHasWhatEachProviderMovedOnEachDay(t *testing.T) {
	store := shops.SQLite()
	f := newFixture(t.Context(), t, store, "")
	o := f.place(tenant.Live, start, "", "KRW", line{"mug", 1, 100})
	yesterday := start.AddDate(0, 0, -1)
	f.move(o, "", "charge", "p", "toss", yesterday, 100)
	f.move(o, "", "refund", "r", "toss", start, 30)
	f.move(o, "", "charge", "p", "custom", start, 7)
	for provider, want := range map[string][]string{
		"": {"2026-02-28 toss 100 0", "2026-03-01 custom 7 0", "2026-03-01 toss 0 30"}, "toss": {"2026-02-28 toss 100 0", "2026-03-01 toss 0 30"},
		"stripe": nil,
	} {
		got, err := f.service().Settlement(t.Context(), f.admin(tenant.Live), reports.Query{Provider: provider})
		var rows []string
		for _, r := range got.Groups {
			rows = append(rows, fmt.Sprint(r.Starts, " ", r.Provider, " ", r.Revenue, " ", r.Refunds))
		}
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("%q: %q, %v", provider, rows, err)
		}
		if total := report.ByProvider.Add(got.Groups); !slices.Equal(got.Totals, total) {
			t.Errorf("%q: totals %+v", provider, got.Totals)
		}
	}
	reasons := func() (all []string) {
		got, err := f.service().Settlement(t.Context(), f.admin(tenant.Live), reports.Query{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got.Totals {
			all = append(all, r.Provider+" "+reports.NotReported(r))
		}
		return all
	}
	if got := reasons(); !slices.Equal(got, []string{"toss provider_does_not_tell", "custom no_provider"}) {
		t.Errorf("%q", got)
	}
	f.tell(0, 97, 3, "KRW")
	if got := reasons(); got[0] != "toss told_in_part" {
		t.Errorf("%q", got)
	}
	f.tell(0, -30, 0, "KRW")
	if got := reasons(); got[0] != "toss " {
		t.Errorf("%q", got)
	}
}

// Rule reports-9.
func TestFilesHaveTheRowsOfTheirReport(t *testing.T) {
	store := shops.SQLite()
	f := newFixture(t.Context(), t, store, "")
	o := f.place(tenant.Live, start, "", "USD", line{"=cmd()", 2, 105})
	f.move(o, "", "charge", "p", "toss", start, 210)
	f.move(o, "", "refund", "r", "toss", start, 310)
	for name, file := range map[string]struct {
		write func(io.Writer) error
		want  string
	}{
		"totals": {func(to io.Writer) error {
			return f.service().WriteSummary(t.Context(), f.admin(tenant.Live), reports.Query{}, to)
		}, "currency,orders,ordersCanceled,ordered,units,unitsCanceled,average,payments,revenue,refunds,net\nUSD,1,0,2.1,2,0,2.1,1,2.1,3.1,-1\n"},
		"products": {func(to io.Writer) error {
			return f.service().WriteSummary(t.Context(), f.admin(tenant.Live), reports.Query{Grouping: report.ByProduct, Limit: 9}, to)
		}, "product,currency,orders,ordersCanceled,ordered,units,unitsCanceled,average,payments,revenue,refunds,net\n'=cmd(),USD,1,0,2.1,2,0,2.1,0,0,0,0\n"},
		"settlement": {func(to io.Writer) error {
			return f.service().WriteSettlement(t.Context(), f.admin(tenant.Live), reports.Query{}, to)
		}, "day,provider,currency,payments,captured,refunded,net,reported,fees\n2026-03-01,toss,USD,1,2.1,3.1,-1,,\n"},
	} {
		var got strings.Builder
		if err := file.write(&got); err != nil || strings.ReplaceAll(got.String(), "\r", "") != "\uFEFF"+file.want {
			t.Errorf("%s: %q, %v", name, got.String(), err)
		}
	}
}

// A sum that lacks a fact is found, and made again by a rebuild. Rule reports-11.
func TestSumsThatDifferAreFound(t *testing.T) {
	store := shops.SQLite()
	f := newFixture(t.Context(), t, store, "")
	f.place(tenant.Live, start.AddDate(0, 0, -1), "", "KRW", line{"mug", 1, 100})
	sums, day := store.ReportSums(), report.DayOf(start, time.UTC)
	skipped, err := true, errors.Join(sums.Reset(t.Context(), f.shop.ID, "UTC"), sums.Close(t.Context(), f.shop.ID, day.Start(time.UTC)))
	if err == nil {
		skipped, err = sums.Make(t.Context(), f.shop.ID, nil, report.Step{Made: day}, report.Bounds{}, day.Start(time.UTC))
	}
	if err != nil || !skipped {
		t.Fatalf("%t, %v", skipped, err)
	}
	count := func() (n int) {
		v := reports.Verifier{Reports: store.Reports(), Ledger: store.LedgerReader(), Now: f.clock, OnDifference: func(string) { n++ }}
		if err := v.CheckTenant(t.Context(), f.shop); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n == 0 {
		t.Error("a day without its order is not found")
	}
	f.rebuild()
	if n := count(); n != 0 {
		t.Errorf("%d differences after a rebuild", n)
	}
}

// crowded is a store with so many payments of an older version, of no order, and a ledger with so many entries of taxes.
type crowded struct {
	ports.Store
	ports.Reader
	ports.LedgerReader

	payments, entries int
}

func (c crowded) Read(ports.Scope) ports.Reader { return c }

func (c crowded) Find(_ context.Context, q collection.Query) (collection.Page, error) {
	left := max(0, c.payments-(q.Page-1)*q.Limit)
	return collection.Page{Docs: make([]collection.Record, min(left, q.Limit))}, nil
}

func (c crowded) Taxes(_ context.Context, q ports.TaxQuery) ([]tax.Entry, error) {
	read, _ := strconv.Atoi(q.After)
	out := make([]tax.Entry, min(c.entries-read, q.Limit))
	for i := range out {
		out[i].ID = strconv.Itoa(read + i + 1)
	}
	return out, nil
}

func (c crowded) GetMany(context.Context, *collection.Schema, []string, *collection.Room) (map[string]collection.Record, error) {
	return nil, nil
}

// Rule taxes-11: the last fact that fits counts.
func TestATaxReportAddsUpSoManyFacts(t *testing.T) {
	t.Parallel()
	by := tenant.Principal{Kind: tenant.SecretKey, CanRead: true, Tenant: tenant.Settings{ID: "shop", CommerceEnabled: true}}
	for n, fits := range map[int]bool{0: true, 49_999: true, 50_000: true, 50_001: false} {
		for old := range map[int]bool{0: true, 3: true, n: true} {
			c := crowded{payments: min(n, old), entries: n - min(n, old)}
			s := &reports.Service{Store: c, Ledger: c, Now: func() time.Time { return start }}
			_, err := s.Taxes(t.Context(), by, reports.Query{From: "2026-03-01", To: "2026-03-01"})
			if (err == nil) != fits || !fits && !errors.Is(err, fault.ErrValidation) {
				t.Errorf("%d payments and refunds, of which %d are old: %v", n, old, err)
			}
		}
	}
}
