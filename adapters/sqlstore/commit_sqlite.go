package sqlstore

import (
	"context"
)

// writeSQLite commits a batch in one transaction of the only writer. Each step stands behind a savepoint; prepared
// statements row by row are faster here than any statement for many rows. Events get their numbers on the way, and
// checkpoints happen elsewhere.
func (c *Committer) writeSQLite(batch []*pending) {
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	outcomes := make([]error, len(batch))
	err := c.store.lite.write(ctx, func(on session) error {
		for i, p := range batch {
			var err error
			if outcomes[i], err = behindSavepoint(ctx, on, p.statements(c.store)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		c.committed()
	}
	for i, p := range batch {
		if err != nil {
			outcomes[i] = c.store.ended(context.Background(), err)
		}
		c.settle(p, p.refused(outcomes[i]))
	}
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
