package productindex

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// cache has what was read of the indexes, as far as there is room: what was used longest ago goes first.
type cache struct {
	db     *db.DB
	fold   collection.Fold
	memory int

	mu      sync.Mutex
	epoch   ports.Epoch
	tenants map[tenant.ID]*shelf
	entries *simplelru.LRU[entryKey, entry]
	used    int // bytes
}

type entryKey struct {
	shelf *shelf
	kind  entryKind
	name  string // term, number, or from and to of a span or of words
}

type entryKind byte

const (
	termEntry entryKind = iota
	spanEntry
	wordsEntry
	groupsEntry
	columnsEntry
	idEntry
)

type entry struct {
	value any
	bytes int
}

// shelf is what a tenant's entries are of. Where all of them are out of date, the tenant gets another one.
type shelf struct {
	mu       sync.Mutex // held while something is read from the database, or dropped
	revision int64
	spans    map[string]bool // names of the entries that are spans, or were
	words    map[string]bool // and of those that are words
	columns  sync.Mutex      // held while columns are made
}

func newShelf(revision int64) *shelf {
	return &shelf{revision: revision, spans: map[string]bool{}, words: map[string]bool{}}
}

func newCache(d *db.DB, fold collection.Fold, memory int) *cache {
	c := &cache{db: d, fold: fold, memory: memory, tenants: map[tenant.ID]*shelf{}}
	c.entries, _ = simplelru.NewLRU(1<<30, func(_ entryKey, e entry) { c.used -= e.bytes })
	return c
}

// maxShelves bounds the tenants that are remembered; above, all is dropped.
const maxShelves = 10_000

// shelf is that of a tenant. What was read from another database than the present one is dropped.
func (c *cache) shelf(id tenant.ID) *shelf {
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch := c.db.LastEpoch(); epoch != c.epoch || len(c.tenants) > maxShelves {
		c.epoch, c.tenants = epoch, map[tenant.ID]*shelf{}
		c.entries.Purge()
		c.used = 0
	}
	if c.tenants[id] == nil {
		c.tenants[id] = newShelf(0)
	}
	return c.tenants[id]
}

// replace is a new shelf of a tenant.
func (c *cache) replace(id tenant.ID, revision int64) *shelf {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tenants[id] = newShelf(revision)
	return c.tenants[id]
}

func (c *cache) get(k entryKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(k)
	return e.value, ok
}

// peek is get of what is not used.
func (c *cache) peek(k entryKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Peek(k)
	return e.value, ok
}

func (c *cache) put(k entryKey, value any, bytes int) {
	const overhead = 200 // of an entry without its value
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(k)
	c.entries.Add(k, entry{value, bytes + overhead + len(k.name)})
	for c.used += bytes + overhead + len(k.name); c.used > c.memory && c.entries.Len() > 1; {
		c.entries.RemoveOldest()
	}
}

func (c *cache) remove(k entryKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(k)
}
