// Package shops gives tests of use cases real databases: a SQLite file and a Postgres, opened once for all
// tests of a package. Each test has its own tenant in them; a test of work on all tenants (a sweep, a round) has
// databases of its own.
package shops

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/registry"
)

// SuiteTB is a TB whose cleanups run after all tests of a package.
type SuiteTB struct {
	testing.TB

	// Dir is a folder that exists as long.
	Dir string

	mu       sync.Mutex // parallel tests share the suite
	cleanups []func()
}

// Cleanup implements testing.TB.
func (l *SuiteTB) Cleanup(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cleanups = append(l.cleanups, f)
}

// Context implements testing.TB.
func (l *SuiteTB) Context() context.Context { return context.Background() }

// Helper implements testing.TB.
func (l *SuiteTB) Helper() {}

// Fatal implements testing.TB.
func (l *SuiteTB) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// Error implements testing.TB.
func (l *SuiteTB) Error(args ...any) { panic(fmt.Sprint(args...)) }

// Suite is shared by the tests of this package.
var Suite = &SuiteTB{}

// Main runs the tests of a package, as its TestMain.
func Main(m *testing.M) {
	var err error
	if Suite.Dir, err = os.MkdirTemp(testservers.FastTempDir(), "cartwright-shops-"); err != nil {
		panic(err)
	}
	code := m.Run()
	for _, f := range slices.Backward(Suite.cleanups) {
		f()
	}
	if err := os.RemoveAll(Suite.Dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// sharedConnections is how many connections the tests of a package share; tests with a database of their own
// have a few.
const (
	sharedConnections = 24
	fewConnections    = 8
)

// SQLite and Postgres open the databases that the tests share.
var (
	SQLite = sync.OnceValue(func() *sqlstore.Store {
		return Open(Suite, sqlstore.Options{Path: filepath.Join(Suite.Dir, "shop.db")})
	})
	Postgres = sync.OnceValue(func() *sqlstore.Store {
		return Open(Suite, sqlstore.Options{URL: testservers.Postgres(Suite), Connections: sharedConnections})
	})
)

// postgresTemplate and sqliteTemplate have the tables of all collections, without rows.
var (
	postgresTemplate = testservers.Template{Fill: func(url string) error { return migrate(sqlstore.Options{URL: url}) }}
	sqliteTemplate   = testservers.FileTemplate{Fill: func(path string) error { return migrate(sqlstore.Options{Path: path}) }}
)

func migrate(o sqlstore.Options) error {
	store, err := openStore(context.Background(), o)
	if err != nil {
		return err
	}
	return store.Close()
}

// Open opens a store with all collections of the product. It is closed with t.
func Open(t testing.TB, o sqlstore.Options) *sqlstore.Store {
	t.Helper()
	store, err := openStore(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func openStore(ctx context.Context, o sqlstore.Options) (_ *sqlstore.Store, err error) {
	if o.Registry, err = collection.NewRegistry(registry.Schemas(sandbox.New("", "", nil).Describe())...); err != nil {
		return nil, err
	}
	o.Fold, o.Logger = strings.ToLower, slog.New(slog.DiscardHandler)
	o.Deadline = cmp.Or(o.Deadline, stores.Deadline)
	o.NotifyOf = offers.WatchedCollections()
	maps.Copy(o.NotifyOf, connections.WatchedCollections())
	o.BeforeStockCommit = stock.Recorder{Now: time.Now, NewID: NewID}.Update
	return sqlstore.Open(ctx, o)
}

// NewID makes a UUIDv7.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// OnBothDatabases runs a rule on SQLite and on Postgres.
func OnBothDatabases(t *testing.T, rule func(t *testing.T, store *sqlstore.Store)) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		rule(t, SQLite())
	}, func(t *testing.T) {
		rule(t, Postgres())
	})
}

// OnOwnDatabases runs a rule on databases of its own, every row of which can be inspected. Rules about work on all
// tenants need it: elsewhere their clocks would expire what other tests are using.
func OnOwnDatabases(t *testing.T, rule func(t *testing.T, store *sqlstore.Store, all testservers.Inspector)) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		file := sqliteTemplate.Copy(t)
		rule(t, Open(t, sqlstore.Options{Path: file}), testservers.InspectSQLite(t, file))
	}, func(t *testing.T) {
		url := postgresTemplate.Postgres(t)
		rule(t, Open(t, sqlstore.Options{URL: url, Connections: fewConnections}), testservers.InspectPostgres(t, url))
	})
}

// Concurrently starts n calls at the same time and waits for all of them.
func Concurrently(n int, call func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			call(i)
		})
	}
	close(start)
	all.Wait()
}

// InParallel runs n pieces of work, four at a time.
func InParallel(n int, work func(i int)) {
	var all sync.WaitGroup
	places := make(chan struct{}, 4)
	for i := range n {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			work(i)
		})
	}
	all.Wait()
}
