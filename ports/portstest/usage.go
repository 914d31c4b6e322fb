package portstest

import (
	"maps"
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

// SharedCount checks a ports.SharedCount two processes have; nothing is remembered of the tenants used here.
func SharedCount(t *testing.T, one, two ports.SharedCount) {
	month, next := quota.MonthOf(dated(t, "2026-01-31")), quota.MonthOf(dated(t, "2026-02-01"))
	take := func(c ports.SharedCount, m quota.Month, limit int64) (int64, bool) {
		t.Helper()
		used, admitted, err := c.Take(t.Context(), "s1", m, limit)
		expect(t, err, nil)
		return used, admitted
	}
	raise := func(m quota.Month, used int64) {
		t.Helper()
		expect(t, one.Raise(t.Context(), m, map[tenant.ID]int64{"s1": used}), nil)
	}
	_, _, err := one.Take(t.Context(), "s1", month, 100)
	expect(t, err, ports.ErrCountUnknown)
	raise(month, 97)
	raise(month, 50) // it never goes down
	if used, admitted := take(two, month, 100); used != 98 || !admitted {
		t.Errorf("%d, %t", used, admitted)
	}
	if used, admitted := take(one, month, 98); used != 98 || admitted {
		t.Errorf("at the limit: %d, %t", used, admitted)
	}
	_, _, err = one.Take(t.Context(), "s1", next, 100)
	expect(t, err, ports.ErrCountUnknown)
	raise(next, 0)
	if used, admitted := take(two, next, 100); used != 1 || !admitted {
		t.Errorf("a month begins anew: %d, %t", used, admitted)
	}
	two.GiveBack("s1", next)
	if used, admitted := take(two, next, 100); used != 1 || !admitted {
		t.Errorf("what was given back: %d, %t", used, admitted)
	}
	crowd(t, one, two, next)
	burst(t, one, two)
}

// crowd: however many call at once, the limit is kept.
func crowd(t *testing.T, one, two ports.SharedCount, month quota.Month) {
	t.Helper()
	var wg sync.WaitGroup
	var in atomic.Int64
	for i := range 60 {
		wg.Go(func() {
			if _, admitted, err := []ports.SharedCount{one, two}[i%2].Take(t.Context(), "s1", month, 41); err == nil && admitted {
				in.Add(1)
			}
		})
	}
	if wg.Wait(); in.Load() != 40 {
		t.Errorf("%d calls were admitted, 40 were left", in.Load())
	}
}

func burst(t *testing.T, one, two ports.SharedCount) {
	t.Helper()
	now := dated(t, "2026-01-31").Start()
	tell := func(c ports.SharedCount, counter string, after time.Duration, counts, want map[string]int) {
		t.Helper()
		got, err := c.Bursts(t.Context(), counter, counts, now.Add(after))
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s hears %v, %v; want %v", counter, got, err, want)
		}
	}
	tell(one, "one", 0, map[string]int{"a": 5, "b": 6}, map[string]int{})
	tell(two, "two", time.Second, map[string]int{"a": 7, "c": 8}, map[string]int{"a": 5})
	tell(one, "one", time.Second, map[string]int{"a": 9, "b": 6}, map[string]int{"a": 7})
	tell(two, "two", 10*time.Second, map[string]int{"a": 1}, map[string]int{})
}
