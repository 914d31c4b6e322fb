package streaming

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// How much a feed remembers.
const (
	maxTold  = 512     // events
	maxBytes = 1 << 20 // of them
)

// Told is an event as the wire shows it. Nobody changes it.
type Told struct {
	Sequence int64
	JSON     []byte

	environment tenant.Environment
	collection  string
}

func told(e *ports.Event) Told {
	return Told{e.Sequence, appendEvent(make([]byte, 0, len(e.Body)+256), e), e.Environment, e.Collection}
}

// feed is the last events of one shop, for all streams of this process that follow it.
type feed struct {
	mu      sync.Mutex
	streams int   // of Streaming.mu
	first   int64 // what came after this number, up to head, is in last
	head    int64
	last    []Told
	bytes   int
	moved   chan struct{} // closed when head moves
}

// heard is what a feed has to tell after some number.
type heard struct {
	known  bool          // false: the feed does not reach back that far
	events []Told        // in order
	end    int64         // the number they reach up to
	moved  chan struct{} // closed once there is more
}

// after is what is behind number at.
func (f *feed) after(at int64) heard {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at < f.first {
		return heard{end: at, moved: f.moved}
	}
	i, _ := slices.BinarySearchFunc(f.last, at+1, func(e Told, n int64) int { return cmp.Compare(e.Sequence, n) })
	return heard{true, f.last[i:len(f.last):len(f.last)], max(at, f.head), f.moved}
}

// add takes in the page that follows on head.
func (f *feed) add(page ports.EventPage) {
	fresh := make([]Told, len(page.Events))
	for i := range fresh {
		fresh[i] = told(&page.Events[i])
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = append(f.last, fresh...)
	for i := range fresh {
		f.bytes += len(fresh[i].JSON)
	}
	drop := 0
	for ; len(f.last)-drop > maxTold || f.bytes > maxBytes; drop++ {
		f.bytes -= len(f.last[drop].JSON)
		f.first = f.last[drop].Sequence
	}
	if drop > 0 {
		f.last = slices.Clone(f.last[drop:]) // streams may be reading those before
	}
	f.head = page.Next
	close(f.moved)
	f.moved = make(chan struct{})
}

// Run reads what streams follow until ctx ends, and ends them.
func (s *Streaming) Run(ctx context.Context) error {
	defer s.End()
	tick := time.NewTicker(s.Look)
	defer tick.Stop()
	failing := false // of a database that is away it is enough to tell once
	for {
		switch err := s.look(ctx); {
		case err == nil && failing:
			s.Logger.Info("streams go on")
			failing = false
		case err != nil && ctx.Err() == nil && !failing:
			s.Logger.Warn("streams stand still; they go on where they are", "error", err.Error())
			failing = true
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// look brings all feeds up to date.
func (s *Streaming) look(ctx context.Context) error {
	followed := s.followed()
	newest, err := s.Log.Newest(ctx, slices.Collect(maps.Keys(followed)))
	if err != nil {
		return err
	}
	var failed []error
	for id, f := range followed {
		for f.head < newest[id] { // nobody else moves it
			page, err := s.Log.Events(ctx, ports.EventQuery{Tenant: id, After: f.head, Limit: atOnce})
			if err == nil && page.Next <= f.head {
				err = errors.New("the log ends before its newest event")
			}
			if err != nil {
				failed = append(failed, err)
				break
			}
			f.add(page)
		}
	}
	return errors.Join(failed...)
}

func (s *Streaming) followed() map[tenant.ID]*feed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.feeds)
}
