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

// EpochSwitch is a ports.Epochs without a database.
type EpochSwitch struct{ now atomic.Value }

// InEpoch is that of a database which is in epoch e.
func InEpoch(e ports.Epoch) *EpochSwitch {
	d := &EpochSwitch{}
	d.Begin(e)
	return d
}

// Begin begins another epoch; in "" the database is away.
func (d *EpochSwitch) Begin(e ports.Epoch) { d.now.Store(e) }

// KnownEpoch implements ports.Epochs.
func (d *EpochSwitch) KnownEpoch() ports.Epoch { return d.now.Load().(ports.Epoch) }

// CurrentEpoch implements ports.Epochs.
func (d *EpochSwitch) CurrentEpoch(context.Context) (e ports.Epoch, ok bool) {
	e = d.KnownEpoch()
	return e, e != ""
}

// ReceiptCache checks ports.ReceiptCache of the caches that open makes of a database; all may have the same contents.
func ReceiptCache(t *testing.T, open func(t *testing.T, database ports.Epochs) ports.ReceiptCache) {
	t.Run("an unknown key is not found", func(t *testing.T) {
		if _, ok := open(t, InEpoch("1")).Find(t.Context(), freshKey()); ok {
			t.Error("found")
		}
	})
	t.Run("a receipt is found as it was stored", func(t *testing.T) { cacheKeeps(t, open(t, InEpoch("1"))) })
	t.Run("one of another epoch is not", func(t *testing.T) { cacheForgetsWithEpoch(t, open) })
	t.Run("a lease", func(t *testing.T) { cacheLeases(t, open(t, InEpoch("1"))) })
	t.Run("one of many gets the lease", func(t *testing.T) {
		c, key := open(t, InEpoch("1")), freshKey()
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

func cachedReceipt() ports.Receipt {
	return ports.Receipt{
		Tenant: "t1", Key: freshKey(), Fingerprint: freshKey(), Result: ports.ReceiptCreated, Body: []byte("{\"b\":1,\n\"a\":2}"),
		RequestID: "req-1", Record: "cart-1", Sequence: 7, TokenVersion: 3, At: time.Now().UTC(), Expires: time.Now().UTC().Add(time.Hour),
	}
}

// cacheForgetsWithEpoch checks that a receipt is found only while the database is in the epoch that was taken before
// the receipt was stored.
func cacheForgetsWithEpoch(t *testing.T, open func(*testing.T, ports.Epochs) ports.ReceiptCache) {
	database, r := InEpoch("before"), cachedReceipt()
	c := open(t, database)
	epoch := c.Epoch()
	found := func() bool { _, ok := c.Find(t.Context(), r.Key); return ok }
	c.Put(t.Context(), epoch, r)
	eventually(t, "the receipt is stored", found)
	for _, other := range []ports.Epoch{"after", ""} {
		if database.Begin(other); found() {
			t.Errorf("found in epoch %q", other)
		}
	}
	if database.Begin("before"); !found() {
		t.Error("forgotten, although the database lost nothing")
	}
	database.Begin("after") // while the answer was on its way
	c.Put(t.Context(), epoch, r)
	if found() {
		t.Error("a receipt that a promotion may have lost was found after it")
	}
	c.Put(t.Context(), c.Epoch(), r)
	eventually(t, "the receipt of the new epoch is stored", found)
}

func cacheKeeps(t *testing.T, c ports.ReceiptCache) {
	want := cachedReceipt()
	c.Put(t.Context(), c.Epoch(), want)
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
