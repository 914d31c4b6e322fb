package metering

import (
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/ports"
)

// remoteTTL is how long what other processes counted is used without reading it again; Flush usually reads it
// sooner. Flush does not read it for tenants without calls for idle.
const (
	remoteTTL       = 2 * time.Second
	idleAfter       = time.Minute
	recheckInterval = time.Second
)

// tenantUsage is what this process knows of a tenant's calls.
type tenantUsage struct {
	readingRemote sync.Mutex // serializes reading; locked before mu

	mu             sync.Mutex
	limit          int64 // of its plan, as of the last call
	lastCall       time.Time
	month          quota.Month
	answered       int64 // answered by this process in month
	inFlight       int64 // admitted in month and not answered yet, including those being requested
	awaitingShared int64 // of month, not decided by the shared counter yet
	version        int64 // of the state reported last
	recheckedAt    time.Time
	remote         int64 // counted by other processes in month
	remoteReadAt   time.Time
	days           []dayCount
}

// dayCount is the number of calls this process answered on one day.
type dayCount struct {
	day            quota.Day
	count, flushed int64 // flushed has been stored
}

// noteCall notes a call and switches to its month.
func (t *tenantUsage) noteCall(now time.Time, day quota.Day, limit int64) quota.Month {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.limit, t.lastCall = limit, now
	if !t.month.Contains(day) {
		t.month = quota.MonthOf(day)
		t.answered, t.inFlight, t.awaitingShared, t.remote, t.remoteReadAt = 0, 0, 0, 0, time.Time{}
		for _, d := range t.days { // after the clock was set back, the earlier count is continued
			if t.month.Contains(d.day) {
				t.answered += d.count
			}
		}
	}
	return t.month
}

// begin counts an admitted call.
func (t *tenantUsage) begin(m quota.Month) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month == m {
		t.inFlight++
	}
}

// beginIfBelow admits a call if fewer than limit are known. It returns the count including this call,
// admitted or not.
func (t *tenantUsage) beginIfBelow(m quota.Month, limit int64) (with int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m { // the next month has begun: its limit does not apply to this call
		return limit
	}
	with = t.remote + t.answered + t.inFlight + 1
	if with <= limit {
		t.inFlight++
	}
	return with
}

// end counts an admitted call as answered, or gives it back.
func (t *tenantUsage) end(m quota.Month, day quota.Day, counted bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month == m {
		t.inFlight = max(0, t.inFlight-1)
	}
	if !counted {
		return
	}
	if t.month == m {
		t.answered++
	}
	for i := len(t.days) - 1; i >= 0; i-- {
		if t.days[i].day == day {
			t.days[i].count++
			return
		}
	}
	t.days = append(t.days, dayCount{day: day, count: 1})
}

// used is how many calls are known, including those in flight.
func (t *tenantUsage) used(m quota.Month) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return 0
	}
	return t.remote + t.answered + t.inFlight
}

// beginShared counts a call as in flight while the shared counter is asked to admit it; the returned state
// includes it. ok is false when another month has begun.
func (t *tenantUsage) beginShared(m quota.Month, counter string) (h ports.CounterState, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return h, false
	}
	t.inFlight++
	t.awaitingShared++
	t.version++
	return ports.CounterState{Counter: counter, Calls: t.answered + t.inFlight, Version: t.version}, true
}

// endShared records the decision of the shared counter.
func (t *tenantUsage) endShared(m quota.Month, admitted bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return
	}
	t.awaitingShared = max(0, t.awaitingShared-1)
	if !admitted {
		t.inFlight = max(0, t.inFlight-1)
	}
}

// counterState is the state to report to the shared counter; ok is false when another month has begun. It
// does not include calls that await a decision, since those that will be refused would take the place of
// others.
func (t *tenantUsage) counterState(m quota.Month, counter string) (h ports.CounterState, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return h, false
	}
	t.version++
	return ports.CounterState{
		Counter: counter, Calls: t.answered + t.inFlight - t.awaitingShared, Version: t.version, LowerBound: t.awaitingShared > 0,
	}, true
}

// remoteCalls is how many calls other processes are known to have counted.
func (t *tenantUsage) remoteCalls(m quota.Month) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return 0
	}
	return t.remote
}

// mayRecheck reports, at most once per recheckInterval, that a refusal may be rechecked.
func (t *tenantUsage) mayRecheck(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if since := now.Sub(t.recheckedAt); since >= 0 && since < recheckInterval {
		return false
	}
	t.recheckedAt = now
	return true
}

// remoteIsFresh reports whether what other processes counted was read recently.
func (t *tenantUsage) remoteIsFresh(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return now.Sub(t.remoteReadAt).Abs() < remoteTTL // the clock may have been set back
}

// setRemote stores what other processes counted; without success only the time of the attempt.
func (t *tenantUsage) setRemote(m quota.Month, elsewhere int64, success bool, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.month != m {
		return
	}
	if success {
		t.remote = elsewhere
	}
	t.remoteReadAt = now
}

// unflushedDays are the days whose count has changed since it was stored.
func (t *tenantUsage) unflushedDays() (all []dayCount) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range t.days {
		if d.count != d.flushed {
			all = append(all, d)
		}
	}
	return all
}

// markFlushed notes that a count was stored. Days to which no call in flight can belong are dropped, except
// those of the current month, which are needed if the clock is set back.
func (t *tenantUsage) markFlushed(written dayCount) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.days[:0]
	for _, d := range t.days {
		if d.day == written.day {
			d.flushed = written.count
		}
		if d.count != d.flushed || d.day >= t.month.First-1 {
			kept = append(kept, d)
		}
	}
	t.days = kept
}

// needsRemote reports whether the tenant has a limit and called recently, or has counts that are not stored;
// month is its current one.
func (t *tenantUsage) needsRemote(now time.Time) (month quota.Month, yes bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	open := t.inFlight > 0 || slices.ContainsFunc(t.days, func(d dayCount) bool { return d.count != d.flushed })
	return t.month, t.limit != quota.Unlimited && (open || now.Sub(t.lastCall).Abs() < idleAfter) && t.month.Contains(quota.DayOf(now))
}

// ownDaily is what this process answered, by day of a month.
func (t *tenantUsage) ownDaily(m quota.Month) map[quota.Day]int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := map[quota.Day]int64{}
	for _, d := range t.days {
		if m.Contains(d.day) {
			all[d.day] = d.count
		}
	}
	return all
}
