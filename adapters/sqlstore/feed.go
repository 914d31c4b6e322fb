package sqlstore

import (
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The bounds of what a process remembers for its lists. What goes beyond them is counted, or skipped, anew.
const (
	maxFeeds   = 512       // collections of tenants
	maxChanges = 256       // changes of one of them, to be read at once and to be remembered
	maxBytes   = 256 << 10 // the same in texts of events
	maxQueued  = 4096      // unnumbered events of one of them
	maxCounts  = 32768
	maxEnds    = 32768 // ends of pages

	// feedAge is when a feed begins anew, and its counts with it: events may be trimmed once they are older than that.
	feedAge = 10 * time.Minute
)

// feed is what this process knows of the changes of one collection of one tenant. Every change leaves an event in its own
// transaction, so what a snapshot of the database shows of the events says exactly which changes it shows: those
// numbered up to some number, and those that wait for one (sequencer.go). Reading a list reads, in the same statement and
// so in the same snapshot, the events that are not known yet; a count of earlier changes is then brought up to date in
// memory. Nothing is told between instances and no writer waits for another one.
type feed struct {
	mu      sync.Mutex
	known   *known    // nil: nothing
	top     int64     // the highest number at that was ever given out
	changes []*change // the last ones up to known.at
	bytes   int       // of changes
}

// known is a set of changes, exactly those that one snapshot shows. It is never changed.
type known struct {
	number  int64             // the numbered ones up to here,
	last    eventKey          // which is this one,
	waiting map[eventKey]bool // and these, which had no number
	at      int64             // the number of the next change in the feed
	since   time.Time         // when the feed began
}

type eventKey struct {
	record   string
	sequence int64
}

// change is one change of a record, as Holds takes it; nil is no record.
type change struct {
	before, after collection.Record
	bytes         int
}

// state is what was known when a statement was sent, with the last changes before that.
type state struct {
	*known

	changes []*change
}

// state returns what is known now; known is nil when that is nothing, or too old.
func (f *feed) state(now time.Time) state {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known != nil && now.Sub(f.known.since) > feedAge {
		f.known, f.changes, f.bytes = nil, nil, 0
	}
	return state{f.known, f.changes}
}

// after are the changes from number at on; ok is false when they are not remembered that far back.
func (s state) after(at int64) (list []*change, ok bool) {
	first := s.at - int64(len(s.changes))
	if at < first || at > s.at {
		return nil, false
	}
	return s.changes[at-first:], true
}

// learn makes next, which follows old by the changes of fresh, what is known, unless something else has become known
// since old; it reports whether next is known now.
func (f *feed) learn(old, next *known, fresh []*change) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known != old {
		return false
	}
	if old == nil { // counts of earlier times stay behind
		f.changes, f.bytes, next.at = nil, 0, f.top+1
	}
	f.known, f.top = next, next.at
	f.changes = append(f.changes, fresh...)
	for _, c := range fresh {
		f.bytes += c.bytes
	}
	for len(f.changes) > maxChanges || f.bytes > maxBytes {
		f.bytes -= f.changes[0].bytes
		f.changes = f.changes[1:]
	}
	return true
}

// forget begins anew, if old is still what is known.
func (f *feed) forget(old *known) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == old {
		f.known, f.changes, f.bytes = nil, nil, 0
	}
}
