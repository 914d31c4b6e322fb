// Package memory keeps in this process what a server without Redis would keep there.
package memory

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// entryOverhead is what an entry costs besides its body: keys, list element, map slot, fixed fields.
const entryOverhead = 400

// Receipts is a ports.ReceiptCache that forgets the least recently used entries above its limit.
type Receipts struct {
	limit int // bytes
	now   func() time.Time

	mu    sync.Mutex
	used  int
	order *list.List // of *entry, most recently used first
	byKey map[slot]*list.Element
}

// slot separates what is known of a key: its receipt and the mark that it is running.
type slot struct {
	key    ports.ReceiptKey
	leased bool
}

type entry struct {
	slot    slot
	receipt ports.Receipt // slots of receipts
	owner   string        // slots of leases
	until   time.Time     // zero: no end
}

var _ ports.ReceiptCache = (*Receipts)(nil)

// NewReceipts is a cache of at most limit bytes that tells the time by now.
func NewReceipts(limit int, now func() time.Time) *Receipts {
	return &Receipts{limit: limit, now: now, order: list.New(), byKey: map[slot]*list.Element{}}
}

// Find implements ports.ReceiptCache.
func (c *Receipts) Find(_ context.Context, key ports.ReceiptKey) (ports.Receipt, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.live(slot{key: key})
	if e == nil {
		return ports.Receipt{}, false
	}
	return e.receipt, true
}

// Keep implements ports.ReceiptCache.
func (c *Receipts) Keep(_ context.Context, r ports.Receipt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(&entry{slot: slot{key: r.Key}, receipt: r, until: r.Expires})
}

// Lease implements ports.ReceiptCache.
func (c *Receipts) Lease(_ context.Context, key ports.ReceiptKey, owner string, lease time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := slot{key: key, leased: true}
	if e := c.live(s); e != nil && e.owner != owner {
		return false
	}
	c.put(&entry{slot: s, owner: owner, until: c.now().Add(lease)})
	return true
}

// Unlease implements ports.ReceiptCache.
func (c *Receipts) Unlease(_ context.Context, key ports.ReceiptKey, owner string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := slot{key: key, leased: true}
	if e := c.live(s); e != nil && e.owner == owner {
		c.drop(c.byKey[s])
	}
}

// live is the entry of s as long as its time has not come, and makes it the most recent one.
func (c *Receipts) live(s slot) *entry {
	el := c.byKey[s]
	if el == nil {
		return nil
	}
	e := el.Value.(*entry)
	if !e.until.IsZero() && !c.now().Before(e.until) {
		c.drop(el)
		return nil
	}
	c.order.MoveToFront(el)
	return e
}

func (c *Receipts) put(e *entry) {
	if old := c.byKey[e.slot]; old != nil {
		c.drop(old)
	}
	c.byKey[e.slot] = c.order.PushFront(e)
	c.used += e.cost()
	for c.used > c.limit {
		c.drop(c.order.Back())
	}
}

func (c *Receipts) drop(el *list.Element) {
	e := c.order.Remove(el).(*entry)
	delete(c.byKey, e.slot)
	c.used -= e.cost()
}

func (e *entry) cost() int { return entryOverhead + len(e.receipt.Body) }
