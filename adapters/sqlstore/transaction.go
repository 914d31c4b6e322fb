package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// txn is one open transaction. Its first failed statement ends it: nothing commits afterwards, whatever the caller made
// of the error.
type txn struct {
	view

	inner       db.Session
	failure     error
	hasEvents   bool             // events were written: the sequencer has work after the commit
	lockedStock []ports.StockKey // rows of stock that are locked
	prefetched  *prefetchedData  // nil: every statement runs when it is called for
	queued      []queuedStmt     // writes for the next round trip
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

// runBeforeStockCommit has what depends on the held rows of stock brought up to date.
func (t *txn) runBeforeStockCommit(ctx context.Context) error {
	if len(t.lockedStock) == 0 || t.store.options.BeforeStockCommit == nil {
		return nil
	}
	err := t.store.options.BeforeStockCommit(ctx, txPorts(t), t.lockedStock)
	t.lockedStock = nil
	return err
}

// transact runs fn in a transaction bound to scope, again when it lost against another one.
func (e *engine) transact(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	return e.db.Retry(ctx, func(ctx context.Context) error { return e.runOnce(ctx, scope, fn) })
}

func (e *engine) runOnce(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	t := &txn{}
	t.view = view{TenantScope: e.scoped(scope), store: e, session: t}
	work := func(on db.Session) error {
		t.inner = on
		err := fn(ctx, t)
		if err == nil && t.failure == nil {
			err = t.runBeforeStockCommit(ctx)
		}
		if t.failure != nil {
			return t.failure
		}
		return err
	}
	var err error
	if scope.Prefetch != nil && e.dialect.Postgres && !scope.System && len(scope.Tenants) == 1 {
		err = e.runPrefetched(ctx, t, work)
	} else {
		err = e.db.InTransaction(ctx, scope, work)
	}
	if err == nil && t.hasEvents {
		e.sequencer.Wake()
	}
	return err
}
