package sqlstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// The notes of three versions: each has all columns of the one before it. A JSON string is stored as a text is.
var (
	plainNotes  = []collection.Field{{Name: "kind", Kind: collection.JSON}, {Name: "code", Kind: collection.JSON}}
	kindNotes   = []collection.Field{{Name: "kind", Kind: collection.Text, Indexed: true}, {Name: "code", Kind: collection.JSON}}
	uniqueNotes = []collection.Field{
		{Name: "kind", Kind: collection.Text, Indexed: true}, {Name: "code", Kind: collection.Text, Unique: true},
	}
)

// version is an instance of a program with notes of its own.
type version struct {
	*sqlstore.Store

	t     *testing.T
	notes *collection.Schema
}

func openVersion(t *testing.T, o sqlstore.Options, fields []collection.Field) version {
	t.Helper()
	r, notes := registryOf(t, fields...)
	return version{open(t, o, r), t, notes}
}

func (v version) write(before, after collection.Record) {
	v.t.Helper()
	if err := write(v.t.Context(), v, ports.ForTenant("a"), v.notes, before, after, fmt.Sprint("e", ids.Add(1))); err != nil {
		v.t.Fatal(err)
	}
}

// commit writes through the committer.
func (v version) commit(before, after collection.Record) {
	v.t.Helper()
	change := collection.NewChange(v.notes, before, after, fmt.Sprint("e", ids.Add(1)), start)
	if err := v.Committer().Commit(v.t.Context(), ports.CommitRequest{Tenant: "a", Changes: []collection.Change{change}}); err != nil {
		v.t.Fatal(err)
	}
}

func (v version) get(id string) collection.Record {
	v.t.Helper()
	r, err := v.Read(ports.ForTenant("a")).Get(v.t.Context(), v.notes, id)
	if err != nil {
		v.t.Fatal(err)
	}
	return r
}

// swept sweeps and wants rows refilled.
func (v version) swept(rows int) {
	v.t.Helper()
	if done, err := v.Sweep(v.t.Context(), start); err != nil || done.Backfilled != rows {
		v.t.Errorf("%d rows refilled, %v; want %d", done.Backfilled, err, rows)
	}
}

// finds wants the notes of a kind, by every road to the column: a filter, a search, an order, a count that is
// remembered.
func (v version) finds(kind string, want ...string) {
	v.t.Helper()
	for _, where := range []collection.Cond{
		v.notes.Where("kind", collection.Equals, kind), v.notes.Where("kind", collection.Contains, fold(kind)),
	} {
		for _, limit := range []int{0, 9} {
			sort := []collection.SortKey{{Path: []collection.Field{v.notes.Fields[0]}}}
			page, err := v.Read(ports.ForTenant("a")).Find(v.t.Context(), collection.Query{
				Schema: v.notes, Where: where, Sort: sort, Limit: limit, Page: 1,
			})
			var got []string
			for _, d := range page.Docs {
				got = append(got, d.ID())
			}
			slices.Sort(got)
			if err != nil || int(page.TotalDocs) != len(want) || limit > 0 && !slices.Equal(got, want) {
				v.t.Errorf("of kind %q: %d, %q, %v; want %q", kind, page.TotalDocs, got, err, want)
			}
		}
	}
}

func note(id, kind string) collection.Record {
	return collection.Record{"id": id, "tenant": "a", "kind": kind, "code": "code of " + id}
}

func changed(r collection.Record, kind string) collection.Record {
	r = r.Clone()
	r["kind"] = kind
	return r
}

// What an older instance writes beside newer ones is found by all of these after a sweep of theirs, in
// however many ways it is written, and the older instance takes nothing back.
func TestRowsOfOlderInstancesAreBackfilledBySweep(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			older := openVersion(t, o, plainNotes)
			for i := range 4 {
				older.write(nil, note(fmt.Sprint("n", i), "One"))
			}
			newer, another := openVersion(t, o, uniqueNotes), openVersion(t, o, uniqueNotes)
			newer.write(nil, note("n4", "One"))
			newer.swept(0)
			another.finds("One", "n0", "n1", "n2", "n3", "n4")

			older.write(nil, note("n5", "Two"))
			older.commit(nil, note("n6", "Two"))
			older.write(older.get("n0"), changed(older.get("n0"), "Two"))
			older.commit(older.get("n4"), changed(older.get("n4"), "Two"))
			older.commit(newer.get("n1"), nil)
			another.finds("Three") // counts are remembered from now on
			if page, err := another.Read(ports.ForTenant("a")).Find(t.Context(), collection.Query{
				Schema: another.notes, Where: another.notes.Where("kind", collection.Equals, "Two"), Page: 1,
			}); err != nil || page.TotalDocs != 0 {
				t.Errorf("before the sweep %d, %v: this test would prove nothing", page.TotalDocs, err)
			}

			newer.swept(4)
			another.swept(0)
			older.swept(0)
			for _, v := range []version{newer, another} {
				v.finds("One", "n2", "n3")
				v.finds("Two", "n0", "n4", "n5", "n6")
				for i := range 7 {
					if same, err := v.Columns(t.Context(), v.notes, fmt.Sprint("n", i)); i != 1 && (err != nil || !same) {
						t.Errorf("n%d: columns differ from the document, %v", i, err)
					}
				}
			}
			taken := note("n7", "Two")
			taken["code"] = "code of n5"
			if err := write(t.Context(), newer, ports.ForTenant("a"), newer.notes, nil, taken, "taken"); !errors.Is(err, ports.ErrDuplicate) {
				t.Errorf("the value of a record of the older instance is taken: %v", err)
			}
			newer.swept(0)
		})
	}
}

