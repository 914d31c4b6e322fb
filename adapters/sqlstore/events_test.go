package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shelves have a field of every sort that matters to what an event shows.
var shelves = &collection.Schema{Slug: "shelves", Singular: "Shelf", Plural: "Shelves", Fields: []collection.Field{
	{Name: "name", Kind: collection.Text},
	{Name: "price", Kind: collection.Money},
	{Name: "note", Kind: collection.Text, OmitMissing: true},
	{Name: "parts", Kind: collection.Array, Fields: []collection.Field{{Name: "name", Kind: collection.Text}}},
	{Name: "extra", Kind: collection.JSON},
	{Name: "lowStock", Kind: collection.Boolean, Source: "stock.low", ReadOnly: true, VisibleTo: collection.Staff},
	{Name: "secret", Kind: collection.Text, VisibleTo: collection.ServerOnly},
}}

// published is the body of a change, made of all that it knows.
func published(c collection.Change) string {
	staff := collection.View{Audience: collection.Staff}
	show := func(r collection.Record) string { return string(collection.AppendJSON(nil, c.Schema, r, staff)) }
	switch c.Operation {
	case collection.Created:
		return `{"data":` + show(c.After) + `,"doc":` + show(c.After) + `}`
	case collection.Deleted:
		return `{"data":` + show(c.Before) + `}`
	default:
		data := collection.AppendFields(nil, c.Schema, c.After, staff, c.ChangedFields())
		return `{"data":` + string(data) + `,"doc":` + show(c.After) + `,"previousDoc":` + show(c.Before) + `}`
	}
}

// history changes one shelf again and again.
type history struct {
	t      *testing.T
	s      *sqlstore.Store
	id     tenant.ID
	now    collection.Record
	shown  []byte // its Doc, once the test has committed it
	bodies []string
}

// next is the change to what edit makes of a copy, nil deletes the shelf.
func (h *history) next(edit func(collection.Record)) collection.Change {
	var after collection.Record
	if edit != nil {
		if after = h.now.Clone(); after == nil {
			after = collection.Record{"id": "s", "tenant": string(h.id)}
		}
		edit(after)
	}
	last := len(h.bodies)
	c := collection.NewChange(shelves, h.now, after, fmt.Sprint(h.id, last), start.Add(time.Duration(last)*time.Second))
	if h.now == nil {
		c = c.ContinuingFrom(int64(last))
	}
	h.now, h.bodies = c.After, append(h.bodies, published(c))
	return c
}

// write is what a transaction does.
func (h *history) write(changes ...collection.Change) {
	h.t.Helper()
	h.shown = nil
	err := h.s.Atomically(h.t.Context(), ports.ForTenant(h.id),
		func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, changes...) })
	if err != nil {
		h.t.Fatal(err)
	}
}

// commit is what a worker does, who remembers what it committed.
func (h *history) commit(changes ...collection.Change) {
	h.t.Helper()
	for i := range changes {
		changes[i].PreviousDoc = h.shown
		h.shown = collection.AppendJSON(nil, shelves, changes[i].After, collection.View{Audience: collection.Staff})
		changes[i].Doc = h.shown
	}
	if err := h.s.Committer().Commit(h.t.Context(), ports.CommitRequest{Tenant: h.id, Changes: changes}); err != nil {
		h.t.Fatal(err)
	}
}

func named(name string) func(collection.Record) {
	return func(r collection.Record) { r["name"] = name }
}

// live writes a history with changes of every sort, and answers which of them have to keep what was before: a
// transaction keeps it always, a worker only when it has just met the record.
func (h *history) live() (kept []int64) {
	odd := "},{\"name\":\"\\\n제주"
	h.write(h.next(func(r collection.Record) {
		r["name"], r["price"], r["parts"] = odd, money.Of(1999, "EUR"), []collection.Record{{"name": odd}}
		r["extra"] = map[string]any{"name": "inner", "list": []any{odd, nil, true, collection.JSONNumber("1.50")}}
	}))
	h.write(h.next(named("two")))
	h.commit(h.next(func(r collection.Record) { r["name"], r["price"], r["extra"] = "three", money.Of(5, "EUR"), nil }))
	h.commit(h.next(func(r collection.Record) { r["parts"] = nil }), h.next(func(r collection.Record) { r["note"] = nil }),
		h.next(func(r collection.Record) { delete(r, "note") }))
	h.commit(h.next(func(r collection.Record) { r["secret"] = "hush" }))
	h.commit(h.next(func(collection.Record) {}))
	var told []collection.Change
	for _, env := range []string{"live", "test"} { // each is about other figures than the one before
		h.now = h.now.Clone()
		h.now["lowStock"] = false
		c := h.next(func(r collection.Record) { r["lowStock"] = true })
		c.EventEnvironment, c.ComputedField = env, "lowStock"
		h.bodies[len(h.bodies)-1] = published(c)
		told = append(told, c)
	}
	h.write(told...)
	h.commit(h.next(named("eleven")))
	h.write(h.next(nil))
	h.write(h.next(named("back")))
	h.commit(h.next(named("on")))
	h.commit(h.next(named("and on")))
	return []int64{2, 3, 9, 10, 11, 14}
}

