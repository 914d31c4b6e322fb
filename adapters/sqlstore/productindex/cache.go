package productindex

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Marks of changes that are not bits.
const (
	groupsMark = "\x01"
	wordMark   = "\x02"
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
	tenant tenant.ID
	kind   entryKind
	name   string // term, or from and to of a range
}

type entryKind byte

const (
	termEntry entryKind = iota
	rangeEntry
	wordsEntry
	groupsEntry
)

type entry struct {
	value any
	bytes int
}

// span is the terms from one to another one, with their sets. It is never changed.
type span struct {
	from, to string
	terms    []string
	sets     []*roaring.Bitmap
}

// groupList is all groups of a tenant. It is never changed.
type groupList struct {
	all   []productsearch.Group
	words [][]string
	at    map[string]int // places, by term
}

// shelf is what a tenant's entries are of.
type shelf struct {
	mu       sync.Mutex // held while something is read from the database, or dropped
	revision int64
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
		c.tenants[id] = &shelf{}
	}
	return c.tenants[id]
}

func (c *cache) get(k entryKey) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.Get(k)
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

func (c *cache) drop(drops func(entryKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.entries.Keys() {
		if drops(k) {
			c.entries.Remove(k)
		}
	}
}

// view is the cache for one search of a tenant.
type view struct {
	*cache

	ctx    context.Context //nolint:containedctx // a view lives for one search
	tenant tenant.ID
	shelf  *shelf
}

// open drops what has changed of a tenant since it was read.
func (c *cache) open(ctx context.Context, id tenant.ID) (*view, error) {
	v := &view{c, ctx, id, c.shelf(id)}
	var revision, forgotten int64
	if _, err := db.QueryRow(ctx, v.reader(), []any{&revision, &forgotten},
		"SELECT revision, forgotten FROM product_places WHERE tenant = $1", string(id)); err != nil {
		return nil, err
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	if v.shelf.revision >= revision {
		return v, nil
	}
	if v.shelf.revision == 0 || v.shelf.revision < forgotten {
		c.drop(func(k entryKey) bool { return k.tenant == id })
		v.shelf.revision = revision
		return v, nil
	}
	return v, v.follow()
}

func (v *view) reader() db.Session { return v.db.Reader(ports.ForTenant(v.tenant)) }

// follow drops the terms that have changed, and adds new words.
func (v *view) follow() error {
	changed := map[string]bool{}
	last := v.shelf.revision
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var packed []byte
		if err := r.Scan(&last, &packed); err != nil {
			return err
		}
		terms, err := unpackTerms(packed)
		for _, t := range terms {
			changed[t] = true
		}
		return err
	}, "SELECT revision, terms FROM product_changes WHERE tenant = $1 AND revision > $2 ORDER BY revision", string(v.tenant), v.shelf.revision)
	if err != nil {
		return err
	}
	var words []string
	for t := range changed {
		switch {
		case strings.HasPrefix(t, wordMark):
			words = append(words, t[len(wordMark):])
		case t == groupsMark:
			v.drop(func(k entryKey) bool { return k.tenant == v.tenant && k.kind == groupsEntry })
		default:
			v.removeEntry(entryKey{v.tenant, termEntry, t})
		}
	}
	if err := v.reloadSpans(changed); err != nil {
		return err
	}
	v.addWords(words)
	v.shelf.revision = last
	return nil
}

func (c *cache) removeEntry(k entryKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Remove(k)
}

// maxReread is how many terms of a span are read again alone; of more the whole span is.
const maxReread = 200

// reloadSpans reads the changed terms of spans again.
func (v *view) reloadSpans(changed map[string]bool) error {
	v.mu.Lock()
	var spans []*span
	for _, k := range v.entries.Keys() {
		if e, ok := v.entries.Peek(k); ok && k.tenant == v.tenant && k.kind == rangeEntry {
			spans = append(spans, e.value.(*span))
		}
	}
	v.mu.Unlock()
	for _, s := range spans {
		var terms []string
		for t := range changed {
			if t >= s.from && t < s.to {
				terms = append(terms, t)
			}
		}
		if len(terms) == 0 {
			continue
		}
		key := entryKey{v.tenant, rangeEntry, s.from + between + s.to}
		if len(terms) > maxReread {
			v.removeEntry(key)
			continue
		}
		sets, err := v.readTerms(terms)
		if err != nil {
			return err
		}
		fresh := s.with(sets)
		v.put(key, fresh, fresh.size())
	}
	return nil
}

// with is s with other sets for some of its terms.
func (s *span) with(sets map[string]*roaring.Bitmap) *span {
	fresh := &span{from: s.from, to: s.to}
	all := map[string]*roaring.Bitmap{}
	for i, t := range s.terms {
		all[t] = s.sets[i]
	}
	maps.Copy(all, sets)
	for t, set := range all {
		if !set.IsEmpty() {
			fresh.terms = append(fresh.terms, t)
		}
	}
	slices.Sort(fresh.terms)
	for _, t := range fresh.terms {
		fresh.sets = append(fresh.sets, all[t])
	}
	return fresh
}

