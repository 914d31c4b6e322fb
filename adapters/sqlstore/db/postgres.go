package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The roles that serve requests: neither owns a table nor is a superuser. The first sees the tenants of its
// unit of work only, the second, for work across tenants, all of them.
const (
	AppRole    = "cartwright_app"
	SystemRole = "cartwright_system"
)

// setTenants binds the tenants of a transaction for row-level security.
const setTenants = "SELECT set_config('cartwright.tenants', $1, true)"

// setTenantsCustomPlan is setTenants for statements that are planned for their arguments.
const setTenantsCustomPlan = setTenants + ", set_config('plan_cache_mode', 'force_custom_plan', true)"

// setTenantsGenericPlan is setTenants for statements that are planned once for all arguments.
const setTenantsGenericPlan = setTenants + ", set_config('plan_cache_mode', 'force_generic_plan', true)"

// BindBatchTenants binds the tenants of a batch, and has each statement planned once, as for few steps, and
// keeps that plan from reading whole tables or from comparing all steps with all rows when they are many:
// every step finds its rows by primary key.
const BindBatchTenants = "SELECT set_config('cartwright.tenants', $1, true), " + PrimaryKeyPlans

// PrimaryKeyPlans are the settings for that.
const PrimaryKeyPlans = "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), " +
	"set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)"

// pools are the connections to one Postgres.
type pools struct {
	app, system *pgxpool.Pool
	watchdog    *watchdog
}

func (p *pools) close() {
	p.watchdog.stop()
	p.app.Close()
	p.system.Close()
}

// resetIdle has idle connections closed: one that turned out dead is seldom the only one.
func (p *pools) resetIdle() {
	p.app.Reset()
	p.system.Reset()
}

// openPools connects lazily: a database that is down now may be up by the first statement.
func openPools(ctx context.Context, o Options, e *epochs) (*pools, error) {
	pulse, err := newWatchdog(o) //nolint:contextcheck // it beats until the store is closed
	if err != nil {
		return nil, err
	}
	app, err := openPool(ctx, o, poolOptions{AppRole, o.Connections, pulse.watchDials, e})
	if err != nil {
		pulse.stop()
		return nil, err
	}
	system, err := openPool(ctx, o, poolOptions{SystemRole, max(2, o.Connections/3), pulse.watchDials, e})
	if err != nil {
		pulse.stop()
		app.Close()
		return nil, err
	}
	return &pools{app, system, pulse}, nil
}

// pingIdle is after how long without use a connection is tried first: longer than the pauses of an idle server.
const pingIdle = 10 * time.Second

// How long a connection may take to open: until the server accepts it, and until it serves. A busy database
// accepts connections at once and is slow to serve new ones; the watchdog recognizes one that hangs then.
const (
	dialTimeout    = 800 * time.Millisecond
	connectTimeout = 5 * time.Second
)

// poolOptions say how the connections of a pool differ from those of the other.
type poolOptions struct {
	role   string // that serves; "": the user of the URL, who owns the tables
	size   int
	adapt  func(*pgconn.Config)
	epochs *epochs
}

func openPool(ctx context.Context, o Options, of poolOptions) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, errors.New("the Postgres URL cannot be read") // its text holds a password
	}
	c.MaxConns = int32(of.size) //nolint:gosec // a number of connections
	c.MaxConnIdleTime = 5 * time.Minute
	// A connection that died is found by its first statement, and replaced: reads and beginnings of transactions are
	// repeated. A ping only saves those that wait for the silence of a network that was cut.
	c.ShouldPing = func(_ context.Context, of pgxpool.ShouldPingParams) bool { return of.IdleDuration > pingIdle }
	c.ConnConfig.ConnectTimeout = connectTimeout
	of.adapt(&c.ConnConfig.Config)
	c.ConnConfig.RuntimeParams["application_name"] = "cartwright"
	c.ConnConfig.RuntimeParams["max_parallel_workers_per_gather"] = "0"
	c.ConnConfig.RuntimeParams["jit"] = "off" // compiling takes longer than any of our statements may
	c.ConnConfig.StatementCacheCapacity = 1024
	// A canceled statement keeps its connection: the server gets a cancel request, and the socket is closed
	// only if it does not stop.
	c.ConnConfig.BuildContextWatcherHandler = func(pc *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: pc, DeadlineDelay: time.Second}
	}
	if of.role != "" {
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			if _, err := conn.Exec(ctx, "SET ROLE "+of.role); err != nil {
				return err
			}
			return of.epochs.read(ctx, conn)
		}
	}
	return pgxpool.NewWithConfig(ctx, c)
}

