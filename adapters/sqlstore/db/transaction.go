package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errStaleConnection: a pooled connection had died before the transaction began; nothing happened yet.
var errStaleConnection = errors.New("the pooled connection was dead")

// InTransaction runs work in a transaction bound to scope, which commits when work returns nil. SQLite has
// one writer and no roles: there the scope means nothing.
func (d *DB) InTransaction(ctx context.Context, scope ports.Scope, work func(Session) error) error {
	if d.sqlite != nil {
		return d.sqlite.write(ctx, work)
	}
	return d.breaker.run(func() error { return d.inPostgres(ctx, scope, work) })
}

func (d *DB) inPostgres(ctx context.Context, scope ports.Scope, work func(Session) error) error {
	tx, err := d.pools.begin(ctx, scope)
	if err != nil {
		return d.stale(err)
	}
	done := false
	defer func() {
		if !done { // also when work panics; a cancelled context must not keep the rollback from being sent
			rollback(ctx, tx)
		}
	}()
	if err := work(pgSession{to: tx}); err != nil {
		return err
	}
	done = true
	return tx.Commit(context.WithoutCancel(ctx))
}

// stale marks err, the failure to begin a transaction, when the connection had died in the pool.
func (d *DB) stale(err error) error {
	if Unreachable(err) && !isConnectError(err) {
		d.reconnect()
		return errors.Join(errStaleConnection, err)
	}
	return err
}

func rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = tx.Rollback(ctx) // an error closes the connection, which rolls back too
}

// OnConnection runs begin and work on one connection of the app role to Postgres. They send BEGIN and COMMIT
// themselves, together with other statements: begin the first, work, once it has returned nil, the second.
func (d *DB) OnConnection(ctx context.Context, begin, work func(Session) error) error {
	return d.breaker.run(func() error {
		conn, err := d.pools.app.Acquire(ctx)
		if err != nil {
			return err
		}
		on, done := pgSession{to: conn}, false
		defer func() { // also when work panics
			if !done {
				rollbackConn(ctx, conn)
			}
			conn.Release()
		}()
		if err := begin(on); err != nil {
			return d.stale(err)
		}
		if err := work(on); err != nil {
			return err
		}
		done = true
		return nil
	})
}

// rollbackConn ends a transaction that does not commit. A connection that cannot is closed when it is
// released, which ends it too.
func rollbackConn(ctx context.Context, conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, "ROLLBACK")
}

// BeginFor begins a transaction of OnConnection and binds the tenants of scope.
func BeginFor(scope ports.Scope) ([]Stmt, error) {
	list, err := tenantList(scope.Tenants)
	if err != nil {
		return nil, err
	}
	return []Stmt{{SQL: "BEGIN"}, {SQL: setTenants, Args: []any{list}}}, nil
}

// BeginForTenants begins a transaction of OnConnection for several tenants, with plans made for few rows each. It fails
// rather than wait long for a row.
func BeginForTenants(ids []tenant.ID) ([]Stmt, error) {
	list, err := tenantList(ids)
	if err != nil {
		return nil, err
	}
	return []Stmt{{SQL: "BEGIN"}, {SQL: BindBatchTenants + ", set_config('lock_timeout', '500ms', true)", Args: []any{list}}}, nil
}