// An event keeps as little as it can, and what is published of it is what a body shows that keeps everything.
func TestPublishedEventBody(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t, shelves)
		histories := []*history{{t: t, s: s, id: "a"}, {t: t, s: s, id: "b"}} // with ids alike
		histories[1].write(histories[1].next(named("theirs")), histories[1].next(named("theirs too")))
		kept := histories[0].live()
		if _, err := s.Sequence(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, h := range histories {
			log, err := s.Log(t.Context(), ports.ForTenant(h.id), 0)
			if err != nil || len(log) != len(h.bodies) {
				t.Fatalf("%d events, want %d (%v)", len(log), len(h.bodies), err)
			}
			for i, want := range h.bodies {
				if log[i].RecordSequence != int64(i+1) || log[i].Body != want {
					t.Errorf("event %d of %s:\n%s, want\n%s", i+1, h.id, log[i].Body, want)
				}
			}
		}
		if got, err := s.EventsWithBefore(t.Context(), "a", "s"); err != nil || !slices.Equal(got, kept) {
			t.Errorf("events %v keep what was before, want %v (%v)", got, kept, err)
		}
	})
}

// An update whose event before is gone cannot be told, and does not pretend to be.
func TestEventWithoutPredecessorIsNotPublished(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t, shelves)
		h := &history{t: t, s: s, id: "a"}
		h.commit(h.next(named("one")))
		h.commit(h.next(named("two")))
		if text, err := s.EventText(t.Context(), "a", "s", 2); err != nil || string(table.PublishedBody(text)) != h.bodies[1] {
			t.Errorf("%s (%v)", text, err)
		}
		if err := s.Exec(t.Context(), "a", "DELETE FROM events WHERE record_sequence = 1"); err != nil {
			t.Fatal(err)
		}
		if text, err := s.EventText(t.Context(), "a", "s", 2); err != nil || text != nil {
			t.Errorf("%s (%v)", text, err)
		}
	})
}

// The events of a hot record that went and came back are numbered on, each once, whoever brings it back with
// an older look.
func TestHotRecordEventsAreNumberedOnce(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t, baskets)
		put := func(c collection.Change) error {
			return s.Committer().Commit(t.Context(), ports.CommitRequest{Tenant: "a", Changes: []collection.Change{c}})
		}
		change := func(before, after collection.Record) collection.Change {
			return collection.NewChange(baskets, before, after, fmt.Sprint("e", ids.Add(1)), time.Unix(1_800_000_000, 0))
		}
		begin := func() collection.Change { return change(nil, cartRecord("b", "a")) }
		first := begin()
		second := begin().ContinuingFrom(2)
		for i, c := range []collection.Change{first, change(first.After, nil), second, change(second.After, nil)} {
			if err := put(c); err != nil {
				t.Fatal(i, err)
			}
		}
		for name, c := range map[string]collection.Change{
			"never began it": begin(), "saw it go the first time": begin().ContinuingFrom(2),
		} {
			if err := put(c); !errors.Is(err, ports.ErrStale) {
				t.Errorf("one that %s: %v, want ErrStale", name, err)
			}
		}
		gone, err := s.Read(ports.ForTenant("a")).Deleted(t.Context(), []string{"b"})
		if err != nil || gone["b"] != 4 {
			t.Errorf("it went with %v (%v), want 4", gone, err)
		}
		if err := put(begin().ContinuingFrom(gone["b"])); err != nil {
			t.Error(err)
		}
		if got := events(t, s, "a", "b"); !slices.Equal(got, []int64{1, 2, 3, 4, 5}) {
			t.Errorf("events %v, want 1 to 5", got)
		}
	})
}
