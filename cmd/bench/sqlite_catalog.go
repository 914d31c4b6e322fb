package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// onSQLite measures carts and catalog on the embedded database.
func (p *benchConfig) onSQLite(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "cartwright-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &testbed{}
	if err := s.startServer(ctx, p.binary, dir); err != nil {
		return err
	}
	defer s.stopServer()
	if p.wants(cartParts...) {
		if err := p.cartsOnSQLite(ctx, s, dir); err != nil {
			return err
		}
	}
	if !p.wants(catalogParts...) {
		return nil
	}
	c, err := openCatalog(ctx, s.server, tenants, p.liteRows, p.clients)
	if err != nil {
		return err
	}
	began := time.Now()
	peer, err := openSQLiteCatalog(ctx, c, s, filepath.Join(dir, "cartwright.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, peer.close()) }()
	fmt.Printf("%d products in %d tenants on SQLite, seeded in %.0f s; %d clients\n",
		c.each*tenants, tenants, time.Since(began).Seconds(), p.clients)
	for _, x := range c.comparisons(p) {
		if x.part != "create" { // the other goals are ratios to pgbench
			x.minRatio = 0
		}
		x.title, x.serverProcesses, x.peerProcesses = "SQLite, "+x.title, s.processes(), selfOnly
		calls := map[string]func(int, int) error{"list": peer.list, "get": peer.get, "create": peer.create}
		x.peer = func(length time.Duration, _ *cpuMeter) (result, error) {
			r := runClients("database/sql", p.clients, length, calls[x.part])
			return r, r.first
		}
		if err := p.compare(ctx, s, x); err != nil {
			return err
		}
	}
	return c.printWalk(p)
}

// selfOnly is this program, which is the peer.
var selfOnly = []process{{name: "peer", pid: os.Getpid}}

// sqlitePragmas make the peer's connections as durable as those of the server. They wait longer for the lock: what follows the events of many
// orders, such as their mails, is written by the server while the peer is measured, and leaves it few gaps.
const sqlitePragmas = "?_pragma=busy_timeout(60000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-16384)"

// sqliteCatalog is the peer of the catalog on SQLite: it reads and writes the same file with database/sql, prepared
// statements, one writer and as many readers as the server, and one transaction per write, as durably as the server.
type sqliteCatalog struct {
	c               *catalog
	writer, readers *sql.DB
	stmts           map[string]*sql.Stmt
	rows            []sqliteRow
	n               atomic.Int64
}

// sqliteRow is a row of a new product: the statement that inserts it, and its values in the template.
type sqliteRow struct {
	insert *sql.Stmt
	table  string
	names  []string
	values []any
}

// openSQLiteCatalog seeds the file while the server is stopped, and keeps it open.
func openSQLiteCatalog(ctx context.Context, c *catalog, s *testbed, path string) (*sqliteCatalog, error) {
	s.server.Stop()
	writer, err := sql.Open("sqlite", "file:"+path+sqlitePragmas+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	readers, err := sql.Open("sqlite", "file:"+path+sqlitePragmas+"&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	readers.SetMaxOpenConns(4)
	readers.SetMaxIdleConns(4)
	if err := c.seed(ctx, writer, onSQLite); err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	if _, err := writer.ExecContext(ctx, "ANALYZE"); err != nil {
		return nil, err
	}
	if err := s.server.Start(ctx); err != nil {
		return nil, err
	}
	c.post.client.CloseIdleConnections() // those of the stopped server
	p := &sqliteCatalog{c: c, writer: writer, readers: readers, stmts: map[string]*sql.Stmt{}}
	return p, p.prepare(ctx)
}

const (
	liteWhere = " FROM products r WHERE r.tenant = ? AND r.status = 'published' AND r.price >= ? AND r.price < ?"
	litePage  = "SELECT r.doc, r.sequence, (SELECT sum(s.on_hand) FROM stock s WHERE s.tenant = r.tenant AND s.environment = 'live' AND s.product = r.id)" +
		liteWhere + " ORDER BY r.created_at DESC, r.id DESC LIMIT 10"
	liteCount = "SELECT count(*)" + liteWhere
	liteGet   = "SELECT r.doc, r.sequence FROM products r WHERE r.tenant = ? AND r.id = ?"
	liteSet   = "UPDATE products SET price = ?, sequence = sequence + 1 WHERE tenant = ? AND id = ?"
)

func (p *sqliteCatalog) prepare(ctx context.Context) (err error) {
	for _, text := range []string{litePage, liteCount, liteGet} {
		if p.stmts[text], err = p.readers.PrepareContext(ctx, text); err != nil { //nolint:sqlclosecheck // it lives as long as its database
			return err
		}
	}
	if p.stmts[liteSet], err = p.writer.PrepareContext(ctx, liteSet); err != nil { //nolint:sqlclosecheck // it lives as long as its database
		return err
	}
	s := p.c.stores[0]
	for _, t := range seedTables {
		if err := p.template(ctx, s, t.name, t.template); err != nil {
			return err
		}
	}
	return nil
}

// template reads the rows of the first product of s in a table.
func (p *sqliteCatalog) template(ctx context.Context, s store, table, where string) (err error) {
	columns, err := columnsOf(ctx, p.readers, table)
	if err != nil {
		return err
	}
	insert, err := p.writer.PrepareContext(ctx,
		"INSERT INTO "+table+` ("`+strings.Join(columns, `", "`)+`") VALUES (?`+strings.Repeat(", ?", len(columns)-1)+")")
	if err != nil {
		return err
	}
	names := strings.NewReplacer("{product}", quoteSQL(s.product), "{variant}", quoteSQL(s.variant))
	rows, err := p.readers.QueryContext(ctx, "SELECT * FROM "+table+" WHERE tenant = ? AND "+names.Replace(where), s.tenant)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
	for rows.Next() {
		row := sqliteRow{insert: insert, table: table, names: columns, values: make([]any, len(columns))}
		to := make([]any, len(columns))
		for i := range to {
			to[i] = &row.values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return err
		}
		p.rows = append(p.rows, row)
	}
	return nil
}

func (p *sqliteCatalog) close() error { return errors.Join(p.readers.Close(), p.writer.Close()) }

// read runs a query and reads all its rows.
func (p *sqliteCatalog) read(text string, args ...any) (err error) {
	rows, err := p.stmts[text].QueryContext(context.Background(), args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	held, to := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
	for i := range held {
		to[i] = &held[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
	}
	return nil
}

func (p *sqliteCatalog) list(_, _ int) error {
	s := p.c.randomStore()
	if rand.IntN(100) == 0 {
		_, err := p.stmts[liteSet].ExecContext(context.Background(), (lowestPrice+rand.IntN(priceCount))*10_000, s.tenant,
			s.randomProduct(p.c.each))
		return err
	}
	from := lowestPrice + rand.IntN(filters)*(priceCount/filters)
	args := []any{s.tenant, from * 10_000, (from + filterWidth) * 10_000}
	return errors.Join(p.read(litePage, args...), p.read(liteCount, args...))
}

func (p *sqliteCatalog) get(_, _ int) error {
	s := p.c.randomStore()
	return p.read(liteGet, s.tenant, s.randomProduct(p.c.each))
}

// beforeAll is the first position of the peer's events in the log: they are before those of the server, which
// reads the log from its own last event on.
const beforeAll = -1 << 40

// create inserts the rows of one product as the server does, but for the numbers of its events.
func (p *sqliteCatalog) create(_, _ int) error {
	created := p.n.Add(1)
	ctx, n := context.Background(), fmt.Sprint("x", created)
	s := p.c.stores[0]
	tx, err := p.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for at, row := range p.rows {
		values := make([]any, len(row.values))
		for i, v := range row.values {
			switch name := row.names[i]; {
			case v == s.product:
				v = s.products + n
			case v == s.variant:
				v = s.variants + n
			case name == "slug" || name == "slug_fold":
				v = "bench-product-" + n
			case name == "sequence" && row.table == "events":
				v = beforeAll + created*int64(len(p.rows)) + int64(at)
			}
			values[i] = v
		}
		if _, err := tx.StmtContext(ctx, row.insert).ExecContext(ctx, values...); err != nil { //nolint:sqlclosecheck // it ends with its transaction
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}
