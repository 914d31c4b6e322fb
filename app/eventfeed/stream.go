package eventfeed

import (
	"context"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Stream follows the events of a tenant for one reader. It must be used by one goroutine at a time.
type Stream struct {
	service  *Service
	feed     *tenantFeed
	view     eventView
	position int64
}

// Batch is the next events of a stream.
type Batch struct {
	Events   []EncodedEvent // in order; empty for a heartbeat
	Position int64          // all events up to this sequence have been delivered
}

// Open opens a stream for p. q.Limit is ignored. Errors: fault.ErrUnauthenticated, fault.ErrForbidden,
// fault.ErrValidation, ErrUnknownSequence, ErrTooManyStreams. A stream opened after Stop ends before its
// first batch: a browser reconnects when a stream ends, but gives up for good when it is refused.
func (s *Service) Open(ctx context.Context, p tenant.Principal, q Query) (*Stream, error) {
	v, err := s.viewFor(p, q.Collections)
	if err != nil {
		return nil, err
	}
	at, newest, err := s.startPosition(ctx, v.tenant, q.After, Latest)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.feeds[v.tenant]
	if f == nil {
		f = &tenantFeed{start: newest, head: newest, advanced: make(chan struct{})}
	}
	if f.streams >= s.MaxStreamsPerTenant {
		return nil, ErrTooManyStreams
	}
	f.streams++
	s.feeds[v.tenant] = f
	return &Stream{s, f, v, at}, nil
}

// Position is the sequence up to which all events were delivered.
func (st *Stream) Position() int64 { return st.position }

// Close ends the stream; the feed ends with its last stream.
func (st *Stream) Close() {
	s := st.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.feed.streams--; st.feed.streams == 0 {
		delete(s.feeds, st.view.tenant)
	}
}

// Stop ends all streams, those that are opened later too, for the shutdown of the process. A reader that is
// far behind is not brought up to date first.
func (s *Service) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isStopped {
		s.isStopped = true
		close(s.stopped)
	}
}

// Next waits for the next batch. Errors: io.EOF after Stop, those of ctx, fault.ErrUnavailable; the reader
// may continue with another stream after Batch.Position.
func (st *Stream) Next(ctx context.Context) (Batch, error) {
	beat := time.NewTimer(st.service.Heartbeat)
	defer beat.Stop()
	for {
		select { // the end of the stream takes precedence
		case <-st.service.stopped:
			return Batch{}, io.EOF
		default:
		}
		next := st.feed.eventsAfter(st.position)
		if next.buffered {
			next.events = st.view.filter(next.events)
		} else if err := st.readLog(ctx, &next); err != nil {
			return Batch{}, err
		}
		if st.position = next.position; len(next.events) > 0 {
			return Batch{next.events, next.position}, nil
		}
		select {
		case <-st.service.stopped:
			return Batch{}, io.EOF
		case <-ctx.Done():
			return Batch{}, ctx.Err()
		case <-beat.C:
			return Batch{Position: next.position}, nil
		case <-next.advanced:
		}
	}
}

// closedChannel is a closed channel.
var closedChannel = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// readLog reads a part of the log that the feed does not buffer.
func (st *Stream) readLog(ctx context.Context, next *feedTail) error {
	page, err := st.service.Log.Events(ctx, st.view.query(st.position, readBatchSize))
	if err != nil {
		return err
	}
	for i := range page.Events {
		next.events = append(next.events, encodeEvent(&page.Events[i]))
	}
	if page.Next > st.position {
		next.position, next.advanced = page.Next, closedChannel // there may be more
	}
	return nil
}

// filter returns the events that are visible in the view.
func (v eventView) filter(events []EncodedEvent) (shown []EncodedEvent) {
	for _, e := range events {
		if v.includes(e.collection, e.environment) {
			shown = append(shown, e)
		}
	}
	return shown
}
