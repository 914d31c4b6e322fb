package sqlstore

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// transact runs fn in a transaction bound to scope, again when it lost against another one.
func (e *engine) transact(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	err := errAlone
	switch {
	case e.mayShare(ctx, scope):
		err = e.sharing.run(ctx, scope, fn)
	case e.mayGroup(ctx, scope):
		err = e.grouped.run(ctx, scope, fn)
	}
	if !errors.Is(err, errAlone) {
		return err
	}
	return e.db.Retry(ctx, func(ctx context.Context) error {
		return e.db.InTurn(ctx, scope, func(ctx context.Context) error { return e.runOnce(ctx, scope, fn) })
	})
}

func (e *engine) runOnce(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	t := e.newTxn(scope)
	work := func(on db.Session) error { return t.perform(ctx, on, fn) }
	var err error
	if e.mayPrefetch(scope) {
		err = e.runPrefetched(ctx, t, work)
	} else {
		err = e.db.InTransaction(ctx, scope, work)
	}
	e.keys.forget(t.remembered) // also after an error: the commit may have been done all the same
	if err == nil && t.hasEvents {
		e.sequencer.Wake()
	}
	return err
}

func (e *engine) newTxn(scope ports.Scope) *txn {
	t := &txn{}
	t.view = view{TenantScope: e.scoped(scope), store: e, session: t}
	return t
}

// perform runs the work of t.
func (t *txn) perform(ctx context.Context, on db.Session, fn func(context.Context, *txn) error) error {
	t.inner = on
	return t.decide(ctx, fn)
}

// decide runs fn, up to the commit, and returns why there is to be none: what fn made of the error of a statement that failed.
// Where that error is not about the work, the work runs again or its caller is told of the database, whatever fn made of it.
func (t *txn) decide(ctx context.Context, fn func(context.Context, *txn) error) error {
	err := fn(ctx, t)
	if err == nil && t.failure == nil {
		err = t.runBeforeStockCommit(ctx)
	}
	if t.failure != nil && (err == nil || errors.Is(t.failure, errAlone) || db.Transient(t.failure)) {
		return t.failure
	}
	return err
}

// runPrefetched runs work in a transaction on Postgres that begins with the reads of its scope and commits
// with its writes.
func (e *engine) runPrefetched(ctx context.Context, t *txn, work func(db.Session) error) error {
	t.prefetched = newPrefetched(t.Scope.Prefetch)
	begin := func(on db.Session) error {
		t.inner = on
		return t.beginPrefetched(ctx)
	}
	return e.db.OnConnection(ctx, begin, func(on db.Session) error {
		if err := work(on); err != nil {
			return err
		}
		// The commit is sent with the writes: from here on the caller's deadline no longer matters, the
		// database's does.
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.options.Deadline)
		defer cancel()
		return t.flush(last, db.Stmt{SQL: "COMMIT"})
	})
}

// mayPrefetch reports whether a unit of work begins with the reads of its scope.
func (e *engine) mayPrefetch(scope ports.Scope) bool {
	return scope.Prefetch != nil && e.dialect.Postgres && !scope.System && len(scope.Tenants) == 1
}

// mayShare reports whether a unit of work may share its transaction with others. What runs inside of one may not wait for
// another.
func (e *engine) mayShare(ctx context.Context, scope ports.Scope) bool {
	return e.mayPrefetch(scope) && !scope.Prefetch.DiscountUsesFirst && !scope.Prefetch.Alone && !e.db.HasTurn(ctx) && db.ValidTenantID(scope.Tenants[0])
}
