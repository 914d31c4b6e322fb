package portstest

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// parseDay is a day of January or February 2026.
func parseDay(t *testing.T, date string) quota.Day {
	t.Helper()
	d, err := quota.ParseDay(date)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Usage checks a ports.Usage that has no counts of the tenants used here.
func Usage(t *testing.T, u ports.Usage) {
	last, first, second := parseDay(t, "2026-01-31"), parseDay(t, "2026-02-01"), parseDay(t, "2026-02-02")
	keep := func(counter string, counts ...ports.CallCount) {
		t.Helper()
		if err := u.Save(t.Context(), counter, counts); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // twice, as after a lost answer
		keep("one", ports.CallCount{Tenant: "u1", Day: last, Count: 7}, ports.CallCount{Tenant: "u1", Day: first, Count: 20},
			ports.CallCount{Tenant: "u2", Day: first, Count: 3})
	}
	keep("two", ports.CallCount{Tenant: "u1", Day: first, Count: 5})
	keep("two", ports.CallCount{Tenant: "u1", Day: first, Count: 6}, ports.CallCount{Tenant: "u1", Day: second, Count: 1})
	keep("two")
	elsewhere := func(counter string, d quota.Day, want map[tenant.ID]int64) {
		t.Helper()
		got, err := u.SumOthers(t.Context(), counter, []tenant.ID{"u1", "u2", "u3"}, quota.MonthOf(d))
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("but %q: %v, %v; want %v", counter, got, err, want)
		}
	}
	elsewhere("", first, map[tenant.ID]int64{"u1": 27, "u2": 3})
	elsewhere("one", first, map[tenant.ID]int64{"u1": 7})
	elsewhere("two", first, map[tenant.ID]int64{"u1": 20, "u2": 3})
	elsewhere("two", last, map[tenant.ID]int64{"u1": 7})
	elsewhere("", first+60, map[tenant.ID]int64{})
	stored, err := u.ByCounter(t.Context(), "u1", quota.MonthOf(first))
	if err != nil || !maps.Equal(stored, map[string]int64{"one": 20, "two": 7}) {
		t.Errorf("by counter: %v, %v", stored, err)
	}
	got, err := u.SumOthersByDay(t.Context(), "one", "u1", quota.MonthOf(first))
	if err != nil || !maps.Equal(got, map[quota.Day]int64{first: 6, second: 1}) {
		t.Errorf("by day: %v, %v", got, err)
	}
	if got, err = u.SumOthersByDay(t.Context(), "", "u1", quota.MonthOf(first)); err != nil ||
		!maps.Equal(got, map[quota.Day]int64{first: 26, second: 1}) {
		t.Errorf("all by day: %v, %v", got, err)
	}
}

// maxTries is how often a check of an unavailable SharedCounter is repeated, since calls may time out on a
// busy machine.
const maxTries = 10

// SharedCounter checks a ports.SharedCounter as two processes use it. It must have no counts of the tenants
// used here, "s0" and so on.
func SharedCounter(t *testing.T, one, two ports.SharedCounter) {
	for i := range maxTries {
		c := sharedCounterTest{t: t, one: one, two: two, id: tenant.ID("s" + strconv.Itoa(i))}
		if c.run(); c.failed == "" {
			break
		}
		if !c.unavailable.Load() || i == maxTries-1 {
			t.Error(c.failed)
			break
		}
	}
	exchangeBursts(t, one, two)
}

// sharedCounterTest checks the count of a tenant.
type sharedCounterTest struct {
	t           *testing.T
	one, two    ports.SharedCounter
	id          tenant.ID
	failed      string      // the first failure
	unavailable atomic.Bool // it was unavailable at some time, so the check proves nothing
}

func (c *sharedCounterTest) failf(format string, args ...any) {
	if c.failed == "" {
		c.failed = fmt.Sprintf(format, args...)
	}
}

// admitResult is a result of Admit.
type admitResult struct {
	used     int64
	admitted bool
	err      error
}

func (c *sharedCounterTest) admit(by ports.SharedCounter, m quota.Month, with ports.CounterState, limit int64, want admitResult) {
	c.t.Helper()
	var got admitResult
	got.used, got.admitted, got.err = by.Admit(c.t.Context(), c.id, m, with, limit)
	if c.noteError(got.err); got != want {
		c.failf("%+v below %d in the month of %s: %+v, want %+v", with, limit, m.First, got, want)
	}
}

// noteError records that the counter was unavailable, and other errors.
func (c *sharedCounterTest) noteError(err error) {
	if errors.Is(err, ports.ErrCountUnavailable) {
		c.unavailable.Store(true)
	} else if err != nil && !errors.Is(err, ports.ErrCountUnknown) {
		c.failf("%v", err)
	}
}

func (c *sharedCounterTest) raise(m quota.Month, stored map[string]int64) {
	c.noteError(c.one.RaiseTo(c.t.Context(), c.id, m, stored))
}

func (c *sharedCounterTest) sync(m quota.Month, h ports.CounterState, elsewhere int64, want bool) {
	c.t.Helper()
	behind, err := c.one.Sync(c.t.Context(), m, map[tenant.ID]ports.CounterState{c.id: h}, map[tenant.ID]int64{c.id: elsewhere})
	if c.noteError(err); len(behind) > 0 != want {
		c.failf("%+v, others %d: behind is %v", h, elsewhere, behind)
	}
}

// counterState is a report of a counter.
func counterState(counter string, calls, turn int64) ports.CounterState {
	return ports.CounterState{Counter: counter, Calls: calls, Version: turn}
}

