package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// txn is one open transaction. Its first failed statement ends it: nothing commits afterwards, whatever the
// caller made of the error.
type txn struct {
	view

	inner       db.Session
	failure     error
	remembered  []collection.Change   // of what the process remembers of all tenants
	hasEvents   bool                  // events were written: the sequencer has work after the commit
	lockedStock []ports.StockKey      // rows of stock that are locked
	movedStock  []ports.StockMovement // how their counts changed since they were last reported
	prefetched  *prefetchedData       // nil: every statement runs when it is called for
	queued      []queuedStmt          // writes for the next round trip
}

// Run implements session.
func (t *txn) Run(ctx context.Context, stmts ...db.Stmt) error {
	if t.failure != nil {
		return t.failure
	}
	if err := t.flush(ctx, stmts...); err != nil {
		t.failure = err
		return err
	}
	return nil
}

// fail ends the transaction with err, or replaces the error that ended it by a better one.
func (t *txn) fail(err error) error {
	t.failure = err
	return err
}

// enqueue queues statements.
func (t *txn) enqueue(list ...queuedStmt) { t.queued = append(t.queued, list...) }

// defersWrites reports whether writes wait for the commit.
func (t *txn) defersWrites() bool { return t.prefetched != nil }

// flush runs what is queued and then stmts, in one round trip.
func (t *txn) flush(ctx context.Context, stmts ...db.Stmt) error {
	line := t.queued
	t.queued = nil
	sent := 0
	all := make([]db.Stmt, 0, len(line)+len(stmts))
	for i, w := range line {
		s := db.Stmt{SQL: w.SQL, Args: w.Args, OnDone: func(int64) error { sent = i + 1; return nil }}
		if w.errIfNoRows != nil {
			s.SQL = db.RequireRows(w.Stmt)
		}
		all = append(all, s)
	}
	err := t.inner.Run(ctx, append(all, stmts...)...)
	if err == nil || sent == len(line) {
		return err
	}
	switch w := line[sent]; {
	case w.errIfNoRows != nil && db.IsDivisionByZero(err):
		return w.errIfNoRows
	case w.translate != nil:
		return w.translate(err)
	}
	return err
}
