package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// backfillsPerSweep is how many batches of one table a sweep does.
const backfillsPerSweep = 20

// backfiller writes the columns that instances of older versions left out.
type backfiller struct {
	engine *engine
	total  atomic.Int64 // rows backfilled by any instance when cached counts were last dropped

	mu      sync.Mutex
	started map[string]*migrate.Backfill // those that are not through their table yet, by its name
}

// run writes the columns of rows that instances of older versions have written since the start, a bounded number of
// them, and drops cached counts that were taken before any instance did so: such a change of columns leaves no event.
// Rows that are being changed wait for a later call.
func (s *backfiller) run(ctx context.Context) (rows int, more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	due, total, err := migrate.ShapesWithOlderRows(ctx, s.engine.db.Reader(db.SystemScope), s.engine.shapeList)
	if err != nil {
		return 0, false, fmt.Errorf("look for rows of older versions: %w", err)
	}
	if s.total.Swap(total) != total {
		s.engine.lists.Forget()
	}
	var errs []error
	for _, sh := range due {
		n, left, err := s.continueTable(ctx, sh)
		rows, more, errs = rows+n, more || left, append(errs, err)
	}
	if rows > 0 {
		s.engine.lists.Forget()
	}
	return rows, more, errors.Join(errs...)
}

// continueTable goes on where the sweep before stopped; more reports whether rows are left.
func (s *backfiller) continueTable(ctx context.Context, sh *table.Shape) (rows int, more bool, err error) {
	f := s.started[sh.Table]
	if f == nil {
		f = &migrate.Backfill{
			Shape: sh, Dialect: s.engine.dialect, SkipLocked: true, Fold: s.engine.options.Fold, Log: s.engine.options.Logger,
		}
	}
	transact := func(ctx context.Context, work func(db.Session) error) error {
		return s.engine.db.Transact(ctx, db.SystemScope, func(_ context.Context, on db.Session) error { return work(on) })
	}
	more = true
	for i := 0; i < backfillsPerSweep && more && err == nil; i++ {
		var n int
		n, more, err = f.RunBatch(ctx, transact)
		rows += n
	}
	if s.started == nil {
		s.started = map[string]*migrate.Backfill{}
	}
	s.started[sh.Table] = f
	if !more {
		delete(s.started, sh.Table)
	}
	return rows, more && err == nil, err
}
