package searchindex_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/app/searchindex"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// world is a database with two shops whose records change at random.
type world struct {
	t        *testing.T
	store    *sqlstore.Store
	database testservers.Inspector
	dice     *rand.Rand
	shops    []tenant.ID
	records  map[tenant.ID]map[string]collection.Record // by slug and id, "orders/…"
}

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// both runs a rule on SQLite and on a real Postgres.
func both(t *testing.T, rule func(t *testing.T, w *world)) {
	t.Helper()
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		s, database := open(t, registry.Schemas()...)
		w := &world{
			t: t, store: s, database: database, dice: rand.New(rand.NewPCG(3, 4)), records: map[tenant.ID]map[string]collection.Record{},
		}
		for range 2 {
			id := tenant.ID(shops.NewID())
			w.shops, w.records[id] = append(w.shops, id), map[string]collection.Record{}
		}
		rule(t, w)
	})
}

func (w *world) indexer() *searchindex.Indexer {
	return &searchindex.Indexer{
		Index: w.store.SearchIndex(), Events: w.store.EventLog(), Store: w.store, Fold: strings.ToLower, Log: slog.New(slog.DiscardHandler),
	}
}

// of is a random record of a schema in a shop; nil without one.
func (w *world) of(id tenant.ID, s *collection.Schema) collection.Record {
	var all []collection.Record
	for key, r := range w.records[id] {
		if strings.HasPrefix(key, s.Slug+"/") {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b collection.Record) int { return strings.Compare(a.ID(), b.ID()) })
	return all[w.dice.IntN(len(all))]
}

// word is one of few, so that records share them.
func (w *world) word() string {
	return []string{"Ann", "Bo", "김민수", "Mug", "ORD-1", "A1", "010-1234-5678", "+82 2 777 8888", "a.b@c.d"}[w.dice.IntN(9)]
}

// fields are random ones of a record, by which it is found.
func (w *world) fields(id tenant.ID, s *collection.Schema, r collection.Record) {
	person := collection.Record{"name": w.word() + " " + w.word(), "email": "x." + strings.ToLower(shops.NewID()) + "@c.d", "phone": w.word()}
	switch s {
	case order.Schema:
		if r["orderNumber"] == nil {
			r["orderNumber"] = fmt.Sprintf("ORD-%s", shops.NewID())
		}
		r["email"], r["customerSnapshot"], r["lines"] = person["email"], person, []collection.Record{{"id": "l1", "sku": w.word()}}
	case order.Fulfillments:
		r["order"], r["trackingNumber"] = w.of(id, order.Schema).Text("id"), w.word()
	case identity.Customers:
		r["email"], r["name"], r["phone"] = person["email"], person["name"], person["phone"]
	case catalog.Products:
		r["name"] = w.word() + " " + w.word()
	case catalog.Variants:
		r["product"], r["sku"], r["barcode"] = w.of(id, catalog.Products).Text("id"), shops.NewID(), w.word()
	case draft.Schema:
		r["customer"], r["customerSnapshot"] = w.of(id, identity.Customers).Text("id"), collection.Record{"name": w.word()}
		r["status"] = []string{"draft", "draft", "finalized"}[w.dice.IntN(3)]
		r["lines"] = []collection.Record{{"id": "l1", "variant": w.of(id, catalog.Variants).Text("id"), "quantity": int64(1)}}
	case returns.Schema:
		r["order"] = w.of(id, order.Schema).Text("id")
	}
}

// change makes, changes or deletes a random record.
func (w *world) change() {
	w.t.Helper()
	id := w.shops[w.dice.IntN(len(w.shops))]
	s := search.Sources[w.dice.IntN(len(search.Sources))].Schema
	needs := map[*collection.Schema]*collection.Schema{
		order.Fulfillments: order.Schema, catalog.Variants: catalog.Products, draft.Schema: identity.Customers, returns.Schema: order.Schema,
	}[s]
	if needs != nil && w.of(id, needs) == nil {
		s = needs
	}
	before := w.of(id, s)
	if w.dice.IntN(2) == 0 {
		before = nil
	}
	var after collection.Record
	if before == nil || s.NoDelete || w.dice.IntN(4) > 0 {
		after = collection.Record{"id": shops.NewID(), "tenant": string(id)}
		if before != nil {
			after = before.Clone()
		}
		if s.PerEnvironment && before == nil {
			after["environment"] = []string{"live", "test"}[w.dice.IntN(2)]
		}
		w.fields(id, s, after)
	}
	change := collection.NewChange(s, before, after, shops.NewID(), start)
	err := w.store.Atomically(w.t.Context(), ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, change) })
	if err != nil {
		w.t.Fatal(err)
	}
	if after == nil {
		delete(w.records[id], s.Slug+"/"+before.ID())
		return
	}
	w.records[id][s.Slug+"/"+after.ID()] = change.After
}

