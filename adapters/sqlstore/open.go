package sqlstore

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"time"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/commit"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/deliveries"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
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
	Backfill    bool                 // at the start, write the columns of all rows again
	// BeforeStockCommit, if any, runs before the commit of every transaction that locked rows of stock. Units that come
	// with new records through the Committer are not included.
	BeforeStockCommit func(ctx context.Context, tx ports.Tx, held []ports.StockKey) error
	// AfterCommit, if any, is called after every transaction of the Committer, whatever its outcome, with how many steps it
	// was about, and its time.
	AfterCommit func(steps int, took time.Duration)
	// TraceBatch, if any, is called before such a transaction, with the contexts of those whose steps it has, and after
	// its end.
	TraceBatch func(steps []context.Context) (ended func())
	// QueryHook, if any, sees the queries that bun makes.
	QueryHook bun.QueryHook
	NotifyOf  map[string]bool // slugs of collections whose changes Subscribe reports; true: new records, too
}

// Store is the store on either database. It is safe for concurrent use.
type Store struct {
	engine   *engine
	accounts Accounts
	keys     *APIKeys
	sweeper  *sweeper
}

// Open connects, migrates the database to the registry and returns the store.
func Open(ctx context.Context, o Options) (*Store, error) {
	e, err := newEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := migrationOf(e).Run(ctx); err != nil {
		return nil, errors.Join(err, e.db.Close())
	}
	return &Store{engine: e, accounts: Accounts{e}, keys: &APIKeys{store: e}, sweeper: &sweeper{engine: e}}, nil
}

// Plan lists what Open would do to the database of o, as SQL, and does none of it; nothing means that it is up to date.
// A SQLite file that does not exist is made, empty.
func Plan(ctx context.Context, o Options) (steps []string, err error) {
	e, err := newEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	steps, err = migrationOf(e).Plan(ctx)
	return steps, errors.Join(err, e.db.Close())
}

// withDefaults fills what o leaves open.
func (o Options) withDefaults() Options {
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
	return o
}

// Close ends all connections; work under way fails.
func (s *Store) Close() error { return s.engine.db.Close() }

// Durability reads the settings in force on the connections that commit.
func (s *Store) Durability(ctx context.Context) (db.Durability, error) {
	return s.engine.db.Durability(ctx)
}

// Ready reports whether requests can be served safely: the database answers, its durability settings can be read, and on
// Postgres the serving roles are under row-level security. Errors: fault.ErrUnavailable, and what is wrong.
func (s *Store) Ready(ctx context.Context) error { return s.engine.db.Ready(ctx) }

// Circuits is the state of the breaker in front of Postgres. SQLite has none: it is a file of this process, which
// cannot be away, and whose locks have a time limit of their own.
func (s *Store) Circuits() []ports.Circuit {
	state, ok := s.engine.db.CircuitState()
	if !ok {
		return nil
	}
	return []ports.Circuit{{Name: "database", State: ports.CircuitState(state)}}
}

// RunExclusive runs work while no other instance on this database migrates it, or runs such work. On SQLite, which has one server,
// it runs at once.
func (s *Store) RunExclusive(ctx context.Context, work func(context.Context) error) error {
	return migrate.RunExclusive(ctx, s.engine.db, work)
}

// Committer is the committer of s; a store needs only one.
func (s *Store) Committer() *commit.Committer {
	o := s.engine.options
	return commit.New(commit.Options{
		DB: s.engine.db, Shapes: s.engine.shapes, Writer: s.engine.writer, EventsCommitted: s.engine.sequencer.Wake, AfterCommit: o.AfterCommit, TraceBatch: o.TraceBatch,
	})
}

// Atomically implements ports.Store.
func (s *Store) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	return s.engine.transact(ctx, scope, func(ctx context.Context, t *txn) error { return fn(ctx, txPorts(t)) })
}

// Read implements ports.Store.
func (s *Store) Read(scope ports.Scope) ports.Reader { return s.engine.view(scope) }

// EventLog is the log of s.
func (s *Store) EventLog() eventlog.Log {
	return eventlog.New(eventlog.Options{DB: s.engine.db, Tables: s.engine.events, Unfiltered: s.engine.skipTenantFilter})
}

// RunSequencer numbers committed events until ctx ends. Every instance runs it; one at a time works. On SQLite events
// are numbered as they are written and there is nothing to do.
func (s *Store) RunSequencer(ctx context.Context) error { return s.engine.sequencer.Run(ctx) }

// Sequence runs one round and returns how many events it numbered: none while another instance is at it.
func (s *Store) Sequence(ctx context.Context) (numbered int64, err error) {
	return s.engine.sequencer.Round(ctx)
}

// Explain is how the database would find the page of a list and count it, as the serving role sees it: for tests, and for
// whoever wonders about a slow one.
func (s *Store) Explain(ctx context.Context, scope ports.Scope, q collection.Query) (plan string, err error) {
	return s.engine.lists.Explain(ctx, s.engine.view(scope).at(), q)
}

// Deliveries are the deliveries of s.
func (s *Store) Deliveries() deliveries.Queue {
	return deliveries.New(s.engine.db, s.engine.shapes[webhook.Deliveries.Slug], s.engine.writer, s.engine.options.Now)
}
