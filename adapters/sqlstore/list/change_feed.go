package list

import (
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The limits of what a process caches for its lists. Beyond them, lists count and skip rows in the database.
const (
	maxFeeds       = 512       // collections of tenants
	maxChanges     = 256       // changes of one of them, to be read at once and to be cached
	maxChangeBytes = 256 << 10 // the same in texts of events
	maxUnnumbered  = 4096      // unnumbered events of one of them
	maxCounts      = 32768
	maxCursors     = 32768 // ends of pages

	// feedAge is the age at which a feed and its counts are dropped: older events may have been trimmed.
	feedAge = 10 * time.Minute
)

// changeFeed caches the last changes of one collection of one tenant. Every change writes an event in its own
// transaction, so the events in a snapshot of the database tell exactly which changes it contains: those
// numbered up to some number, and those not numbered yet (package eventlog). A list reads, in the same statement
// and so in the same snapshot, the events that the feed does not have yet, and brings an older count up to date
// in memory. Instances exchange no messages, and no writer waits for another one.
type changeFeed struct {
	mu        sync.Mutex
	current   *feedSnapshot // nil: nothing
	highestAt int64         // the highest nextAt there ever was
	changes   []*feedChange // the last ones up to current.nextAt
	bytes     int           // of changes
}

// feedSnapshot is the set of changes that one snapshot contains. It is immutable.
type feedSnapshot struct {
	lastNumber int64             // of the last numbered event
	lastEvent  eventKey          // the event with that number
	unnumbered map[eventKey]bool // events that had no number
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

// feedState is the state of a feed when a statement is run, with the last changes before it.
type feedState struct {
	*feedSnapshot

	changes []*feedChange
}

// stateAt returns the state at now; its feedSnapshot is nil when there is none, or it is too old.
func (f *changeFeed) stateAt(now time.Time) feedState {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil && now.Sub(f.current.since) > feedAge {
		f.current, f.changes, f.bytes = nil, nil, 0
	}
	return feedState{f.current, f.changes}
}

// changesSince are the changes from number at on; ok is false when the feed does not reach back that far.
func (s feedState) changesSince(at int64) (list []*feedChange, ok bool) {
	first := s.nextAt - int64(len(s.changes))
	if at < first || at > s.nextAt {
		return nil, false
	}
	return s.changes[at-first:], true
}

// advance replaces old by next, which follows it by the changes of fresh, and reports whether it did: not when
// another list has replaced old.
func (f *changeFeed) advance(old, next *feedSnapshot, fresh []*feedChange) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != old {
		return false
	}
	if old == nil { // a new feed: counts of the previous one are invalid
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

// reset empties the feed, if old is still its snapshot.
func (f *changeFeed) reset(old *feedSnapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current == old {
		f.current, f.changes, f.bytes = nil, nil, 0
	}
}
