// Package memory keeps in this process what Redis keeps for several.
package memory

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// entryOverhead is the memory of an entry besides its body: keys, list element, map slot, fixed fields.
const entryOverhead = 400

// Receipts is a ports.ReceiptCache that evicts the least recently used entries above its limit.
type Receipts struct {
	maxBytes int // bytes
	now      func() time.Time

	mu        sync.Mutex
	usedBytes int
	order     *list.List // of *entry, most recently used first
	byKey     map[entryKey]*list.Element
}

// entryKey separates the entries of a key: its receipt and the lease of a running request.
type entryKey struct {
	key    ports.ReceiptKey
	leased bool
}

type entry struct {
	key     entryKey
	receipt ports.Receipt // for receipts
	owner   string        // for leases
	expires time.Time     // zero: never
}

var _ ports.ReceiptCache = (*Receipts)(nil)

// NewReceipts is a cache of at most limit bytes; now is its clock.
func NewReceipts(limit int, now func() time.Time) *Receipts {
	return &Receipts{maxBytes: limit, now: now, order: list.New(), byKey: map[entryKey]*list.Element{}}
}

// Find implements ports.ReceiptCache.
func (c *Receipts) Find(_ context.Context, key ports.ReceiptKey) (ports.Receipt, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.lookup(entryKey{key: key})
	if e == nil {
		return ports.Receipt{}, false
	}
	return e.receipt, true
}

// Put implements ports.ReceiptCache.
func (c *Receipts) Put(_ context.Context, r ports.Receipt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(&entry{key: entryKey{key: r.Key}, receipt: r, expires: r.Expires})
}

// Lease implements ports.ReceiptCache.
func (c *Receipts) Lease(_ context.Context, key ports.ReceiptKey, owner string, lease time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := entryKey{key: key, leased: true}
	if e := c.lookup(s); e != nil && e.owner != owner {
		return false
	}
	c.put(&entry{key: s, owner: owner, expires: c.now().Add(lease)})
	return true
}

// ReleaseLease implements ports.ReceiptCache.
func (c *Receipts) ReleaseLease(_ context.Context, key ports.ReceiptKey, owner string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := entryKey{key: key, leased: true}
	if e := c.lookup(s); e != nil && e.owner == owner {
		c.drop(c.byKey[s])
	}
}

// lookup is the unexpired entry of s, which becomes the most recently used.
func (c *Receipts) lookup(s entryKey) *entry {
	el := c.byKey[s]
	if el == nil {
		return nil
	}
	e := el.Value.(*entry)
	if !e.expires.IsZero() && !c.now().Before(e.expires) {
		c.drop(el)
		return nil
	}
	c.order.MoveToFront(el)
	return e
}

func (c *Receipts) put(e *entry) {
	if old := c.byKey[e.key]; old != nil {
		c.drop(old)
	}
	c.byKey[e.key] = c.order.PushFront(e)
	c.usedBytes += e.size()
	for c.usedBytes > c.maxBytes {
		c.drop(c.order.Back())
	}
}

func (c *Receipts) drop(el *list.Element) {
	e := c.order.Remove(el).(*entry)
	delete(c.byKey, e.key)
	c.usedBytes -= e.size()
}

func (e *entry) size() int { return entryOverhead + len(e.receipt.Body) }
