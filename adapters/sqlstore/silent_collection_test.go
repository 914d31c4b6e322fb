package sqlstore_test

import (
	"context"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// diary is a log of the server's own work.
var diary = &collection.Schema{
	Slug: "diary", Singular: "Entry", Plural: "Entries", PerEnvironment: true, CommandOnly: true, NoEvents: true,
	Fields: []collection.Field{
		{Name: "state", Kind: collection.Text, Indexed: true}, {Name: "units", Kind: collection.Integer},
	},
}

func TestSilentCollectionMakesNoEvents(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(testing.TB, ...*collection.Schema) *sqlstore.Store) {
		d := depot{t, open(t, diary, parcels)}
		first := d.records(diary)
		if err := d.write(diary, nil, first); err != nil {
			t.Fatal(err)
		}
		if got := d.total(diary, "new"); got != many {
			t.Errorf("%d new entries, want %d", got, many)
		}
		if err := d.write(diary, first, marked(first, "seen")); err != nil {
			t.Fatal(err)
		}
		d.commit(diary, first[3].Clone().WithSequence(2), "late") // as single steps are
		states, events := d.stored(diary, "state")
		if !slices.Equal(states, []string{"seen", "late", "seen"}) || len(events) != 0 {
			t.Errorf("states %v, events %v", states, events)
		}
		if fresh, seen := d.total(diary, "new"), d.total(diary, "seen"); fresh != 0 || seen != many-1 {
			t.Errorf("%d new and %d seen entries, want 0 and %d", fresh, seen, many-1)
		}
	})
}

// What is no log keeps its events beside one.
func TestSilentCollectionBesideOthers(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(testing.TB, ...*collection.Schema) *sqlstore.Store) {
		d := depot{t, open(t, diary, parcels)}
		entry, parcel := d.records(diary)[0], d.records(parcels)[0]
		err := d.store.Atomically(t.Context(), ports.ForTenant("t1"), func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(diary, nil, entry, "e-diary", entry.Time("createdAt")),
				collection.NewChange(parcels, nil, parcel, "e-parcel", entry.Time("createdAt")))
		})
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]int{entry.ID(): 0, parcel.ID(): 1} {
			if events, err := d.store.EventNumbers(t.Context(), "t1", id); err != nil || len(events) != want {
				t.Errorf("%s has %d events (%v), want %d", id, len(events), err, want)
			}
		}
	})
}

// marked are copies of records in another state.
func marked(records []collection.Record, state string) (all []collection.Record) {
	for _, r := range records {
		r = r.Clone()
		r["state"] = state
		all = append(all, r)
	}
	return all
}

// total counts records in a state, as lists do.
func (d depot) total(s *collection.Schema, state string) int64 {
	d.Helper()
	page, err := d.store.Read(ports.ForTenant("t1")).Find(d.Context(), collection.Query{
		Schema: s, Where: s.Where("state", collection.Equals, state), Limit: 5, Page: 1,
	})
	if err != nil {
		d.Fatal(err)
	}
	return page.TotalDocs
}

// commit has the committer put a record into another state.
func (d depot) commit(s *collection.Schema, before collection.Record, state string) {
	d.Helper()
	after := marked([]collection.Record{before}, state)[0]
	step := ports.CommitRequest{
		Tenant: "t1", Changes: []collection.Change{collection.NewChange(s, before, after, "e-"+state, before.Time("createdAt"))},
	}
	if err := d.store.Committer().Commit(d.Context(), step); err != nil {
		d.Fatal(err)
	}
}
