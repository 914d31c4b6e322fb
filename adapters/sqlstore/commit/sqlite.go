package commit

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// writeSQLite commits a batch in one transaction of the only writer; prepared statements row by row are
// faster here than any statement for many rows. Events get their numbers on the way, and checkpoints happen
// elsewhere. As on Postgres, a batch is first written as if nothing could be wrong with it, and with care
// when something was.
//
// A batch takes half of the steps that wait, unless they are few: while it is written, which takes one
// processor, the callers of the one before are answered and come back.
func (c *Committer) writeSQLite(batch []*pendingStep) {
	defer c.reportBatch(batch)()
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	outcomes := make([]error, len(batch))
	err := errFastPathFailed
	if c.optimistic() {
		err = c.options.DB.InTransaction(ctx, db.SystemScope,
			func(on db.Session) error { return c.writeFast(context.WithoutCancel(ctx), on, batch) })
		switch {
		case err == nil:
			c.count(&c.stats.Fast)
		case errors.Is(err, errFastPathFailed):
			c.disableFastPath(err)
		}
	}
	if errors.Is(err, errFastPathFailed) {
		err = c.options.DB.InTransaction(ctx, db.SystemScope, func(on db.Session) error {
			return writeStepwise(context.WithoutCancel(ctx), on, c.options.Writer, batch, outcomes)
		})
	}
	markSent(batch) // before, a panic has undone the transaction
	if err == nil {
		c.count(&c.stats.Commits)
	}
	for i, p := range batch {
		if err != nil {
			outcomes[i] = c.options.DB.TranslateError(context.Background(), err)
		}
		c.complete(p, p.translateError(outcomes[i]))
	}
}

// errFastPathFailed says that a step of a batch cannot be done as it is, and that nothing was.
var errFastPathFailed = errors.New("a step of the batch is refused, or the batches before had such ones")

// writeFast writes a batch without looking after the single step. Errors: errFastPathFailed.
func (c *Committer) writeFast(ctx context.Context, on db.Session, batch []*pendingStep) error {
	counts := map[string]int64{}
	for _, p := range batch {
		for _, e := range p.events {
			counts[e.Tenant]++
		}
	}
	for id, n := range counts {
		var last int64
		if _, err := db.QueryRow(ctx, on, []any{&last}, change.ReserveEventNumbers, id, n); err != nil {
			return err
		}
		counts[id] = last - n
	}
	for _, p := range batch {
		stmts := p.narrowStatements(ctx, on, p.writes(c.options.Writer))
		for _, e := range p.events {
			counts[e.Tenant]++
			stmts = append(stmts, db.Stmt{SQL: change.InsertEventAt, Args: append(e.Values(), counts[e.Tenant])})
		}
		if err := on.Run(ctx, stmts...); err != nil {
			return errors.Join(errFastPathFailed, err)
		}
	}
	return nil
}

// writeStepwise writes a batch, each step behind a savepoint, and notes which were refused.
func writeStepwise(ctx context.Context, on db.Session, w change.Writer, batch []*pendingStep, refusals []error) error {
	for i, p := range batch {
		var err error
		if refusals[i], err = db.RunInSavepoint(ctx, on, p.statements(w)); err != nil {
			return err
		}
	}
	return nil
}
