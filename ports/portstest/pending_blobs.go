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

// PendingBlobsFixture is a store with its sweep.
type PendingBlobsFixture struct {
	Store ports.Store
	Sweep ports.BlobSweep
}

// claimExpired claims the keys of tenant id that have expired at a time.
func (b PendingBlobsFixture) claimExpired(t *testing.T, id tenant.ID, at time.Time) (keys []string) {
	t.Helper()
	all, err := b.Sweep.ClaimExpired(t.Context(), at, at.Add(time.Hour), 1000)
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

// PendingBlobs checks ports.PendingBlobs and ports.BlobSweep of the stores that open makes.
func PendingBlobs(t *testing.T, open func(t *testing.T) PendingBlobsFixture) {
	b := open(t)
	b.testSweep(t)
	b.testRefusals(t)
}

// add lists the blob k1 as pending.
func (b PendingBlobsFixture) add(t *testing.T, id tenant.ID, until time.Time) {
	t.Helper()
	mustInTx(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.PendingBlobs.Add(ctx, id, "k1", until) })
}

func (b PendingBlobsFixture) commit(t *testing.T, id tenant.ID, key string) error {
	t.Helper()
	return inTx(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.PendingBlobs.Commit(ctx, id, key) })
}

// testSweep tests which keys are claimed, and when.
func (b PendingBlobsFixture) testSweep(t *testing.T) {
	t.Run("an uncommitted blob expires once", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day.Add(time.Minute))
		if got := b.claimExpired(t, id, day); got != nil {
			t.Errorf("too early: %v", got)
		}
		if got := b.claimExpired(t, id, day.Add(time.Minute)); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
		if got := b.claimExpired(t, id, day.Add(time.Minute)); got != nil {
			t.Errorf("claimed by a second sweep: %v", got)
		}
		if got := b.claimExpired(t, id, day.Add(2*time.Hour)); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("after the first one failed: %v", got)
		}
		if err := b.Sweep.MarkDeleted(t.Context(), ports.ExpiredBlob{Tenant: id, Key: "k1"}); err != nil {
			t.Fatal(err)
		}
		if got := b.claimExpired(t, id, day.Add(9*time.Hour)); got != nil {
			t.Errorf("after it was deleted: %v", got)
		}
	})
	t.Run("a committed blob stays until it is added again", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day)
		if err := b.commit(t, id, "k1"); err != nil {
			t.Fatal(err)
		}
		mustInTx(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.PendingBlobs.ExpireSoon(ctx, id, "k1", day) })
		if got := b.claimExpired(t, id, day.Add(time.Hour)); got != nil {
			t.Errorf("adopted: %v", got)
		}
		mustInTx(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error {
			return tx.PendingBlobs.Add(ctx, id, "k1", day.Add(time.Hour))
		})
		if got := b.claimExpired(t, id, day.Add(time.Hour)); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("left: %v", got)
		}
	})
}

// testRefusals tests what cannot be committed, expired sooner or accessed.
func (b PendingBlobsFixture) testRefusals(t *testing.T) {
	t.Run("a claimed or unknown blob cannot be committed", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day)
		b.claimExpired(t, id, day)
		for _, key := range []string{"k1", "k2"} {
			if err := b.commit(t, id, key); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("%s: %v", key, err)
			}
		}
	})
	t.Run("a failed commit changes nothing", func(t *testing.T) {
		id, failed := freshTenant(), errors.New("failed")
		b.add(t, id, day)
		err := inTx(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.PendingBlobs.Commit(ctx, id, "k1"), failed)
		})
		if !errors.Is(err, failed) {
			t.Fatal(err)
		}
		if got := b.claimExpired(t, id, day); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
	})
	t.Run("ExpireSoon moves the expiry forward", func(t *testing.T) {
		id := freshTenant()
		b.add(t, id, day.Add(time.Hour))
		mustInTx(t, b.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.PendingBlobs.ExpireSoon(ctx, id, "k1", day) })
		if got := b.claimExpired(t, id, day); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
	})
	t.Run("blobs of another tenant are inaccessible", func(t *testing.T) {
		id, other := freshTenant(), freshTenant()
		b.add(t, id, day)
		for name, do := range map[string]func(context.Context, ports.Tx) error{
			"add":        func(ctx context.Context, tx ports.Tx) error { return tx.PendingBlobs.Add(ctx, id, "k2", day) },
			"commit":     func(ctx context.Context, tx ports.Tx) error { return tx.PendingBlobs.Commit(ctx, id, "k1") },
			"as its own": func(ctx context.Context, tx ports.Tx) error { return tx.PendingBlobs.Commit(ctx, other, "k1") },
		} {
			if err := inTx(t, b.Store, other, do); err == nil {
				t.Errorf("%s worked", name)
			}
		}
		if got := b.claimExpired(t, id, day); !slices.Equal(got, []string{"k1"}) {
			t.Errorf("due: %v", got)
		}
	})
}
