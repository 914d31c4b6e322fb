package sqlstore

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

// The roles that serve requests: neither owns a table nor is a superuser. The first sees the tenants of its unit of
// work only, the second, for work across tenants, all of them.
const (
	appRole    = "cartwright_app"
	systemRole = "cartwright_system"
)

// setTenants binds the tenants of a transaction for row-level security.
const setTenants = "SELECT set_config('cartwright.tenants', $1, true)"

// setTenantsAnew is setTenants for statements that are planned for their arguments.
const setTenantsAnew = setTenants + ", set_config('plan_cache_mode', 'force_custom_plan', true)"

// pools are the connections to one Postgres.
type pools struct {
	app, system *pgxpool.Pool
	pulse       *pulse
}

func (p *pools) close() {
	p.pulse.stop()
	p.app.Close()
	p.system.Close()
}

// forget has idle connections closed: one that turned out dead is seldom the only one.
func (p *pools) forget() {
	p.app.Reset()
	p.system.Reset()
}

// openPools connects lazily: a database that is down now may be up by the first statement.
func openPools(ctx context.Context, o Options) (*pools, error) {
	pulse, err := newPulse(o) //nolint:contextcheck // it beats until the store is closed
	if err != nil {
		return nil, err
	}
	app, err := openPool(ctx, o, appRole, o.Connections, pulse.through)
	if err != nil {
		pulse.stop()
		return nil, err
	}
	system, err := openPool(ctx, o, systemRole, max(2, o.Connections/3), pulse.through)
	if err != nil {
		pulse.stop()
		app.Close()
		return nil, err
	}
	return &pools{app, system, pulse}, nil
}

// How long a connection may take to open: until somebody takes the call, and until it serves. A busy database takes calls
// at once and is slow to serve new ones; one that hangs then is told by the pulse.
const (
	connectLimit = 800 * time.Millisecond
	serveLimit   = 5 * time.Second
)

func openPool(ctx context.Context, o Options, role string, size int, adapt func(*pgconn.Config)) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, errors.New("the Postgres URL cannot be read") // its text holds a password
	}
	c.MaxConns = int32(size) //nolint:gosec // a number of connections
	c.MaxConnIdleTime = 5 * time.Minute
	c.ConnConfig.ConnectTimeout = serveLimit
	adapt(&c.ConnConfig.Config)
	c.ConnConfig.RuntimeParams["application_name"] = "cartwright"
	c.ConnConfig.RuntimeParams["max_parallel_workers_per_gather"] = "0"
	c.ConnConfig.RuntimeParams["jit"] = "off" // compiling takes longer than any of our statements may
	c.ConnConfig.StatementCacheCapacity = 1024
	// A cancelled statement keeps its connection: the server is asked to stop, the socket is cut only if it does not.
	c.ConnConfig.BuildContextWatcherHandler = func(pc *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: pc, DeadlineDelay: time.Second}
	}
	if role != "" {
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, "SET ROLE "+role)
			return err
		}
	}
	return pgxpool.NewWithConfig(ctx, c)
}

// sender is a pgx connection, pool or transaction.
type sender interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// pgSession sends each run as one batch. With tenants to bind, it binds them first: outside a transaction the batch is its
// own, implicit one.
type pgSession struct {
	to      sender
	bind    string // statement that binds the tenants; "" binds none
	tenants string
}

func (p pgSession) run(ctx context.Context, stmts ...stmt) error {
	var b pgx.Batch
	if p.bind != "" {
		b.Queue(p.bind, p.tenants)
	}
	for _, s := range stmts {
		b.Queue(s.sql, s.args...)
	}
	res := p.to.SendBatch(ctx, &b)
	err := p.collect(res, stmts)
	if closed := res.Close(); err == nil {
		err = closed
	}
	return err
}

func (p pgSession) collect(res pgx.BatchResults, stmts []stmt) error {
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

func collectOne(res pgx.BatchResults, s stmt) error {
	rows, err := res.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for s.each != nil && rows.Next() {
		if err := s.each(rows); err != nil {
			return err
		}
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		return err
	}
	if s.done != nil {
		return s.done(rows.CommandTag().RowsAffected())
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
	if len(ids) == 1 && plain(ids[0]) {
		return string(ids[0]), nil
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		if !plain(id) {
			return "", fmt.Errorf("tenant id %q cannot be bound", id)
		}
		texts[i] = string(id)
	}
	return strings.Join(texts, ","), nil
}

// plain refuses ids that would mean more than one tenant, or none.
func plain(id tenant.ID) bool { return id != "" && !strings.ContainsAny(string(id), ",\x00\\") }

// pgScript is the session of a migration: definitions go as they are, many in one text.
type pgScript struct{ tx pgx.Tx }

func (p pgScript) run(ctx context.Context, stmts ...stmt) error {
	for _, s := range stmts {
		var err error
		if len(s.args) == 0 && s.each == nil {
			_, err = p.tx.Exec(ctx, s.sql)
		} else {
			err = pgSession{to: p.tx}.run(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
