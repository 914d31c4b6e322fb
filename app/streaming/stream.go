package streaming

import (
	"context"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Stream follows the events of a shop for one reader. It is used by one goroutine at a time.
type Stream struct {
	of   *Streaming
	feed *feed
	view view
	at   int64
}

// Batch is what a stream has to tell.
type Batch struct {
	Events []Told // in order; none when it is time for a sign of life
	At     int64  // nothing up to this number is left to tell
}

// Open begins a stream for p. Limit does not count. Errors: fault.ErrUnauthenticated, fault.ErrForbidden,
// fault.ErrValidation, ErrBeyond, ErrStreams, fault.ErrUnavailable after End.
func (s *Streaming) Open(ctx context.Context, p tenant.Principal, q Asked) (*Stream, error) {
	v, err := s.view(p, q.Collections)
	if err != nil {
		return nil, err
	}
	at, newest, err := s.begin(ctx, v.tenant, q.After, Latest)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return nil, fault.ErrUnavailable
	}
	f := s.feeds[v.tenant]
	if f == nil {
		f = &feed{first: newest, head: newest, moved: make(chan struct{})}
	}
	if f.streams >= s.Most {
		return nil, ErrStreams
	}
	f.streams++
	s.feeds[v.tenant] = f
	return &Stream{s, f, v, at}, nil
}

// At is the number up to which everything was told.
func (st *Stream) At() int64 { return st.at }

// Close ends the stream; the feed ends with the last one.
func (st *Stream) Close() {
	s := st.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.feed.streams--; st.feed.streams == 0 {
		delete(s.feeds, st.view.tenant)
	}
}

// End ends all streams, and no more are opened: the process is about to go.
func (s *Streaming) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		close(s.ended)
	}
}

// Next waits for what to tell next. Errors: io.EOF once all streams End, ctx's, fault.ErrUnavailable; the reader may go on
// with another stream after Batch.At.
func (st *Stream) Next(ctx context.Context) (Batch, error) {
	beat := time.NewTimer(st.of.Heartbeat)
	defer beat.Stop()
	for {
		next := st.feed.after(st.at)
		if next.known {
			next.events = st.view.filter(next.events)
		} else if err := st.read(ctx, &next); err != nil {
			return Batch{}, err
		}
		if st.at = next.end; len(next.events) > 0 {
			return Batch{next.events, next.end}, nil
		}
		select { // of several reasons the end is the best
		case <-st.of.ended:
			return Batch{}, io.EOF
		default:
		}
		select {
		case <-st.of.ended:
			return Batch{}, io.EOF
		case <-ctx.Done():
			return Batch{}, ctx.Err()
		case <-beat.C:
			return Batch{At: next.end}, nil
		case <-next.moved:
		}
	}
}

// done is a channel that is closed.
var done = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// read reads a part of the log that the feed does not remember.
func (st *Stream) read(ctx context.Context, next *heard) error {
	page, err := st.of.Log.Events(ctx, st.view.query(st.at, atOnce))
	if err != nil {
		return err
	}
	for i := range page.Events {
		next.events = append(next.events, told(&page.Events[i]))
	}
	if page.Next > st.at {
		next.end, next.moved = page.Next, done // there may be more
	}
	return nil
}

// filter are those events that the view shows.
func (v view) filter(events []Told) (shown []Told) {
	for _, e := range events {
		if v.shows(e.collection, e.environment) {
			shown = append(shown, e)
		}
	}
	return shown
}
