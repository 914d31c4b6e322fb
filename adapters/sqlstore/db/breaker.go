package db

import (
	"errors"
	"log/slog"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// breaker stops asking a database that cannot be reached, and tries again after a second.
type breaker struct {
	circuit *gobreaker.CircuitBreaker[struct{}]
}

func newBreaker(log *slog.Logger) *breaker {
	return &breaker{gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name:         "postgres",
		MaxRequests:  3,
		Timeout:      time.Second,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= 5 },
		IsSuccessful: func(err error) bool { return !Unreachable(err) },
		OnStateChange: func(name string, from, to gobreaker.State) {
			log.Warn("circuit changed", "circuit", name, "from", from.String(), "to", to.String())
		},
	})}
}

// run calls fn unless the circuit is open. Errors: fault.ErrUnavailable, and fn's.
func (b *breaker) run(fn func() error) error {
	_, err := b.circuit.Execute(func() (struct{}, error) { return struct{}{}, fn() })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) || Unreachable(err) {
		return fault.ErrUnavailable.WithCause(err)
	}
	return err
}
