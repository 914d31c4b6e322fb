package stored_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// cachingStore answers a page and its relations from memory, so that the benchmark measures GraphQL's own work.
type cachingStore struct {
	ports.Store

	pages map[string]collection.Page
	many  map[string]map[string]collection.Record
}

type cachingReader struct {
	ports.Reader

	of *cachingStore
}

func (s *cachingStore) Read(scope ports.Scope) ports.Reader {
	return cachingReader{s.Store.Read(scope), s}
}

func (r cachingReader) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	page, known := r.of.pages[q.Schema.Slug]
	if !known {
		var err error
		if page, err = r.Reader.Find(ctx, q); err != nil {
			return page, err
		}
		r.of.pages[q.Schema.Slug] = page
	}
	page.Docs = slices.Clone(page.Docs) // callers may replace records in their list
	return page, nil
}

func (r cachingReader) GetMany(ctx context.Context, s *collection.Schema, ids []string, room *collection.Room) (map[string]collection.Record, error) {
	if found := r.of.many[s.Slug]; len(found) >= len(ids) {
		return maps.Clone(found), nil // callers may replace records in their map
	}
	found, err := r.Reader.GetMany(ctx, s, ids, room)
	r.of.many[s.Slug] = found
	return found, err
}

// BenchmarkPageOfTen is the cost of a page of 10 products with 8 fields besides the database, with a cached document.
func BenchmarkPageOfTen(b *testing.B) {
	for name, below := range map[string]string{"fields": "", "brand": " brand { id name slug }", "deep": " " + deep} {
		b.Run(name, func(b *testing.B) {
			s := onSQLite(b)
			s.stocked(10)
			s.content.Store = &cachingStore{
				Store: s.content.Store, pages: map[string]collection.Page{}, many: map[string]map[string]collection.Record{},
			}
			req := gqlrequest.Request{
				Document: `{ Products(limit: 10) { totalDocs docs { id name slug status price description createdAt updatedAt` +
					below + ` } } }`,
				Call: idempotency.Call{Principal: s.by, RequestID: "r-1"},
			}
			if a := s.engine.Answer(b.Context(), req); a.Fault != nil {
				b.Fatalf("%s", a.Body)
			}
			b.ReportAllocs()
			for b.Loop() {
				s.engine.Answer(b.Context(), req)
			}
		})
	}
}
