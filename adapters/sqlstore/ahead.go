package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// A unit of work that says ahead what it will read takes two round trips to Postgres, as long as it reads nothing else: one
// begins it, locks and reads, the other writes and commits. What it writes waits in line for the next read or the commit;
// a statement whose effect decides something is worded so that having none is an error, which keeps the commit behind it
// from happening. SQLite has no round trips: there Ahead means nothing.

// foreseen is what a transaction has read ahead, as it is until the transaction itself changes it.
type foreseen struct {
	plan     *ports.Ahead
	records  map[ref]collection.Record // nil: there is none
	locked   map[ref]bool
	uses     map[string]heldUse // of a plan with codes
	goods    bool               // the rows of stock are locked, what is promised is known
	promised []promise
	tracked  map[string]bool // of the plan's variants, of which stock is locked
}

type ref struct{ collection, id string }

// waiting is a statement in line.
type waiting struct {
	stmt

	must error                 // what it means that the statement affects no row; nil: nothing
	word func(err error) error // puts what the database says into our words; nil: as it is
}

// later puts statements in line.
func (t *txn) later(list ...waiting) { t.line = append(t.line, list...) }

// lazy reports whether writes wait for the commit.
func (t *txn) lazy() bool { return t.ahead != nil }

// guarded is s as a statement that fails by dividing by zero when it affects no row, or not as many as it is meant to.
func guarded(s stmt) string {
	affected := "count(*)"
	if s.many {
		affected = "(count(*) = cardinality($1))::int"
	}
	return "WITH done AS (" + s.sql + " RETURNING 1) SELECT 1 / " + affected + " FROM done"
}

// send runs what waits in line and then stmts, in one round trip.
func (t *txn) send(ctx context.Context, stmts ...stmt) error {
	line := t.line
	t.line = nil
	sent := 0
	all := make([]stmt, 0, len(line)+len(stmts))
	for i, w := range line {
		s := stmt{sql: w.sql, args: w.args, done: func(int64) error { sent = i + 1; return nil }}
		if w.must != nil {
			s.sql = guarded(w.stmt)
		}
		all = append(all, s)
	}
	err := t.inner.run(ctx, append(all, stmts...)...)
	if err == nil || sent == len(line) {
		return err
	}
	switch w := line[sent]; {
	case w.must != nil && dividedByZero(err):
		return w.must
	case w.word != nil:
		return w.word(err)
	}
	return err
}

func dividedByZero(err error) bool {
	p, ok := errors.AsType[*pgconn.PgError](err)
	return ok && p.Code == "22012"
}

// lookAhead begins the transaction with the locks and reads of its plan.
func (t *txn) lookAhead(ctx context.Context) error {
	bind, err := tenantList(t.scope.Tenants)
	if err != nil {
		return err
	}
	stmts := []stmt{{sql: "BEGIN"}, {sql: setTenants, args: []any{bind}}}
	f := t.ahead
	for locks := f.plan.Lock; len(locks) > 0; {
		n := 1
		for n < len(locks) && locks[n].Schema == locks[0].Schema {
			n++
		}
		s, err := t.foreseeLocked(locks[:n])
		if err != nil {
			return err
		}
		stmts, locks = append(stmts, s), locks[n:]
	}
	if f.plan.Codes {
		f.uses = map[string]heldUse{}
		stmts = append(stmts, t.readUses(string(t.scope.Tenants[0]), f.plan.Holder, f.uses))
	} else {
		goods, err := t.goods()
		if err != nil {
			return err
		}
		stmts = append(stmts, goods...)
	}
	err = t.inner.run(ctx, stmts...)
	f.goods = err == nil && !f.plan.Codes
	return err
}

// foresee reads a record ahead.
func (t *txn) foresee(r ports.Ref, suffix string) (stmt, error) {
	sh, err := t.s.shape(r.Schema)
	if err != nil {
		return stmt{}, err
	}
	at := ref{r.Schema.Slug, r.ID}
	t.ahead.records[at] = nil
	text, a := t.selectOne(sh, r.ID, suffix)
	return stmt{sql: text, args: a, each: func(from row) error {
		rec, err := sh.scan(from)
		t.ahead.records[at] = rec
		return err
	}}, nil
}

// foreseeLocked reads records of one collection ahead and locks them, in the order of their ids.
func (t *txn) foreseeLocked(refs []ports.Ref) (s stmt, err error) {
	for _, r := range refs {
		if s, err = t.foresee(r, t.s.d.forUpdate()+" OF r"); err != nil {
			return stmt{}, err
		}
		t.ahead.locked[ref{r.Schema.Slug, r.ID}] = true
	}
	if len(refs) == 1 {
		return s, nil
	}
	sh, err := t.s.shape(refs[0].Schema)
	if err != nil {
		return stmt{}, err
	}
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	var a args
	text := "SELECT " + sh.selects(t.environment(""), t.s.d) + " FROM " + quote(sh.table) + " r WHERE " + t.fence(&a, "r") + " AND " + t.s.d.in("r.id", a.bind(ids)) +
		" ORDER BY r.id" + t.s.d.forUpdate() + " OF r"
	return stmt{sql: text, args: a, each: func(from row) error {
		rec, err := sh.scan(from)
		if err == nil {
			t.ahead.records[ref{sh.schema.Slug, rec.ID()}] = rec
		}
		return err
	}}, nil
}

