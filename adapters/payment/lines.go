package payment

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

// lines are the roads to the providers of all connections. A connection that was not used for longer than its breaker
// remembers anything has nothing worth keeping: such lines are dropped whenever there are twice as many as after the last
// time, so that connections which are gone, or keys nobody has, cost no memory.
type lines struct {
	limits Limits
	mu     sync.Mutex
	all    map[string]*line
	full   int // how many there may be before the next cleaning
}

// fewLines are never worth cleaning.
const fewLines = 1024

func newLines(limits Limits) *lines {
	return &lines{limits: limits, all: map[string]*line{}, full: fewLines}
}

// line is the road to one connection's provider.
type line struct {
	breaker *gobreaker.CircuitBreaker[Answer]
	slots   chan struct{} // a token for each call under way
	queue   chan struct{} // a token for each call that waits for a slot
	users   int           // calls that hold the line; of lines.mu
	used    time.Time     // when one last did; of lines.mu
	told    atomic.Int64  // when a call was last answered, in nanoseconds since 1970; at first when the line was made
}

// take answers the line of a connection, which stays until it is given back.
func (s *lines) take(connection string) *line {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.all[connection]
	if !ok {
		s.clean()
		l = &line{
			breaker: newBreaker(connection, s.limits),
			slots:   make(chan struct{}, s.limits.Concurrency), queue: make(chan struct{}, s.limits.Concurrency),
		}
		l.answered()
		s.all[connection] = l
	}
	l.users++
	return l
}

func (s *lines) giveBack(l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.users--
	l.used = time.Now()
}

// find answers the line of a connection, nil if there is none, without keeping it.
func (s *lines) find(connection string) *line {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[connection]
}

// clean drops the lines that nobody uses and that remember nothing, if there are many.
func (s *lines) clean() {
	if len(s.all) < s.full {
		return
	}
	since := time.Now().Add(-s.limits.Window - s.limits.OpenFor)
	for connection, l := range s.all {
		if l.users == 0 && l.used.Before(since) {
			delete(s.all, connection)
		}
	}
	s.full = max(fewLines, 2*len(s.all))
}

var errCrowded = errors.New("too many calls of this connection are under way")

// enter takes a slot, waiting for one no longer than patience. It waits for nothing while the circuit is open, and not
// either when as many calls as have a slot are waiting: a provider that hangs keeps few of our requests, the others are
// told at once.
func (l *line) enter(ctx context.Context, patience time.Duration) error {
	if l.breaker.State() == gobreaker.StateOpen {
		return gobreaker.ErrOpenState
	}
	select {
	case l.slots <- struct{}{}:
		return nil
	default:
	}
	select {
	case l.queue <- struct{}{}:
		defer func() { <-l.queue }()
	default:
		return errCrowded
	}
	end := time.NewTimer(patience)
	defer end.Stop()
	select {
	case l.slots <- struct{}{}:
		return nil
	case <-end.C:
		return errCrowded
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *line) leave() { <-l.slots }

// answered notes that a call was.
func (l *line) answered() { l.told.Store(time.Now().UnixNano()) }

// silent tells whether no call was answered for longer than anybody waits for a slot: whoever waits now waits in vain.
func (l *line) silent(patience time.Duration) bool {
	return time.Since(time.Unix(0, l.told.Load())) > patience
}

// newBreaker is the circuit of one connection.
func newBreaker(connection string, limits Limits) *gobreaker.CircuitBreaker[Answer] {
	return gobreaker.NewCircuitBreaker[Answer](gobreaker.Settings{
		Name:         connection,
		MaxRequests:  1,
		Interval:     limits.Window,
		BucketPeriod: max(limits.Window/10, time.Millisecond),
		Timeout:      limits.OpenFor,
		ReadyToTrip:  func(n gobreaker.Counts) bool { return n.TotalFailures >= limits.Failures },
		IsExcluded: func(err error) bool {
			_, ok := errors.AsType[*gaveUpError](err)
			return ok
		},
	})
}

// Circuits tells the state of every connection's circuit that remembers anything, in no order.
func (c *Client) Circuits() []ports.Circuit {
	c.lines.mu.Lock()
	defer c.lines.mu.Unlock()
	out := make([]ports.Circuit, 0, len(c.lines.all))
	for connection, l := range c.lines.all {
		out = append(out, ports.Circuit{Name: "provider", Connection: connection, State: ports.CircuitState(l.breaker.State().String()), Busy: len(l.slots)})
	}
	return out
}

// refusal is what enter would say at once or, of a provider that is silent, in the end; nil when it may let a call pass.
func (s *lines) refusal(connection string) error {
	l := s.find(connection)
	switch {
	case l == nil:
		return nil
	case l.breaker.State() == gobreaker.StateOpen:
		return gobreaker.ErrOpenState
	case len(l.slots) == cap(l.slots) && (len(l.queue) == cap(l.queue) || l.silent(s.limits.Patience)):
		return errCrowded
	}
	return nil
}

// CircuitOpen reports whether calls of a connection are refused at the moment, without being made.
func (c *Client) CircuitOpen(connection string) bool {
	l := c.lines.find(connection)
	return l != nil && l.breaker.State() == gobreaker.StateOpen
}
