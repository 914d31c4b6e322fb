// Package sqlstore keeps records, their events, receipts, stock and money in SQL: Postgres behind row-level security, or
// one embedded SQLite file. Everything about a collection is derived from its schema.
//
// Rows are a document beside typed query columns. Reads outside a transaction are one round trip. The tenant predicate is
// added here, to every statement; row-level security is the second wall. On Postgres, reads by id of many callers share
// statements (gather.go): a row then costs a fifth of what a transaction of its own would.
//
// Totals of lists are exact and seldom counted: a process remembers them, and brings them up to date from the events of the
// snapshot in which it reads the page (kept.go, feed.go). It remembers where pages ended, so that the next one starts there
// (ends.go). Not remembered are conditions through relations, on computed fields and on what lapses, and hot collections:
// those are counted. Events may be trimmed ten minutes after they happened, at the earliest. Searched text, and membership
// in lists but for the relations that a schema marks (members.go), read the whole tenant, within the time of a query
// (Options.QueryTime): trigram operators are not leakproof, so row-level security would keep them from their index.
//
// Instances of an older version may keep serving while newer ones run. They do not know the newer columns and leave them as
// they were; filters, sorting and unique values by these are wrong for what they write, until a newer instance finds the
// rows by the number that every row carries (shapes.go) and writes the columns from the documents. Every start does that,
// and every call of Sweep, in the server every five seconds; counts that another instance remembers follow with its own next
// call. A row with a unique value that another row has stays as it is, and a warning names it. Of two versions neither of
// which has all columns of the other, the one that came to the database first counts as the older. What no number tells,
// such as another Fold, takes Options.Refill.
//
// Small writes of single records go through the Committer, which makes all that wait durable with one commit: at most 512
// steps of 128 tenants at a time, at most 8192 waiting. More are refused as unavailable, never queued without bound.
package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options say which database to open and what it keeps.
type Options struct {
	URL         string               // postgres://…; "" is SQLite
	Path        string               // SQLite: the file; made when missing
	Registry    *collection.Registry // the collections
	Fold        func(string) string  // NFKC and full case folding: how searched text is compared
	Logger      *slog.Logger         // nil: the default one
	Connections int                  // Postgres: connections for requests; 0 is four per processor
	Deadline    time.Duration        // bound of a call whose context has no earlier one; 0 is 10 s
	QueryTime   time.Duration        // bound of a list outside a transaction; 0 is 5 s
	Now         func() time.Time     // nil: time.Now; only for cached look-ups
	Refill      bool                 // at the start, write the columns of all rows again
	// Settle, if any, has the last word in every transaction that locked rows of stock, before its commit. Units that come
	// with new records through the Committer are not told.
	Settle func(ctx context.Context, tx ports.Tx, held []ports.Place) error
	// Committed, if any, hears of every transaction of the Committer, as soon as it ended in whatever way: how many steps it
	// was about, and its time.
	Committed func(steps int, took time.Duration)
	// Batch, if any, is asked before such a transaction, with the contexts of those whose steps it is about, and is told of
	// its end.
	Batch func(steps []context.Context) (ended func())
	// Hook, if any, sees the queries that bun makes.
	Hook bun.QueryHook
	Told map[string]bool // slugs of collections whose changes Follow tells of; true: of new records, too
}

// Store is the store on either database. It is safe for concurrent use.
type Store struct {
	o       Options
	d       *dialect
	pg      *pools // nil on SQLite
	lite    *lite  // nil on Postgres
	shapes  map[string]*shape
	order   []*shape
	crud    *bun.DB // over the system pool, or SQLite
	breaker *breaker
	woken   chan struct{} // tells the sequencer that events wait
	keys    keyCache
	lists   *lists
	pruned  pruning
	// refilled is how many rows had been refilled, by any instance, when lists last began anew.
	refilled atomic.Int64
	// gathering joins reads by id; on Postgres only.
	gathering gathering
	// unfenced leaves out the tenant predicate, so that tests see row-level security alone.
	unfenced bool
}

// Open connects, migrates the database to the registry and returns the store.
func Open(ctx context.Context, o Options) (*Store, error) {
	s, err := prepare(o)
	if err != nil {
		return nil, err
	}
	if s.d.postgres {
		return s, s.openPostgres(ctx)
	}
	return s, s.openSQLite(ctx)
}

// prepare checks o and works out the tables; it touches no database.
func prepare(o Options) (*Store, error) {
	if o.Registry == nil || o.Fold == nil || (o.URL == "") == (o.Path == "") {
		return nil, errors.New("a store takes a registry, a fold and either a URL or a path")
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Connections == 0 {
		o.Connections = 4 * runtime.GOMAXPROCS(0)
	}
	if o.Deadline == 0 {
		o.Deadline = 10 * time.Second
	}
	if o.QueryTime == 0 {
		o.QueryTime = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{o: o, d: sqlite, shapes: map[string]*shape{}, woken: make(chan struct{}, 1), breaker: newBreaker(o.Logger), lists: newLists()}
	taken := map[string]bool{}
	for _, t := range systemTables() {
		taken[t.name] = true
	}
	for _, c := range o.Registry.All() {
		sh := newShape(c)
		if taken[sh.table] {
			return nil, fmt.Errorf("collection %s: its table name is taken", c.Slug)
		}
		taken[sh.table] = true
		s.shapes[c.Slug] = sh
		s.order = append(s.order, sh)
	}
	s.gathering.store = s
	if o.URL != "" {
		s.d = postgres
	}
	return s, nil
}

func (s *Store) openSQLite(ctx context.Context) (err error) {
	if s.lite, err = openLite(ctx, s.o.Path); err != nil {
		return err
	}
	s.crud = s.hooked(bun.NewDB(s.lite.writerDB, sqlitedialect.New()))
	if err := s.migrateSQLite(ctx); err != nil {
		return errors.Join(fmt.Errorf("migrate: %w", err), s.lite.close())
	}
	return nil
}

func (s *Store) openPostgres(ctx context.Context) (err error) {
	if err := s.migratePostgres(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if s.pg, err = openPools(ctx, s.o); err != nil {
		return err
	}
	s.crud = s.hooked(bun.NewDB(stdlib.OpenDBFromPool(s.pg.system), pgdialect.New()))
	return nil
}

// hooked is db with the hook of the options.
func (s *Store) hooked(db *bun.DB) *bun.DB {
	if s.o.Hook != nil {
		return db.WithQueryHook(s.o.Hook)
	}
	return db
}

// Close ends all connections; work under way fails.
func (s *Store) Close() error {
	if s.lite != nil {
		return s.lite.close()
	}
	s.pg.close()
	return nil
}

// reconnect closes idle connections, and gives up what was known of a database that stopped answering: another one may take its place.
func (s *Store) reconnect() {
	s.pg.forget()
	s.lists.forget()
}

// shape finds the table of a schema.
func (s *Store) shape(c *collection.Schema) (*shape, error) {
	if sh := s.shapes[c.Slug]; sh != nil {
		return sh, nil
	}
	return nil, fmt.Errorf("collection %s is not in the registry of this store", c.Slug)
}
