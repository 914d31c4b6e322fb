package portstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// concurrently runs n calls at the same time and returns their errors.
func concurrently(n int, call func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = call(i) })
	}
	all.Wait()
	return errs
}

func concurrentChanges(t *testing.T, s recordStore) {
	first := s.create(t, ours, makers, collection.Record{"id": "m"})
	won := 0
	for _, err := range concurrently(8, func(i int) error {
		next := collection.Record{"id": "m", "tenant": string(ours), "name": strconv.Itoa(i)}
		change := collection.NewChange(makers, first, next, fmt.Sprint("race", i), noon)
		return s.Atomically(t.Context(), ports.ForTenant(ours),
			func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, change) })
	}) {
		if err == nil {
			won++
		} else if !errors.Is(err, ports.ErrStale) {
			t.Errorf("refused with %v", err)
		}
	}
	if won != 1 {
		t.Errorf("%d changes of one state succeeded", won)
	}
}

func lockedIncrements(t *testing.T, s recordStore) {
	s.create(t, ours, deals, collection.Record{"id": "d", "environment": "live", "order": int64(0)})
	for _, err := range concurrently(16, func(i int) error {
		return s.Atomically(t.Context(), ports.ForTenant(ours), func(ctx context.Context, tx ports.Tx) error {
			old, err := tx.Records.Lock(ctx, deals, "d")
			if err != nil {
				return err
			}
			next := old.Clone()
			next["order"] = old.Int("order") + 1
			return tx.Records.Write(ctx, collection.NewChange(deals, old, next, fmt.Sprint("lock", i), noon))
		})
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	got, err := s.Read(ports.ForTenant(ours)).Get(t.Context(), deals, "d")
	if err != nil || got.Int("order") != 16 || got.Sequence() != 17 {
		t.Errorf("got %v, %v", got, err)
	}
}

// lockedBy locks the records of a value, with and without announcing it, and reads its own writes.
func lockedBy(t *testing.T, s recordStore) {
	for _, id := range []string{"c", "a", "b"} {
		s.create(t, ours, things, collection.Record{"id": id, "title": "Slot"})
	}
	s.create(t, ours, things, collection.Record{"id": "d", "title": "slot"})
	s.create(t, theirs, things, collection.Record{"id": "e", "title": "Slot"})
	announced := ports.ForTenant(ours)
	announced.Prefetch = &ports.Prefetch{
		Lock: []ports.Ref{{Schema: things, ID: "b"}}, LockBy: []ports.RefBy{{Schema: things, Field: "title", Value: "Slot"}},
		GetFirst: []ports.Ref{{Schema: things, ID: "d"}},
	}
	for i, scope := range []ports.Scope{ports.ForTenant(ours), announced} {
		want := func(records []collection.Record, ids ...string) {
			t.Helper()
			var got []string
			for _, r := range records {
				got = append(got, r.ID())
			}
			if !slices.Equal(got, ids) {
				t.Errorf("announced %v: %v are locked, want %v", i == 1, got, ids)
			}
		}
		err := s.Atomically(t.Context(), scope, func(ctx context.Context, tx ports.Tx) error {
			found, err := tx.Records.LockBy(ctx, things, "title", "Slot")
			if err != nil {
				return err
			}
			want(found, "a", "b", "c")
			none, err := tx.Records.LockBy(ctx, things, "title", "nothing")
			if err != nil {
				return err
			}
			want(none)
			next := found[0].Clone()
			next["title"] = "Other"
			if err := tx.Records.Write(ctx, collection.NewChange(things, found[0], next, fmt.Sprint("by", i), noon)); err != nil {
				return err
			}
			left, err := tx.Records.LockBy(ctx, things, "title", "Slot")
			want(left, "b", "c")
			if err == nil {
				err = errRollback
			}
			return err
		})
		expect(t, err, errRollback)
	}
}
