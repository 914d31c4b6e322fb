package sqlstore_test

import (
	"cmp"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// bothDatabases runs test on SQLite and on a real Postgres, beside others; open makes an empty store for the schemas.
func bothDatabases(t *testing.T, test func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store)) {
	t.Helper()
	testservers.OnBothDatabases(t, func(t *testing.T) {
		test(t, openSQLite)
	}, func(t *testing.T) {
		test(t, openPostgres)
	})
}

func openSQLite(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store {
	return openStore(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "test.db")}, schemas)
}

func openPostgres(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store {
	return openStore(t, sqlstore.Options{URL: testservers.Postgres(t)}, schemas)
}

func openStore(t testing.TB, o sqlstore.Options, schemas []*collection.Schema) *sqlstore.Store {
	t.Helper()
	var err error
	if o.Registry, err = collection.NewRegistry(schemas...); err != nil {
		t.Fatal(err)
	}
	o.Fold, o.Logger = strings.ToLower, slog.New(slog.DiscardHandler)
	return opened(t, o)
}

// opened is a store that is closed with the test. Who does not ask for less gives it time: a busy machine is no fault.
func opened(t testing.TB, o sqlstore.Options) *sqlstore.Store {
	t.Helper()
	o.Deadline, o.QueryTime = cmp.Or(o.Deadline, patience), cmp.Or(o.QueryTime, patience)
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
