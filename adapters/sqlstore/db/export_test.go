package db

import (
	"log/slog"
	"time"
)

// PingBudget reports, poll by poll, when the time for the answer to a ping that was sent at a moment is over.
func PingBudget(sent time.Time) (over func(now time.Time) bool) {
	return (&pollBudget{pingLimit, sent}).exhausted
}

// PingLook is the time between two polls for the answer to a ping.
const PingLook = pollInterval

// NewBuilder is a builder without a hook.
func NewBuilder(postgres bool, models ...any) *Builder { return newBuilder(postgres, nil, models) }

// Breaker is the circuit breaker in front of Postgres.
type Breaker struct{ *breaker }

// NewBreaker is a closed one.
func NewBreaker() Breaker { return Breaker{newBreaker(slog.New(slog.DiscardHandler))} }

// Run is run.
func (b Breaker) Run(fn func() error) error { return b.run(fn) }

// Refusal is refusal.
func (b Breaker) Refusal() error { return b.refusal() }
