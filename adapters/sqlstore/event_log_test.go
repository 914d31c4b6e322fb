package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// notes belong to both environments, baskets are hot and of one.
var noteSchema = &collection.Schema{
	Slug: "notes", Singular: "Note", Plural: "Notes", Fields: []collection.Field{{Name: "name", Kind: collection.Text}},
}

// logged writes events of two tenants in an order that dice decide, numbered in rounds of different sizes.
func logged(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	dice := rand.New(rand.NewPCG(1, 2))
	held := map[string]collection.Record{}
	for i := range 120 {
		of, schema := []string{"a", "b"}[dice.IntN(2)], []*collection.Schema{noteSchema, baskets, shelves}[dice.IntN(3)]
		n := dice.IntN(4)
		id := fmt.Sprint(schema.Slug, n)
		before := held[of+id]
		if before == nil && held[of+id+" gone"] != nil {
			continue
		}
		var after collection.Record
		switch {
		case before != nil && dice.IntN(6) == 0: // it goes
		case schema.PerEnvironment:
			after = collection.Record{"id": id, "tenant": of, "environment": []string{"live", "test"}[n%2], "market": fmt.Sprint(i)}
		default:
			after = collection.Record{"id": id, "tenant": of, "name": fmt.Sprint(i)}
		}
		if err := write(t.Context(), s, ports.ForTenant(tenant.ID(of)), schema, before, after, fmt.Sprint("event", i)); err != nil {
			t.Fatal(err)
		}
		if held[of+id] = after; after == nil {
			held[of+id+" gone"] = before
		}
		if dice.IntN(9) == 0 {
			number(t, s)
		}
	}
	number(t, s)
}

func number(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	if _, err := s.Sequence(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// paged reads the log to its end.
func paged(t *testing.T, log ports.EventLog, q ports.EventQuery) (all []ports.Event) {
	t.Helper()
	for {
		p, err := log.Events(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Events) > q.Limit || p.Next <= q.After && p.More() || p.Next > p.Last {
			t.Fatalf("after %d: %d events, next %d of %d", q.After, len(p.Events), p.Next, p.Last)
		}
		for _, e := range p.Events {
			if e.Sequence <= q.After || e.Sequence > p.Next {
				t.Fatalf("number %d on the page from %d to %d", e.Sequence, q.After, p.Next)
			}
		}
		all = append(all, p.Events...)
		if q.After = p.Next; !p.More() {
			return all
		}
	}
}

func TestEventPagesAreBoundedInBytes(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t, noteSchema)
		for i := range 3 {
			r := collection.Record{"id": fmt.Sprint(i), "tenant": "a", "name": strings.Repeat("x", 1_200_000)}
			if err := write(t.Context(), s, ports.ForTenant("a"), noteSchema, nil, r, fmt.Sprint("event", i)); err != nil {
				t.Fatal(err)
			}
		}
		number(t, s)
		p, err := s.EventLog().Events(t.Context(), ports.EventQuery{Tenant: "a", Limit: 100})
		if err != nil || len(p.Events) != 2 || p.Next != 2 || !p.More() {
			t.Errorf("%d events up to %d (%v)", len(p.Events), p.Next, err)
		}
	})
}

// With the storage predicate taken away, row-level security alone hides the other tenant's events.
func TestEventsAreIsolatedByTenant(t *testing.T) {
	s := openPostgres(t, noteSchema, baskets, shelves)
	logged(t, s)
	want := paged(t, s.EventLog(), ports.EventQuery{Tenant: "a", Limit: 50})
	s.SkipTenantFilter()
	got := paged(t, s.EventLog(), ports.EventQuery{Tenant: "a", Limit: 50})
	if !slices.EqualFunc(got, want, func(a, b ports.Event) bool {
		return a.ID == b.ID && a.Record == b.Record && string(a.Body) == string(b.Body)
	}) {
		t.Errorf("%d events instead of %d", len(got), len(want))
	}
	if newest, err := s.EventLog().Newest(t.Context(), []tenant.ID{"a"}); err != nil || len(newest) != 1 ||
		newest["a"] != int64(len(want)) {
		t.Error(newest, err)
	}
}
