package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// conditionalBatch is a list of statements for one round trip, some of them conditional: what such a one is
// about is refused when it changes no row.
type conditionalBatch[T any] struct {
	stmts        []db.Stmt
	conditions   map[int]T // what the conditional ones are about
	firstRefused *T        // the first
}

// addConditional appends a conditional statement about what.
func (c *conditionalBatch[T]) addConditional(what T, sql string, args ...any) {
	if c.conditions == nil {
		c.conditions = map[int]T{}
	}
	c.conditions[len(c.stmts)] = what
	c.stmts = append(c.stmts, db.Stmt{SQL: sql, Args: args, OnDone: func(n int64) error {
		if n == 0 && c.firstRefused == nil {
			c.firstRefused = &what
		}
		return nil
	}})
}

// onRows has the rows of the statement that was appended last read by each.
func (c *conditionalBatch[T]) onRows(each func(db.Row) error) { c.stmts[len(c.stmts)-1].OnRow = each }

// addUnconditional appends a statement that always succeeds.
func (c *conditionalBatch[T]) addUnconditional(sql string, args ...any) {
	c.stmts = append(c.stmts, db.Stmt{SQL: sql, Args: args})
}

// run sends them and returns what was refused first. Then none of them has any effect, and the transaction
// continues: it may keep a receipt of the refusal.
func (c *conditionalBatch[T]) run(ctx context.Context, t *txn) (*T, error) {
	if len(c.stmts) == 0 {
		return nil, nil
	}
	err := t.Run(ctx, append([]db.Stmt{{SQL: "SAVEPOINT conditional"}}, c.stmts...)...)
	if err == nil && c.firstRefused != nil {
		err = t.Run(ctx, db.Stmt{SQL: "ROLLBACK TO SAVEPOINT conditional"})
	}
	return c.firstRefused, err
}

// enqueue queues them. What is refused ends the transaction, with the error given.
func (c *conditionalBatch[T]) enqueue(t *txn, refusal func(T) error) {
	for i, s := range c.stmts {
		w := queuedStmt{Stmt: s}
		if what, conditional := c.conditions[i]; conditional {
			w.errIfNoRows = refusal(what)
		}
		t.enqueue(w)
	}
}
