package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func registryOf(t *testing.T, fields ...collection.Field) (*collection.Registry, *collection.Schema) {
	t.Helper()
	c := &collection.Schema{Slug: "notes", Singular: "Note", Plural: "Notes", Fields: fields}
	r, err := collection.NewRegistry(c)
	if err != nil {
		t.Fatal(err)
	}
	return r, c
}

// A field that gets a query column later is found in records written before, and the older program keeps
// serving.
func TestAddedFieldIsBackfilled(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			tree := collection.Field{Name: "kind", Kind: collection.JSON} // a JSON string is stored like a text
			before, c := registryOf(t, tree)
			old := open(t, o, before)
			for i := range 3 {
				r := collection.Record{"id": fmt.Sprint("n", i), "tenant": "a", "kind": fmt.Sprint("Kind ", i%2)}
				if err := write(t.Context(), old, ports.ForTenant("a"), c, nil, r, fmt.Sprint("e", i)); err != nil {
					t.Fatal(err)
				}
			}
			after, grown := registryOf(t, collection.Field{Name: "kind", Kind: collection.Text, Indexed: true},
				collection.Field{Name: "more", Kind: collection.Integer})
			s := open(t, o, after)
			for _, where := range []collection.Cond{
				grown.Where("kind", collection.Equals, "Kind 0"), grown.Where("kind", collection.Contains, "kind 0"),
			} {
				page, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{Schema: grown, Where: where, Limit: 9, Page: 1})
				if err != nil || page.TotalDocs != 2 {
					t.Errorf("found %d, %v", page.TotalDocs, err)
				}
			}
			if err := write(t.Context(), old, ports.ForTenant("a"), c, nil, collection.Record{"id": "n9", "tenant": "a"}, "e9"); err != nil {
				t.Errorf("the older program: %v", err)
			}
		})
	}
}

// A field with another name and other values than before has these in records written before, at the top and in rows, and
// they are found by them.
//
// Rule taxes-12.
func TestRenamedFieldIsBackfilledWithItsNewValues(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			was := collection.Field{Name: "taxFree", Kind: collection.Boolean}
			before, c := registryOf(t, was, collection.Field{Name: "lines", Kind: collection.Array, Fields: []collection.Field{was}})
			old := open(t, o, before)
			for id, free := range map[string]any{"n1": true, "n2": false, "n3": nil} {
				r := collection.Record{"id": id, "tenant": "a", "taxFree": free, "lines": []collection.Record{{"taxFree": free}}}
				if err := write(t.Context(), old, ports.ForTenant("a"), c, nil, r, "e"+id); err != nil {
					t.Fatal(err)
				}
			}
			is := collection.Field{
				Name: "taxClass", Kind: collection.Select, Options: tax.Classes, Formerly: "taxFree", FormerValues: tax.ClassesOfTaxFree,
			}
			after, grown := registryOf(t, is, collection.Field{Name: "lines", Kind: collection.Array, Fields: []collection.Field{is}})
			s := open(t, o, after)
			for id, want := range map[string]string{"n1": "exempt", "n2": "standard", "n3": ""} {
				r, err := s.Read(ports.ForTenant("a")).Get(t.Context(), grown, id)
				if err != nil || r.Text("taxClass") != want || r.Rows("lines")[0].Text("taxClass") != want {
					t.Errorf("%s: %v %v, want %q", id, r, err, want)
				}
			}
			page, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{
				Schema: grown, Where: grown.Where("taxClass", collection.Equals, "exempt"), Limit: 9, Page: 1,
			})
			if err != nil || len(page.Docs) != 1 || page.Docs[0].ID() != "n1" {
				t.Errorf("found %v, %v", page.Docs, err)
			}
		})
	}
}

