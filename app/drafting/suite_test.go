package drafting_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/stocktaking"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/platform"
)

// lasting is a TB whose cleanups run when all tests are done.
type lasting struct {
	testing.TB

	dir      string
	cleanups []func()
}

func (l *lasting) Cleanup(f func())         { l.cleanups = append(l.cleanups, f) }
func (l *lasting) Context() context.Context { return context.Background() }
func (l *lasting) Helper()                  {}
func (l *lasting) Fatal(args ...any)        { panic(fmt.Sprint(args...)) }
func (l *lasting) Error(args ...any)        { panic(fmt.Sprint(args...)) }

var suite = &lasting{}

func TestMain(m *testing.M) {
	var err error
	if suite.dir, err = os.MkdirTemp("", "drafting"); err != nil {
		panic(err)
	}
	code := m.Run()
	for _, f := range slices.Backward(suite.cleanups) {
		f()
	}
	if err := os.RemoveAll(suite.dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

var (
	onSQLite = sync.OnceValue(func() *sqlstore.Store {
		return openStore(suite, sqlstore.Options{Path: filepath.Join(suite.dir, "shop.db")})
	})
	onPostgres = sync.OnceValue(func() *sqlstore.Store {
		return openStore(suite, sqlstore.Options{URL: testservers.Postgres(suite), Connections: 16})
	})
)

func openStore(t testing.TB, o sqlstore.Options) *sqlstore.Store {
	t.Helper()
	var err error
	if o.Registry, err = collection.NewRegistry(platform.Schemas()...); err != nil {
		t.Fatal(err)
	}
	o.Fold, o.Logger = strings.ToLower, slog.New(slog.DiscardHandler)
	o.Settle = stocktaking.Stocktaking{Now: time.Now, NewID: newID}.Settle
	store, err := sqlstore.Open(t.Context(), o)
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

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// both runs a rule on SQLite and on a real Postgres. The tests share the databases: each has its own shop.
func both(t *testing.T, rule func(t *testing.T, b *bed)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		rule(t, newBed(t, onSQLite(), "KRW"))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		rule(t, newBed(t, onPostgres(), "KRW"))
	})
}

// alone runs a rule on databases of its own, whose every row can be looked at.
func alone(t *testing.T, rule func(t *testing.T, b *bed, all testservers.Whole)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(suite.dir, "alone-"+newID()+".db")
		rule(t, newBed(t, openStore(suite, sqlstore.Options{Path: file}), "KRW"), testservers.SeeSQLite(t, file))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testservers.Postgres(suite)
		rule(t, newBed(t, openStore(suite, sqlstore.Options{URL: url, Connections: 8}), "KRW"), testservers.SeePostgres(t, url))
	})
}

// together starts n calls at one moment and waits for all of them.
func together(n int, call func(i int)) {
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

// databases opens each kind of database once.
func databases() map[string]func() *sqlstore.Store {
	return map[string]func() *sqlstore.Store{"sqlite": onSQLite, "postgres": onPostgres}
}
