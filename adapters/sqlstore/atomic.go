package sqlstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxRuns bounds how often a transaction that lost against others runs again.
const maxRuns = 10

// txn is one open transaction. Its first failed statement ends it: nothing commits afterwards, whatever the caller made
// of the error.
type txn struct {
	view

	inner  session
	failed error
	events bool          // events were written: the sequencer has work after the commit
	held   []ports.Place // rows of stock that are locked
	ahead  *foreseen     // nil: everything is done as it is asked for
	line   []waiting     // writes for the next round trip
}

// run implements session.
func (t *txn) run(ctx context.Context, stmts ...stmt) error {
	if t.failed != nil {
		return t.failed
	}
	if err := t.send(ctx, stmts...); err != nil {
		t.failed = err
		return err
	}
	return nil
}

// refuse ends the transaction with err, or with a better word for the error that ended it.
func (t *txn) refuse(err error) error {
	t.failed = err
	return err
}

// settle has what depends on the held rows of stock brought up to date.
func (t *txn) settle(ctx context.Context) error {
	if len(t.held) == 0 || t.s.o.Settle == nil {
		return nil
	}
	err := t.s.o.Settle(ctx, parts(t), t.held)
	t.held = nil
	return err
}

// Atomically implements ports.Store.
func (s *Store) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	return s.transact(ctx, scope, func(ctx context.Context, t *txn) error { return fn(ctx, parts(t)) })
}

// transact runs fn in a transaction bound to scope, again when it lost against another one.
func (s *Store) transact(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	limited, cancel := s.bounded(ctx)
	defer cancel()
	for run := 1; ; run++ {
		err := s.once(limited, scope, fn)
		if err == nil || run == maxRuns || !repeatable(err) && !errors.Is(err, errStaleConnection) {
			return s.ended(ctx, err)
		}
		pause(limited, run)
	}
}

// pause lets the other transaction finish: a random while, longer with each run.
func pause(ctx context.Context, run int) {
	t := time.NewTimer(time.Duration(rand.Int64N(int64(run) * int64(4*time.Millisecond)))) //nolint:gosec // only spreads retries
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// bounded gives ctx the store's deadline unless it has an earlier one.
func (s *Store) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if at, ok := ctx.Deadline(); ok && time.Until(at) <= s.o.Deadline {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, s.o.Deadline)
}

// ended is the last word on an error: a caller who gave up gets their own reason, our own deadline is unavailability.
func (s *Store) ended(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), err)
	case errors.Is(err, errStaleConnection), timedOut(err), repeatable(err):
		return fault.ErrUnavailable.Because(err)
	case unstorable(err):
		return fault.ErrValidation.Saying("A text holds a character that cannot be kept.").Because(err)
	}
	return err
}

// errStaleConnection: a pooled connection had died before the transaction began; nothing happened yet.
var errStaleConnection = errors.New("the pooled connection was dead")

func (s *Store) once(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	t := &txn{}
	t.view = view{s: s, scope: scope, on: t}
	work := func() error {
		err := fn(ctx, t)
		if err == nil && t.failed == nil {
			err = t.settle(ctx)
		}
		if t.failed != nil {
			return t.failed
		}
		return err
	}
	var err error
	if scope.Ahead != nil && s.lite == nil && !scope.System && len(scope.Tenants) == 1 {
		t.ahead = &foreseen{plan: scope.Ahead, records: map[ref]collection.Record{}, locked: map[ref]bool{}}
	}
	if s.lite != nil {
		err = s.lite.write(ctx, func(on session) error { t.inner = on; return work() })
	} else {
		err = s.breaker.run(func() error { return s.oncePostgres(ctx, t, work) })
	}
	if err == nil && t.events {
		s.wake()
	}
	return err
}

func (s *Store) oncePostgres(ctx context.Context, t *txn, work func() error) error {
	if t.ahead != nil {
		return s.oncePlanned(ctx, t, work)
	}
	tx, err := s.pg.begin(ctx, t.scope)
	if err != nil {
		if unreachable(err) && !refusedConnection(err) {
			s.reconnect()
			return errors.Join(errStaleConnection, err)
		}
		return err
	}
	t.inner = pgSession{to: tx}
	done := false
	defer func() {
		if !done { // also when work panics; a cancelled context must not keep the rollback from being sent
			s.rollback(ctx, tx)
		}
	}()
	if err := work(); err != nil {
		return err
	}
	done = true
	return tx.Commit(context.WithoutCancel(ctx))
}

func (s *Store) rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = tx.Rollback(ctx) // an error closes the connection, which rolls back too
}
