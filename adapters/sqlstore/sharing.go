package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of shared transactions.
const (
	maxUnits           = 64       // units of one transaction
	maxWaitingUnits    = 4096     // one more runs alone, in the turn of its tenant
	sharedLanes        = 2        // transactions under way
	secondSharedLaneAt = maxUnits // units that have to wait before a second lane is opened: as many as a transaction takes
)

// errAlone says that a unit cannot share a transaction: it needs something that it did not declare, or that another
// transaction holds.
var errAlone = errors.New("the unit of work needs a transaction of its own")

// sharing runs units of work of many callers in one transaction on Postgres. Each declares what it locks and reads
// (ports.Prefetch), so that the transaction takes two round trips however many units it has: one begins it, locks and
// reads for all of them, the other writes and commits. In between every unit decides by itself on locked rows, exactly as
// it does in a transaction of its own, and one after the other: what a unit takes of a variant's stock, the next one
// misses. A unit that is refused writes nothing. Like the committer, it has no timer and, without units, no goroutine:
// what comes while a transaction is under way goes into the next one.
//
// No two units of a transaction, or of two at a time, have a record, a holder of stock or a receipt in common; the later
// one waits. A unit that needs what it did not declare, or what another transaction holds, runs in a transaction of its
// own; so do all units of a transaction that the database refuses.
type sharing struct {
	unitQueue[*unit]

	engine *engine
	task   *background.Task // of the lanes; nil: a panic is logged and not counted

	// guarded by mu
	inFlight map[string]struct{} // what units under way have to themselves
	open     int                 // lanes
}

// SharedStats count units of work since the start.
type SharedStats struct {
	Transactions int64 // that were shared, whatever came of them
	Units        int64 // that were decided in one, refused ones too
	Alone        int64 // that were passed on to a transaction of their own
}

// unit is a unit of work on its way through a shared transaction.
type unit struct {
	ctx  context.Context //nolint:containedctx // of its caller; it ends nothing that others wait for
	fn   func(context.Context, *txn) error
	t    *txn
	keys []string // what it has to itself

	err   error // that it is refused with
	alone bool  // it cannot share this transaction
	done  chan error
}

// run runs a unit of work of one tenant. Errors: errAlone, without any effect; those of fn; fault.ErrUnavailable.
func (s *sharing) run(ctx context.Context, scope ports.Scope, fn func(context.Context, *txn) error) error {
	t := s.engine.newTxn(scope)
	t.prefetched = newPrefetched(scope.Prefetch)
	t.prefetched.shared = true
	u := &unit{ctx: ctx, fn: fn, t: t, keys: unitKeys(scope.Prefetch), done: make(chan error, 1)}
	if !s.enqueue(u) { //nolint:contextcheck // a transaction belongs to many callers, none of whom may end it for the others
		return errAlone
	}
	return s.await(ctx, u, u.done)
}

// unitKeys are what a unit has to itself: what it locks, the holder of its stock and its receipt.
func unitKeys(p *ports.Prefetch) (keys []string) {
	for _, r := range p.Lock {
		keys = append(keys, r.ID)
	}
	for _, r := range p.LockBy {
		if !slices.Contains(keys, r.Value) {
			keys = append(keys, r.Value)
		}
	}
	if p.Holder != "" && !slices.Contains(keys, p.Holder) {
		keys = append(keys, p.Holder)
	}
	if p.Receipt != nil {
		keys = append(keys, string(p.Receipt[:]))
	}
	return keys
}

func (s *sharing) enqueue(u *unit) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= maxWaitingUnits {
		return false
	}
	s.waiting = append(s.waiting, u)
	if s.open == 0 || s.open < sharedLanes && len(s.waiting) >= secondSharedLaneAt {
		s.openLane()
	}
	return true
}

// openLane needs the lock.
func (s *sharing) openLane() {
	s.open++
	s.task.Start(func() {
		for units := s.next(); units != nil; units = s.next() {
			s.serve(units)
		}
	})
}

// next takes the units of a transaction out of the queue. When there are none, the lane is closed.
func (s *sharing) next() (units []*unit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := s.waiting[:0]
	for _, u := range s.waiting {
		if len(units) == maxUnits || !s.acquire(u) {
			rest = append(rest, u)
			continue
		}
		units = append(units, u)
	}
	clear(s.waiting[len(rest):])
	s.waiting = rest
	if units == nil {
		s.open--
		return nil
	}
	s.stats.Transactions++
	return units
}

// acquire marks what u has to itself, unless some of it is marked already. It needs the lock.
func (s *sharing) acquire(u *unit) bool {
	for _, key := range u.keys {
		if _, taken := s.inFlight[key]; taken {
			return false
		}
	}
	for _, key := range u.keys {
		s.inFlight[key] = struct{}{}
	}
	return true
}

