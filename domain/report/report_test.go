package report_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/report"
)

func day(t *testing.T, text string) report.Day {
	t.Helper()
	d, err := report.ParseDay("from", text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDaysAreReadStrictly(t *testing.T) {
	if d := day(t, "2026-01-31"); d.String() != "2026-01-31" || (d+1).String() != "2026-02-01" {
		t.Errorf("%s, then %s", d, d+1)
	}
	for _, wrong := range []string{"", "2026-1-31", "2026-02-29", "31.01.2026", "2026-01-31T00:00:00Z", "1969-12-31", "9999-01-01", "20260131"} {
		if d, err := report.ParseDay("from", wrong); err == nil || fault.From(err).Fields[0].Field != "from" {
			t.Errorf("%q is %s, %v", wrong, d, err)
		}
	}
}

// A day begins at the first moment that has its date, also where the clocks change at midnight.
func TestDayBeginsAtItsFirstMoment(t *testing.T) {
	for _, name := range []string{
		"UTC", "Asia/Seoul", "Europe/Berlin", "America/New_York", "America/Havana", "America/Sao_Paulo", "Asia/Beirut", "Asia/Kolkata",
		"Pacific/Chatham", "Africa/Cairo", "Asia/Amman", "Atlantic/Azores",
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for d := day(t, "2010-01-01"); d < day(t, "2030-01-01"); d++ {
			begins := d.Start(zone)
			if report.DayOf(begins, zone) != d || report.DayOf(begins.Add(-time.Nanosecond), zone) >= d {
				t.Fatalf("%s in %s begins at %s", d, name, begins.In(zone))
			}
			if next := (d + 1).Start(zone); !next.After(begins) || next.Sub(begins) > 26*time.Hour {
				t.Fatalf("%s in %s lasts %s", d, name, next.Sub(begins))
			}
		}
	}
	apia, err := time.LoadLocation("Pacific/Apia") // it had no 30 December 2011
	if err != nil {
		t.Fatal(err)
	}
	missing := day(t, "2011-12-30")
	if begins := missing.Start(apia); !begins.Equal((missing + 1).Start(apia)) {
		t.Errorf("a date that never was begins at %s, the next at %s", begins, (missing + 1).Start(apia))
	}
}

func TestWeeksBeginOnMonday(t *testing.T) {
	for d := day(t, "1970-01-01"); d < day(t, "1972-01-01"); d++ {
		week := d.Week()
		at, err := time.Parse(time.DateOnly, week.String())
		if err != nil || at.Weekday() != time.Monday || week > d || d-week > 6 {
			t.Fatalf("the week of %s begins on %s", d, week)
		}
	}
}

func TestPeriods(t *testing.T) {
	from, to := day(t, "2024-02-01"), day(t, "2024-02-29")
	p, err := report.NewPeriod(from, to)
	if err != nil || p.Days() != 29 {
		t.Fatalf("%d days, %v", p.Days(), err)
	}
	for c, want := range map[report.Comparison][2]string{
		report.Previous: {"2024-01-03", "2024-01-31"}, report.PreviousYear: {"2023-02-01", "2023-02-28"},
	} {
		if q, ok := p.ComparedBy(c); !ok || q.From.String() != want[0] || q.To.String() != want[1] {
			t.Errorf("%s is from %s to %s", c, q.From, q.To)
		}
	}
	if _, ok := p.ComparedBy(report.NotCompared); ok {
		t.Error("it is compared with something")
	}
	if _, err := report.NewPeriod(to, from); err == nil || fault.From(err).Fields[0].Field != "to" {
		t.Errorf("backwards: %v", err)
	}
	if _, err := report.NewPeriod(from, from+report.MaxDays-1); err != nil {
		t.Error(err)
	}
	if _, err := report.NewPeriod(from, from+report.MaxDays); err == nil {
		t.Error("a day more than a report is about")
	}
}

// The parts of a plan are the days of the period, each once and in order: sums where there are whole ones, else facts.
func TestPlanHasEveryDayOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := report.Day(20000)
		some := func(name string) report.Day { return base + report.Day(rapid.IntRange(0, 150).Draw(t, name)) }
		f := report.Progress{First: some("first"), Made: some("made"), Today: base + 140}
		for range rapid.IntRange(0, 4).Draw(t, "late") {
			f.Late = append(f.Late, some("late"))
		}
		from := some("from")
		p := report.Period{From: from, To: from + report.Day(rapid.IntRange(0, 150).Draw(t, "days"))}
		months := rapid.Bool().Draw(t, "months")
		parts, live := f.Plan(p, months)
		next, facts := max(p.From, f.First), 0
		for _, x := range parts {
			if x.From != next || x.Until <= x.From {
				t.Fatalf("part %+v does not follow %s", x, next)
			}
			next = x.Until
			for d := x.From; d < x.Until; d++ {
				late, made := slices.Contains(f.Late, d), d < f.Made
				switch x.Unit {
				case report.Facts:
					facts++
					if made && !late {
						t.Fatalf("%s is read from facts", d)
					}
				case report.Days, report.Months:
					if !made || late {
						t.Fatalf("%s is read from a sum", d)
					}
				}
			}
			if x.Unit == report.Months && (!months || x.From != x.From.Month() || x.Until != x.Until.Month()) {
				t.Fatalf("%+v is not whole months", x)
			}
		}
		if end := min(p.To, f.Today) + 1; next != max(end, max(p.From, f.First)) {
			t.Fatalf("the parts end at %s, the days at %s", next, end)
		}
		if facts != live {
			t.Fatalf("%d days from facts, %d told", facts, live)
		}
	})
}