// A list of relations that is to be found by an index later is found in records written before, and in those
// that an older program writes afterwards.
func TestListIndexedLaterFindsOldAndNewRecords(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			kin := collection.Field{Name: "kin", Kind: collection.RelationMany, RelationTo: "notes"}
			before, c := registryOf(t, kin)
			old := open(t, o, before)
			records := map[string]collection.Record{}
			put := func(id string, kin ...string) {
				t.Helper()
				var after collection.Record
				if kin != nil {
					after = collection.Record{"id": id, "tenant": "a", "kin": kin}
				}
				if err := write(t.Context(), old, ports.ForTenant("a"), c, records[id], after, fmt.Sprint("e", id, kin)); err != nil {
					t.Fatal(err)
				}
				records[id] = after
			}
			put("n1", "n1", "n2")
			put("n2", "n2")
			put("n3", "n1", "n3")
			kin.Indexed = true
			after, grown := registryOf(t, kin)
			s := open(t, o, after)
			expect := func(target string, want int64) {
				t.Helper()
				page, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{
					Schema: grown, Where: grown.Where("kin", collection.Equals, target), Limit: 9, Page: 1,
				})
				if err != nil || page.TotalDocs != want || int64(len(page.Docs)) != want {
					t.Errorf("found %d with %s, want %d, %v", page.TotalDocs, target, want, err)
				}
			}
			expect("n1", 2)
			expect("n2", 2)
			put("n4", "n1")
			put("n1", "n2", "n4")
			put("n3")
			expect("n1", 1)
			expect("n2", 2)
			expect("n4", 1)
		})
	}
}

// A migration that was stopped while it filled a column goes on at the next start, and writers need not wait
// for it.
func TestInterruptedBackfillResumesBesideWriters(t *testing.T) {
	const rows, stopAt = 1200, 700 // in the second transaction of filling
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			kin := collection.Field{Name: "kin", Kind: collection.RelationMany, RelationTo: "notes"}
			before, c := registryOf(t, collection.Field{Name: "kind", Kind: collection.JSON}, kin)
			old := open(t, o, before)
			for i := range rows {
				r := collection.Record{
					"id": fmt.Sprintf("n%04d", i), "tenant": "a", "kind": "Kind", "kin": []string{"n0000", fmt.Sprint("n", i)},
				}
				if err := write(t.Context(), old, ports.ForTenant("a"), c, nil, r, fmt.Sprint("e", i)); err != nil {
					t.Fatal(err)
				}
			}
			kin.Indexed = true
			o.Registry, _ = registryOf(t, collection.Field{Name: "kind", Kind: collection.Text, Indexed: true}, kin)
			ctx, stop := context.WithTimeout(t.Context(), patience)
			defer stop()
			folded := 0
			o.Fold = func(text string) string {
				if folded++; folded != stopAt {
					return fold(text)
				}
				if o.URL != "" { // SQLite has one writer at a time
					first, err := old.Read(ports.ForTenant("a")).Get(ctx, c, "n0000")
					if err == nil {
						next := first.Clone()
						next["kin"] = []string{"n0000"}
						err = write(ctx, old, ports.ForTenant("a"), c, first, next, "beside")
					}
					if err != nil {
						t.Errorf("a write beside the migration: %v", err)
					}
				}
				stop()
				return fold(text)
			}
			if _, err := sqlstore.Open(ctx, o); !errors.Is(err, context.Canceled) {
				t.Fatalf("the stopped migration ended with %v", err)
			}
			if steps, err := sqlstore.Plan(t.Context(), o); err != nil || len(steps) == 0 ||
				!strings.HasPrefix(steps[0], "-- rows of notes that an older version wrote") {
				t.Errorf("what is left to do: %v, %q", err, steps)
			}
			o.Fold = fold
			s := open(t, o, o.Registry)
			grown := o.Registry.Get("notes")
			for _, where := range []collection.Cond{
				grown.Where("kind", collection.Equals, "Kind"), grown.Where("kind", collection.Contains, "kind"),
				grown.Where("kin", collection.Contains, "n0000"),
			} {
				page, err := s.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{Schema: grown, Where: where, Limit: 1, Page: 1})
				if err != nil || page.TotalDocs != rows {
					t.Errorf("found %d, %v", page.TotalDocs, err)
				}
			}
		})
	}
}

