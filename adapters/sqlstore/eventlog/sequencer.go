package eventlog

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// sequencerPace is how often a round begins. The gap is there because a round is a transaction with a flush of its own,
// whether it numbers one event or a thousand. The longest pause is how long the events of an instance may wait that died
// before it numbered them: whoever else commits events tells its own sequencer, or, if it runs none, all others when it
// closes the database.
var sequencerPace = background.Pace{Gap: 50 * time.Millisecond, Rest: 100 * time.Millisecond, Most: 5 * time.Second}

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
	id     string            // of this process in notifications
	wake   background.Signal // committed events have no number yet
	woken  <-chan struct{}

	// Numbered is sent after events got their numbers, here or at another instance.
	Numbered background.Signal

	mu         sync.Mutex
	after, end int64 // the positions that the sweep has not come to yet; 0 is before a sweep
	size       int64 // events of the next round
}

// NewSequencer makes the sequencer of a database; task, which may be nil, has the tenants whose events cannot be
// numbered.
func NewSequencer(d *db.DB, logger *slog.Logger, task *background.Task) *Sequencer {
	s := &Sequencer{db: d, logger: logger, task: task, id: rand.Text(), size: maxRoundEvents}
	s.woken = s.wake.Listen()
	return s
}

// Wake signals that a transaction with events has committed.
func (s *Sequencer) Wake() {
	if s.db.Dialect.Postgres {
		s.wake.Send()
	} else {
		s.Numbered.Send()
	}
}

// Run numbers committed events until ctx ends. Every instance runs it; one at a time works.
func (s *Sequencer) Run(ctx context.Context) error {
	if !s.db.Dialect.Postgres {
		<-ctx.Done()
		return nil
	}
	loop := background.Loop{
		Pace: sequencerPace, Told: s.woken, Log: s.logger, Failing: "event sequencing failed; will retry", Again: "event sequencing resumed",
	}
	loop.Run(ctx, s.look)
	return nil
}

// look makes a round, unless nobody called for it and nothing waits.
func (s *Sequencer) look(ctx context.Context, called bool) (background.Look, error) {
	if !called {
		var last int64
		if _, err := db.QueryRow(ctx, s.db.Reader(db.SystemScope), []any{&last}, lastWaiting); err != nil || last == 0 {
			return background.Look{}, err
		}
	}
	_, more, busy, err := s.runRound(ctx)
	return background.Look{More: more, Busy: busy}, err
}

// Round numbers a bounded part of the waiting events and returns how many: none while another instance is at it.
// More reports that others waited when it began. A tenant whose events cannot be numbered does not keep other tenants
// from it; its own events wait.
func (s *Sequencer) Round(ctx context.Context) (numbered int64, more bool, err error) {
	numbered, more, _, err = s.runRound(ctx)
	return numbered, more, err
}

// runRound is Round; busy reports that it numbered some, or that another instance was at it, perhaps without those that
// have come since.
func (s *Sequencer) runRound(ctx context.Context) (numbered int64, more, busy bool, err error) {
	if !s.db.Dialect.Postgres {
		return 0, false, false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var failing []string
	waiting, due := s.task.Failing(maxFailingTenants)
	for _, item := range waiting {
		failing = append(failing, string(item.Tenant))
	}
	whole := s.after == 0
	r := round{by: s.id, after: s.after, end: s.end, size: s.size, except: failing}
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
		s.tellNumbered(r.numbered)
		return r.numbered, more, r.numbered > 0 || !r.leader, nil
	case ctx.Err() == nil && !errors.Is(err, fault.ErrUnavailable): // some tenant's events are refused
		numbered, err = s.numberByTenant(ctx, r, err)
		s.after, s.end = 0, 0
		s.tellNumbered(numbered)
		return numbered, numbered > 0, numbered > 0, err
	}
	s.size = max(s.size/shrinkRoundFactor, 1)
	return 0, false, false, err
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
