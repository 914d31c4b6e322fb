package migrate_test

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// The notes of two versions: the newer one has all columns of the older.
var (
	code      = collection.Field{Name: "code", Kind: collection.Text}
	rank      = collection.Field{Name: "rank", Kind: collection.Integer, Indexed: true}
	oldNotes  = []collection.Field{code}
	newNotes  = []collection.Field{code, rank}
	onlyCodes = []collection.Field{{Name: "code", Kind: collection.Text, Unique: true}}
)

// eventTables are those for whose indexes a migration cares by itself.
var eventTables = []table.SystemTable{
	{
		Name: "events",
		Body: "tenant TEXT NOT NULL, record TEXT NOT NULL, record_sequence BIGINT NOT NULL, collection TEXT NOT NULL, sequence BIGINT",
	},
	{Name: "event_log", Body: "tenant TEXT NOT NULL, sequence BIGINT NOT NULL, collection TEXT NOT NULL, PRIMARY KEY (tenant, sequence)"},
}

// place is an empty database that is opened as often as instances start.
type place struct {
	*testing.T

	options db.Options
	look    func() testservers.Inspector
}

// onBoth runs test on SQLite and on a real Postgres.
func onBoth(t *testing.T, test func(place)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(testservers.TempDir(t), "test.db")
		test(place{t, db.Options{Path: file}, func() testservers.Inspector { return testservers.InspectSQLite(t, file) }})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testservers.Postgres(t)
		test(place{t, db.Options{URL: url, Connections: 2}, func() testservers.Inspector { return testservers.InspectPostgres(t, url) }})
	})
}

// instance is a program with notes of its own that is about to start.
func (p place) instance(fields []collection.Field, system ...table.SystemTable) migrate.Migration {
	p.Helper()
	o := p.options
	o.Deadline, o.Logger = time.Minute, slog.New(slog.DiscardHandler)
	d, err := db.Open(p.Context(), o)
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		if err := d.Close(); err != nil {
			p.Error(err)
		}
	})
	notes := table.NewShape(&collection.Schema{Slug: "notes", Singular: "Note", Plural: "Notes", Fields: fields})
	return migrate.Migration{
		DB: d, Shapes: []*table.Shape{notes}, SystemTables: slices.Concat(eventTables, system), Fold: strings.ToLower, Log: o.Logger,
	}
}

func (p place) run(m migrate.Migration) {
	p.Helper()
	if err := m.Run(p.Context()); err != nil {
		p.Fatal(err)
	}
}

// plan is what m would do, as one text.
func (p place) plan(m migrate.Migration) string {
	p.Helper()
	steps, err := m.Plan(p.Context())
	if err != nil {
		p.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// insert stores a note as m does.
func (p place) insert(m migrate.Migration, id string, note collection.Record) {
	p.Helper()
	sh := m.Shapes[0]
	note["id"], note["tenant"] = id, "a"
	row := sh.RowValues(collection.NewChange(sh.Schema, nil, note, "e"+id, time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)).After, m.Fold)
	err := m.DB.InTransaction(p.Context(), ports.ForTenant("a"),
		func(on db.Session) error { return on.Run(p.Context(), db.Stmt{SQL: sh.InsertSQL, Args: row}) })
	if err != nil {
		p.Fatal(err)
	}
}

// expect compares the rows of a query with what they have to be.
func (p place) expect(query string, want ...string) {
	p.Helper()
	if got := p.look().Rows(query); !slices.Equal(got, want) {
		p.Errorf("%s: %q, want %q", query, got, want)
	}
}

// A migration brings tables, then columns, then fills them, then indexes them, and is recorded last; a start
// that finds it recorded does nothing.
func TestMigrationsFollowEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(p place) {
		older, newer := p.instance(oldNotes), p.instance(newNotes)
		if steps := p.plan(older); !strings.Contains(steps, `CREATE TABLE "notes"`) {
			p.Errorf("the plan for an empty database: %s", steps)
		}
		p.run(older)
		p.expect("SELECT count(*) FROM migrations", "1")
		p.insert(older, "n1", collection.Record{"code": "x", "rank": int64(7)})
		steps := p.plan(newer)
		column, fill := strings.Index(steps, `ADD COLUMN "rank"`), strings.Index(steps, "-- rows of notes that an older version wrote")
		if index := strings.Index(steps, `("tenant", "rank"`); column < 0 || fill < column || index < fill {
			p.Errorf("the plan for tables of an older version: %s", steps)
		}
		p.run(newer)
		p.expect("SELECT count(*) FROM migrations", "2")
		p.expect("SELECT count(*) FROM notes WHERE shape IN (SELECT max(version) FROM shape_versions WHERE table_name = 'notes')", "1")
		if steps := p.plan(newer); steps != "" {
			p.Errorf("left to do after the migration: %s", steps)
		}
		p.run(p.instance(newNotes))
		p.expect("SELECT count(*) FROM migrations", "2")
	})
}