// An older instance knows nothing of a unique field. A value that it gives twice keeps its row out of newer
// columns, which is told, and nobody else's; as soon as the value is another one, so is that row found.
func TestDuplicateUniqueValueDoesNotBlockBackfill(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			older := openVersion(t, o, plainNotes)
			older.write(nil, note("n1", "One"))
			var log bytes.Buffer
			o.Logger = slog.New(slog.NewTextHandler(&log, nil))
			newer := openVersion(t, o, uniqueNotes)
			for _, id := range []string{"n0", "n2", "n3"} {
				r := note(id, "Two")
				if id == "n2" {
					r["code"] = "code of n1"
				}
				older.write(nil, r)
			}
			newer.swept(2)
			newer.finds("Two", "n0", "n3")
			newer.swept(0)
			openVersion(t, o, uniqueNotes).finds("Two", "n0", "n3")
			if n := strings.Count(log.String(), "records=1 first=n2"); n != 3 {
				t.Errorf("told %d times: %s", n, log.String())
			}
			last := newer.get("n2").Clone()
			last["code"] = "its own"
			older.write(newer.get("n2"), last)
			newer.swept(1)
			newer.finds("Two", "n0", "n2", "n3")
		})
	}
}

// A row that an older instance is about to change is left for the next sweep, which waits for nobody.
func TestSweepDoesNotWaitForOlderInstances(t *testing.T) {
	t.Parallel()
	o := both["postgres"](t)
	older := openVersion(t, o, plainNotes)
	older.write(nil, note("n0", "One"))
	newer := openVersion(t, o, kindNotes)
	older.write(nil, note("n1", "One"))
	older.write(nil, note("n2", "One"))
	err := older.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, older.notes, "n1")
		newer.swept(1)
		newer.finds("One", "n0", "n2")
		return errors.Join(err, tx.Records.Write(ctx, collection.NewChange(older.notes, r, changed(r, "Two"), "two", start)))
	})
	if err != nil {
		t.Fatal(err)
	}
	newer.swept(1)
	newer.finds("Two", "n1")
}

// After a step back, a newer version starts with all columns again; whichever of them was in this database
// first.
func TestDowngradeAndUpgradeBackfillEverything(t *testing.T) {
	for name, options := range both {
		for order, before := range map[string][][]collection.Field{
			"known before":        {plainNotes, kindNotes, uniqueNotes},
			"one not known":       {plainNotes, uniqueNotes},
			"made by the newest":  {uniqueNotes},
			"oldest known second": {uniqueNotes, plainNotes},
		} {
			t.Run(name+", "+order, func(t *testing.T) {
				t.Parallel()
				o := options(t)
				for _, fields := range before {
					openVersion(t, o, fields)
				}
				for i, back := range [][]collection.Field{plainNotes, kindNotes} {
					openVersion(t, o, back).write(nil, note(fmt.Sprint("n", 2*i), "One"))
					openVersion(t, o, plainNotes).write(nil, note(fmt.Sprint("n", 2*i+1), "One"))
				}
				openVersion(t, o, kindNotes).finds("One", "n0", "n1", "n2", "n3")
				v := openVersion(t, o, uniqueNotes)
				v.finds("One", "n0", "n1", "n2", "n3")
				for i := range 4 {
					if same, err := v.Columns(t.Context(), v.notes, fmt.Sprint("n", i)); err != nil || !same {
						t.Errorf("n%d: columns differ from the document, %v", i, err)
					}
				}
				v.swept(0)
				if steps, err := sqlstore.Plan(t.Context(), withNotes(t, o, uniqueNotes)); err != nil || len(steps) != 0 {
					t.Errorf("left to do: %q, %v", steps, err)
				}
			})
		}
	}
}

// Columns that no number tells to be wrong are written again on demand, also those of instances that go on as
// before.
func TestBackfillOptionRewritesAllColumns(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := withNotes(t, options(t), kindNotes)
			notes := o.Registry.Get("notes")
			o.Fold = func(s string) string { return s }
			start := func() version { return version{opened(t, o), t, notes} }
			before := start()
			before.write(nil, note("n0", "One"))
			o.Fold = fold
			search := collection.Query{Schema: notes, Where: notes.Where("kind", collection.Contains, "one"), Page: 1}
			if page, err := start().Read(ports.ForTenant("a")).Find(t.Context(), search); err != nil || page.TotalDocs != 0 {
				t.Errorf("found %d, %v by another fold: this test would prove nothing", page.TotalDocs, err)
			}
			o.Backfill = true
			for range 2 {
				start().finds("One", "n0")
			}
			o.Backfill = false
			after := start()
			before.write(nil, note("n1", "One"))
			after.swept(1)
			after.finds("One", "n0", "n1")
		})
	}
}

func withNotes(t *testing.T, o sqlstore.Options, fields []collection.Field) sqlstore.Options {
	t.Helper()
	o.Registry, _ = registryOf(t, fields...)
	o.Fold = fold
	return o
}
