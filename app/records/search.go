package records

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Bounds of a search that is narrowed by a where. Rule search-5.
const (
	maxFiltered = 500 // records that are asked for it, best first
	minTogether = 20  // of them together
	maxTogether = 100
)

// search is Find for a query with Search: the records in the order of the search. The total counts up to the record after the
// page, and no further: to find all would cost more than anybody looks at. Rule search-1.
func (c *Service) search(ctx context.Context, p tenant.Principal, s *collection.Schema, q Query) (page RecordPage, err error) {
	if _, err := access.Allowed(p, s, collection.Read); err != nil {
		return page, err
	}
	switch {
	case c.Search == nil || !search.IsTarget(s):
		return page, fault.Invalidf("q", "%s are not searched. Use where.", s.Slug)
	case !p.IsStaff():
		return page, search.ErrQuery.WithMessage("q is for users and secret keys. Use where.")
	case q.Sort != "":
		return page, search.ErrQuery.At("sort").WithMessage("What q finds is in the order of how well it matches.")
	case q.Limit < 1:
		return page, fault.Invalidf("limit", "With q, limit must be from 1 to %d.", collection.MaxLimit)
	}
	query, err := c.buildQuery(p, s, q)
	if err != nil {
		return page, err
	}
	page.Limit, page.Page = query.Limit, query.Page
	f := found{Service: c, principal: p, query: query, skip: (page.Page - 1) * page.Limit}
	if query.Where == nil {
		err = f.pageOf(ctx, q.Search)
	} else {
		err = f.filter(ctx, q.Search)
	}
	if err != nil {
		return page, err
	}
	page.Bytes, page.Total = f.bytes, int64(f.skip-f.missing+len(f.docs))
	if len(f.docs) > page.Limit {
		f.docs = f.docs[:page.Limit]
	}
	page.Docs, err = c.decorate(ctx, p, s, f.docs)
	return page, err
}

// found collects the records of a page that a search finds, and the one after it.
type found struct {
	*Service

	principal tenant.Principal
	query     collection.Query
	skip      int // records before the page
	missing   int // of them there are none
	docs      []collection.Record
	bytes     int64
}

// pageOf reads the page from what the index finds.
func (f *found) pageOf(ctx context.Context, text string) error {
	ids, err := f.Search.Find(ctx, f.principal, f.query.Schema, text, f.skip+f.query.Limit+1)
	if err != nil {
		return err
	}
	f.missing = max(0, f.skip-len(ids))
	f.docs, err = f.read(ctx, ids[f.skip-f.missing:])
	return err
}

// filter reads what the index finds, best first, until the page is full with those that match the condition.
func (f *found) filter(ctx context.Context, text string) error {
	ids, err := f.Search.Find(ctx, f.principal, f.query.Schema, text, maxFiltered)
	f.missing = f.skip
	for err == nil && len(ids) > 0 && len(f.docs) <= f.query.Limit {
		n := min(len(ids), max(minTogether, min(maxTogether, f.query.Limit+1)))
		var some []collection.Record
		some, err = f.read(ctx, ids[:n])
		ids = ids[n:]
		before := min(f.missing, len(some))
		f.missing -= before
		f.docs = append(f.docs, some[before:]...)
	}
	f.docs = f.docs[:min(len(f.docs), f.query.Limit+1)]
	return err
}

// read reads those of ids that match the condition, in their order. Records that went since the index found them are
// left out.
func (f *found) read(ctx context.Context, ids []string) ([]collection.Record, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := f.query
	q.Where, q.Sort, q.Limit, q.Page = andConds(collection.FieldIn(q.Schema, "id", ids), q.Where), nil, len(ids), 1
	q.SkipCount, q.MaxBytes = true, MaxPageBytes
	page, err := f.Store.Read(ports.ForPrincipal(f.principal)).Find(ctx, q)
	if err != nil {
		return nil, err
	}
	f.bytes += page.Bytes
	byID := make(map[string]collection.Record, len(page.Docs))
	for _, r := range page.Docs {
		byID[r.ID()] = r
	}
	docs := make([]collection.Record, 0, len(page.Docs))
	for _, id := range ids {
		if r := byID[id]; r != nil {
			docs = append(docs, r)
		}
	}
	return docs, nil
}
