package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// sqliteCarts is the peer of carts on SQLite: it changes carts of its own in the same file, with database/sql and one
// transaction per mutation, as durably as the server and with the same bytes.
type sqliteCarts struct {
	cartMutation

	db     *sql.DB
	before string // previous_doc of the event
	stmts  []*sql.Stmt
	carts  []string
}

// The statements of one mutation, in order.
var sqliteCartMutation = []string{
	"SELECT doc, sequence FROM carts WHERE tenant = ? AND id = ?",
	"UPDATE carts SET doc = ?, sequence = ?, updated_at = ?, revision = ?, expires_at = ? WHERE tenant = ? AND id = ?",
	"INSERT INTO receipts (tenant, key, fingerprint, done, result, body, request_id, record, revision, token_version, created_at, expires_at) VALUES (?, ?, ?, TRUE, 'ok', ?, ?, ?, ?, 0, ?, ?)",
	"INSERT INTO event_counters (tenant, last) VALUES (?, 1) ON CONFLICT (tenant) DO UPDATE SET last = last + 1",
	"INSERT INTO events (tenant, sequence, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at) SELECT tenant, last, ?, ?, ?, 'carts', 'update', 'live', ?, ?, ?, ? FROM event_counters WHERE tenant = ?",
}

// openSQLiteCarts copies the carts of h under other ids.
func openSQLiteCarts(ctx context.Context, h *cartLoad, path string) (*sqliteCarts, error) {
	db, err := sql.Open("sqlite", "file:"+path+sqlitePragmas+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	p := &sqliteCarts{db: db}
	err = db.QueryRowContext(ctx, `SELECT c.tenant, c.id, c.doc, e.doc, e.changed, e.previous_doc, r.body
		FROM carts c JOIN events e ON e.tenant = c.tenant AND e.record = c.id AND e.record_sequence = c.sequence
		JOIN receipts r ON r.tenant = c.tenant AND r.record = c.id AND r.revision = c.sequence
		WHERE c.id = ?`, h.carts[0].id).Scan(&p.tenant, &p.cart, &p.doc, &p.event, &p.changed, &p.before, &p.receipt)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sample: %w", err), db.Close())
	}
	if err := p.prepare(ctx, len(h.carts)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return p, nil
}

func (p *sqliteCarts) prepare(ctx context.Context, carts int) error {
	if _, err := p.db.ExecContext(ctx, "CREATE TEMP TABLE copied AS SELECT * FROM carts WHERE id = ?", p.cart); err != nil {
		return err
	}
	for range carts {
		id := uuid.NewString()
		if _, err := p.db.ExecContext(ctx, "UPDATE copied SET id = ?", id); err != nil {
			return err
		}
		if _, err := p.db.ExecContext(ctx, "INSERT INTO carts SELECT * FROM copied"); err != nil {
			return err
		}
		p.carts = append(p.carts, id)
	}
	for _, text := range sqliteCartMutation {
		stmt, err := p.db.PrepareContext(ctx, text) //nolint:sqlclosecheck // it lives as long as its database
		if err != nil {
			return err
		}
		p.stmts = append(p.stmts, stmt)
	}
	return nil
}

func (p *sqliteCarts) close() error { return p.db.Close() }

// statement is one of sqliteCartMutation in a transaction.
type statement interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
}

// unpreparedStatement is a statement that was not prepared.
type unpreparedStatement struct {
	tx  *sql.Tx
	sql string
}

func (t unpreparedStatement) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return t.tx.ExecContext(ctx, t.sql, args...)
}

func (t unpreparedStatement) QueryRowContext(ctx context.Context, args ...any) *sql.Row {
	return t.tx.QueryRowContext(ctx, t.sql, args...)
}

// unprepared does one mutation of a client's cart with unprepared statements, as programs are usually written.
func (p *sqliteCarts) unprepared(client, _ int) error {
	return p.mutate(client, func(_ context.Context, tx *sql.Tx, i int) statement {
		return unpreparedStatement{tx, sqliteCartMutation[i]}
	})
}

// prepared does one mutation with prepared statements.
func (p *sqliteCarts) prepared(client, _ int) error {
	return p.mutate(client, func(ctx context.Context, tx *sql.Tx, i int) statement { return tx.StmtContext(ctx, p.stmts[i]) })
}

// mutate does one mutation of a client's cart. It has no cancelable context: a canceled mutation would not count.
func (p *sqliteCarts) mutate(client int, of func(ctx context.Context, tx *sql.Tx, i int) statement) error {
	ctx, cart, now := context.Background(), p.carts[client], time.Now().UnixMilli()
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	var doc string
	var sequence int64
	if err := of(ctx, tx, 0).QueryRowContext(ctx, p.tenant, cart).Scan(&doc, &sequence); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	sequence++
	key, request := uuid.New(), uuid.NewString()
	for i, args := range [][]any{
		{p.doc, sequence, now, sequence, now, p.tenant, cart},
		{p.tenant, append(key[:], key[:]...), make([]byte, 32), []byte(p.receipt), request, cart, sequence, now, now},
		{p.tenant},
		{cart, sequence, request, p.event, p.changed, p.before, now, p.tenant},
	} {
		if _, err := of(ctx, tx, 1+i).ExecContext(ctx, args...); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
