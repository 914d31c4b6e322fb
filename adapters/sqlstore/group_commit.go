package sqlstore

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/ports"
)

// groupCommit runs units of work of many callers in one transaction of SQLite's only writer, each behind a savepoint, so that
// one flush of the disk makes all of them durable. A unit reads and writes as in a transaction of its own, after those before
// it; one that is refused is undone alone. What comes while a transaction is under way goes into the next one. Only units that
// declare what they need take part: they are short.
type groupCommit struct {
	unitQueue[*groupedUnit]

	engine  *engine
	task    *background.Task // nil: a panic is logged and not counted
	running bool             // guarded by mu
}

// groupedUnit is a unit of work on its way through a transaction of several.
type groupedUnit struct {
	ctx  context.Context //nolint:containedctx // of its caller; it ends nothing that others wait for
	fn   func(context.Context, *txn) error
	t    *txn
	err  error // that it is refused with
	done chan error
}

// run runs a unit of work. Errors: errAlone, without any effect; those of fn; fault.ErrUnavailable.
func (g *groupCommit) run(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	u := &groupedUnit{ctx: ctx, fn: fn, t: g.engine.newTxn(scope), done: make(chan error, 1)}
	if !g.enqueue(u) { //nolint:contextcheck // a transaction belongs to many callers, none of whom may end it for the others
		return errAlone
	}
	return g.await(ctx, u, u.done)
}

func (g *groupCommit) enqueue(u *groupedUnit) (ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) >= maxWaitingUnits {
		return false
	}
	g.waiting = append(g.waiting, u)
	if !g.running {
		g.running = true
		g.task.Start(func() {
			for units := g.next(); units != nil; units = g.next() {
				g.serve(units)
			}
		})
	}
	return true
}

// next takes the units of a transaction out of the queue; nil when there are none.
func (g *groupCommit) next() (units []*groupedUnit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), maxUnits)
	if n == 0 {
		g.running = false
		return nil
	}
	units = slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	g.stats.Transactions++
	g.stats.Units += int64(n)
	return units
}

// serve runs units in one transaction and answers them.
func (g *groupCommit) serve(units []*groupedUnit) {
	sent := false
	err := g.task.Call(func() error {
		return g.engine.db.InTransaction(context.Background(), db.SystemScope, func(on db.Session) error {
			for _, u := range units {
				if err := u.perform(on); err != nil {
					return err
				}
			}
			sent = true
			return nil
		})
	})
	for _, u := range units {
		g.engine.keys.forget(u.t.remembered)
		switch { // where nothing was committed, a refusal is none either: others may have been the reason
		case err != nil && sent:
			u.err = g.engine.db.TranslateError(context.Background(), err)
		case err != nil:
			u.err = errAlone
		}
	}
	if err == nil && slices.ContainsFunc(units, func(u *groupedUnit) bool { return u.err == nil && u.t.hasEvents }) {
		g.engine.sequencer.Wake()
	}
	for _, u := range units {
		u.done <- u.err
	}
}

// perform runs a unit behind a savepoint; err ends the transaction of all.
func (u *groupedUnit) perform(on db.Session) (err error) {
	if gone := u.ctx.Err(); gone != nil {
		u.err = gone
		return nil //nolint:nilerr // it is the unit's
	}
	ctx := db.WithTurn(context.WithoutCancel(u.ctx)) // to interrupt a statement may undo what others did
	if err := on.Run(ctx, db.Stmt{SQL: "SAVEPOINT unit"}); err != nil {
		return err
	}
	if u.err = u.decide(ctx, on); u.err != nil {
		if db.StorageFailed(u.err) {
			return u.err // SQLite may have undone everything
		}
		if err := on.Run(ctx, db.Stmt{SQL: "ROLLBACK TO unit"}); err != nil {
			return err
		}
	}
	return on.Run(ctx, db.Stmt{SQL: "RELEASE unit"})
}

func (u *groupedUnit) decide(ctx context.Context, on db.Session) (err error) {
	defer func() {
		if recover() != nil { // alone, it panics where its caller is
			err = errAlone
		}
	}()
	return u.t.perform(ctx, on, u.fn)
}

// mayGroup reports whether a unit of work may share its transaction with others. What runs inside of one may not wait for
// another.
func (e *engine) mayGroup(ctx context.Context, scope ports.Scope) bool {
	return scope.Prefetch != nil && !e.dialect.Postgres && !scope.System && !e.db.HasTurn(ctx)
}