// serve runs units in one transaction and answers them.
func (s *sharing) serve(units []*unit) {
	all := &sharedTransaction{engine: s.engine, units: units, stock: map[stockKey]stockRow{}}
	err := s.task.Call(all.run)
	s.mu.Lock()
	for _, u := range units {
		for _, key := range u.keys {
			delete(s.inFlight, key)
		}
		if u.err = all.outcome(u, err); errors.Is(u.err, errAlone) {
			s.stats.Alone++
		} else {
			s.stats.Units++
		}
	}
	s.mu.Unlock()
	for _, u := range units {
		u.done <- u.err
	}
}

// SharedStats are the counts so far.
func (s *Store) SharedStats() SharedStats {
	if !s.engine.dialect.Postgres {
		s.engine.grouped.mu.Lock()
		defer s.engine.grouped.mu.Unlock()
		return s.engine.grouped.stats
	}
	s.engine.sharing.mu.Lock()
	defer s.engine.sharing.mu.Unlock()
	return s.engine.sharing.stats
}

// sharedTransaction is one transaction with its units.
type sharedTransaction struct {
	engine *engine
	units  []*unit
	stock  map[stockKey]stockRow // that is locked, as the units so far leave it
	sent   bool                  // the commit may have been done
}

// outcome is what a unit is answered after a transaction that ended with err. Where nothing was committed, a refusal is
// none either: it may have been decided on what another unit would have done.
func (a *sharedTransaction) outcome(u *unit, err error) error {
	switch {
	case u.alone, err != nil && (!a.sent || db.Rejected(err)), err != nil && u.err != nil:
		return errAlone
	case err != nil:
		return a.engine.db.TranslateError(context.Background(), err)
	}
	return u.err
}

// run runs the transaction.
func (a *sharedTransaction) run() error {
	ctx, cancel := context.WithTimeout(context.Background(), a.engine.options.Deadline)
	defer cancel()
	hasEvents := false
	err := a.engine.db.OnConnection(ctx, func(on db.Session) error { return a.begin(ctx, on) }, func(on db.Session) error {
		for _, u := range a.units {
			a.decide(u) //nolint:contextcheck // a unit has the context of its caller
			hasEvents = hasEvents || u.t.hasEvents && u.err == nil && !u.alone
		}
		return a.commit(ctx, on)
	})
	for _, u := range a.units {
		a.engine.keys.forget(u.t.remembered) // also after an error: the commit may have been done all the same
	}
	if err == nil && hasEvents {
		a.engine.sequencer.Wake()
	}
	return err
}

// decide runs the work of a unit, which locks, reads and writes nothing by itself any more.
func (a *sharedTransaction) decide(u *unit) {
	t := u.t
	defer func() {
		if recover() != nil { // alone, it panics where its caller is
			u.alone = true
		}
	}()
	if u.alone || u.ctx.Err() != nil {
		u.alone = true
		return
	}
	for key := range t.prefetched.stock {
		t.prefetched.stock[key] = a.stock[key]
	}
	ctx := db.WithTurn(u.ctx)
	err := t.decide(ctx, u.fn)
	switch {
	case errors.Is(err, errAlone):
		u.alone = true
	case err != nil:
		u.err = err
	default:
		maps.Copy(a.stock, t.prefetched.stock)
	}
}

// commit writes what the units decided, and commits it.
func (a *sharedTransaction) commit(ctx context.Context, on db.Session) error {
	all := &txn{inner: on}
	all.view = view{store: a.engine, session: all}
	all.prefetched = newPrefetched(&ports.Prefetch{})
	for _, u := range a.units {
		if u.alone || u.err != nil {
			continue
		}
		all.changes = append(all.changes, u.t.changes...)
		all.queued = append(all.queued, u.t.queued...)
		for key, by := range u.t.prefetched.moves {
			all.prefetched.move(key, by)
		}
	}
	if len(all.changes)+len(all.queued)+len(all.prefetched.moves) == 0 {
		return on.Run(ctx, db.Stmt{SQL: "ROLLBACK"})
	}
	line, err := all.waitingWrites(ctx)
	if err != nil {
		return err
	}
	a.sent = true
	_, err = runQueued(ctx, on, line, db.Stmt{SQL: "COMMIT"})
	return err // as the database said it: whose statement it was, and what it means there, each unit finds out alone
}

// begin begins the transaction, and locks and reads for all units.
func (a *sharedTransaction) begin(ctx context.Context, on db.Session) error {
	var ids []tenant.ID
	for _, u := range a.units {
		if id := u.t.Scope.Tenants[0]; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	stmts, err := db.BeginForTenants(ids)
	if err != nil {
		return err
	}
	r := &sharedReads{sharedTransaction: a}
	for _, add := range []func() error{r.locks, r.locksBy, r.sharedLocks, r.holders, r.records, r.versions, r.available, r.calls, r.receipts} {
		if err := add(); err != nil {
			return err
		}
	}
	if err := on.Run(ctx, append(stmts, r.stmts...)...); err != nil {
		return fmt.Errorf("begin a shared transaction: %w", err)
	}
	for _, u := range a.units {
		u.alone = u.alone || u.t.prefetched.lacksLocks()
	}
	return nil
}
