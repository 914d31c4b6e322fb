package graphql

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// documentCache keeps valid documents by the hash of their text, so that a storefront's queries are parsed
// and validated once. The least recently used are dropped first. It never holds variables, callers or
// responses.
type documentCache struct {
	maxBytes int // bytes

	mu    sync.Mutex
	bytes int
	order *list.List // of *kept, the latest first
	byKey map[[32]byte]*list.Element
}

type cacheEntry struct {
	key [32]byte
	doc *document
}

func newDocumentCache(most int) *documentCache {
	return &documentCache{maxBytes: most, order: list.New(), byKey: map[[32]byte]*list.Element{}}
}

// find is the document of text, parsed by read on a miss.
func (d *documentCache) find(text string, read func(string) (*document, error)) (*document, error) {
	key := sha256.Sum256([]byte(text))
	d.mu.Lock()
	if e := d.byKey[key]; e != nil {
		d.order.MoveToFront(e)
		d.mu.Unlock()
		return e.Value.(*cacheEntry).doc, nil
	}
	d.mu.Unlock()
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
	if d.byKey[key] != nil || doc.size > d.maxBytes/8 {
		return
	}
	d.byKey[key] = d.order.PushFront(&cacheEntry{key, doc})
	d.bytes += doc.size
	for d.bytes > d.maxBytes {
		last := d.order.Back()
		gone := d.order.Remove(last).(*cacheEntry)
		delete(d.byKey, gone.key)
		d.bytes -= gone.doc.size
	}
}
