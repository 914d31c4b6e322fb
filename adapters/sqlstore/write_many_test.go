package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// parcels have nothing that others must not have, crates a label.
var (
	parcels = &collection.Schema{Slug: "parcels", Singular: "Parcel", Plural: "Parcels", PerEnvironment: true, Fields: []collection.Field{
		{Name: "state", Kind: collection.Text, Indexed: true}, {Name: "units", Kind: collection.Integer},
		{Name: "sentAt", Kind: collection.Date, Indexed: true},
	}}
	crates = &collection.Schema{Slug: "crates", Singular: "Crate", Plural: "Crates", PerEnvironment: true, Fields: []collection.Field{
		{Name: "label", Kind: collection.Text, Unique: true}, {Name: "state", Kind: collection.Text, Indexed: true},
	}}
)

// depot writes many records in one transaction that reads ahead.
type depot struct {
	*testing.T

	store *sqlstore.Store
}

const many = 20

func (d depot) records(s *collection.Schema) (all []collection.Record) {
	at := time.Unix(1_800_000_000, 0).UTC()
	for i := range many {
		r := collection.Record{
			"id": fmt.Sprintf("%s%02d", s.Slug, i), "tenant": "t1", "environment": "live", "createdAt": at, "updatedAt": at, "state": "new",
		}
		if s == crates {
			r["label"] = fmt.Sprint("label ", i)
		}
		all = append(all, r.WithSequence(1))
	}
	return all
}

// write steps from before, nil for new records, to after.
func (d depot) write(s *collection.Schema, before, after []collection.Record) error {
	d.Helper()
	scope := ports.ForTenant("t1")
	scope.Prefetch = &ports.Prefetch{}
	var changes []collection.Change
	for i := range after {
		var was collection.Record
		if before != nil {
			was = before[i]
			scope.Prefetch.Lock = append(scope.Prefetch.Lock, ports.Ref{Schema: s, ID: was.ID()})
		}
		changes = append(changes, collection.NewChange(s, was, after[i].Clone(), fmt.Sprint("e", ids.Add(1)), time.Unix(1_800_000_001, 0)))
	}
	return d.store.Atomically(d.Context(), scope, func(ctx context.Context, tx ports.Tx) error {
		for _, r := range scope.Prefetch.Lock {
			if found, err := tx.Records.Lock(ctx, s, r.ID); err != nil || found.ID() != r.ID {
				return errors.Join(err, fmt.Errorf("locked %q for %q", found.ID(), r.ID))
			}
		}
		return tx.Records.Write(ctx, changes...)
	})
}

// stored is what a field of all records says, and the numbers of their events.
func (d depot) stored(s *collection.Schema, field string) (values []string, events []int64) {
	d.Helper()
	for _, r := range d.records(s) {
		found, err := d.store.Read(ports.ForTenant("t1")).Get(d.Context(), s, r.ID())
		if err != nil {
			d.Fatal(err)
		}
		numbers, err := d.store.EventNumbers(d.Context(), "t1", r.ID())
		if err != nil {
			d.Fatal(err)
		}
		values, events = append(values, found.Text(field)), append(events, numbers...)
	}
	return slices.Compact(values), slices.Compact(events)
}

func TestGroupedWritesAreAtomic(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(testing.TB, ...*collection.Schema) *sqlstore.Store) {
		d := depot{t, open(t, parcels)}
		first := d.records(parcels)
		if err := d.write(parcels, nil, first); err != nil {
			t.Fatal(err)
		}
		if err := d.write(parcels, nil, first); !errors.Is(err, ports.ErrStale) {
			t.Error("what is there was created again:", err)
		}
		sent := func(before []collection.Record) (after []collection.Record) {
			for i, r := range before {
				r = r.Clone()
				r["state"], r["units"] = "sent", int64(i)
				if i > 0 {
					r["sentAt"] = time.Unix(1_800_000_002, 0).UTC()
				}
				after = append(after, r)
			}
			return after
		}
		stale := d.records(parcels)
		stale[7].WithSequence(5)
		if err := d.write(parcels, stale, sent(stale)); !errors.Is(err, ports.ErrStale) {
			t.Error("one that changed meanwhile was overwritten:", err)
		}
		if states, _ := d.stored(parcels, "state"); !slices.Equal(states, []string{"new"}) {
			t.Error("of changes that were refused some were written:", states)
		}
		if err := d.write(parcels, first, sent(first)); err != nil {
			t.Fatal(err)
		}
		if states, events := d.stored(parcels, "state"); !slices.Equal(states, []string{"sent"}) || len(events) != 2*many ||
			events[1] != 2 {
			t.Error(states, events)
		}
		q := collection.Query{Schema: parcels, Where: parcels.Where("sentAt", collection.GreaterThan, time.Unix(0, 0)), Limit: 100, Page: 1}
		page, err := d.store.Read(ports.ForTenant("t1")).Find(t.Context(), q)
		if err != nil || page.TotalDocs != many-1 {
			t.Error("found by what changed:", page.TotalDocs, err)
		}
	})
}

// What must be unique changes hands in the order of the changes, however many there are.
func TestGroupedWritesKeepOrder(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(testing.TB, ...*collection.Schema) *sqlstore.Store) {
		d := depot{t, open(t, crates)}
		first := d.records(crates)
		if err := d.write(crates, nil, first); err != nil {
			t.Fatal(err)
		}
		var next []collection.Record
		for i, r := range first { // each takes the label that the one before has just given up
			r = r.Clone()
			if r["label"] = "free"; i > 0 {
				r["label"] = first[i-1]["label"]
			}
			next = append(next, r)
		}
		if err := d.write(crates, first, next); err != nil {
			t.Fatal(err)
		}
		taken := d.records(crates)
		taken[3]["id"], taken[3]["label"] = "new", "free"
		if err := d.write(crates, nil, taken[3:4]); !errors.Is(err, ports.ErrDuplicate) {
			t.Error("a label was given twice:", err)
		}
	})
}
