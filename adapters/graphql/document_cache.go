package graphql

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// documentCache remembers documents that fit the schema, by what their text hashes to, so that a storefront's queries are
// parsed and validated once. The longest unused go first. It never holds variables, callers or answers.
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

// find is the document of text, made by read where it is not known.
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

// add remembers doc, unless it would push most of the others out.
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
