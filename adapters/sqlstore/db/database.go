package db

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options say which database to open.
type Options struct {
	URL         string        // postgres://…; "" is SQLite
	Path        string        // SQLite: the file; made when missing
	Connections int           // Postgres: connections for requests
	Deadline    time.Duration // limit of a call whose context has no earlier deadline
	Logger      *slog.Logger
	OnReconnect func()             // Postgres: called when pooled connections turn out to be dead, or the epoch changes; nil: nothing
	QueryHook   bun.QueryHook      // sees the queries made with bun; nil: none
	Models      []any              // of the tables whose statements bun makes: pointers to structs
	Background  *background.Runner // of the watchdog and of checkpoints; may be nil
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	options Options
	Dialect *Dialect
	pools   *pools    // nil on SQLite
	sqlite  *sqliteDB // nil on Postgres
	breaker *breaker
	builder *Builder
	storage storage
	shares  *shares
	epochs  *epochs
}

// SystemScope is work across tenants.
var SystemScope = ports.Scope{System: true}

// Open opens the database of o. Connections to Postgres are made when they are needed: one that is down now may
// be up by the first statement.
func Open(ctx context.Context, o Options) (d *DB, err error) {
	d = &DB{options: o, Dialect: DialectOf(o.URL), breaker: newBreaker(o.Logger), epochs: &epochs{changed: o.OnReconnect}}
	if o.URL == "" {
		if d.sqlite, err = openSQLiteDB(ctx, o); err != nil {
			return nil, err
		}
		d.shares = newShares(sqliteReaders(), time.Now)
		d.epochs.newFileEpoch()
	} else {
		if d.pools, err = openPools(ctx, o, d.epochs); err != nil {
			return nil, err
		}
		d.shares = newShares(o.Connections-unsharedConnections(o.Connections), time.Now)
	}
	d.builder = newBuilder(d.Dialect.Postgres, o.QueryHook, o.Models)
	return d, nil
}

// DialectOf is the dialect of the database at url; "" is SQLite.
func DialectOf(url string) *Dialect {
	if url == "" {
		return SQLite
	}
	return Postgres
}

// Close ends all connections; work under way fails.
func (d *DB) Close() error {
	if d.sqlite != nil {
		return d.sqlite.close()
	}
	d.pools.close()
	return nil
}

// CircuitState is the state of the circuit breaker in front of Postgres. SQLite has none, since it is a file
// of this process whose locks have a time limit of their own: ok is false.
func (d *DB) CircuitState() (state string, ok bool) {
	if d.sqlite != nil {
		return "", false
	}
	return d.breaker.circuit.State().String(), true
}

// CircuitRefusal is the error of any call while the circuit is open, without making one; nil otherwise. Errors:
// fault.ErrUnavailable.
func (d *DB) CircuitRefusal() error {
	if d.sqlite != nil {
		return nil
	}
	return d.breaker.refusal()
}

// Reader runs statements outside of a transaction, bound to the tenants of scope.
func (d *DB) Reader(scope ports.Scope) Session { return &readSession{d, scope} }

// unsharedConnections is how many of so many connections are left to what serves many tenants at once.
func unsharedConnections(all int) int { return min(2, all/4) }

// readSession is the session of calls outside a transaction.
type readSession struct {
	db    *DB
	scope ports.Scope
}

func (r *readSession) Run(ctx context.Context, stmts ...Stmt) error {
	limited, cancel := r.db.withDeadline(ctx)
	defer cancel()
	in := laneRead
	if slices.ContainsFunc(stmts, func(st Stmt) bool { return st.Costly }) {
		in = laneCostly
	}
	err := r.db.inTurn(limited, r.scope, in, func() error { return r.run(limited, stmts) })
	return r.db.TranslateError(ctx, err)
}

func (r *readSession) run(ctx context.Context, stmts []Stmt) error {
	if r.db.sqlite != nil {
		return sqliteSession{&r.db.sqlite.readStmts}.Run(ctx, stmts...)
	}
	on := pooledSession{pool: r.db.pools.system}
	if !r.scope.System {
		list, err := tenantList(r.scope.Tenants)
		if err != nil {
			return err
		}
		on = pooledSession{r.db.pools.app, pgSession{bind: setTenants, tenants: list}}
		switch {
		case slices.ContainsFunc(stmts, func(st Stmt) bool { return st.CustomPlan }):
			on.on.bind = setTenantsCustomPlan
		case !slices.ContainsFunc(stmts, func(st Stmt) bool { return !st.GenericPlan }):
			on.on.bind = setTenantsGenericPlan
		}
	}
	return r.db.ask(ctx, on, stmts)
}

