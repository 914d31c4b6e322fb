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

// advance forgets what is over. A clock that goes back changes nothing.
func (w *Window) advance(now time.Time) {
	second := now.Unix()
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
