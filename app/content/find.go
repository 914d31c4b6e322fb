package content

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Query is what a client asks of a list.
type Query struct {
	Where collection.Tree
	Sort  string
	Limit int // 0..500
	Page  int // ≥ 1
	Show  Show
	// Uncounted: how many there are on all pages is not wanted.
	Uncounted bool
	Only      collection.Cond // what the use case asks besides; nil: nothing
}

// Show is how records are shown.
type Show struct {
	Depth    int                              // 0..10
	Select   *collection.Selection            // nil: all
	Populate map[string]*collection.Selection // what is shown of embedded records, by slug; others whole
}

// Page is one page of a list.
type Page struct {
	Total       int64
	Limit, Page int
	docs        []collection.Record
	shown       *shown
}

// List answers a query. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, fault.ErrValidation, collection.ErrQuery.
func (c *Content) List(ctx context.Context, p tenant.Principal, s *collection.Schema, q Query) (Page, error) {
	found, err := c.Find(ctx, p, s, q)
	if err != nil {
		return Page{}, err
	}
	shown, err := c.show(ctx, source{Reader: c.Store.Read(ports.For(p))}, p, s, found.Docs, q.Show)
	return Page{Total: found.Total, Limit: found.Limit, Page: found.Page, docs: found.Docs, shown: shown}, err
}

// Count is how many records meet where. Errors: as List.
func (c *Content) Count(ctx context.Context, p tenant.Principal, s *collection.Schema, where collection.Tree) (int64, error) {
	query, err := c.query(p, s, Query{Where: where, Page: 1})
	if err != nil {
		return 0, err
	}
	found, err := c.Store.Read(ports.For(p)).Find(ctx, query)
	return found.TotalDocs, err
}

// Get appends the record as p sees it. Errors: fault.ErrNotFound also for what p may not see, and as List.
func (c *Content) Get(ctx context.Context, p tenant.Principal, s *collection.Schema, id string, show Show) ([]byte, error) {
	if err := c.check(s, p, 0, show); err != nil {
		return nil, err
	}
	record, err := c.One(ctx, p, s, id)
	if err != nil {
		return nil, err
	}
	shown, err := c.show(ctx, source{Reader: c.Store.Read(ports.For(p))}, p, s, []collection.Record{record}, show)
	if err != nil {
		return nil, err
	}
	return shown.append(nil, record)
}

func (c *Content) query(p tenant.Principal, s *collection.Schema, q Query) (collection.Query, error) {
	reach, err := c.reach(p, s, collection.Read)
	if err != nil {
		return collection.Query{}, err
	}
	if reach != nil && s.Access.ListedWhere != nil {
		parser := collection.Parser{Registry: c.Registry, Schema: s, Audience: collection.Nobody, Fold: c.Fold}
		listed, err := parser.Where(s.Access.ListedWhere)
		if err != nil {
			return collection.Query{}, err
		}
		reach = both(reach, listed)
	}
	where, err := c.where(p, s, q.Where)
	if err != nil {
		return collection.Query{}, err
	}
	sort, err := c.sortBy(p, s, q.Sort)
	return collection.Query{
		Schema: s, Environment: string(p.Environment), Where: both(both(reach, q.Only), where), Sort: sort, Limit: q.Limit, Page: max(1, q.Page), Now: c.Now(),
	}, err
}

func both(a, b collection.Cond) collection.Cond {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return collection.And{a, b}
}

// find gets one record within reach, with its computed fields for env: a transaction of somebody else (Within) may be
// bound to none, and a stock read as null would be written as none. Errors: ports.ErrAbsent.
func (c *Content) find(ctx context.Context, r ports.Reader, s *collection.Schema, env tenant.Environment, id string, reach collection.Cond) (collection.Record, error) {
	if reach == nil && !computed(s) {
		return here(ctx, r, s, env, id)
	}
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Environment: string(env), Where: both(reach, s.Where("id", collection.Equals, id)), Limit: 1, Page: 1, Now: c.Now(),
	})
	if err != nil {
		return nil, err
	}
	if len(page.Docs) == 0 {
		return nil, ports.ErrAbsent
	}
	return page.Docs[0], nil
}

// here gets a record of env. Errors: ports.ErrAbsent.
func here(ctx context.Context, r ports.Reader, s *collection.Schema, env tenant.Environment, id string) (collection.Record, error) {
	record, err := r.Get(ctx, s, id)
	if err == nil && s.Environmented && record.Text("environment") != string(env) {
		return nil, ports.ErrAbsent
	}
	return record, err
}

func (c *Content) check(s *collection.Schema, p tenant.Principal, limit int, show Show) error {
	if limit < 0 || limit > collection.MaxLimit {
		return fault.Invalidf("limit", "limit is 0 to %d.", collection.MaxLimit)
	}
	if show.Depth < 0 || show.Depth > collection.MaxDepth {
		return fault.Invalidf("depth", "depth is 0 to %d.", collection.MaxDepth)
	}
	if name := show.Select.Check(s, Audience(p)); name != "" {
		return fault.Invalidf("select", "%s is not a field that can be selected.", strconv.Quote(name))
	}
	for slug, sel := range show.Populate {
		target := c.Registry.Get(slug)
		if target == nil {
			return fault.Invalidf("populate", "%s is not a collection.", strconv.Quote(slug))
		}
		if name := sel.Check(target, Audience(p)); name != "" {
			return fault.Invalidf("populate", "%s is not a field of %s that can be selected.", strconv.Quote(name), slug)
		}
	}
	return nil
}

// AppendDocs appends the records of the page as a JSON list. Errors: ErrTooMuch.
func (p Page) AppendDocs(dst []byte) ([]byte, error) {
	dst = append(dst, '[')
	for i, r := range p.docs {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = p.shown.append(dst, r); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

// Append appends the envelope of a list. Spec 2.2: a page past the end is empty; an empty result has one page.
func (p Page) Append(dst []byte) ([]byte, error) {
	dst, err := p.AppendDocs(append(dst, `{"docs":`...))
	if err != nil {
		return nil, err
	}
	return Records{Total: p.Total, Limit: p.Limit, Page: p.Page}.AppendRest(dst), nil
}

// AppendRest appends what stands in the envelope behind the docs, and closes it.
func (p Records) AppendRest(dst []byte) []byte {
	pages := totalPages(p.Total, p.Limit)
	member := func(name string, value int64) { dst = strconv.AppendInt(append(dst, name...), value, 10) }
	member(`,"totalDocs":`, p.Total)
	member(`,"limit":`, int64(p.Limit))
	member(`,"totalPages":`, pages)
	member(`,"page":`, int64(p.Page))
	member(`,"pagingCounter":`, int64(p.Page-1)*int64(p.Limit)+1)
	hasPrev, hasNext := p.Page > 1, int64(p.Page) < pages
	dst = strconv.AppendBool(append(dst, `,"hasPrevPage":`...), hasPrev)
	dst = strconv.AppendBool(append(dst, `,"hasNextPage":`...), hasNext)
	neighbour := func(name string, there bool, page int) {
		dst = append(dst, name...)
		if there {
			dst = strconv.AppendInt(dst, int64(page), 10)
		} else {
			dst = append(dst, "null"...)
		}
	}
	neighbour(`,"prevPage":`, hasPrev, p.Page-1)
	neighbour(`,"nextPage":`, hasNext, p.Page+1)
	return append(dst, '}')
}
