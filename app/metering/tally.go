package metering

import (
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/ports"
)

// freshness is how long what other processes counted is believed without reading it again; Flush reads it sooner. Tenants
// that did not call for idle are not read for by Flush.
const (
	freshness = 2 * time.Second
	idle      = time.Minute
	lookEvery = time.Second
)

// tally is what this process knows of a tenant's calls.
type tally struct {
	reading sync.Mutex // one look-up at a time; taken before mu

	mu        sync.Mutex
	limit     int64 // of its plan, when it last called
	last      time.Time
	month     quota.Month
	mine      int64 // answered by this process in month
	underWay  int64 // admitted in month, not answered yet; and asked
	asked     int64 // of month, without an answer of the shared count yet
	turn      int64 // of what was told of it last
	looked    time.Time
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
		t.mine, t.underWay, t.asked, t.elsewhere, t.known = 0, 0, 0, 0, time.Time{}
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

// hold counts a call as under way that the shared count is asked for, until held; the holding has it. It is false when
// another month has begun.
func (t *tally) hold(m quota.Month, counter string) (h ports.Holding, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return h, false
	}
	t.underWay++
	t.asked++
	t.turn++
	return ports.Holding{Counter: counter, Calls: t.mine + t.underWay, Turn: t.turn}, true
}

// held notes the answer.
func (t *tally) held(m quota.Month, admitted bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return
	}
	t.asked = max(0, t.asked-1)
	if !admitted {
		t.underWay = max(0, t.underWay-1)
	}
}

// holding is what to tell the shared count; it is false when another month has begun. Calls that wait for an answer are
// not in it: those that will be refused would keep others out.
func (t *tally) holding(m quota.Month, counter string) (h ports.Holding, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return h, false
	}
	t.turn++
	return ports.Holding{Counter: counter, Calls: t.mine + t.underWay - t.asked, Turn: t.turn, AtLeast: t.asked > 0}, true
}

// others is how many calls others are known to have counted.
func (t *tally) others(m quota.Month) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return 0
	}
	return t.elsewhere
}

// look reports, at most once in lookEvery, that a refusal is to be doubted.
func (t *tally) look(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if since := now.Sub(t.looked); since >= 0 && since < lookEvery {
		return false
	}
	t.looked = now
	return true
}

// fresh reports whether what others counted was learnt lately.
func (t *tally) fresh(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return now.Sub(t.known).Abs() < freshness // the clock may have gone back
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

// limited reports whether the tenant has a limit and called lately, or there are calls not written down; month is the one
// it is in.
func (t *tally) limited(now time.Time) (month quota.Month, yes bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	open := t.underWay > 0 || slices.ContainsFunc(t.days, func(d daily) bool { return d.count != d.kept })
	return t.month, t.limit != quota.Unlimited && (open || now.Sub(t.last).Abs() < idle) && t.month.Has(quota.DayOf(now))
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
