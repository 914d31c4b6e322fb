package metering

import (
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
)

// freshness is how long what other processes counted is believed without reading it again; Flush reads it sooner. Tenants
// that did not call for idle are not read for by Flush.
const (
	freshness = 2 * time.Second
	idle      = time.Minute
)

// tally is what this process knows of a tenant's calls.
type tally struct {
	reading sync.Mutex // one look-up at a time; taken before mu

	mu        sync.Mutex
	limit     int64 // of its plan, when it last called
	last      time.Time
	month     quota.Month
	mine      int64 // answered by this process in month
	underWay  int64 // admitted in month, not answered yet
	elsewhere int64 // what others counted in month
	known     time.Time
	days      []daily
}

// daily is what this process answered on a day.
type daily struct {
	day         quota.Day
	count, kept int64 // kept was written down
}

// seen notes a call and turns to its month.
func (t *tally) seen(now time.Time, day quota.Day, limit int64) quota.Month {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.limit, t.last = limit, now
	if !t.month.Has(day) {
		t.month = quota.MonthOf(day)
		t.mine, t.underWay, t.elsewhere, t.known = 0, 0, 0, time.Time{}
		for _, d := range t.days { // a clock that goes back finds what was counted before
			if t.month.Has(d.day) {
				t.mine += d.count
			}
		}
	}
	return t.month
}

// begin admits a call.
func (t *tally) begin(m quota.Month) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month == m {
		t.underWay++
	}
}

// beginBelow admits a call when fewer than limit are known of. It returns how many it makes, admitted or not.
func (t *tally) beginBelow(m quota.Month, limit int64) (with int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m { // the next month has begun meanwhile: its limit is no concern of this call
		return limit
	}
	with = t.elsewhere + t.mine + t.underWay + 1
	if with <= limit {
		t.underWay++
	}
	return with
}

// end counts an admitted call as answered, or takes it back.
func (t *tally) end(m quota.Month, day quota.Day, counted bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month == m {
		t.underWay = max(0, t.underWay-1)
	}
	if !counted {
		return
	}
	if t.month == m {
		t.mine++
	}
	for i := len(t.days) - 1; i >= 0; i-- {
		if t.days[i].day == day {
			t.days[i].count++
			return
		}
	}
	t.days = append(t.days, daily{day: day, count: 1})
}

// used is how many calls are known of, those under way too.
func (t *tally) used(m quota.Month) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return 0
	}
	return t.elsewhere + t.mine + t.underWay
}

// done is how many answered calls are known of. No process takes these back, so it never exceeds a shared count.
func (t *tally) done(m quota.Month) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return 0
	}
	return t.elsewhere + t.mine
}

// fresh reports whether what others counted was learnt lately.
func (t *tally) fresh(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.known.IsZero() && now.Sub(t.known) < freshness
}

// forget has it looked up anew.
func (t *tally) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = time.Time{}
}

// learn takes what others counted; without success it only remembers having asked.
func (t *tally) learn(m quota.Month, elsewhere int64, success bool, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return
	}
	if success {
		t.elsewhere = elsewhere
	}
	t.known = now
}

// unkept are the days whose count was not written down yet.
func (t *tally) unkept() (all []daily) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range t.days {
		if d.count != d.kept {
			all = append(all, d)
		}
	}
	return all
}

// keep notes what was written down. Days that no call under way can belong to any more are forgotten, but the days of the
// month, which a clock that goes back would ask for.
func (t *tally) keep(written daily) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.days[:0]
	for _, d := range t.days {
		if d.day == written.day {
			d.kept = written.count
		}
		if d.count != d.kept || d.day >= t.month.First-1 {
			kept = append(kept, d)
		}
	}
	t.days = kept
}

// limited reports whether the tenant has a limit and called lately; month is the one it is in.
func (t *tally) limited(now time.Time) (month quota.Month, yes bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.month, t.limit != quota.Unlimited && now.Sub(t.last) < idle && t.month.Has(quota.DayOf(now))
}

// own is what this process answered on the days of a month.
func (t *tally) own(m quota.Month) map[quota.Day]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := map[quota.Day]int64{}
	for _, d := range t.days {
		if m.Has(d.day) {
			all[d.day] = d.count
		}
	}
	return all
}