// number has all events numbered.
func (w *world) number() {
	w.t.Helper()
	if _, err := w.store.Sequence(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) catchUp(x *searchindex.Indexer) {
	w.t.Helper()
	w.number()
	if err := x.Follower().CatchUp(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// terms are the rows of the index.
func (w *world) terms() []string {
	w.t.Helper()
	rows := w.database.Rows("SELECT tenant, collection, environment, term, record, source, kind FROM search_terms")
	slices.Sort(rows)
	return rows
}

// wantTerms are the rows that the records call for.
func (w *world) wantTerms() (rows []string) {
	for id, all := range w.records {
		byID := map[string]collection.Record{}
		for _, r := range all {
			byID[r.ID()] = r
		}
		for _, s := range search.Sources {
			for key, r := range all {
				if !strings.HasPrefix(key, s.Schema.Slug+"/") {
					continue
				}
				e := s.Entry(r, byID, strings.ToLower)
				for _, t := range e.Terms {
					rows = append(rows, strings.Join([]string{string(id), e.Collection, e.Environment, t.Text, e.Record, e.Source, string(t.Kind)}, "|"))
				}
			}
		}
	}
	slices.Sort(rows)
	return rows
}

func (w *world) check(when string) {
	w.t.Helper()
	got := w.terms()
	if want := w.wantTerms(); len(want) == 0 || !slices.Equal(got, want) {
		w.t.Fatalf("%s the index has %d rows, want %d; first %.400q, want %.400q", when, len(got), len(want), got[:min(2, len(got))], want[:min(2, len(want))])
	}
}

// rebuild has the indexes made again.
func (w *world) rebuild() {
	w.t.Helper()
	behind, err := w.store.SearchIndex().Behind(w.t.Context(), search.Version+1, 10)
	if err != nil || len(behind) != len(w.shops) {
		w.t.Fatal(behind, err)
	}
	for _, lag := range behind {
		if err := w.store.SearchIndex().Put(w.t.Context(), lag.SearchPlace, ports.SearchPlace{Tenant: lag.Tenant}, nil); err != nil {
			w.t.Fatal(err)
		}
	}
}

// Rules search-7, search-8.
func TestTheIndexFollowsTheRecords(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		x := w.indexer()
		for range 60 { // before there is an index
			w.change()
		}
		w.catchUp(x)
		w.check("when it was made")
		for round := range 8 {
			for range 25 {
				w.change()
			}
			w.catchUp(x)
			w.check(fmt.Sprintf("after %d rounds of changes", round+1))
		}
		w.rebuild()
		w.catchUp(x)
		w.check("when it was made again")
	})
}

// crashing is an index in whose Put a process dies now and then: before it, or after it was done.
type crashing struct {
	ports.SearchIndex

	dice *rand.Rand
}

var errCrash = errors.New("killed")

func (c crashing) Put(ctx context.Context, from, to ports.SearchPlace, entries []search.Entry) error {
	n := c.dice.IntN(4)
	if n == 0 {
		return errCrash
	}
	some := entries
	if n == 1 && len(entries) > 1 { // it stored a part, which moves nothing
		some, to = entries[:len(entries)/2], from
	}
	err := c.SearchIndex.Put(ctx, from, to, some)
	if err == nil && (n == 2 || len(some) < len(entries)) {
		err = errCrash
	}
	return err
}

// Rule search-7.
func TestACrashLosesNoTerm(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		x := w.indexer()
		for range 6 {
			for range 25 {
				w.change()
			}
			w.number()
			for {
				dying := w.indexer()
				dying.Index = crashing{x.Index, w.dice}
				if err := dying.Follower().CatchUp(t.Context()); err == nil {
					break
				} else if !errors.Is(err, errCrash) {
					t.Fatal(err)
				}
			}
			w.check("after crashes")
		}
	})
}

// Rule search-7.
func TestManyInstancesKeepOneIndex(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		ctx, stop := context.WithCancel(t.Context())
		var instances sync.WaitGroup
		for range 3 {
			instances.Go(func() {
				for ctx.Err() == nil {
					if _, err := w.indexer().Follower().Round(ctx); err != nil && ctx.Err() == nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for range 150 {
			w.change()
			w.number()
		}
		stop()
		instances.Wait()
		w.catchUp(w.indexer())
		w.check("after changes beside three instances")
	})
}

// Rule search-8.
func TestATrimmedLogHasTheIndexMadeAgain(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		x := w.indexer()
		for range 20 {
			w.change()
		}
		w.catchUp(x)
		for range 40 {
			w.change()
		}
		w.number()
		for _, id := range w.shops {
			for more := true; more; {
				var err error
				if more, err = w.store.EventLog().Trim(t.Context(), id, start.Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
		}
		w.catchUp(x)
		w.check("after events were deleted")
	})
}

// An instance of an older version leaves an index of a newer one alone.
func TestAnOlderVersionLeavesANewerIndexAlone(t *testing.T) {
	both(t, func(t *testing.T, w *world) {
		x := w.indexer()
		for range 20 {
			w.change()
		}
		w.catchUp(x)
		behind, err := x.Index.Behind(t.Context(), search.Version+1, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, lag := range behind {
			newer := lag.SearchPlace
			newer.Version++
			if err := x.Index.Put(t.Context(), lag.SearchPlace, newer, nil); err != nil {
				t.Fatal(err)
			}
		}
		before := w.terms()
		for range 20 {
			w.change()
		}
		w.catchUp(x)
		if after := w.terms(); !slices.Equal(before, after) {
			t.Errorf("%d rows became %d", len(before), len(after))
		}
	})
}
