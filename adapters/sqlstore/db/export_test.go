package db

import (
	"context"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// PingBudget reports, poll by poll, when the time for the answer to a ping that was sent at a moment is over.
func PingBudget(sent time.Time) (over func(now time.Time) bool) {
	return (&pollBudget{pingLimit, sent}).exhausted
}

// PingLook is the time between two polls for the answer to a ping.
const PingLook = pollInterval

// NewBuilder is a builder without a hook.
func NewBuilder(postgres bool, models ...any) *Builder { return newBuilder(postgres, nil, models) }

// Lanes of shares.
const (
	LaneRead   = laneRead
	LaneCostly = laneCostly
	LaneWrite  = laneWrite
)

// Shares divides connections among tenants.
type Shares struct{ shares *shares }

// NewShares divides so many connections.
func NewShares(connections int) Shares { return Shares{newShares(connections, time.Now)} }

// Begin waits for a turn, which end ends.
func (s Shares) Begin(ctx context.Context, id tenant.ID, in lane) (end func(), err error) {
	u, err := s.shares.begin(ctx, id, in)
	return func() { s.shares.end(u) }, err
}

// Tenants is how many tenants there is something to know of.
func (s Shares) Tenants() int { return len(s.shares.tenants) }

// LongRun is the time from which on a read is long.
const LongRun = longRun

// Breaker is the circuit breaker in front of Postgres.
type Breaker struct{ *breaker }

// NewBreaker is a closed one.
func NewBreaker() Breaker { return Breaker{newBreaker(slog.New(slog.DiscardHandler))} }

// Run is run.
func (b Breaker) Run(fn func() error) error { return b.run(fn) }

// Refusal is refusal.
func (b Breaker) Refusal() error { return b.refusal() }
