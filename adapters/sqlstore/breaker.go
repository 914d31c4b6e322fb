package sqlstore

import (
	"errors"
	"log/slog"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
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
		IsSuccessful: func(err error) bool { return !unreachable(err) },
		OnStateChange: func(name string, from, to gobreaker.State) {
			log.Warn("circuit changed", "circuit", name, "from", from.String(), "to", to.String())
		},
	})}
}

// Circuits tells the state of the breaker in front of Postgres. SQLite has none: it is a file of this process, which
// cannot be away, and whose locks have a time limit of their own.
func (s *Store) Circuits() []ports.Circuit {
	if s.lite != nil {
		return nil
	}
	return []ports.Circuit{{Name: "database", State: ports.CircuitState(s.breaker.circuit.State().String())}}
}

// run calls fn unless the circuit is open. Errors: fault.ErrUnavailable, and fn's.
func (b *breaker) run(fn func() error) error {
	_, err := b.circuit.Execute(func() (struct{}, error) { return struct{}{}, fn() })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) || unreachable(err) {
		return fault.ErrUnavailable.Because(err)
	}
	return err
}
