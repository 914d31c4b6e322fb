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

func (c *counting) take(by ports.SharedCount, m quota.Month, limit int64, want taken) {
	var got taken
	if got.used, got.admitted, got.err = by.Take(c.t.Context(), c.id, m, limit); errors.Is(got.err, ports.ErrCountAway) {
		c.away.Store(true)
	}
	if got != want {
		c.failf("below %d in the month of %s: %+v, want %+v", limit, m.First, got, want)
	}
}

func (c *counting) raise(m quota.Month, used int64) {
	if err := c.one.Raise(c.t.Context(), m, map[tenant.ID]int64{c.id: used}); err != nil {
		c.away.Store(errors.Is(err, ports.ErrCountAway))
		c.failf("raise: %v", err)
	}
}

func (c *counting) counts() {
	month, next := quota.MonthOf(dated(c.t, "2026-01-31")), quota.MonthOf(dated(c.t, "2026-02-01"))
	unknown := taken{err: ports.ErrCountUnknown}
	c.take(c.one, month, 100, unknown)
	c.raise(month, 97)
	c.raise(month, 50) // it never goes down
	c.take(c.two, month, 100, taken{98, true, nil})
	c.take(c.one, month, 98, taken{98, false, nil})
	c.take(c.one, next, 100, unknown)
	c.raise(next, 0)
	c.take(c.two, next, 100, taken{1, true, nil}) // a month begins anew
	c.two.GiveBack(c.id, next)
	c.take(c.two, next, 100, taken{1, true, nil})
	c.crowd(next)
}

// crowd: however many call at once, the limit is kept.
func (c *counting) crowd(month quota.Month) {
	var wg sync.WaitGroup
	var in atomic.Int64
	for i := range 60 {
		wg.Go(func() {
			_, admitted, err := []ports.SharedCount{c.one, c.two}[i%2].Take(c.t.Context(), c.id, month, 41)
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
