package sqlstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// txn is one open transaction. Its first failed statement ends it: nothing commits afterwards, whatever the
// caller made of the error. See decide.
type txn struct {
	view

	inner       db.Session
	failure     error
	remembered  []collection.Change   // of what the process remembers of all tenants
	hasEvents   bool                  // events were written: the sequencer has work after the commit
	lockedStock []ports.StockKey      // rows of stock that are locked
	movedStock  []ports.StockMovement // how their counts changed since they were last reported
	prefetched  *prefetchedData       // nil: every statement runs when it is called for
	changes     []collection.Change   // of records, for the next round trip; what is queued comes after them
	queued      []queuedStmt          // further writes for the next round trip
}

// Run implements session.
func (t *txn) Run(ctx context.Context, stmts ...db.Stmt) error {
	switch {
	case t.failure != nil:
		return t.failure
	case t.prefetched != nil && t.prefetched.shared:
		return t.fail(errAlone)
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

// runOrDefer runs statements of which nothing is to be known, now or with the commit.
func (t *txn) runOrDefer(ctx context.Context, stmts ...db.Stmt) error {
	if !t.defersWrites() {
		return t.Run(ctx, stmts...)
	}
	for _, s := range stmts {
		t.enqueue(queuedStmt{Stmt: s})
	}
	return nil
}

// changeRow runs a query of bun that is to affect a row, now or with the commit. Errors: none, if it affects none.
func (t *txn) changeRow(ctx context.Context, q bun.Query, none error) error {
	b := t.store.db.Builder()
	if t.defersWrites() {
		st, err := b.Stmt(q)
		if err != nil {
			return t.fail(err)
		}
		t.enqueue(queuedStmt{Stmt: st, errIfNoRows: none})
		return nil
	}
	n, err := b.Exec(ctx, t, q)
	if err == nil && n == 0 {
		err = none
	}
	return err
}

// waitingWrites are the statements of what waits for the next round trip. Rows come first, then stock.
func (t *txn) waitingWrites(ctx context.Context) ([]queuedStmt, error) {
	if !t.defersWrites() {
		return nil, nil
	}
	shapes := make([]*table.Shape, len(t.changes))
	for i, c := range t.changes {
		var err error
		if shapes[i], err = t.store.shape(c.Schema); err != nil {
			return nil, err
		}
	}
	var line []queuedStmt
	if len(t.changes) > 0 {
		for _, s := range t.store.writer.Statements(ctx, t.inner, t.changes, shapes, true) {
			w := queuedStmt{Stmt: s.Stmt, translate: s.Shape.TranslateError}
			if s.OnDone != nil {
				w.errIfNoRows = s.OnDone(0)
			}
			line = append(line, w)
		}
	}
	line = append(append(line, t.prefetched.moveStmts()...), t.queued...)
	t.changes, t.queued, t.prefetched.moves = nil, nil, map[stockKey]stockMove{}
	return line, nil
}

// flush runs what is queued and then stmts, in one round trip.
func (t *txn) flush(ctx context.Context, stmts ...db.Stmt) error {
	line, err := t.waitingWrites(ctx)
	if err != nil {
		return err
	}
	done, err := runQueued(ctx, t.inner, line, stmts...)
	if err == nil || done == len(line) {
		return err
	}
	return line[done].meaning(err)
}

// runQueued runs queued statements and then others in one round trip. It returns how many of the queued ones were done,
// and what the database said of the one that failed.
func runQueued(ctx context.Context, on db.Session, line []queuedStmt, stmts ...db.Stmt) (done int, err error) {
	all := make([]db.Stmt, 0, len(line)+len(stmts))
	for i, w := range line {
		s := db.Stmt{SQL: w.SQL, Args: w.Args, OnDone: func(int64) error { done = i + 1; return nil }}
		if w.errIfNoRows != nil {
			s.SQL = db.RequireRows(w.Stmt)
		}
		all = append(all, s)
	}
	err = on.Run(ctx, append(all, stmts...)...)
	return done, err
}

// meaning is what the database's error about the statement means.
func (q queuedStmt) meaning(err error) error {
	switch {
	case q.errIfNoRows != nil && db.IsDivisionByZero(err):
		return q.errIfNoRows
	case q.translate != nil:
		return q.translate(err)
	}
	return err
}