// ask reads on Postgres, and once more when the connection turned out to be dead and no result has reached
// the caller.
func (d *DB) ask(ctx context.Context, on pooledSession, stmts []Stmt) error {
	return d.breaker.run(func() error {
		delivered := false
		err := on.Run(ctx, trackResults(stmts, &delivered)...)
		if Unreachable(err) && !isConnectError(err) && !delivered {
			d.reconnect()
			err = on.Run(ctx, stmts...)
		}
		return err
	})
}

// ReadForTenants reads on Postgres for several tenants at once, with plans made for few rows each.
func (d *DB) ReadForTenants(ctx context.Context, ids []tenant.ID, stmts []Stmt) error {
	list, err := tenantList(ids)
	if err != nil {
		return err
	}
	return d.ask(ctx, pooledSession{d.pools.app, pgSession{bind: BindBatchTenants, tenants: list}}, stmts)
}

// RunBatch runs statements on Postgres for several tenants as one implicit transaction, in one round trip,
// with plans made for few rows each.
func (d *DB) RunBatch(ctx context.Context, ids []tenant.ID, stmts []Stmt) error {
	list, err := tenantList(ids)
	if err != nil {
		return err
	}
	return d.breaker.run(func() error {
		return pgSession{to: d.pools.app, bind: BindBatchTenants, tenants: list}.Run(ctx, stmts...)
	})
}

// Builder makes statements from models.
func (d *DB) Builder() *Builder { return d.builder }

// reconnect closes idle connections: one that turned out to be dead is seldom the only one. Another database
// may take the place of one that stopped answering.
func (d *DB) reconnect() {
	d.pools.resetIdle()
	if d.options.OnReconnect != nil {
		d.options.OnReconnect()
	}
}

// withDeadline gives ctx the database's deadline unless it has an earlier one.
func (d *DB) withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if at, ok := ctx.Deadline(); ok && time.Until(at) <= d.options.Deadline {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d.options.Deadline)
}

// TranslateError makes the error of a call of err: a caller who gave up gets their own reason, our own
// deadline, a lost race and a full disk are unavailability.
func (d *DB) TranslateError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), err)
	case StorageFailed(err):
		d.storage.fail(d.options.Logger, err)
		return fault.ErrUnavailable.WithCause(err).WithRetry(storageRetry)
	case errors.Is(err, errStaleConnection), timedOut(err), Retryable(err):
		return fault.ErrUnavailable.WithCause(err)
	case containsNUL(err):
		return fault.ErrValidation.WithMessage("The text contains a character that cannot be stored.").WithCause(err)
	}
	return err
}

// maxAttempts limits how often a transaction that lost against others runs again.
const maxAttempts = 10

// Retry runs attempt, a transaction, within the deadline, and again when it lost against another one.
func (d *DB) Retry(ctx context.Context, attempt func(context.Context) error) error {
	limited, cancel := d.withDeadline(ctx)
	defer cancel()
	for run := 1; ; run++ {
		err := attempt(limited)
		if err == nil || run == maxAttempts || !Retryable(err) && !errors.Is(err, errStaleConnection) {
			return d.TranslateError(ctx, err)
		}
		backoff(limited, run)
	}
}

// Transact runs work in a transaction bound to scope, in the turn of its tenant, again when it lost against
// another one.
func (d *DB) Transact(ctx context.Context, scope ports.Scope, work func(context.Context, Session) error) error {
	return d.Retry(ctx, func(ctx context.Context) error {
		return d.InTurn(ctx, scope, func(ctx context.Context) error {
			return d.InTransaction(ctx, scope, func(on Session) error { return work(ctx, on) })
		})
	})
}

// backoff lets the other transaction finish: a random while, longer with each run.
func backoff(ctx context.Context, run int) {
	t := time.NewTimer(time.Duration(rand.Int64N(int64(run) * int64(4*time.Millisecond)))) //nolint:gosec // only spreads retries
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
