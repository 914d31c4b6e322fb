package sqlstore

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
)

// backfiller writes the columns that instances of older versions left out.
type backfiller struct {
	engine *engine
	total  atomic.Int64 // rows backfilled by any instance when cached counts were last dropped
}

// run writes the columns of rows that instances of older versions have written since the start, and drops
// cached counts that were taken before any instance did so: such a change of columns leaves no event. Rows
// that are being changed wait for the next call.
func (s *backfiller) run(ctx context.Context) (rows int, err error) {
	due, err := migrate.ShapesWithOlderRows(ctx, s.engine.db.Reader(db.SystemScope), s.engine.shapeList)
	if err != nil {
		return 0, fmt.Errorf("look for rows of older versions: %w", err)
	}
	for _, sh := range due {
		f := migrate.Backfill{
			Shape: sh, Dialect: s.engine.dialect, SkipLocked: true, Fold: s.engine.options.Fold, Log: s.engine.options.Logger,
		}
		n, err := f.Run(ctx, func(ctx context.Context, work func(db.Session) error) error {
			return s.engine.db.Transact(ctx, db.SystemScope, func(_ context.Context, on db.Session) error { return work(on) })
		})
		rows += n
		if err != nil {
			return rows, err
		}
	}
	var total int64
	_, err = db.QueryRow(ctx, s.engine.db.Reader(db.SystemScope), []any{&total},
		"SELECT CAST(coalesce(sum(backfilled), 0) AS bigint) FROM shape_versions")
	if err == nil && s.total.Swap(total) != total {
		s.engine.lists.Forget()
	}
	return rows, err
}