func (s *span) size() (bytes int) {
	for i, t := range s.terms {
		bytes += len(t) + sizeOf(s.sets[i])
	}
	return bytes
}

// sizeOf is about what a set takes in memory.
func sizeOf(b *roaring.Bitmap) int {
	const overhead = 100
	return int(b.GetSizeInBytes()) + overhead //nolint:gosec // no set has more than half a gigabyte
}

// nobody is the empty set.
var nobody = roaring.New()

// terms are the sets of terms, in their order.
func (v *view) terms(terms []string) ([]*roaring.Bitmap, error) {
	sets := make([]*roaring.Bitmap, len(terms))
	var missing []string
	for i, t := range terms {
		if known, ok := v.get(entryKey{v.tenant, termEntry, t}); ok {
			sets[i] = known.(*roaring.Bitmap)
			continue
		}
		missing = append(missing, t)
	}
	if missing == nil {
		return sets, nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	read, err := v.readTerms(missing)
	if err != nil {
		return nil, err
	}
	for t, set := range read {
		v.put(entryKey{v.tenant, termEntry, t}, set, sizeOf(set))
	}
	for i, t := range terms {
		if sets[i] == nil {
			sets[i] = read[t]
		}
	}
	return sets, nil
}

// readTerms reads the sets of terms; those of no product are empty.
func (v *view) readTerms(terms []string) (map[string]*roaring.Bitmap, error) {
	sets := make(map[string]*roaring.Bitmap, len(terms))
	for _, t := range terms {
		sets[t] = nobody
	}
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var term string
		var packed []byte
		if err := r.Scan(&term, &packed); err != nil {
			return err
		}
		if sets[term] == nobody {
			sets[term] = roaring.New()
		}
		return readBits(sets[term], packed)
	}, "SELECT term, bits FROM product_bits WHERE tenant = $1 AND "+v.db.Dialect.InList("term", "$2")+" ORDER BY term, block", string(v.tenant), terms)
	return sets, err
}

// span are the terms from one up to another one, without this, that products have.
func (v *view) span(from, to string) (*span, error) {
	key := entryKey{v.tenant, rangeEntry, from + between + to}
	if known, ok := v.get(key); ok {
		return known.(*span), nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	read := &span{from: from, to: to}
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var term string
		var packed []byte
		if err := r.Scan(&term, &packed); err != nil {
			return err
		}
		if n := len(read.terms); n == 0 || read.terms[n-1] != term {
			read.terms, read.sets = append(read.terms, term), append(read.sets, roaring.New())
		}
		return readBits(read.sets[len(read.sets)-1], packed)
	}, "SELECT term, bits FROM product_bits WHERE tenant = $1 AND term >= $2 AND term < $3 ORDER BY term, block", string(v.tenant), from, to)
	if err != nil {
		return nil, err
	}
	read = read.with(nil)
	v.put(key, read, read.size())
	return read, nil
}

// words are all words of names, sorted.
func (v *view) words() ([]string, error) {
	key := entryKey{v.tenant, wordsEntry, ""}
	if known, ok := v.get(key); ok {
		return known.([]string), nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	var words []string
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var w string
		err := r.Scan(&w)
		words = append(words, w)
		return err
	}, "SELECT word FROM product_words WHERE tenant = $1 ORDER BY word", string(v.tenant))
	if err == nil {
		v.putWords(key, words)
	}
	return words, err
}

func (v *view) putWords(key entryKey, words []string) {
	const header = 16 // of a string
	bytes := 0
	for _, w := range words {
		bytes += header + len(w)
	}
	v.put(key, words, bytes)
}

// addWords adds words to those that are cached.
func (v *view) addWords(words []string) {
	key := entryKey{v.tenant, wordsEntry, ""}
	known, ok := v.get(key)
	if !ok || len(words) == 0 {
		return
	}
	all := append(slices.Clone(known.([]string)), words...)
	slices.Sort(all)
	v.putWords(key, slices.Compact(all))
}

// groups are all groups.
func (v *view) groups() (*groupList, error) {
	key := entryKey{v.tenant, groupsEntry, ""}
	if known, ok := v.get(key); ok {
		return known.(*groupList), nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	list := &groupList{at: map[string]int{}}
	bytes := 0
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var g productsearch.Group
		var names string
		if err := r.Scan(&g.Kind, &g.ID, &g.Parent, &names); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(names), &g.Names); err != nil {
			return fmt.Errorf("names of group %s: %w", g.ID, err)
		}
		list.at[g.Term()] = len(list.all)
		list.all, list.words = append(list.all, g), append(list.words, g.WordsOf(v.fold))
		bytes += 3*len(names) + 300 //nolint:mnd // about what the maps and lists take
		return nil
	}, "SELECT kind, id, parent, names FROM product_groups WHERE tenant = $1 ORDER BY kind, id", string(v.tenant))
	if err != nil {
		return nil, err
	}
	v.put(key, list, bytes)
	return list, nil
}
