package quota

import "time"

// Minute is the time over which a Window counts.
const Minute = time.Minute

// slots is how finely: by whole seconds.
const slots = 60

// Window counts the calls of one caller over the last minute. What happened in a second is forgotten sixty seconds after
// that second began. The zero value has counted nothing.
type Window struct {
	last int64 // the newest second, since 1970
	sum  int
	at   [slots]uint32 // calls by second, modulo slots
}

// jitter is how many seconds calls of one moment may seem apart, as they are looked at in no order.
const jitter = 2

// advance forgets what is over.
func (w *Window) advance(now time.Time) {
	second := now.Unix()
	if second < w.last-jitter {
		w.back(second)
	}
	if second-w.last >= slots {
		*w = Window{last: second}
		return
	}
	for ; w.last < second; w.last++ {
		old := &w.at[(w.last+1)%slots]
		w.sum -= int(*old)
		*old = 0
	}
}

// back turns to a second that was before, when a clock ran ahead and was put right. What was counted for later counts as
// of now: that makes no room at once, and nobody waits longer than a minute.
func (w *Window) back(second int64) {
	before := Window{last: second, sum: w.sum}
	later := w.sum
	for old := w.last - slots + 1; old <= second; old++ {
		n := w.at[(old+slots)%slots]
		before.at[(old+slots)%slots] = n
		later -= int(n)
	}
	before.at[second%slots] += uint32(later) //nolint:gosec // it is a sum of such
	*w = before
}

// Take counts a call, or says how long to wait for room when limit of them were made: by this count, and others' elsewhere.
func (w *Window) Take(limit, others int, now time.Time) (wait time.Duration) {
	w.advance(now)
	if w.sum+others < limit {
		w.at[w.last%slots]++
		w.sum++
		return 0
	}
	return w.room(limit-others, now)
}

// room is how long it takes until fewer than limit are counted, a second if that is for others to tell.
func (w *Window) room(limit int, now time.Time) time.Duration {
	left := w.sum
	for second := w.last - slots + 1; second <= w.last; second++ {
		left -= int(w.at[(second+slots)%slots])
		if left < limit {
			return max(time.Unix(second+slots, 0).Sub(now), time.Millisecond)
		}
	}
	return time.Second
}

// Count is how many calls are counted at now.
func (w *Window) Count(now time.Time) int {
	w.advance(now)
	return w.sum
}
