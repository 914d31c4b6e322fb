package graphql

import (
	"crypto/sha256"
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// documentCache keeps valid documents by the hash of their text, so that a storefront's queries are parsed
// and validated once. The least recently used are dropped first. It never holds variables, callers or
// responses. Decision 33.
type documentCache struct {
	maxBytes int

	mu    sync.Mutex
	bytes int
	byKey *simplelru.LRU[[32]byte, *document]
}

func newDocumentCache(maxBytes int) *documentCache {
	d := &documentCache{maxBytes: maxBytes}
	d.byKey, _ = simplelru.NewLRU(math.MaxInt, func(_ [32]byte, evicted *document) { d.bytes -= evicted.size }) // fails on sizes below 1
	return d
}

// find is the document of text, parsed by read on a miss.
func (d *documentCache) find(text string, read func(string) (*document, error)) (*document, error) {
	key := sha256.Sum256([]byte(text))
	d.mu.Lock()
	doc, ok := d.byKey.Get(key)
	d.mu.Unlock()
	if ok {
		return doc, nil
	}
	doc, err := read(text)
	if err == nil {
		d.add(key, doc)
	}
	return doc, err
}

// add stores doc, unless it would evict most of the others.
func (d *documentCache) add(key [32]byte, doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byKey.Contains(key) || doc.size > d.maxBytes/8 {
		return
	}
	d.byKey.Add(key, doc)
	for d.bytes += doc.size; d.bytes > d.maxBytes; {
		d.byKey.RemoveOldest()
	}
}