// What a migration would do can be read beforehand, and is nothing once it is done.
func TestPlanListsMigrationSteps(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			o.Fold = fold
			plan := func(length int, want ...string) {
				t.Helper()
				steps, err := sqlstore.Plan(t.Context(), o)
				if err != nil || length >= 0 && len(steps) != length {
					t.Errorf("%d steps, %v: %q", len(steps), err, steps)
				}
				for _, w := range want {
					if !strings.Contains(strings.Join(steps, "\n"), w) {
						t.Errorf("%q is not in %q", w, steps)
					}
				}
			}
			kind := collection.Field{Name: "kind", Kind: collection.Boolean}
			var c *collection.Schema
			o.Registry, c = registryOf(t, kind)
			plan(-1, `CREATE TABLE "notes"`, `CREATE TABLE IF NOT EXISTS "events"`, "CREATE INDEX", "CREATE UNIQUE INDEX")
			s := open(t, o, o.Registry)
			if err := write(t.Context(), s, ports.ForTenant("a"), c, nil, collection.Record{"id": "n", "tenant": "a"}, "e"); err != nil {
				t.Fatal(err)
			}
			plan(0)
			o.Registry, _ = registryOf(t, kind, collection.Field{Name: "rank", Kind: collection.Integer, Indexed: true})
			plan(4, `ALTER TABLE "notes" ADD COLUMN "rank"`,
				"-- rows of notes that an older version wrote", `ON "notes" ("tenant", "rank"`, `ON "notes" (tenant, id) WHERE shape <`)
			open(t, o, o.Registry)
			plan(0)
		})
	}
}

// Instances that start together migrate one after the other, whoever they connect as.
func TestConcurrentStartsMigrateOnce(t *testing.T) {
	t.Parallel()
	admin := testservers.Postgres(t)
	conn, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	u, err := url.Parse(admin)
	if err != nil {
		t.Fatal(err)
	}
	owner := "owner_" + strings.Trim(u.Path, "/")
	if _, err := conn.Exec(t.Context(), "CREATE ROLE "+owner+" LOGIN CREATEROLE; ALTER SCHEMA public OWNER TO "+owner); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dropOwner(t, admin, owner) })
	u.User = url.User(owner)
	stores, errs := make([]*sqlstore.Store, 4), make([]error, 4)
	var all sync.WaitGroup
	for i := range stores {
		all.Go(func() {
			stores[i], errs[i] = sqlstore.Open(t.Context(), sqlstore.Options{
				URL: u.String(), Registry: portstest.ScratchRegistry(), Fold: fold, Connections: 3,
			})
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, s := range stores {
		if err := s.Ready(t.Context()); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A server or command that starts beside busy ones must not wait for their transactions, nor make them wait.
func TestStartWithoutMigrationLocksNoTable(t *testing.T) {
	t.Parallel()
	admin := testservers.Postgres(t)
	o := sqlstore.Options{URL: admin, Registry: portstest.ScratchRegistry(), Fold: fold, Connections: 3}
	open(t, o, o.Registry)
	conn, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	busy, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"events", "stock", "receipts"} {
		if _, err := busy.Exec(t.Context(), "LOCK TABLE "+table+" IN ROW EXCLUSIVE MODE"); err != nil { // as any write does
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	again, err := sqlstore.Open(ctx, o)
	if err != nil {
		t.Fatalf("a second start beside a running write: %v", err)
	}
	if err := errors.Join(again.Close(), busy.Rollback(t.Context())); err != nil {
		t.Error(err)
	}
}

func dropOwner(t *testing.T, admin, owner string) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "DROP OWNED BY "+owner+" CASCADE; DROP ROLE "+owner); err != nil {
		t.Error(err)
	}
}

// An acknowledged commit is on disk, on either database.
func TestDurabilitySettings(t *testing.T) {
	for name, want := range map[string]db.Durability{
		"sqlite":   {Synchronous: "2", JournalMode: "wal"},
		"postgres": {Fsync: "on", SynchronousCommit: "on"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := both[name](t)
			if options.URL != "" {
				options.URL = testservers.DurablePostgres(t)
			}
			s := open(t, options, portstest.ScratchRegistry())
			if got, err := s.Durability(t.Context()); err != nil || got != want {
				t.Errorf("got %+v, %v", got, err)
			}
			if err := s.Ready(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Columns say what the document says, for every kind of field.
func TestColumnsAgreeWithDocuments(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registry := portstest.ScratchRegistry()
			s := open(t, options(t), registry)
			portstest.StoreScratchData(t, s, func(c *collection.Schema, id string) {
				if same, err := s.Columns(t.Context(), c, id); err != nil || !same {
					t.Errorf("%s %s: columns differ from the document, %v", c.Slug, id, err)
				}
			})
		})
	}
}