// Steps add up every day with facts, and each month once it has ended and all its days were added up.
func TestStepsAddUpEveryDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ended := report.Day(20000), report.Day(20000+rapid.IntRange(0, 200).Draw(t, "ended"))
		days := map[report.Day]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "busy days") {
			days[base+report.Day(rapid.IntRange(0, 220).Draw(t, "day"))] = true
		}
		next := func(from report.Day) report.Day {
			for d := from; d < ended; d++ {
				if days[d] {
					return d
				}
			}
			return ended
		}
		made := next(base)
		done, months := map[report.Day]bool{}, map[report.Day]bool{}
		for {
			s, ok := report.Next(made, next(made), ended)
			if !ok {
				break
			}
			if s.Made <= made {
				t.Fatalf("%+v after %s", s, made)
			}
			if s.Has {
				done[s.Day] = true
			}
			for _, m := range s.Months {
				months[m] = true
			}
			made = s.Made
		}
		for d := range days {
			if d < ended && !done[d] {
				t.Fatalf("%s was not added up", d)
			}
			if d < ended && d.NextMonth() <= ended && !months[d.Month()] {
				t.Fatalf("the month of %s was not added up", d)
			}
		}
	})
}

func TestAverageIsRoundedHalfUp(t *testing.T) {
	for want, s := range map[int64]report.Sums{
		3: {Orders: 2, Ordered: 5}, 2: {Orders: 3, Ordered: 7}, 0: {Orders: 3, Ordered: 1},
	} {
		if got, ok := s.Average(); !ok || got != want {
			t.Errorf("%+v is %d on average", s, got)
		}
	}
	if _, ok := (report.Sums{Ordered: 7}).Average(); ok {
		t.Error("no orders have an average")
	}
}

// Amounts of different currencies are never added.
func TestRowsAreAddedUpPerCurrency(t *testing.T) {
	rows := []report.Row{
		{Key: report.Key{Starts: 5, Provider: "a", Currency: "KRW"}, Sums: report.Sums{Revenue: 1}},
		{Key: report.Key{Starts: 6, Provider: "b", Currency: "USD"}, Sums: report.Sums{Revenue: 10, Refunds: 4}},
		{Key: report.Key{Starts: 7, Provider: "a", Currency: "KRW"}, Sums: report.Sums{Revenue: 2}},
		{Key: report.Key{Starts: 7, Currency: "KRW"}, Sums: report.Sums{Orders: 1}},
	}
	for g, want := range map[report.Grouping][]report.Row{
		report.ByNothing: {
			{Key: report.Key{Currency: "KRW"}, Sums: report.Sums{Orders: 1, Revenue: 3}},
			{Key: report.Key{Currency: "USD"}, Sums: report.Sums{Revenue: 10, Refunds: 4}},
		},
		report.ByProvider: {
			{Key: report.Key{Provider: "b", Currency: "USD"}, Sums: report.Sums{Revenue: 10, Refunds: 4}},
			{Key: report.Key{Provider: "a", Currency: "KRW"}, Sums: report.Sums{Revenue: 3}},
		},
	} {
		if got := g.Add(rows); !slices.Equal(got, want) {
			t.Errorf("by %q: %+v", g, got)
		}
	}
	if net := rows[1].Net(); net != 6 {
		t.Errorf("net %d", net)
	}
}
