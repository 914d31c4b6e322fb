package portstest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// OrphansBed is a store with what is to be removed from it.
type OrphansBed struct {
	Store     ports.Store
	Orphanage ports.Orphanage
}

// overdue lists the keys of tenant id that are due at, as the sweeper is given them.
func (b OrphansBed) overdue(t *testing.T, id tenant.ID, at time.Time) (keys []string) {
	t.Helper()
	all, err := b.Orphanage.Overdue(t.Context(), at, at.Add(time.Hour), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		if o.Tenant == id {
			keys = append(keys, o.Key)
		}
	}
	return keys
}

// Orphans tests the account of blobs without a record in the stores that open makes.
func Orphans(t *testing.T, open func(t *testing.T) OrphansBed) {
	b := open(t)
	b.sweep(t)
	b.hold(t)
}

// add opens an account of the blob k1.
func (b OrphansBed) add(t *testing.T, id tenant.ID, until time.Time) {
	t.Helper()
	must(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Orphans.Add(ctx, id, "k1", until) })
}

func (b OrphansBed) adopt(t *testing.T, id tenant.ID, key string) error {
	t.Helper()
	return within(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Orphans.Adopt(ctx, id, key) })
}

// sweep tests who removes what, and when.
func (b OrphansBed) sweep(t *testing.T) {
	t.Run("what nobody adopts is removed in time, once", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day.Add(time.Minute))
		if got := b.overdue(t, id, day); got != nil {
			t.Errorf("too early: %v", got)
		}
		if got := b.overdue(t, id, day.Add(time.Minute)); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
		if got := b.overdue(t, id, day.Add(time.Minute)); got != nil {
			t.Errorf("given to a second sweeper: %v", got)
		}
		if got := b.overdue(t, id, day.Add(2*time.Hour)); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("after the first one failed: %v", got)
		}
		if err := b.Orphanage.Removed(t.Context(), ports.Orphan{Tenant: id, Key: "k1"}); err != nil {
			t.Fatal(err)
		}
		if got := b.overdue(t, id, day.Add(9*time.Hour)); got != nil {
			t.Errorf("after it was removed: %v", got)
		}
	})
	t.Run("what is adopted stays, until it is left", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day)
		if err := b.adopt(t, id, "k1"); err != nil {
			t.Fatal(err)
		}
		must(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Orphans.Hurry(ctx, id, "k1", day) })
		if got := b.overdue(t, id, day.Add(time.Hour)); got != nil {
			t.Errorf("adopted: %v", got)
		}
		must(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error {
			return tx.Orphans.Add(ctx, id, "k1", day.Add(time.Hour))
		})
		if got := b.overdue(t, id, day.Add(time.Hour)); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("left: %v", got)
		}
	})
}

// hold tests what cannot be adopted, hurried or reached.
func (b OrphansBed) hold(t *testing.T) {
	t.Run("nobody adopts what is being removed, or what is not there", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day)
		b.overdue(t, id, day)
		for _, key := range []string{"k1", "k2"} {
			if err := b.adopt(t, id, key); !errors.Is(err, ports.ErrAbsent) {
				t.Errorf("%s: %v", key, err)
			}
		}
	})
	t.Run("a failed adoption changes nothing", func(t *testing.T) {
		id, failed := freshTenant(), errors.New("failed")
		b.add(t, id, day)
		err := within(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.Orphans.Adopt(ctx, id, "k1"), failed)
		})
		if !errors.Is(err, failed) {
			t.Fatal(err)
		}
		if got := b.overdue(t, id, day); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
	})
	t.Run("what is hurried goes earlier", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day.Add(time.Hour))
		must(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Orphans.Hurry(ctx, id, "k1", day) })
		if got := b.overdue(t, id, day); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
	})
	t.Run("another tenant's are out of reach", func(t *testing.T) {
		id, other := freshTenant(), freshTenant()
		b.add(t, id, day)
		for name, do := range map[string]func(context.Context, ports.Tx) error{
			"add":        func(ctx context.Context, tx ports.Tx) error { return tx.Orphans.Add(ctx, id, "k2", day) },
			"adopt":      func(ctx context.Context, tx ports.Tx) error { return tx.Orphans.Adopt(ctx, id, "k1") },
			"as its own": func(ctx context.Context, tx ports.Tx) error { return tx.Orphans.Adopt(ctx, other, "k1") },
		} {
			if err := within(t, b.Store, other, do); err == nil {
				t.Errorf("%s worked", name)
			}
		}
		if got := b.overdue(t, id, day); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
	})
}
