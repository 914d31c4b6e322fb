package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Owner is a connection of the user of the URL, who owns the tables.
type Owner struct{ conn *pgxpool.Conn }

// AsOwner runs work on a connection to Postgres of its own.
func (d *DB) AsOwner(ctx context.Context, work func(Owner) error) error {
	pool, err := openPool(ctx, d.options, poolOptions{size: 1, adapt: func(*pgconn.Config) {}})
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return work(Owner{conn})
}

// Exec runs a statement outside of transactions.
func (o Owner) Exec(ctx context.Context, text string) error {
	_, err := o.conn.Exec(ctx, text)
	return err
}

// TryLock takes an advisory lock, which is held until the connection ends, unless another connection has it.
func (o Owner) TryLock(ctx context.Context, key int64) (locked bool, err error) {
	err = o.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", key).Scan(&locked)
	return locked, err
}

// InTransaction runs work in a transaction. A statement without arguments may be several in one text.
func (o Owner) InTransaction(ctx context.Context, work func(Session) error) error {
	return pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error { return work(scriptSession{tx}) })
}
