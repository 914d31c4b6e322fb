package reports

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Verifier compares the sums that are kept of a shop with its facts, and these with its ledger, while servers are running.
type Verifier struct {
	Reports ports.Reports
	Ledger  ports.LedgerReader
	Now     func() time.Time
	// OnDifference is called for every difference.
	OnDifference func(string)
}

// CheckTenant checks a shop. Errors are those of reading, not differences.
func (v *Verifier) CheckTenant(ctx context.Context, shop tenant.Settings) error {
	zone, err := timezone.Load(shop.TimeZone)
	if err != nil {
		return err
	}
	balances, err := v.balances(ctx, shop.ID)
	if err != nil {
		return err
	}
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		e := environmentCheck{v, shop.ID, env, zone}
		net, err := e.check(ctx)
		if err != nil {
			return err
		}
		if err := e.compareLedger(ctx, net, balances[env]); err != nil {
			return err
		}
	}
	return nil
}

// balances is the ledger of a shop, added up entry by entry.
func (v *Verifier) balances(ctx context.Context, t tenant.ID) (map[tenant.Environment]map[money.Currency]int64, error) {
	const page = 1000
	all := map[tenant.Environment]map[money.Currency]int64{tenant.Live: {}, tenant.Test: {}}
	for after := ""; ; {
		entries, err := v.Ledger.Entries(ctx, t, after, page)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			after = e.ID
			if e.Type == "refund" {
				e.Amount.Minor = -e.Amount.Minor
			}
			all[e.Environment][e.Amount.Currency] += e.Amount.Minor
		}
		if len(entries) < page {
			return all, nil
		}
	}
}

// environmentCheck is the check of one environment.
type environmentCheck struct {
	*Verifier

	tenant tenant.ID
	env    tenant.Environment
	zone   *time.Location
}

func (e environmentCheck) differf(format string, args ...any) {
	e.OnDifference(fmt.Sprintf("tenant %s, %s: ", e.tenant, e.env) + fmt.Sprintf(format, args...))
}

// compareLedger compares what is left of the money of all reports with the balance of the ledger.
func (e environmentCheck) compareLedger(ctx context.Context, net, balance map[money.Currency]int64) error {
	zero := func(_ money.Currency, minor int64) bool { return minor == 0 }
	maps.DeleteFunc(net, zero)
	maps.DeleteFunc(balance, zero)
	if maps.Equal(net, balance) {
		return nil
	}
	again, err := e.balances(ctx, e.tenant)
	maps.DeleteFunc(again[e.env], zero)
	if err == nil && maps.Equal(again[e.env], balance) { // else money moved between the reads
		e.differf("all reports together have net %v in minor units, the ledger %v", net, balance)
	}
	return err
}

// check goes through the months from the first fact to today, and returns what is left of the money in all.
func (e environmentCheck) check(ctx context.Context) (net map[money.Currency]int64, err error) {
	net = map[money.Currency]int64{}
	first, err := e.Reports.FirstFact(ctx, e.tenant, e.env)
	if err != nil || first.IsZero() {
		return net, err
	}
	today := report.DayOf(e.Now(), e.zone)
	for month := report.DayOf(first, e.zone).Month(); month <= today; month = month.NextMonth() {
		rows, err := e.checkMonth(ctx, month)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			net[r.Currency] += r.Net()
		}
	}
	return net, nil
}

// checkMonth compares the facts of a month with its days and, once it has ended, with the sum of the month. It returns the
// totals of the facts.
func (e environmentCheck) checkMonth(ctx context.Context, month report.Day) (totals []report.Row, err error) {
	for _, g := range []report.Grouping{report.ByAll, report.ByProduct} {
		var facts []report.Row
		for _, unit := range []report.Unit{report.Facts, report.Days, report.Months} {
			rows, read, err := e.rows(ctx, month, unit, g)
			if err != nil {
				return nil, err
			}
			if unit == report.Facts {
				facts = rows
				continue
			}
			want := facts
			if unit == report.Months && g == report.ByAll { // months do not tell days apart
				want = report.ByMonthAndAll.Add(facts)
			}
			if got := g.Add(rows); read && !slices.Equal(got, want) {
				e.differf("the sums of %s are not those of its facts: %+v instead of %+v", month.String()[:len("2026-01")], got, want)
			}
		}
		if g == report.ByAll {
			totals = report.ByNothing.Add(facts)
		}
	}
	return totals, nil
}

// rows reads a month from facts, days or the month. read is false when that was not added up: its facts, and days from the first
// one on that was not, are read from facts instead.
func (e environmentCheck) rows(ctx context.Context, month report.Day, unit report.Unit, g report.Grouping) (rows []report.Row, read bool, err error) {
	for range maxAttempts {
		state, err := e.Reports.State(ctx, e.tenant)
		if err != nil {
			return nil, false, err
		}
		late, err := e.Reports.LateFacts(ctx, e.tenant)
		if err != nil {
			return nil, false, err
		}
		made := report.Progress{First: month, Today: month.NextMonth() - 1, Made: month}
		if unit != report.Facts && state.Made != nil && state.Zone == e.zone.String() {
			made.Made = *state.Made
		}
		for _, l := range late {
			made.Late = append(made.Late, report.DayOf(l.At, e.zone))
		}
		parts, _ := made.Plan(report.Period{From: month, To: month.NextMonth() - 1}, unit == report.Months)
		found, ok, err := e.Reports.Sum(ctx, e.tenant, e.env, queryOf(state, parts, e.zone, g))
		if err != nil {
			return nil, false, err
		}
		if ok {
			return g.Add(found), len(late) < ports.MaxLateFacts && (unit != report.Months || parts[0].Unit == report.Months), nil
		}
	}
	return nil, false, nil
}
