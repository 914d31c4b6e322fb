package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// narrowUpdate is full, the update of a row on SQLite, without the indexed columns that stay as they are: an order is in
// twenty indexes, of which most changes concern a few. A row that another version of the table wrote is updated in full.
func (t *txn) narrowUpdate(ctx context.Context, sh *table.Shape, c collection.Change, full db.Stmt) db.Stmt {
	return db.Stmt{SQL: sh.UpdateOf(c), Args: full.Args, OnDone: func(n int64) error {
		if n > 0 {
			return nil
		}
		return t.inner.Run(ctx, full)
	}}
}

// narrowStatements makes a step's update leave the indexes alone. A row that an older or a newer program wrote is updated in full.
func (p *pendingStep) narrowStatements(ctx context.Context, on db.Session, stmts []db.Stmt) []db.Stmt {
	for i, full := range stmts {
		if p.narrow && full.SQL == p.shape.UpdateSQL {
			stmts[i] = db.Stmt{SQL: p.shape.NarrowUpdateSQL, Args: full.Args, OnDone: func(n int64) error {
				if n > 0 {
					return nil
				}
				return on.Run(ctx, full)
			}}
		}
	}
	return stmts
}
