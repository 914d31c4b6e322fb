package memory_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestReceiptCache(t *testing.T) {
	portstest.ReceiptCache(t, func(_ *testing.T, database ports.Epochs) ports.ReceiptCache {
		return memory.NewReceipts(1<<20, time.Now, database)
	})
}

func TestLeastRecentlyUsedReceiptIsEvicted(t *testing.T) {
	c := memory.NewReceipts(2500, time.Now, portstest.InEpoch("1"))
	ctx := t.Context()
	for i := range byte(2) {
		c.Put(ctx, "1", ports.Receipt{Key: ports.ReceiptKey{i}, Body: make([]byte, 600)})
	}
	c.Find(ctx, ports.ReceiptKey{0})
	c.Put(ctx, "1", ports.Receipt{Key: ports.ReceiptKey{2}, Body: make([]byte, 600)})
	for i, want := range []bool{true, false, true} {
		if _, ok := c.Find(ctx, ports.ReceiptKey{byte(i)}); ok != want {
			t.Errorf("receipt %d found = %v, want %v", i, ok, want)
		}
	}
}

func TestReceiptExpires(t *testing.T) {
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	c := memory.NewReceipts(1<<20, func() time.Time { return now }, portstest.InEpoch("1"))
	c.Put(t.Context(), "1", ports.Receipt{Expires: now.Add(time.Hour)})
	now = now.Add(time.Hour)
	if _, ok := c.Find(t.Context(), ports.ReceiptKey{}); ok {
		t.Error("an expired receipt was found")
	}
}
