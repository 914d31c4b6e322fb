package eventlog

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// sequencerIdle is how long events of another instance that died before numbering them may wait.
const sequencerIdle = 100 * time.Millisecond

// sequencerGap is the time between the starts of two rounds that number everything there is, at least: a round is a
// transaction with a flush of its own, whether it numbers one event or a thousand.
const sequencerGap = 50 * time.Millisecond

// The events of one round. A round that took too long is followed by a smaller one, down to a single row of the queue,
// and each one that was in time by a larger one: however slow the database is and however much waits, every round
// that ends makes progress.
const (
	maxRoundEvents    = 20_000
	shrinkRoundFactor = 8
)

// maxFailingTenants is how many tenants are left out of a round at most, since their events could not be numbered.
const maxFailingTenants = 1000

// Sequencer gives committed events their numbers. On SQLite they have them when they are written, and there
// is nothing to do.
//
// A round takes waiting events by the position in which they came. Positions are no order of commits: an event may
// become visible behind one that is numbered already. So a sweep through the queue ends at the last position there
// was when it began: whoever changes a record has seen the change before, and an event whose predecessor became
// visible during the sweep has a later position. Within these bounds a round begins where the one before ended,
// past the dead rows that that one left.
type Sequencer struct {
	db     *db.DB
	logger *slog.Logger
	task   *background.Task
	wake   chan struct{} // signals that committed events have no number yet

	mu         sync.Mutex
	after, end int64 // the positions that the sweep has not come to yet; 0 is before a sweep
	size       int64 // events of the next round
}

// NewSequencer makes the sequencer of a database; task, which may be nil, has the tenants whose events cannot be
// numbered.
func NewSequencer(d *db.DB, logger *slog.Logger, task *background.Task) *Sequencer {
	return &Sequencer{db: d, logger: logger, task: task, wake: make(chan struct{}, 1), size: maxRoundEvents}
}

// Wake signals that a transaction with events has committed.
func (s *Sequencer) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run numbers committed events until ctx ends. Every instance runs it; one at a time works.
func (s *Sequencer) Run(ctx context.Context) error {
	if !s.db.Dialect.Postgres {
		<-ctx.Done()
		return nil
	}
	timer := time.NewTimer(sequencerIdle)
	defer timer.Stop()
	failing := false // an outage is logged once
	for ctx.Err() == nil {
		rested := time.After(sequencerGap)
		_, more, err := s.Round(ctx)
		switch {
		case err == nil && failing:
			s.logger.Info("event sequencing resumed")
			failing = false
		case err != nil && ctx.Err() == nil && !failing:
			s.logger.Warn("event sequencing failed; will retry", "error", err.Error())
			failing = true
		}
		if err == nil && more {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-rested:
		}
		timer.Reset(sequencerIdle)
		select {
		case <-ctx.Done():
			return nil
		case <-s.wake:
		case <-timer.C:
		}
	}
	return nil
}

// Round numbers a bounded part of the waiting events and returns how many: none while another instance is at it.
// More reports that others waited when it began. A tenant whose events cannot be numbered does not keep other tenants
// from it; its own events wait.
func (s *Sequencer) Round(ctx context.Context) (numbered int64, more bool, err error) {
	if !s.db.Dialect.Postgres {
		return 0, false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var failing []string
	waiting, due := s.task.Failing(maxFailingTenants)
	for _, item := range waiting {
		failing = append(failing, string(item.Tenant))
	}
	whole := s.after == 0
	r := round{after: s.after, end: s.end, size: s.size, except: failing}
	err = r.run(ctx, s.db)
	switch {
	case err == nil:
		more = r.numbered >= r.size
		s.size = min(2*s.size, maxRoundEvents)
		if s.after, s.end = r.last, r.end; !more {
			s.after, s.end = 0, 0
		}
		if whole && !more { // the events of these were among those of all
			for _, item := range due {
				s.task.Forget(ctx, item)
			}
		}
		return r.numbered, more, nil
	case ctx.Err() == nil && !errors.Is(err, fault.ErrUnavailable): // some tenant's events are refused
		numbered, err = s.numberByTenant(ctx, r, err)
		s.after, s.end = 0, 0
		return numbered, numbered > 0, err
	}
	s.size = max(s.size/shrinkRoundFactor, 1)
	return 0, false, err
}

// numberByTenant repeats a failed round for each of its tenants, so that only those fail who cause it.
func (s *Sequencer) numberByTenant(ctx context.Context, failed round, cause error) (numbered int64, err error) {
	tenants, err := failed.tenants(ctx, s.db)
	if err != nil {
		return 0, errors.Join(cause, err)
	}
	errs := []error{}
	for _, id := range tenants {
		errs = append(errs, s.task.Do(ctx, background.Item{Tenant: id}, func(ctx context.Context) error {
			one := failed
			one.only = string(id)
			err := one.run(ctx, s.db)
			numbered += one.numbered
			return err
		}))
	}
	return numbered, errors.Join(errs...)
}
