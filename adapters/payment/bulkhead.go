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

// bulkheads are the roads to the providers of all connections. A connection that was not used for longer than its breaker
// remembers anything has nothing worth keeping: such lines are dropped whenever there are twice as many as after the last
// time, so that connections which are gone, or keys nobody has, cost no memory.
type bulkheads struct {
	limits  Limits
	mu      sync.Mutex
	all     map[string]*bulkhead
	evictAt int // how many there may be before the next cleaning
}

// minEvictionSize are never worth cleaning.
const minEvictionSize = 1024

func newBulkheads(limits Limits) *bulkheads {
	return &bulkheads{limits: limits, all: map[string]*bulkhead{}, evictAt: minEvictionSize}
}

// bulkhead is the road to one connection's provider.
type bulkhead struct {
	breaker    *gobreaker.CircuitBreaker[Response]
	slots      chan struct{} // a token for each call under way
	queue      chan struct{} // a token for each call that waits for a slot
	users      int           // calls that hold the line; of lines.mu
	lastUsed   time.Time     // when one last did; of lines.mu
	answeredAt atomic.Int64  // when a call was last answered, in nanoseconds since 1970; at first when the line was made
}

// acquire answers the line of a connection, which stays until it is given back.
func (s *bulkheads) acquire(connection string) *bulkhead {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.all[connection]
	if !ok {
		s.evictIdle()
		l = &bulkhead{
			breaker: newBreaker(connection, s.limits),
			slots:   make(chan struct{}, s.limits.Concurrency), queue: make(chan struct{}, s.limits.Concurrency),
		}
		l.markAnswered()
		s.all[connection] = l
	}
	l.users++
	return l
}

func (s *bulkheads) release(l *bulkhead) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.users--
	l.lastUsed = time.Now()
}

// find answers the line of a connection, nil if there is none, without keeping it.
func (s *bulkheads) find(connection string) *bulkhead {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[connection]
}

// evictIdle drops the lines that nobody uses and that remember nothing, if there are many.
func (s *bulkheads) evictIdle() {
	if len(s.all) < s.evictAt {
		return
	}
	since := time.Now().Add(-s.limits.FailureWindow - s.limits.OpenFor)
	for connection, l := range s.all {
		if l.users == 0 && l.lastUsed.Before(since) {
			delete(s.all, connection)
		}
	}
	s.evictAt = max(minEvictionSize, 2*len(s.all))
}

var errSaturated = errors.New("too many calls of this connection are under way")

// acquireSlot takes a slot, waiting for one no longer than patience. It waits for nothing while the circuit is open, and not
// either when as many calls as have a slot are waiting: a provider that hangs keeps few of our requests, the others are
// told at once.
func (l *bulkhead) acquireSlot(ctx context.Context, patience time.Duration) error {
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
		return errSaturated
	}
	end := time.NewTimer(patience)
	defer end.Stop()
	select {
	case l.slots <- struct{}{}:
		return nil
	case <-end.C:
		return errSaturated
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *bulkhead) releaseSlot() { <-l.slots }

// markAnswered notes that a call was.
func (l *bulkhead) markAnswered() { l.answeredAt.Store(time.Now().UnixNano()) }

// unresponsive tells whether no call was answered for longer than anybody waits for a slot: whoever waits now waits in vain.
func (l *bulkhead) unresponsive(patience time.Duration) bool {
	return time.Since(time.Unix(0, l.answeredAt.Load())) > patience
}

// newBreaker is the circuit of one connection.
func newBreaker(connection string, limits Limits) *gobreaker.CircuitBreaker[Response] {
	return gobreaker.NewCircuitBreaker[Response](gobreaker.Settings{
		Name:         connection,
		MaxRequests:  1,
		Interval:     limits.FailureWindow,
		BucketPeriod: max(limits.FailureWindow/10, time.Millisecond),
		Timeout:      limits.OpenFor,
		ReadyToTrip:  func(n gobreaker.Counts) bool { return n.TotalFailures >= limits.MaxFailures },
		IsExcluded: func(err error) bool {
			_, ok := errors.AsType[*callerGoneError](err)
			return ok
		},
	})
}

// Circuits tells the state of every connection's circuit that remembers anything, in no order.
func (c *Client) Circuits() []ports.Circuit {
	c.bulkheads.mu.Lock()
	defer c.bulkheads.mu.Unlock()
	out := make([]ports.Circuit, 0, len(c.bulkheads.all))
	for connection, l := range c.bulkheads.all {
		out = append(out, ports.Circuit{Name: "provider", Connection: connection, State: ports.CircuitState(l.breaker.State().String()), InFlight: len(l.slots)})
	}
	return out
}

// refusalFor is what enter would say at once or, of a provider that is silent, in the end; nil when it may let a call pass.
func (s *bulkheads) refusalFor(connection string) error {
	l := s.find(connection)
	switch {
	case l == nil:
		return nil
	case l.breaker.State() == gobreaker.StateOpen:
		return gobreaker.ErrOpenState
	case len(l.slots) == cap(l.slots) && (len(l.queue) == cap(l.queue) || l.unresponsive(s.limits.QueueTimeout)):
		return errSaturated
	}
	return nil
}

// CircuitOpen reports whether calls of a connection are refused at the moment, without being made.
func (c *Client) CircuitOpen(connection string) bool {
	l := c.bulkheads.find(connection)
	return l != nil && l.breaker.State() == gobreaker.StateOpen
}
