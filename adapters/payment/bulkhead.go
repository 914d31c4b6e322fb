package payment

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

// bulkheads are the bulkheads of all connections. A connection that was unused for longer than its breaker's
// memory has no state worth keeping. Such entries are evicted whenever there are twice as many as after the
// last eviction, so that deleted connections and unknown keys cost no memory.
type bulkheads struct {
	limits  Limits
	mu      sync.Mutex
	all     map[string]*bulkhead
	evictAt int // number of entries that triggers the next eviction
}

// minEvictionSize is the number of entries below which nothing is evicted.
const minEvictionSize = 1024

func newBulkheads(limits Limits) *bulkheads {
	return &bulkheads{limits: limits, all: map[string]*bulkhead{}, evictAt: minEvictionSize}
}

// bulkhead limits the concurrent calls of one connection to its provider.
type bulkhead struct {
	breaker    *gobreaker.CircuitBreaker[Response]
	slots      chan struct{} // a token for each call under way
	queue      chan struct{} // a token for each call that waits for a slot
	users      int           // calls that use the entry; guarded by bulkheads.mu
	lastUsed   time.Time     // when the last use ended; guarded by bulkheads.mu
	openFor    time.Duration // how long the circuit stays open
	closesAt   atomic.Int64  // when an open circuit admits a trial call, in Unix nanoseconds
	answeredAt atomic.Int64  // time of the last response, or of creation, in Unix nanoseconds
}

// acquire returns the bulkhead of a connection, which is kept until release.
func (s *bulkheads) acquire(connection string) *bulkhead {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.all[connection]
	if !ok {
		s.evictIdle()
		l = &bulkhead{
			slots: make(chan struct{}, s.limits.Concurrency), queue: make(chan struct{}, s.limits.Concurrency), openFor: s.limits.OpenFor,
		}
		l.breaker = l.newBreaker(connection, s.limits)
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

// find returns the bulkhead of a connection without acquiring it; nil if there is none.
func (s *bulkheads) find(connection string) *bulkhead {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[connection]
}

// evictIdle drops the entries that are unused and have no state, if there are many.
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

// Why a call was not made.
var (
	errSaturated   = errors.New("too many calls of this connection are under way")
	errCircuitOpen = errors.New("the circuit of this connection is open")
)

// notSent wraps the reason why no call was made.
func (l *bulkhead) notSent(err error) error {
	return l.unavailable(fmt.Errorf("%w: %w", ports.ErrNotSent, err))
}

// unavailable is the error of a call that was not made or not answered. While the circuit is open it says when that
// may close.
func (l *bulkhead) unavailable(err error) error {
	f := ports.ErrProviderUnavailable.WithCause(err)
	if l.breaker.State() != gobreaker.StateOpen {
		return f
	}
	return f.WithRetry(min(max(time.Until(time.Unix(0, l.closesAt.Load())), time.Millisecond), l.openFor))
}

// acquireSlot takes a slot, waiting at most patience. It fails at once while the circuit is open, or when the
// queue is as long as there are slots: so a hanging provider blocks few of our requests, and the others are
// refused at once.
func (l *bulkhead) acquireSlot(ctx context.Context, patience time.Duration) error {
	if l.breaker.State() == gobreaker.StateOpen {
		return errCircuitOpen
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

// markAnswered records the time of a response.
func (l *bulkhead) markAnswered() { l.answeredAt.Store(time.Now().UnixNano()) }

// unresponsive reports whether no call was answered for longer than the queue timeout, so that waiting for a
// slot is futile.
func (l *bulkhead) unresponsive(patience time.Duration) bool {
	return time.Since(time.Unix(0, l.answeredAt.Load())) > patience
}

// newBreaker is the circuit breaker of one connection.
func (l *bulkhead) newBreaker(connection string, limits Limits) *gobreaker.CircuitBreaker[Response] {
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
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				l.closesAt.Store(time.Now().Add(limits.OpenFor).UnixNano())
			}
		},
	})
}

// Circuits is the state of every circuit that has any, in no order.
func (c *Client) Circuits() []ports.Circuit {
	c.bulkheads.mu.Lock()
	defer c.bulkheads.mu.Unlock()
	out := make([]ports.Circuit, 0, len(c.bulkheads.all))
	for connection, l := range c.bulkheads.all {
		out = append(out, ports.Circuit{
			Name: "provider", Connection: connection, State: ports.CircuitState(l.breaker.State().String()), InFlight: len(l.slots),
		})
	}
	return out
}

// refusalFor is the error of a call that acquireSlot would refuse at once or, for an unresponsive provider, after
// waiting; nil when a call may pass.
func (s *bulkheads) refusalFor(connection string) error {
	l := s.find(connection)
	switch {
	case l == nil:
		return nil
	case l.breaker.State() == gobreaker.StateOpen:
		return l.notSent(errCircuitOpen)
	case len(l.slots) == cap(l.slots) && (len(l.queue) == cap(l.queue) || l.unresponsive(s.limits.QueueTimeout)):
		return l.notSent(errSaturated)
	}
	return nil
}

// CircuitOpen reports whether calls of a connection are currently refused without being made.
func (c *Client) CircuitOpen(connection string) bool {
	l := c.bulkheads.find(connection)
	return l != nil && l.breaker.State() == gobreaker.StateOpen
}
