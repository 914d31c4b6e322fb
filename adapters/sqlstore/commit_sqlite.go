package sqlstore

import (
	"context"
	"errors"
)

// writeSQLite commits a batch in one transaction of the only writer; prepared statements row by row are faster here than
// any statement for many rows. Events get their numbers on the way, and checkpoints happen elsewhere. As on Postgres, a
// batch is first written as if nothing could be wrong with it, and with care when something was.
//
// A batch takes half of the steps that wait, unless they are few: while it is written, which takes one processor, the
// callers of the one before are answered and come back.
func (c *Committer) writeSQLite(batch []*pending) {
	defer c.began(batch)()
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	outcomes := make([]error, len(batch))
	err := errDoubtful
	if c.trusting() {
		err = c.store.lite.write(ctx, func(on session) error { return c.swiftlyOn(context.WithoutCancel(ctx), on, batch) })
		switch {
		case err == nil:
			c.count(&c.stats.Swift)
		case errors.Is(err, errDoubtful):
			c.doubt(err)
		}
	}
	if errors.Is(err, errDoubtful) {
		err = c.store.lite.write(ctx, func(on session) error { return c.carefullyOn(context.WithoutCancel(ctx), on, batch, outcomes) })
	}
	if err == nil {
		c.count(&c.stats.Commits)
	}
	for i, p := range batch {
		if err != nil {
			outcomes[i] = c.store.ended(context.Background(), err)
		}
		c.settle(p, p.refused(outcomes[i]))
	}
}

// errDoubtful says that a step of a batch cannot be done as it stands, and that nothing was.
var errDoubtful = errors.New("a step of the batch is refused, or the batches before had such ones")

// swiftlyOn writes a batch without looking after the single step. Errors: errDoubtful.
func (c *Committer) swiftlyOn(ctx context.Context, on session, batch []*pending) error {
	counts := map[string]int64{}
	for _, p := range batch {
		for _, e := range p.events {
			counts[e.tenant]++
		}
	}
	for id, n := range counts {
		var last int64
		if _, err := queryRow(ctx, on, []any{&last}, countEvents, id, n); err != nil {
			return err
		}
		counts[id] = last - n
	}
	for _, p := range batch {
		stmts := p.touching(ctx, on, p.writes(c.store))
		for _, e := range p.events {
			counts[e.tenant]++
			stmts = append(stmts, stmt{sql: insertPlace, args: append(e.values(), counts[e.tenant])})
		}
		if err := on.run(ctx, stmts...); err != nil {
			return errors.Join(errDoubtful, err)
		}
	}
	return nil
}

// carefullyOn writes a batch, each step behind a savepoint, and notes which were refused.
func (c *Committer) carefullyOn(ctx context.Context, on session, batch []*pending, refusals []error) error {
	for i, p := range batch {
		var err error
		if refusals[i], err = behindSavepoint(ctx, on, p.statements(c.store)); err != nil {
			return err
		}
	}
	return nil
}

// behindSavepoint runs statements, or none of them. A refusal concerns them alone; err ends the transaction.
func behindSavepoint(ctx context.Context, on session, stmts []stmt) (refusal, err error) {
	if err := on.run(ctx, stmt{sql: "SAVEPOINT step"}); err != nil {
		return nil, err
	}
	if refusal = on.run(ctx, stmts...); refusal != nil {
		if err := on.run(ctx, stmt{sql: "ROLLBACK TO step"}); err != nil {
			return nil, err
		}
	}
	return refusal, on.run(ctx, stmt{sql: "RELEASE step"})
}