func (c *sharedCounterTest) run() {
	month, next := quota.MonthOf(parseDay(c.t, "2026-01-31")), quota.MonthOf(parseDay(c.t, "2026-02-01"))
	unknown := admitResult{err: ports.ErrCountUnknown}
	c.admit(c.one, month, counterState("one", 1, 1), 100, unknown)
	c.sync(month, counterState("one", 1, 1), 0, true)
	c.raise(month, map[string]int64{"one": 50, "old": 47})
	c.raise(month, map[string]int64{"old": 10}) // counts are never lowered
	for range 2 {                               // repeating the same report counts once
		c.admit(c.two, month, counterState("two", 1, 1), 100, admitResult{98, true, nil})
	}
	c.admit(c.one, month, counterState("one", 51, 1), 98, admitResult{98, false, nil})
	c.checkVersions(month)
	c.checkInactive(month)
	c.admit(c.one, next, counterState("one", 1, 90), 100, unknown)
	c.raise(next, nil)
	c.admit(c.two, next, counterState("two", 1, 90), 100, admitResult{1, true, nil}) // a new month starts at zero
	c.two.Report(c.id, next, counterState("two", 0, 91))
	c.admit(c.one, next, counterState("one", 1, 91), 1, admitResult{1, true, nil})
	c.sync(next, counterState("one", 0, 92), 0, false)
	c.checkConcurrent(next)
}

// checkVersions checks that newer reports replace older ones, and late reports are ignored.
func (c *sharedCounterTest) checkVersions(month quota.Month) {
	c.sync(month, counterState("two", 0, 3), 97, false)
	c.sync(month, counterState("two", 9, 2), 98, true) // an older version
	c.admit(c.two, month, counterState("two", 1, 1), 98, admitResult{98, true, nil})
	c.admit(c.one, month, counterState("one", 51, 2), 98, admitResult{98, true, nil})
	least := ports.CounterState{Counter: "one", Calls: 50, Version: 9, LowerBound: true}
	c.sync(month, least, 0, false)
	c.admit(c.two, month, counterState("two", 1, 4), 98, admitResult{98, false, nil})
	least.Calls = 53
	c.sync(month, least, 0, false)
	c.admit(c.two, month, counterState("two", 1, 5), 101, admitResult{101, true, nil})
	c.admit(c.one, month, counterState("one", 51, 3), 102, admitResult{99, true, nil}) // a lower bound does not replace a later version
}

// checkInactive checks that an inactive counter can be reconciled with its saved count.
func (c *sharedCounterTest) checkInactive(month quota.Month) {
	ctx := c.t.Context()
	none, err := c.one.Inactive(ctx, c.id, month, time.Hour)
	if c.noteError(err); len(none) > 0 {
		c.failf("silent for an hour: %v", none)
	}
	lastReports, err := c.one.Inactive(ctx, c.id, month, 0)
	if c.noteError(err); len(lastReports) != 2 || lastReports["one"] == 0 || lastReports["two"] == 0 {
		c.failf("silent are %v", lastReports)
	}
	stored := map[string]int64{"one": 50}
	// it has reported since
	c.noteError(c.one.Reconcile(ctx, c.id, month, map[string]int64{"one": lastReports["one"] - 1, "two": lastReports["two"] - 1}, stored))
	c.admit(c.two, month, counterState("two", 1, 6), 98, admitResult{98, false, nil})
	c.noteError(c.one.Reconcile(ctx, c.id, month, lastReports, stored))
	if lastReports, err = c.one.Inactive(ctx, c.id, month, 0); len(lastReports) > 0 {
		c.failf("silent after all are settled: %v", lastReports)
	}
	c.noteError(err)
	c.admit(c.two, month, counterState("two", 1, 7), 98, admitResult{98, true, nil})
}

// checkConcurrent checks that the limit holds for concurrent calls in any order.
func (c *sharedCounterTest) checkConcurrent(month quota.Month) {
	var wg sync.WaitGroup
	var in atomic.Int64
	for i := range int64(60) {
		wg.Go(func() {
			by, h := c.one, counterState("one", i/2+1, i+100)
			if i%2 == 1 {
				by, h.Counter = c.two, "two"
			}
			_, admitted, err := by.Admit(c.t.Context(), c.id, month, h, 40)
			if err != nil {
				c.unavailable.Store(true)
			}
			if admitted {
				in.Add(1)
			}
		})
	}
	if wg.Wait(); in.Load() != 40 {
		c.failf("%d calls were admitted, 40 were left", in.Load())
	}
}

func exchangeBursts(t *testing.T, one, two ports.SharedCounter) {
	t.Helper()
	now := parseDay(t, "2026-01-31").Start()
	exchange := func(c ports.SharedCounter, counter string, after time.Duration, counts, want map[string]int) {
		t.Helper()
		got, err := c.ExchangeBursts(t.Context(), counter, counts, now.Add(after))
		for again := 0; errors.Is(err, ports.ErrCountUnavailable) && again < maxTries; again++ { // repeating it has no effect
			got, err = c.ExchangeBursts(t.Context(), counter, counts, now.Add(after))
		}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s hears %v, %v; want %v", counter, got, err, want)
		}
	}
	exchange(one, "one", 0, map[string]int{"a": 5, "b": 6}, map[string]int{})
	exchange(two, "two", time.Second, map[string]int{"a": 7, "c": 8}, map[string]int{"a": 5})
	exchange(one, "one", time.Second, map[string]int{"a": 9, "b": 6}, map[string]int{"a": 7})
	exchange(two, "two", 10*time.Second, map[string]int{"a": 1}, map[string]int{})
}
