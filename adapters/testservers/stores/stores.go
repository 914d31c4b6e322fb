// Package stores opens empty stores for the tests of what they are made of.
package stores

import (
	"cmp"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Deadline is that of stores in tests: no rule is about a machine that is too busy for a server's.
const Deadline = time.Minute

// Opener opens an empty store for schemas, and a look at its database.
type Opener func(t testing.TB, schemas ...*collection.Schema) (*sqlstore.Store, testservers.Inspector)

// OnBoth runs test on SQLite and on a real Postgres.
func OnBoth(t *testing.T, test func(t *testing.T, open Opener)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		test(t, func(t testing.TB, schemas ...*collection.Schema) (*sqlstore.Store, testservers.Inspector) {
			file := filepath.Join(testservers.TempDir(t), "test.db")
			return Open(t, sqlstore.Options{Path: file}, schemas...), testservers.InspectSQLite(t, file)
		})
	})
	t.Run("postgres", func(t *testing.T) {
		test(t, func(t testing.TB, schemas ...*collection.Schema) (*sqlstore.Store, testservers.Inspector) {
			url := testservers.Postgres(t)
			return Open(t, sqlstore.Options{URL: url}, schemas...), testservers.InspectPostgres(t, url)
		})
	})
}

// Open is a store for schemas that is closed with the test.
func Open(t testing.TB, o sqlstore.Options, schemas ...*collection.Schema) *sqlstore.Store {
	t.Helper()
	var err error
	if o.Registry, err = collection.NewRegistry(schemas...); err != nil {
		t.Fatal(err)
	}
	o.Fold, o.Logger = strings.ToLower, slog.New(slog.DiscardHandler)
	o.Deadline = cmp.Or(o.Deadline, Deadline)
	s, err := sqlstore.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Number has s number its events when a suite asks for it.
func Number(s *sqlstore.Store) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		if _, err := s.Sequence(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
