// Package memory keeps in this process what Redis keeps for several.
package memory

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/cartwright-dev/cartwright/ports"
)

// entryOverhead is the memory of an entry besides its body: keys, list element, map slot, fixed fields.
const entryOverhead = 400

// Receipts is a ports.ReceiptCache that evicts the least recently used entries above its limit. Decision 33.
type Receipts struct {
	maxBytes int // bytes
	now      func() time.Time
	database ports.Epochs

	mu        sync.Mutex
	usedBytes int
	entries   *simplelru.LRU[entryKey, entry]
}

// entryKey separates the entries of a key: its receipt and the lease of a running request.
type entryKey struct {
	key    ports.ReceiptKey
	leased bool
}

type entry struct {
	receipt ports.Receipt // for receipts
	epoch   ports.Epoch   // likewise
	owner   string        // for leases
	expires time.Time     // zero: never
}

var _ ports.ReceiptCache = (*Receipts)(nil)

// NewReceipts is a cache of at most limit bytes, of receipts in database; now is its clock.
func NewReceipts(limit int, now func() time.Time, database ports.Epochs) *Receipts {
	c := &Receipts{maxBytes: limit, now: now, database: database}
	c.entries, _ = simplelru.NewLRU(math.MaxInt, func(_ entryKey, gone entry) { c.usedBytes -= gone.size() }) // fails on sizes below 1
	return c
}

// Epoch implements ports.ReceiptCache.
func (c *Receipts) Epoch() ports.Epoch { return c.database.KnownEpoch() }

// Find implements ports.ReceiptCache.
func (c *Receipts) Find(ctx context.Context, key ports.ReceiptKey) (ports.Receipt, bool) {
	c.mu.Lock()
	e, ok := c.lookup(entryKey{key: key})
	c.mu.Unlock()
	if !ok {
		return ports.Receipt{}, false
	}
	if now, known := c.database.CurrentEpoch(ctx); !known || now != e.epoch {
		return ports.Receipt{}, false
	}
	return e.receipt, true
}

// Put implements ports.ReceiptCache.
func (c *Receipts) Put(_ context.Context, epoch ports.Epoch, r ports.Receipt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(entryKey{key: r.Key}, entry{receipt: r, epoch: epoch, expires: r.Expires})
}

// Lease implements ports.ReceiptCache.
func (c *Receipts) Lease(_ context.Context, key ports.ReceiptKey, owner string, lease time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := entryKey{key: key, leased: true}
	if e, ok := c.lookup(k); ok && e.owner != owner {
		return false
	}
	c.put(k, entry{owner: owner, expires: c.now().Add(lease)})
	return true
}

// ReleaseLease implements ports.ReceiptCache.
func (c *Receipts) ReleaseLease(_ context.Context, key ports.ReceiptKey, owner string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := entryKey{key: key, leased: true}
	if e, ok := c.lookup(k); ok && e.owner == owner {
		c.entries.Remove(k)
	}
}

// lookup is the unexpired entry of k, which becomes the most recently used.
func (c *Receipts) lookup(k entryKey) (entry, bool) {
	e, ok := c.entries.Get(k)
	if ok && !e.expires.IsZero() && !c.now().Before(e.expires) {
		c.entries.Remove(k)
		return entry{}, false
	}
	return e, ok
}

func (c *Receipts) put(k entryKey, e entry) {
	c.entries.Remove(k)
	c.entries.Add(k, e)
	for c.usedBytes += e.size(); c.usedBytes > c.maxBytes; {
		c.entries.RemoveOldest()
	}
}

func (e entry) size() int { return entryOverhead + len(e.receipt.Body) }
