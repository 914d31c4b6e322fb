package db

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// openFor is how long the circuit stays open before a few calls try the database again.
const openFor = time.Second

// breaker stops asking a database that cannot be reached, and tries again after openFor.
type breaker struct {
	circuit *gobreaker.CircuitBreaker[struct{}]
	closes  atomic.Int64 // when the open circuit lets calls through again, in Unix nanoseconds
}

// errCircuitOpen is why a call was not made.
var errCircuitOpen = errors.New("the circuit of the database is open")

func newBreaker(log *slog.Logger) *breaker {
	b := &breaker{}
	b.circuit = gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name:         "postgres",
		MaxRequests:  3,
		Timeout:      openFor,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= 5 },
		IsSuccessful: func(err error) bool { return !down(err) },
		OnStateChange: func(name string, from, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				b.closes.Store(time.Now().Add(openFor).UnixNano())
			}
			log.Warn("circuit changed", "circuit", name, "from", from.String(), "to", to.String())
		},
	})
	return b
}

// down reports whether err says that the database cannot be reached. Work inside a transaction may fail for
// causes of its own, a provider that cannot be reached among them: whoever made a fault of one has judged it.
func down(err error) bool {
	_, judged := errors.AsType[*fault.Error](err)
	return !judged && Unreachable(err)
}

// run calls fn unless the circuit is open. Errors: fault.ErrUnavailable, and fn's.
func (b *breaker) run(fn func() error) error {
	called := false
	_, err := b.circuit.Execute(func() (struct{}, error) {
		called = true
		return struct{}{}, fn()
	})
	switch {
	case err != nil && !called:
		return b.unavailable(errCircuitOpen)
	case down(err):
		return b.unavailable(err)
	}
	return err
}

// refusal is the error of calls that would not be made now; nil when they would.
func (b *breaker) refusal() error {
	if b.circuit.State() != gobreaker.StateOpen {
		return nil
	}
	return b.unavailable(errCircuitOpen)
}

// unavailable says when the circuit may be closed again.
func (b *breaker) unavailable(cause error) error {
	wait := openFor
	if b.circuit.State() == gobreaker.StateOpen {
		wait = min(max(time.Until(time.Unix(0, b.closes.Load())), time.Millisecond), openFor)
	}
	return fault.ErrUnavailable.WithRetry(wait).WithCause(cause)
}
