package portstest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// NoticePlacesFixture is a store with the collections of EventSchemas and the places of the same database.
type NoticePlacesFixture struct {
	Store  ports.Store
	Places ports.NoticePlaces
	Mover  func(tx ports.Tx) ports.NoticeMover // of Places
	// Number numbers the events that were committed.
	Number func(t *testing.T)
}

// move moves the place of a shop in a transaction of its own.
func (f NoticePlacesFixture) move(ctx context.Context, id tenant.ID, from, to int64, then error) error {
	return f.Store.Atomically(ctx, ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		return errors.Join(f.Mover(tx).Move(ctx, id, from, to), then)
	})
}

// lag is how a shop stands in the list of those that are behind; ok is false if it does not.
func (f NoticePlacesFixture) lag(t *testing.T, id tenant.ID) (l ports.NoticeLag, ok bool) {
	t.Helper()
	all, err := f.Places.Behind(t.Context(), 1_000_000) //nolint:mnd // all of them
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if l.Tenant == id {
			return l, true
		}
	}
	return l, false
}

// change makes an event of a shop.
func (f NoticePlacesFixture) change(t *testing.T, id tenant.ID) {
	t.Helper()
	name := strconv.FormatInt(nextName.Add(1), 10)
	record := collection.Record{"id": "notice-" + name, "tenant": string(id), "environment": string(tenant.Live), "name": name}
	err := f.Store.Atomically(t.Context(), ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(trials, nil, record, "notice-event-"+name, time.Now()))
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Number(t)
}

// NoticePlaces checks ports.NoticePlaces and ports.NoticeMover.
func NoticePlaces(t *testing.T, open func(*testing.T) NoticePlacesFixture) {
	f := open(t)
	t.Run("a shop is behind until its place is moved to its newest event", func(t *testing.T) {
		id, other := freshTenant(), freshTenant()
		f.change(t, id)
		f.change(t, id)
		f.change(t, other)
		if l, ok := f.lag(t, id); !ok || l.Place != 0 || l.Newest != 2 {
			t.Fatalf("%+v %t", l, ok)
		}
		for _, step := range [][2]int64{{0, 1}, {1, 2}} {
			if err := f.move(t.Context(), id, step[0], step[1], nil); err != nil {
				t.Fatal(err)
			}
		}
		if l, ok := f.lag(t, id); ok {
			t.Errorf("%+v", l)
		}
		if l, ok := f.lag(t, other); !ok || l.Place != 0 {
			t.Errorf("another shop: %+v %t", l, ok)
		}
		f.change(t, id)
		if l, ok := f.lag(t, id); !ok || l.Place != 2 || l.Newest != 3 {
			t.Errorf("%+v %t", l, ok)
		}
	})
	t.Run("a place is moved from where it is, with its transaction or not at all", func(t *testing.T) {
		id, failed := freshTenant(), errors.New("failed")
		if err := f.move(t.Context(), id, 0, 5, failed); !errors.Is(err, failed) {
			t.Error(err)
		}
		if err := f.move(t.Context(), id, 5, 6, nil); !errors.Is(err, ports.ErrStale) {
			t.Errorf("a move that was rolled back counts: %v", err)
		}
		if err := f.move(t.Context(), id, 0, 5, nil); err != nil {
			t.Fatal(err)
		}
		for _, from := range []int64{0, 4, 6} {
			if err := f.move(t.Context(), id, from, 7, nil); !errors.Is(err, ports.ErrStale) {
				t.Errorf("from %d: %v", from, err)
			}
		}
	})
	t.Run("of many that move one place, one does", func(t *testing.T) { f.moveAtOnce(t) })
}

func (f NoticePlacesFixture) moveAtOnce(t *testing.T) {
	t.Helper()
	id := freshTenant()
	for _, step := range [][2]int64{{0, 3}, {3, 8}} {
		var moved atomic.Int32
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				switch err := f.move(t.Context(), id, step[0], step[1], nil); {
				case err == nil:
					moved.Add(1)
				case !errors.Is(err, ports.ErrStale):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if moved.Load() != 1 {
			t.Errorf("%d moved the place from %d", moved.Load(), step[0])
		}
	}
}
