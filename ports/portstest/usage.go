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

// dated is a day of January or February 2026.
func dated(t *testing.T, date string) quota.Day {
	t.Helper()
	d, err := quota.ParseDay(date)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Usage checks ports.Usage; nothing is kept of the tenants used here.
func Usage(t *testing.T, u ports.Usage) {
	last, first, second := dated(t, "2026-01-31"), dated(t, "2026-02-01"), dated(t, "2026-02-02")
	keep := func(counter string, counts ...ports.Calls) {
		t.Helper()
		if err := u.Keep(t.Context(), counter, counts); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // again, as after an answer that was lost
		keep("one", ports.Calls{Tenant: "u1", Day: last, Count: 7}, ports.Calls{Tenant: "u1", Day: first, Count: 20}, ports.Calls{Tenant: "u2", Day: first, Count: 3})
	}
	keep("two", ports.Calls{Tenant: "u1", Day: first, Count: 5})
	keep("two", ports.Calls{Tenant: "u1", Day: first, Count: 6}, ports.Calls{Tenant: "u1", Day: second, Count: 1})
	keep("two")
	elsewhere := func(counter string, d quota.Day, want map[tenant.ID]int64) {
		t.Helper()
		got, err := u.Elsewhere(t.Context(), counter, []tenant.ID{"u1", "u2", "u3"}, quota.MonthOf(d))
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("but %q: %v, %v; want %v", counter, got, err, want)
		}
	}
	elsewhere("", first, map[tenant.ID]int64{"u1": 27, "u2": 3})
	elsewhere("one", first, map[tenant.ID]int64{"u1": 7})
	elsewhere("two", first, map[tenant.ID]int64{"u1": 20, "u2": 3})
	elsewhere("two", last, map[tenant.ID]int64{"u1": 7})
	elsewhere("", first+60, map[tenant.ID]int64{})
	kept, err := u.Counters(t.Context(), "u1", quota.MonthOf(first))
	if err != nil || !maps.Equal(kept, map[string]int64{"one": 20, "two": 7}) {
		t.Errorf("by counter: %v, %v", kept, err)
	}
	got, err := u.Daily(t.Context(), "one", "u1", quota.MonthOf(first))
	if err != nil || !maps.Equal(got, map[quota.Day]int64{first: 6, second: 1}) {
		t.Errorf("by day: %v, %v", got, err)
	}
	if got, err = u.Daily(t.Context(), "", "u1", quota.MonthOf(first)); err != nil || !maps.Equal(got, map[quota.Day]int64{first: 26, second: 1}) {
		t.Errorf("all by day: %v, %v", got, err)
	}
}

// tries is how often a SharedCount that did not answer is checked anew: a busy machine may have it miss its time.
const tries = 10

// SharedCount checks a ports.SharedCount two processes have; nothing is remembered of the tenants used here, "s0" and so on.
func SharedCount(t *testing.T, one, two ports.SharedCount) {
	for i := range tries {
		c := counting{t: t, one: one, two: two, id: tenant.ID("s" + strconv.Itoa(i))}
		if c.counts(); c.failed == "" {
			break
		}
		if !c.away.Load() || i == tries-1 {
			t.Error(c.failed)
			break
		}
	}
	burst(t, one, two)
}

// counting checks the count of a tenant.
type counting struct {
	t        *testing.T
	one, two ports.SharedCount
	id       tenant.ID
	failed   string      // what was wrong first
	away     atomic.Bool // at some time it did not answer, so nothing is wrong
}

func (c *counting) failf(format string, args ...any) {
	if c.failed == "" {
		c.failed = fmt.Sprintf(format, args...)
	}
}

// taken is an outcome of Take.
type taken struct {
	used     int64
	admitted bool
	err      error
}

func (c *counting) take(by ports.SharedCount, m quota.Month, with ports.Holding, limit int64, want taken) {
	c.t.Helper()
	var got taken
	got.used, got.admitted, got.err = by.Take(c.t.Context(), c.id, m, with, limit)
	if c.missed(got.err); got != want {
		c.failf("%+v below %d in the month of %s: %+v, want %+v", with, limit, m.First, got, want)
	}
}

// missed notes that it did not answer, and other errors.
func (c *counting) missed(err error) {
	if errors.Is(err, ports.ErrCountAway) {
		c.away.Store(true)
	} else if err != nil && !errors.Is(err, ports.ErrCountUnknown) {
		c.failf("%v", err)
	}
}

func (c *counting) raise(m quota.Month, kept map[string]int64) {
	c.missed(c.one.Raise(c.t.Context(), c.id, m, kept))
}

func (c *counting) share(m quota.Month, h ports.Holding, elsewhere int64, want bool) {
	c.t.Helper()
	behind, err := c.one.Share(c.t.Context(), m, map[tenant.ID]ports.Holding{c.id: h}, map[tenant.ID]int64{c.id: elsewhere})
	if c.missed(err); len(behind) > 0 != want {
		c.failf("%+v, others %d: behind is %v", h, elsewhere, behind)
	}
}