// batchSender is a pgx connection, pool or transaction.
type batchSender interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// ErrNoConnection is that the call ended while it waited for a connection.
var ErrNoConnection = errors.New("no connection to the database was free in time")

// onConnection runs work on a connection of pool. Errors: ErrNoConnection, those of connecting and of work.
func onConnection(ctx context.Context, pool *pgxpool.Pool, work func(*pgxpool.Conn) error) error {
	conn, err := pool.Acquire(ctx)
	if err != nil && ctx.Err() != nil {
		return errors.Join(ErrNoConnection, err)
	}
	if err != nil {
		return err
	}
	defer conn.Release()
	return work(conn)
}

// pooledSession runs each run as pgSession on a connection of a pool.
type pooledSession struct {
	pool *pgxpool.Pool
	on   pgSession
}

func (p pooledSession) Run(ctx context.Context, stmts ...Stmt) error {
	return onConnection(ctx, p.pool, func(conn *pgxpool.Conn) error {
		on := p.on
		on.to = conn
		return on.Run(ctx, stmts...)
	})
}

// pgSession sends each run as one batch. With tenants to bind, it binds them first: outside a transaction the
// batch is its own, implicit one.
type pgSession struct {
	to      batchSender
	bind    string // statement that binds the tenants; "" binds none
	tenants string
}

func (p pgSession) Run(ctx context.Context, stmts ...Stmt) error {
	var b pgx.Batch
	if p.bind != "" {
		b.Queue(p.bind, p.tenants)
	}
	for _, s := range stmts {
		b.Queue(s.SQL, s.Args...)
	}
	res := p.to.SendBatch(ctx, &b)
	err := p.collect(res, stmts)
	if closed := res.Close(); err == nil {
		err = closed
	}
	return err
}

func (p pgSession) collect(res pgx.BatchResults, stmts []Stmt) error {
	if p.bind != "" {
		if _, err := res.Exec(); err != nil {
			return err
		}
	}
	for _, s := range stmts {
		if err := collectOne(res, s); err != nil {
			return err
		}
	}
	return nil
}

func collectOne(res pgx.BatchResults, s Stmt) error {
	rows, err := res.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for s.OnRow != nil && rows.Next() {
		if err := s.OnRow(rows); err != nil {
			return err
		}
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		return err
	}
	if s.OnDone != nil {
		return s.OnDone(rows.CommandTag().RowsAffected())
	}
	return nil
}

// begin opens a transaction and binds its tenants in the same round trip.
func (p *pools) begin(ctx context.Context, scope ports.Scope) (pgx.Tx, error) {
	if scope.System {
		return p.system.Begin(ctx)
	}
	list, err := tenantList(scope.Tenants)
	if err != nil {
		return nil, err
	}
	literal := "'" + strings.ReplaceAll(list, "'", "''") + "'"
	return p.app.BeginTx(ctx, pgx.TxOptions{BeginQuery: "BEGIN; SELECT set_config('cartwright.tenants', " + literal + ", true)"})
}

// tenantList is the form of the setting that the policies split again.
func tenantList(ids []tenant.ID) (string, error) {
	if len(ids) == 1 && ValidTenantID(ids[0]) {
		return string(ids[0]), nil
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		if !ValidTenantID(id) {
			return "", fmt.Errorf("tenant id %q cannot be bound", id)
		}
		texts[i] = string(id)
	}
	return strings.Join(texts, ","), nil
}

// ValidTenantID refuses ids that would mean more than one tenant, or none.
func ValidTenantID(id tenant.ID) bool { return id != "" && !strings.ContainsAny(string(id), ",\x00\\") }

// scriptSession is the session of a migration: definitions go as they are, many in one text.
type scriptSession struct{ tx pgx.Tx }

func (p scriptSession) Run(ctx context.Context, stmts ...Stmt) error {
	for _, s := range stmts {
		var err error
		if len(s.Args) == 0 && s.OnRow == nil {
			_, err = p.tx.Exec(ctx, s.SQL)
		} else {
			err = pgSession{to: p.tx}.Run(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
