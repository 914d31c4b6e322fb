package portstest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func receiptOf(id tenant.ID, key ports.ReceiptKey) ports.Receipt {
	return ports.Receipt{
		Tenant: id, Key: key, Fingerprint: freshKey(), Result: ports.ReceiptCreated, Body: []byte("{\"z\":1,\n\"a\":\"\\u0000\"}"),
		RequestID: "req-1", Record: "cart-1", Sequence: 3, TokenVersion: 2, At: day, Expires: day.Add(7 * 24 * time.Hour),
	}
}

// Receipts checks ports.Receipts of the stores that open makes.
func Receipts(t *testing.T, open func(t *testing.T) ports.Store) {
	s := open(t)
	keep := func(r ports.Receipt) func(context.Context, ports.Tx) error {
		return func(ctx context.Context, tx ports.Tx) error { return tx.Receipts.Save(ctx, r, 0) }
	}
	t.Run("a receipt is read as it was stored, by its tenant only", func(t *testing.T) {
		want := receiptOf(freshTenant(), freshKey())
		mustInTx(t, s, want.Tenant, keep(want))
		if got, err := s.Read(ports.ForTenant(want.Tenant)).Receipt(t.Context(), want.Key); err != nil || !sameReceipt(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		if _, err := s.Read(ports.ForTenant(freshTenant())).Receipt(t.Context(), want.Key); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("another tenant: %v, want ErrNotFound", err)
		}
	})
	t.Run("one without an end, of an older version, is read as it was stored", func(t *testing.T) {
		want := receiptOf(freshTenant(), freshKey())
		want.Expires = time.Time{}
		mustInTx(t, s, want.Tenant, keep(want))
		if got, err := s.Read(ports.ForTenant(want.Tenant)).Receipt(t.Context(), want.Key); err != nil || !got.Expires.IsZero() {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("a second receipt of a key is refused", func(t *testing.T) {
		r := receiptOf(freshTenant(), freshKey())
		mustInTx(t, s, r.Tenant, keep(r))
		if err := inTx(t, s, r.Tenant, keep(r)); !errors.Is(err, ports.ErrReceiptExists) {
			t.Errorf("err = %v, want ErrReceiptExists", err)
		}
	})
	t.Run("a rolled back transaction stores none", func(t *testing.T) {
		r := receiptOf(freshTenant(), freshKey())
		err := inTx(t, s, r.Tenant, func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.Receipts.Save(ctx, r, 0), errRollback)
		})
		if _, missing := s.Read(ports.ForTenant(r.Tenant)).Receipt(t.Context(), r.Key); !errors.Is(err, errRollback) ||
			!errors.Is(missing, ports.ErrNotFound) {
			t.Errorf("%v, then %v", err, missing)
		}
	})
	t.Run("nothing is stored for another tenant", func(t *testing.T) {
		if err := inTx(t, s, freshTenant(), keep(receiptOf(freshTenant(), freshKey()))); err == nil {
			t.Error("stored")
		}
	})
}

// ClaimsFixture is a store and its claims.
type ClaimsFixture struct {
	Store  ports.Store
	Claims ports.Claims
}

// long does not end during a test, short ends at once.
const long, short = time.Minute, time.Millisecond

// Claims checks ports.Claims of the stores that open makes.
func Claims(t *testing.T, open func(t *testing.T) ClaimsFixture) {
	bed := open(t)
	run := func(name string, test func(t *testing.T, c claimFixture)) {
		t.Run(name, func(t *testing.T) { test(t, claimFixture{bed, freshTenant(), freshKey(), [32]byte{1}}) })
	}
	run("a key has one holder at a time", claimOnce)
	run("one of many gets the claim", func(t *testing.T, c claimFixture) {
		var held atomic.Int64
		var all sync.WaitGroup
		for range 30 {
			all.Go(func() {
				if fence, _, err := c.claim(t, long); err == nil && fence == 1 {
					held.Add(1)
				} else if fault.From(err).Reason != "idempotency_in_progress" {
					t.Errorf("fence %d, %v", fence, err)
				}
			})
		}
		all.Wait()
		if held.Load() != 1 {
			t.Errorf("%d hold it, want 1", held.Load())
		}
	})
	run("a lease that ran out is taken over, and the old holder is fenced", claimTakeover)
	run("a stored receipt answers later claims", func(t *testing.T, c claimFixture) {
		fence, _, err := c.claim(t, short)
		if err != nil {
			t.Fatal(err)
		}
		want := receiptOf(c.id, c.key)
		mustInTx(t, c.Store, c.id, func(ctx context.Context, tx ports.Tx) error { return tx.Receipts.Save(ctx, want, fence) })
		fence, done, err := c.claim(t, long)
		if err != nil || fence != 0 || done == nil || !sameReceipt(*done, want) {
			t.Errorf("fence %d, %+v, %v; want the receipt", fence, done, err)
		}
	})
	run("a running claim is no receipt", func(t *testing.T, c claimFixture) {
		_, _, err := c.claim(t, long)
		if _, missing := c.Store.Read(ports.ForTenant(c.id)).Receipt(t.Context(), c.key); err != nil ||
			!errors.Is(missing, ports.ErrNotFound) {
			t.Errorf("%v, then %v, want ErrNotFound", err, missing)
		}
	})
	run("a dropped claim runs again at once, with another body too", claimDrop)
}

// claimFixture is one key under test.
type claimFixture struct {
	ClaimsFixture

	id          tenant.ID
	key         ports.ReceiptKey
	fingerprint [32]byte
}

func (c claimFixture) claim(t *testing.T, lease time.Duration) (int64, *ports.Receipt, error) {
	return c.Claims.Claim(t.Context(), c.id, c.key, c.fingerprint, lease)
}

func claimOnce(t *testing.T, c claimFixture) {
	fence, done, err := c.claim(t, long)
	if err != nil || fence != 1 || done != nil {
		t.Fatalf("first: %d, %v, %v", fence, done, err)
	}
	if _, _, err := c.claim(t, long); fault.From(err).Reason != "idempotency_in_progress" {
		t.Errorf("second: %v, want idempotency_in_progress", err)
	}
	other := c
	other.fingerprint = [32]byte{2}
	if _, _, err := other.claim(t, long); fault.From(err).Reason != "idempotency_key_reused" {
		t.Errorf("with another body: %v, want idempotency_key_reused", err)
	}
	other = c
	other.id = freshTenant()
	if fence, _, err := other.claim(t, long); err != nil || fence != 1 {
		t.Errorf("another tenant: %d, %v", fence, err)
	}
	if err := c.Claims.Renew(t.Context(), c.id, c.key, fence, long); err != nil {
		t.Errorf("renew: %v", err)
	}
}

func claimTakeover(t *testing.T, c claimFixture) {
	first, _, err := c.claim(t, short)
	if err != nil {
		t.Fatal(err)
	}
	var second int64
	eventually(t, "the lease runs out", func() bool { second, _, err = c.claim(t, long); return err == nil })
	if second <= first {
		t.Errorf("fences %d then %d, want them to grow", first, second)
	}
	if err := c.Claims.Renew(t.Context(), c.id, c.key, first, long); !errors.Is(err, ports.ErrClaimLost) {
		t.Errorf("old holder renews: %v, want ErrClaimLost", err)
	}
	if err := c.Claims.Release(t.Context(), c.id, c.key, first); err != nil {
		t.Errorf("old holder releases: %v", err)
	}
	keep := func(fence int64) error {
		return inTx(t, c.Store, c.id, func(ctx context.Context, tx ports.Tx) error {
			return tx.Receipts.Save(ctx, receiptOf(c.id, c.key), fence)
		})
	}
	if err := keep(first); !errors.Is(err, ports.ErrClaimLost) {
		t.Errorf("old holder commits: %v, want ErrClaimLost", err)
	}
	if err := keep(second); err != nil {
		t.Errorf("new holder commits: %v", err)
	}
}

func claimDrop(t *testing.T, c claimFixture) {
	first, _, err := c.claim(t, long)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Claims.Release(t.Context(), c.id, c.key, first); err != nil {
		t.Fatal(err)
	}
	c.fingerprint = [32]byte{2}
	second, _, err := c.claim(t, long)
	if err != nil || second <= first {
		t.Errorf("fence %d after %d, %v", second, first, err)
	}
}
