package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// noted is a collection with so many fields.
func noted(fields int) *collection.Registry {
	s := &collection.Schema{Slug: "notes", Singular: "Note", Plural: "Notes"}
	for i := range fields {
		s.Fields = append(s.Fields, collection.Field{Name: fmt.Sprintf("field%c", 'A'+i), Kind: collection.Text, Indexed: true})
	}
	r, err := collection.NewRegistry(s)
	if err != nil {
		panic(err)
	}
	return r
}

// A database is planned for by what is in it, not blindly: after a migration of one in use, and whenever that is
// asked for.
func TestStatisticsAreGatheredAfterMigrations(t *testing.T) {
	testservers.OnBothDatabases(t, func(t *testing.T) {
		gatherStatistics(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "data.db")})
	}, func(t *testing.T) {
		gatherStatistics(t, sqlstore.Options{URL: testservers.Postgres(t)})
	})
}

func gatherStatistics(t *testing.T, o sqlstore.Options) {
	o.Fold, o.Logger = fold, slog.New(slog.DiscardHandler)
	run := func(fields int, use func(s *sqlstore.Store, notes *collection.Schema)) {
		t.Helper()
		o.Registry = noted(fields)
		s, err := sqlstore.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		use(s, o.Registry.Get("notes"))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(s *sqlstore.Store, notes *collection.Schema) {
		t.Helper()
		if yes, err := s.HasStatistics(t.Context(), notes); err != nil || !yes {
			t.Errorf("statistics: %t, %v", yes, err)
		}
	}
	fill := func(s *sqlstore.Store, notes *collection.Schema, from int) {
		var changes []collection.Change
		for i := range 1000 {
			r := collection.Record{"id": fmt.Sprint("n", from+i), "tenant": "a", "fieldA": fmt.Sprint(i)}
			changes = append(changes, collection.NewChange(notes, nil, r, fmt.Sprint("e", from+i), start))
		}
		if err := s.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, changes...)
		}); err != nil {
			t.Fatal(err)
		}
	}
	run(1, func(s *sqlstore.Store, notes *collection.Schema) { fill(s, notes, 0) })
	run(2, expect)
	run(2, func(s *sqlstore.Store, notes *collection.Schema) {
		fill(s, notes, 1000)
		if err := s.Analyze(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect(s, notes)
	})
}

// A bulk load that no server knows of is followed by statistics, and by counts that need no rows, once a list is slow.
func TestSlowListHasStatisticsGathered(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	registry := noted(1)
	s := open(t, sqlstore.Options{
		URL: testservers.Postgres(t), Now: func() time.Time { return start.Add(time.Duration(clock.Add(1)) * time.Second) }, // all is slow
	}, registry)
	notes := registry.Get("notes")
	const load = `SET LOCAL ROLE cartwright_system; INSERT INTO notes (tenant, id, sequence, created_at, updated_at, doc)
		SELECT 'a', 'n' || i, 1, now(), now(), '{}' FROM generate_series(1, 2000) i`
	if err := errors.Join(s.ExecOwner(t.Context(), "ALTER TABLE notes SET (autovacuum_enabled = off)"), s.ExecOwner(t.Context(), load)); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; {
		page, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{Schema: notes})
		if err != nil || page.TotalDocs != 2000 {
			t.Fatalf("%d, %v", page.TotalDocs, err)
		}
		known, err := s.HasStatistics(t.Context(), notes)
		if err != nil || time.Since(began) > patience {
			t.Fatal("no statistics: ", err)
		}
		if known {
			return
		}
	}
}
