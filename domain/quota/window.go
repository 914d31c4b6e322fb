package quota

import "time"

// Minute is the time over which a Window counts.
const Minute = time.Minute

// slots is its resolution: one per second.
const slots = 60

// BurstWindow counts the calls of one caller over the last minute. The calls of a second are dropped sixty
// seconds after that second began. The zero value is an empty window.
type BurstWindow struct {
	last int64 // the newest second, since 1970
	sum  int
	at   [slots]uint32 // calls by second, modulo slots
}

// jitter is by how many seconds concurrent calls may be counted out of order without counting as a clock set
// back.
const jitter = 2

// advance moves the window to now and drops the calls that left it.
func (w *BurstWindow) advance(now time.Time) {
	second := now.Unix()
	if second < w.last-jitter {
		w.rewind(second)
	}
	if second-w.last >= slots {
		*w = BurstWindow{last: second}
		return
	}
	for ; w.last < second; w.last++ {
		old := &w.at[(w.last+1)%slots]
		w.sum -= int(*old)
		*old = 0
	}
}

// rewind handles a clock that was set back to second: later calls count as made in it, so the limit never
// loosens and no wait exceeds a minute.
func (w *BurstWindow) rewind(second int64) {
	before := BurstWindow{last: second, sum: w.sum}
	later := w.sum
	for old := w.last - slots + 1; old <= second; old++ {
		n := w.at[(old+slots)%slots]
		before.at[(old+slots)%slots] = n
		later -= int(n)
	}
	before.at[second%slots] += uint32(later) //nolint:gosec // it is a sum of uint32 counts
	*w = before
}

// Take counts a call, or returns how long to wait when limit is reached by this window and others, the calls
// counted by other processes.
func (w *BurstWindow) Take(limit, others int, now time.Time) (wait time.Duration) {
	w.advance(now)
	if w.sum+others < limit {
		w.at[w.last%slots]++
		w.sum++
		return 0
	}
	return w.waitTime(limit-others, now)
}

// waitTime is how long it takes until fewer than limit calls are counted; a second when that depends on other
// processes.
func (w *BurstWindow) waitTime(limit int, now time.Time) time.Duration {
	left := w.sum
	for second := w.last - slots + 1; second <= w.last; second++ {
		left -= int(w.at[(second+slots)%slots])
		if left < limit {
			return max(time.Unix(second+slots, 0).Sub(now), time.Millisecond)
		}
	}
	return time.Second
}

// Count is how many calls are in the window at now.
func (w *BurstWindow) Count(now time.Time) int {
	w.advance(now)
	return w.sum
}