// goods locks the rows of stock of the plan and reads what is promised of them, and then the records that tell about them.
func (t *txn) goods() (stmts []stmt, err error) {
	f := t.ahead
	f.promised, f.tracked = nil, map[string]bool{}
	if f.plan.Holder != "" {
		var a args
		lock := "SELECT variant, tracked FROM stock r WHERE " + t.fence(&a, "r") + " AND environment = " + a.bind(string(f.plan.Environment)) + " AND " + t.s.d.in("variant", a.bind(f.plan.Variants)) + " ORDER BY variant" + t.s.d.forUpdate()
		stmts = append(stmts, stmt{sql: readPromises + t.s.d.forUpdate(), args: []any{string(t.scope.Tenants[0]), f.plan.Holder}, each: func(r row) error {
			var p promise
			err := r.Scan(&p.env, &p.variant, &p.held)
			f.promised = append(f.promised, p)
			return err
		}}, stmt{sql: lock, args: a, each: func(r row) error {
			var variant string
			var tracked bool
			err := r.Scan(&variant, &tracked)
			f.tracked[variant] = tracked
			return err
		}})
	}
	for _, r := range f.plan.Get {
		s, err := t.foresee(r, "")
		if err != nil {
			return nil, err
		}
		stmts = append(stmts, s)
	}
	return stmts, nil
}

// promisedTo is what was read ahead of the promises to holder, when it was; those of a plan with codes are read now.
func (t *txn) promisedTo(ctx context.Context, holder string) ([]promise, bool, error) {
	if t.ahead == nil || t.ahead.plan.Holder != holder {
		return nil, false, nil
	}
	if !t.ahead.goods {
		stmts, err := t.goods()
		if err == nil {
			err = t.run(ctx, stmts...)
		}
		if err != nil {
			return nil, false, err
		}
		t.ahead.goods = true
	}
	t.ahead.goods = false // they are about to change
	return t.ahead.promised, true, nil
}

// Get implements ports.Reader.
func (t *txn) Get(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if t.ahead != nil {
		if r, known := t.ahead.records[ref{c.Slug, id}]; known {
			return found(r)
		}
	}
	return t.view.Get(ctx, c, id)
}

// Lock implements ports.Records.
func (t *txn) Lock(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if t.ahead != nil {
		at := ref{c.Slug, id}
		if r, known := t.ahead.records[at]; known && t.ahead.locked[at] {
			return found(r)
		}
	}
	return t.view.Lock(ctx, c, id)
}

func found(r collection.Record) (collection.Record, error) {
	if r == nil {
		return nil, ports.ErrAbsent
	}
	return r.Clone(), nil
}

// GetMany implements ports.Reader.
func (t *txn) GetMany(ctx context.Context, c *collection.Schema, ids []string) (map[string]collection.Record, error) {
	if t.ahead != nil {
		all := make(map[string]collection.Record, len(ids))
		known := true
		for _, id := range ids {
			r, foreseen := t.ahead.records[ref{c.Slug, id}]
			if known = known && foreseen; r != nil {
				all[id] = r.Clone()
			}
		}
		if known {
			return all, nil
		}
	}
	return t.view.GetMany(ctx, c, ids)
}

// forget has changed records read anew.
func (f *foreseen) forget(changes []collection.Change) {
	for _, c := range changes {
		delete(f.records, ref{c.Schema.Slug, c.ID()})
	}
}

// oncePlanned runs work in a transaction on Postgres that t.ahead foresees.
func (s *Store) oncePlanned(ctx context.Context, t *txn, work func() error) error {
	conn, err := s.pg.app.Acquire(ctx)
	if err != nil {
		return err
	}
	t.inner = pgSession{to: conn}
	done := false
	defer func() { // also when work panics
		if !done {
			s.leave(ctx, conn)
		}
		conn.Release()
	}()
	if err := t.lookAhead(ctx); err != nil {
		if unreachable(err) && !refusedConnection(err) {
			s.reconnect()
			return errors.Join(errStaleConnection, err)
		}
		return err
	}
	if err := work(); err != nil {
		return err
	}
	// The commit is on its way with the writes: from here on the caller's patience no longer matters, the database's does.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Deadline)
	defer cancel()
	if err := t.send(last, stmt{sql: "COMMIT"}); err != nil {
		return err
	}
	done = true
	return nil
}

// leave ends a transaction that does not commit. A connection that cannot is closed when it is released, which ends it too.
func (s *Store) leave(ctx context.Context, conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, "ROLLBACK")
}