// Nothing is ever dropped, so a program whose tables a newer one has changed starts beside it: it finds
// nothing to do, and its rows are those of the older version.
func TestOlderProgramStartsOnNewerTables(t *testing.T) {
	t.Parallel()
	onBoth(t, func(p place) {
		p.run(p.instance(oldNotes))
		newer := p.instance(newNotes)
		p.run(newer)
		older := p.instance(oldNotes)
		if steps := p.plan(older); steps != "" {
			p.Errorf("an older program would change tables of a newer one: %s", steps)
		}
		p.run(older)
		p.insert(older, "n1", collection.Record{"code": "x"})
		if newer.Shapes[0].Version <= older.Shapes[0].Version {
			p.Errorf("the newer version has number %d, the older one %d", newer.Shapes[0].Version, older.Shapes[0].Version)
		}
		p.expect("SELECT shape, rank FROM notes", fmt.Sprintf("%d|<nil>", older.Shapes[0].Version))
	})
}

// A program that never saw these tables, as after a return to it, has a number below those that have all of
// its columns.
func TestForgottenVersionIsNumberedBelowNewerOnes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(p place) {
		newer, older := p.instance(newNotes), p.instance(oldNotes)
		p.run(newer)
		p.run(older)
		if newer.Shapes[0].Version <= older.Shapes[0].Version || older.Shapes[0].HasOlder {
			p.Errorf("the newer version has number %d, the older one %d", newer.Shapes[0].Version, older.Shapes[0].Version)
		}
	})
}

// Of instances that start together one migrates, and the others find it done.
func TestConcurrentMigrationsAreOne(t *testing.T) {
	t.Parallel()
	onBoth(t, func(p place) {
		p.run(p.instance(oldNotes))
		all := make([]migrate.Migration, 4)
		for i := range all {
			all[i] = p.instance(newNotes)
		}
		errs := make([]error, len(all))
		var started sync.WaitGroup
		for i := range all {
			started.Go(func() { errs[i] = all[i].Run(p.Context()) })
		}
		started.Wait()
		if err := errors.Join(errs...); err != nil {
			p.Fatal(err)
		}
		p.expect("SELECT count(*) FROM migrations", "2")
		p.expect("SELECT count(*) FROM shape_versions WHERE table_name = 'notes'", "2")
		for _, m := range all {
			if m.Shapes[0].Version != all[0].Shapes[0].Version {
				p.Errorf("one version has the numbers %d and %d", all[0].Shapes[0].Version, m.Shapes[0].Version)
			}
		}
	})
}

// A definition that the database refuses leaves nothing of the migration behind, and the tables as they were.
func TestRefusedDefinitionLeavesNothing(t *testing.T) {
	t.Parallel()
	broken := table.SystemTable{Name: "broken", Body: "tenant TEXT NOT NULL, CHECK (no_such_column > 0)"}
	onBoth(t, func(p place) {
		if err := p.instance(oldNotes, broken).Run(p.Context()); err == nil {
			p.Fatal("a table with a check on no column was made")
		}
		older := p.instance(oldNotes)
		if steps := p.plan(older); !strings.Contains(steps, `CREATE TABLE "notes"`) || !strings.Contains(steps, `EXISTS "migrations"`) {
			p.Errorf("left to do after the refusal: %s", steps)
		}
		p.run(older)
		if err := p.instance(newNotes, broken).Run(p.Context()); err == nil {
			p.Fatal("a table with a check on no column was made")
		}
		if steps := p.plan(older); steps != "" {
			p.Errorf("the refused migration changed the tables: %s", steps)
		}
		p.expect("SELECT count(*) FROM shape_versions WHERE table_name = 'notes'", "1")
		p.run(p.instance(newNotes))
	})
}

// An index that cannot be built beside the rows there are leaves the migration unrecorded; the next start
// builds it.
func TestRefusedIndexIsBuiltByTheNextStart(t *testing.T) {
	t.Parallel()
	onBoth(t, func(p place) {
		older := p.instance(oldNotes)
		p.run(older)
		p.insert(older, "n1", collection.Record{"code": "x"})
		p.insert(older, "n2", collection.Record{"code": "x"})
		if err := p.instance(onlyCodes).Run(p.Context()); err == nil {
			p.Fatal("a unique index was built over two equal values")
		}
		p.expect("SELECT count(*) FROM migrations", "1")
		if steps := p.plan(p.instance(onlyCodes)); !strings.Contains(steps, "CREATE UNIQUE INDEX") {
			p.Errorf("left to do after the refusal: %s", steps)
		}
		err := older.DB.InTransaction(p.Context(), ports.ForTenant("a"), func(on db.Session) error {
			_, err := db.Exec(p.Context(), on, "DELETE FROM notes WHERE id = 'n2'")
			return err
		})
		if err != nil {
			p.Fatal(err)
		}
		p.run(p.instance(onlyCodes))
		p.expect("SELECT count(*) FROM migrations", "2")
	})
}
