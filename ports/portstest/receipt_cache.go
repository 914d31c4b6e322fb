// Package portstest has the contract suites of the ports, which every adapter of a port must pass.
package portstest

import (
	"bytes"
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// day is the time used in these suites.
var day = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// freshKey returns a new receipt key.
func freshKey() (key ports.ReceiptKey) {
	_, _ = rand.Read(key[:]) // never fails
	return key
}

// eventually waits for a condition that has to become true soon.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for !cond() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("not in time: %s", what)
		}
	}
}

// ReceiptCache checks ports.ReceiptCache of the caches that open makes, which may be the same one every time.
func ReceiptCache(t *testing.T, open func(t *testing.T) ports.ReceiptCache) {
	t.Run("an unknown key is not found", func(t *testing.T) {
		if _, ok := open(t).Find(t.Context(), freshKey()); ok {
			t.Error("found")
		}
	})
	t.Run("a receipt is found as it was stored", func(t *testing.T) { cacheKeeps(t, open(t)) })
	t.Run("a lease", func(t *testing.T) { cacheLeases(t, open(t)) })
	t.Run("one of many gets the lease", func(t *testing.T) {
		c, key := open(t), freshKey()
		var held atomic.Int64
		var all sync.WaitGroup
		for i := range 64 {
			all.Go(func() {
				if c.Lease(t.Context(), key, string(rune('A'+i)), time.Minute) {
					held.Add(1)
				}
			})
		}
		all.Wait()
		if held.Load() != 1 {
			t.Errorf("%d hold it, want 1", held.Load())
		}
	})
}

func cacheKeeps(t *testing.T, c ports.ReceiptCache) {
	want := ports.Receipt{
		Tenant: "t1", Key: freshKey(), Fingerprint: freshKey(), Result: ports.ReceiptCreated, Body: []byte("{\"b\":1,\n\"a\":2}"),
		RequestID: "req-1", Record: "cart-1", Sequence: 7, TokenVersion: 3, At: time.Now().UTC(), Expires: time.Now().UTC().Add(time.Hour),
	}
	c.Put(t.Context(), want)
	var got ports.Receipt
	eventually(t, "the receipt is stored", func() (ok bool) { got, ok = c.Find(t.Context(), want.Key); return ok })
	if !sameReceipt(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// sameReceipt compares everything that a client can observe.
func sameReceipt(a, b ports.Receipt) bool {
	return a.Tenant == b.Tenant && a.Key == b.Key && a.Fingerprint == b.Fingerprint && a.Result == b.Result &&
		bytes.Equal(a.Body, b.Body) && a.RequestID == b.RequestID && a.Record == b.Record && a.Sequence == b.Sequence &&
		a.TokenVersion == b.TokenVersion && a.At.Equal(b.At) && a.Expires.Equal(b.Expires)
}

func cacheLeases(t *testing.T, c ports.ReceiptCache) {
	ctx, key := t.Context(), freshKey()
	steps := []struct {
		name string
		do   func() bool
		want bool
	}{
		{"the first owner holds it", func() bool { return c.Lease(ctx, key, "a", time.Minute) }, true},
		{"a second owner does not", func() bool { return c.Lease(ctx, key, "b", time.Minute) }, false},
		{"the owner may renew", func() bool { return c.Lease(ctx, key, "a", time.Minute) }, true},
		{"an outsider cannot end it", func() bool { c.ReleaseLease(ctx, key, "b"); return c.Lease(ctx, key, "b", time.Minute) }, false},
		{"the owner can", func() bool { c.ReleaseLease(ctx, key, "a"); return c.Lease(ctx, key, "b", time.Minute) }, true},
		{"a receipt may stand beside it", func() bool { _, ok := c.Find(ctx, key); return ok }, false},
	}
	for _, s := range steps {
		if got := s.do(); got != s.want {
			t.Fatalf("%s: %v, want %v", s.name, got, s.want)
		}
	}
	short := freshKey()
	c.Lease(ctx, short, "a", 5*time.Millisecond)
	eventually(t, "the lease runs out", func() bool { return c.Lease(ctx, short, "b", time.Minute) })
}
