package graphql

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
)

func TestDocumentCacheEvictsOldest(t *testing.T) {
	schema := testSchema(t)
	reads := 0
	d := newDocumentCache(1 << 30)
	find := func(text string) *document {
		t.Helper()
		doc, err := d.find(text, func(text string) (*document, error) { reads++; return parseDocument(&API{schema: schema}, text) })
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	text := func(i int) string { return fmt.Sprintf("query Q%02d { __typename }", i) }
	one := find(text(0))
	if find(text(0)) != one || reads != 1 {
		t.Errorf("%d reads of one document", reads)
	}
	d.maxBytes = one.size * 10
	for i := range 10 {
		find(text(i))
	}
	find(text(0)) // used again, so the second is the oldest
	find(text(10))
	reads = 0
	if find(text(0)); reads != 0 {
		t.Error("a recently used document was evicted")
	}
	if find(text(1)); reads != 1 || d.bytes > d.maxBytes || d.byKey.Len() != 10 {
		t.Errorf("%d reads, %d of %d bytes in %d documents", reads, d.bytes, d.maxBytes, d.byKey.Len())
	}
	if _, err := d.find("{ wrong }", func(text string) (*document, error) { return parseDocument(&API{schema: schema}, text) }); err == nil ||
		d.byKey.Len() != 10 {
		t.Errorf("an invalid document is cached: %v", err)
	}
}

// A comment is no part of a document: a cache that is bounded by what documents are must not keep a megabyte of each.
func TestDocumentCacheKeepsNoComments(t *testing.T) {
	schema, d := testSchema(t), newDocumentCache(cacheBytes)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for i := range 1000 {
		text := fmt.Sprintf("query Q%d { __typename } #%s", i, strings.Repeat("x", 60_000))
		if _, err := d.find(text, func(text string) (*document, error) { return parseDocument(&API{schema: schema}, text) }); err != nil {
			t.Fatal(err)
		}
	}
	if grew := heap() - before; d.byKey.Len() != 1000 || grew > cacheBytes {
		t.Errorf("%d documents of %d bytes keep %d bytes", d.byKey.Len(), d.bytes, grew)
	}
}

const shopQuery = `query($n: Int) { Things(limit: $n) { totalDocs docs { name size self { name size self { name } } parts(like: "x") { name size } } } a: Thing(id: "1") { ...F } } fragment F on Thing { name size self { name } }`

// BenchmarkKnownDocument shows what the document cache saves, compared with BenchmarkNewDocument.
func BenchmarkKnownDocument(b *testing.B) {
	e := newHarness(b).engine
	req := gqlrequest.Request{Document: shopQuery, Call: idempotency.Call{RequestID: "r"}}
	for b.Loop() {
		if a := e.Answer(b.Context(), req); a.Fault != nil {
			b.Fatal(a.Fault)
		}
	}
}

func BenchmarkNewDocument(b *testing.B) {
	e := newHarness(b).engine
	req := gqlrequest.Request{Document: shopQuery, Call: idempotency.Call{RequestID: "r"}}
	for b.Loop() {
		e.documents = newDocumentCache(cacheBytes)
		if a := e.Answer(b.Context(), req); a.Fault != nil {
			b.Fatal(a.Fault)
		}
	}
}

// BenchmarkLibrary runs the library alone: without limits, field order and JSON encoding.
func BenchmarkLibrary(b *testing.B) {
	schema := testSchema(b)
	for b.Loop() {
		if r := gql.Do(gql.Params{Schema: schema, RequestString: shopQuery, Context: b.Context()}); r.HasErrors() {
			b.Fatal(r.Errors)
		}
	}
}
