package list

import (
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The bounds of what a process remembers for its lists. What goes beyond them is counted, or skipped, anew.
const (
	maxFeeds       = 512       // collections of tenants
	maxChanges     = 256       // changes of one of them, to be read at once and to be remembered
	maxChangeBytes = 256 << 10 // the same in texts of events
	maxUnnumbered  = 4096      // unnumbered events of one of them
	maxCounts      = 32768
	maxCursors     = 32768 // ends of pages

	// feedAge is when a feed begins anew, and its counts with it: events may be trimmed once they are older
	// than that.
	feedAge = 10 * time.Minute
)

// changeFeed is what this process knows of the changes of one collection of one tenant. Every change leaves
// an event in its own transaction, so what a snapshot of the database shows of the events says exactly which
// changes it shows: those numbered up to some number, and those that wait for one (package eventlog). Reading a
// list reads, in the same statement and so in the same snapshot, the events that are not known yet; a count
// of earlier changes is then brought up to date in memory. Instances exchange no messages and no writer waits
// for another one.
type changeFeed struct {
	mu        sync.Mutex
	current   *feedSnapshot // nil: nothing
	highestAt int64         // the highest number at that was ever given out
	changes   []*feedChange // the last ones up to current.nextAt
	bytes     int           // of changes
}

// feedSnapshot is a set of changes, exactly those that one snapshot shows. It is never changed.
type feedSnapshot struct {
	lastNumber int64             // the numbered ones up to here,
	lastEvent  eventKey          // which is this one,
	unnumbered map[eventKey]bool // and these, which had no number
	nextAt     int64             // the number of the next change in the feed
	since      time.Time         // when the feed began
}

type eventKey struct {
	record   string
	sequence int64
}

// feedChange is one change of a record, as collection.Matches takes it; nil is no record.
type feedChange struct {
	before, after collection.Record
	bytes         int
}

// feedState is what was known when a statement was sent, with the last changes before that.
type feedState struct {
	*feedSnapshot

	changes []*feedChange
}

// stateAt returns what is known now; known is nil when that is nothing, or too old.
func (f *changeFeed) stateAt(now time.Time) feedState {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil && now.Sub(f.current.since) > feedAge {
		f.current, f.changes, f.bytes = nil, nil, 0
	}
	return feedState{f.current, f.changes}
}

// changesSince are the changes from number at on; ok is false when they are not remembered that far back.
func (s feedState) changesSince(at int64) (list []*feedChange, ok bool) {
	first := s.nextAt - int64(len(s.changes))
	if at < first || at > s.nextAt {
		return nil, false
	}
	return s.changes[at-first:], true
}

// advance makes next, which follows old by the changes of fresh, what is known, unless something else has
// become known since old; it reports whether next is known now.
func (f *changeFeed) advance(old, next *feedSnapshot, fresh []*feedChange) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != old {
		return false
	}
	if old == nil { // counts of earlier times stay behind
		f.changes, f.bytes, next.nextAt = nil, 0, f.highestAt+1
	}
	f.current, f.highestAt = next, next.nextAt
	f.changes = append(f.changes, fresh...)
	for _, c := range fresh {
		f.bytes += c.bytes
	}
	for len(f.changes) > maxChanges || f.bytes > maxChangeBytes {
		f.bytes -= f.changes[0].bytes
		f.changes = f.changes[1:]
	}
	return true
}

// reset begins anew, if old is still what is known.
func (f *changeFeed) reset(old *feedSnapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current == old {
		f.current, f.changes, f.bytes = nil, nil, 0
	}
}