// holds is what a counter tells.
func holds(counter string, calls, turn int64) ports.Holding {
	return ports.Holding{Counter: counter, Calls: calls, Turn: turn}
}

func (c *counting) counts() {
	month, next := quota.MonthOf(dated(c.t, "2026-01-31")), quota.MonthOf(dated(c.t, "2026-02-01"))
	unknown := taken{err: ports.ErrCountUnknown}
	c.take(c.one, month, holds("one", 1, 1), 100, unknown)
	c.share(month, holds("one", 1, 1), 0, true)
	c.raise(month, map[string]int64{"one": 50, "old": 47})
	c.raise(month, map[string]int64{"old": 10}) // it never goes down
	for range 2 {                               // the same again is the same call
		c.take(c.two, month, holds("two", 1, 1), 100, taken{98, true, nil})
	}
	c.take(c.one, month, holds("one", 51, 1), 98, taken{98, false, nil})
	c.told(month)
	c.silent(month)
	c.take(c.one, next, holds("one", 1, 90), 100, unknown)
	c.raise(next, nil)
	c.take(c.two, next, holds("two", 1, 90), 100, taken{1, true, nil}) // a month begins anew
	c.two.Tell(c.id, next, holds("two", 0, 91))
	c.take(c.one, next, holds("one", 1, 91), 1, taken{1, true, nil})
	c.share(next, holds("one", 0, 92), 0, false)
	c.crowd(next)
}

// told: what is newer counts, what comes late does not.
func (c *counting) told(month quota.Month) {
	c.share(month, holds("two", 0, 3), 97, false)
	c.share(month, holds("two", 9, 2), 98, true) // overtaken
	c.take(c.two, month, holds("two", 1, 1), 98, taken{98, true, nil})
	c.take(c.one, month, holds("one", 51, 2), 98, taken{98, true, nil})
	least := ports.Holding{Counter: "one", Calls: 50, Turn: 9, AtLeast: true}
	c.share(month, least, 0, false)
	c.take(c.two, month, holds("two", 1, 4), 98, taken{98, false, nil})
	least.Calls = 53
	c.share(month, least, 0, false)
	c.take(c.two, month, holds("two", 1, 5), 101, taken{101, true, nil})
	c.take(c.one, month, holds("one", 51, 3), 102, taken{99, true, nil}) // what only raised overtakes nothing
}

// silent: who says nothing counts as what it kept.
func (c *counting) silent(month quota.Month) {
	ctx := c.t.Context()
	none, err := c.one.Silent(ctx, c.id, month, time.Hour)
	if c.missed(err); len(none) > 0 {
		c.failf("silent for an hour: %v", none)
	}
	heard, err := c.one.Silent(ctx, c.id, month, 0)
	if c.missed(err); len(heard) != 2 || heard["one"] == 0 || heard["two"] == 0 {
		c.failf("silent are %v", heard)
	}
	kept := map[string]int64{"one": 50}
	c.missed(c.one.Settle(ctx, c.id, month, map[string]int64{"one": heard["one"] - 1, "two": heard["two"] - 1}, kept)) // it spoke since
	c.take(c.two, month, holds("two", 1, 6), 98, taken{98, false, nil})
	c.missed(c.one.Settle(ctx, c.id, month, heard, kept))
	if heard, err = c.one.Silent(ctx, c.id, month, 0); len(heard) > 0 {
		c.failf("silent after all are settled: %v", heard)
	}
	c.missed(err)
	c.take(c.two, month, holds("two", 1, 7), 98, taken{98, true, nil})
}

// crowd: however many call at once, in whatever order they come, the limit is kept.
func (c *counting) crowd(month quota.Month) {
	var wg sync.WaitGroup
	var in atomic.Int64
	for i := range int64(60) {
		wg.Go(func() {
			by, h := c.one, holds("one", i/2+1, i+100)
			if i%2 == 1 {
				by, h.Counter = c.two, "two"
			}
			_, admitted, err := by.Take(c.t.Context(), c.id, month, h, 40)
			if err != nil {
				c.away.Store(true)
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

func burst(t *testing.T, one, two ports.SharedCount) {
	t.Helper()
	now := dated(t, "2026-01-31").Start()
	tell := func(c ports.SharedCount, counter string, after time.Duration, counts, want map[string]int) {
		t.Helper()
		got, err := c.Bursts(t.Context(), counter, counts, now.Add(after))
		for again := 0; errors.Is(err, ports.ErrCountAway) && again < tries; again++ { // to say it again changes nothing
			got, err = c.Bursts(t.Context(), counter, counts, now.Add(after))
		}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s hears %v, %v; want %v", counter, got, err, want)
		}
	}
	tell(one, "one", 0, map[string]int{"a": 5, "b": 6}, map[string]int{})
	tell(two, "two", time.Second, map[string]int{"a": 7, "c": 8}, map[string]int{"a": 5})
	tell(one, "one", time.Second, map[string]int{"a": 9, "b": 6}, map[string]int{"a": 7})
	tell(two, "two", 10*time.Second, map[string]int{"a": 1}, map[string]int{})
}
