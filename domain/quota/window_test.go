package quota_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
)

func TestBurstLimitPerMinute(t *testing.T) {
	t.Parallel()
	noon := at("2026-01-31T12:00:00Z")
	var w quota.BurstWindow
	for i := range 5 {
		if wait := w.Take(5, 0, noon.Add(time.Duration(i)*10*time.Second)); wait != 0 {
			t.Fatalf("call %d waits %s", i+1, wait)
		}
	}
	for second, want := range map[int]time.Duration{40: 20 * time.Second, 59: time.Second} {
		now := noon.Add(time.Duration(second) * time.Second)
		if wait := w.Take(5, 0, now); wait != want || w.Count(now) != 5 {
			t.Errorf("after %d s the sixth waits %s, want %s; %d are counted", second, wait, want, w.Count(now))
		}
	}
	now := noon.Add(time.Minute)
	if wait := w.Take(5, 0, now); wait != 0 {
		t.Errorf("a minute after the first: %s", wait)
	}
	if wait := w.Take(5, 0, now); wait != 10*time.Second {
		t.Errorf("the next one leaves ten seconds later, not in %s", wait)
	}
	if wait := w.Take(5, 0, noon); wait == 0 {
		t.Error("a clock that goes back makes no room")
	}
	if n := w.Count(now.Add(time.Hour)); n != 0 {
		t.Errorf("after an hour %d are counted", n)
	}
}

// A clock that is set back does not loosen the limit, and no wait exceeds a minute.
func TestWindowRecoversFromClockSetBack(t *testing.T) {
	t.Parallel()
	noon := at("2026-01-31T12:00:00Z")
	for _, ahead := range []time.Duration{time.Second, 5 * time.Second, 59 * time.Second, time.Minute, time.Hour, 24 * time.Hour} {
		var w quota.BurstWindow
		for i := range 5 {
			if w.Take(10, 0, noon.Add(time.Duration(i)*time.Second)) != 0 || w.Take(10, 0, noon.Add(ahead)) != 0 {
				t.Fatalf("%s ahead: there is room", ahead)
			}
		}
		now := noon.Add(5 * time.Second)
		counted := w.Count(now)
		for range 10 - counted {
			if w.Take(10, 0, now) != 0 {
				t.Errorf("%s ahead: %d are counted", ahead, w.Count(now))
			}
		}
		wait := w.Take(10, 0, now)
		if wait == 0 || wait > time.Minute {
			t.Errorf("%s ahead: at the limit it waits %s", ahead, wait)
		}
		if later := now.Add(time.Minute); w.Count(later) != 0 || w.Take(10, 0, later) != 0 {
			t.Errorf("%s ahead: a minute later %d are counted", ahead, w.Count(later))
		}
	}
}

func TestOtherProcessesCountTowardLimit(t *testing.T) {
	t.Parallel()
	now := at("2026-01-31T12:00:00Z")
	var w quota.BurstWindow
	if w.Take(5, 4, now) != 0 || w.Take(5, 4, now) == 0 {
		t.Error("four elsewhere leave one")
	}
	if wait := w.Take(5, 5, now); wait != time.Second {
		t.Errorf("only others can make room: %s", wait)
	}
	if w.Take(5, 3, now) != 0 {
		t.Error("there is room when others rest")
	}
}

// Whatever the times of calls, the calls of any sixty seconds stay within the limit, to the second.
func TestNoMinuteExceedsLimit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		var w quota.BurstWindow
		var taken []time.Time
		now := at("2026-01-31T12:00:00Z")
		for range 2000 {
			now = now.Add(time.Duration(r.Int64N(int64(400 * time.Millisecond))))
			wait := w.Take(100, 0, now)
			if wait == 0 {
				taken = append(taken, now)
				continue
			}
			if wait > time.Minute {
				t.Fatalf("seed %d: a wait of %s", seed, wait)
			}
			later := w
			if later.Take(100, 0, now.Add(wait)) != 0 {
				t.Fatalf("seed %d: after the wait there is no room", seed)
			}
		}
		for i := 100; i < len(taken); i++ {
			if span := taken[i].Truncate(time.Second).Sub(taken[i-100].Truncate(time.Second)); span < time.Minute {
				t.Fatalf("seed %d: 101 calls within %s", seed, span)
			}
		}
	}
}

func BenchmarkBurstWindow(b *testing.B) {
	var w quota.BurstWindow
	now := at("2026-01-31T12:00:00Z")
	for b.Loop() {
		now = now.Add(time.Millisecond)
		w.Take(600, 0, now)
	}
}
