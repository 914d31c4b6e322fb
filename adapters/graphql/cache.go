package graphql

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// documents remembers documents that fit the schema, by what their text hashes to, so that a storefront's queries are
// parsed and validated once. The longest unused go first. It never holds variables, callers or answers.
type documents struct {
	most int // bytes

	mu    sync.Mutex
	bytes int
	order *list.List // of *kept, the latest first
	byKey map[[32]byte]*list.Element
}

type kept struct {
	key [32]byte
	doc *document
}

func newDocuments(most int) *documents {
	return &documents{most: most, order: list.New(), byKey: map[[32]byte]*list.Element{}}
}

// find is the document of text, made by read where it is not known.
func (d *documents) find(text string, read func(string) (*document, error)) (*document, error) {
	key := sha256.Sum256([]byte(text))
	d.mu.Lock()
	if e := d.byKey[key]; e != nil {
		d.order.MoveToFront(e)
		d.mu.Unlock()
		return e.Value.(*kept).doc, nil
	}
	d.mu.Unlock()
	doc, err := read(text)
	if err == nil {
		d.keep(key, doc)
	}
	return doc, err
}

// keep remembers doc, unless it would push most of the others out.
func (d *documents) keep(key [32]byte, doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byKey[key] != nil || doc.size > d.most/8 {
		return
	}
	d.byKey[key] = d.order.PushFront(&kept{key, doc})
	d.bytes += doc.size
	for d.bytes > d.most {
		last := d.order.Back()
		gone := d.order.Remove(last).(*kept)
		delete(d.byKey, gone.key)
		d.bytes -= gone.doc.size
	}
}
