package eventfeed

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// longestPoll is how many poll intervals pass until a log is read again that does not grow.
const longestPoll = 10

// How much a feed buffers.
const (
	maxBufferedEvents = 512     // events
	maxBufferedBytes  = 1 << 20 // bytes of events
)

// EncodedEvent is an event in its wire format. It is immutable.
type EncodedEvent struct {
	Sequence int64
	JSON     []byte

	environment tenant.Environment
	collection  string
}

func encodeEvent(e *ports.Event) EncodedEvent {
	return EncodedEvent{e.Sequence, eventMembers(e, nil).Append(make([]byte, 0, eventSize(e)), collection.Staff), e.Environment, e.Collection}
}

// tenantFeed buffers the newest events of one tenant for all streams of this process that follow it.
type tenantFeed struct {
	mu       sync.Mutex
	streams  int   // guarded by Service.mu
	start    int64 // events after this sequence, up to head, are in last
	head     int64
	events   []EncodedEvent
	bytes    int
	advanced chan struct{} // closed when head moves
}

// feedTail is the part of a feed after some sequence.
type feedTail struct {
	buffered bool           // false: the feed does not reach back that far
	events   []EncodedEvent // in order
	position int64          // the sequence that they reach up to
	advanced chan struct{}  // closed once there are more
}

// eventsAfter is the part of the feed after sequence at.
func (f *tenantFeed) eventsAfter(at int64) feedTail {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at < f.start {
		return feedTail{position: at, advanced: f.advanced}
	}
	i, _ := slices.BinarySearchFunc(f.events, at+1, func(e EncodedEvent, n int64) int { return cmp.Compare(e.Sequence, n) })
	return feedTail{true, f.events[i:len(f.events):len(f.events)], max(at, f.head), f.advanced}
}

// add appends the page that follows head.
func (f *tenantFeed) add(page ports.EventPage) {
	fresh := make([]EncodedEvent, len(page.Events))
	for i := range fresh {
		fresh[i] = encodeEvent(&page.Events[i])
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, fresh...)
	for i := range fresh {
		f.bytes += len(fresh[i].JSON)
	}
	drop := 0
	for ; len(f.events)-drop > maxBufferedEvents || f.bytes > maxBufferedBytes; drop++ {
		f.bytes -= len(f.events[drop].JSON)
		f.start = f.events[drop].Sequence
	}
	if drop > 0 {
		f.events = slices.Clone(f.events[drop:]) // streams may be reading the previous slice
	}
	f.head = page.Next
	close(f.advanced)
	f.advanced = make(chan struct{})
}

// Run reads the events of followed tenants until ctx ends, and then ends the streams.
func (s *Service) Run(ctx context.Context) error {
	defer s.Stop()
	loop := background.Loop{
		Pace: background.Pace{Gap: s.PollInterval, Rest: s.PollInterval, Most: longestPoll * s.PollInterval}, Told: s.Numbered, Log: s.Logger,
		Failing: "event streams paused; they will resume where they stopped", Again: "event streams resumed",
	}
	loop.Run(ctx, func(ctx context.Context, _ bool) (background.Look, error) { return s.poll(ctx) })
	return nil
}

// poll brings all feeds up to date; found is busy if any was not.
func (s *Service) poll(ctx context.Context) (found background.Look, err error) {
	followed := s.followed()
	all := slices.Collect(maps.Keys(followed))
	newest, err := s.Log.Newest(ctx, all)
	if err != nil {
		return found, err
	}
	whose := func(id tenant.ID) tenant.ID { return id }
	return background.Follow(ctx, s.Task, all, whose, func(ctx context.Context, id tenant.ID) (background.Look, error) {
		f := followed[id]
		found := background.Look{Busy: f.head < newest[id]}
		return found, s.advance(ctx, id, f, newest[id])
	})
}

// advance brings a feed up to an event. Only the goroutine of Run moves its head.
func (s *Service) advance(ctx context.Context, id tenant.ID, f *tenantFeed, newest int64) error {
	for f.head < newest {
		page, err := s.Log.Events(ctx, ports.EventQuery{Tenant: id, After: f.head, Limit: readBatchSize})
		if err != nil {
			return err
		}
		if page.Next <= f.head {
			return errors.New("the log ends before its newest event")
		}
		f.add(page)
	}
	return nil
}

func (s *Service) followed() map[tenant.ID]*tenantFeed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.feeds)
}
