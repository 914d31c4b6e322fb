package records

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Query is a client's query of a list.
type Query struct {
	Where      collection.JSONValue
	Sort       string
	Limit      int // 0..500
	Page       int // ≥ 1
	Projection Projection
	// Uncounted: the total count is not needed.
	Uncounted bool
	Filter    collection.Cond // additional condition of the use case; may be nil
	// Search is a text that the records are found by, best match first; "": all are listed. Rule search-1.
	Search string
}

// Projection is how records are shown.
type Projection struct {
	Depth    int                              // 0..10
	Select   *collection.Selection            // nil: all
	Populate map[string]*collection.Selection // fields shown of embedded records, by slug; all fields of other collections
}

// List responds with a page of records in the envelope of lists. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden, fault.ErrValidation, collection.ErrQuery, ErrAnswerTooLarge.
func (c *Service) List(ctx context.Context, p tenant.Principal, s *collection.Schema, q Query) (*reply.Body, error) {
	found, err := c.Find(ctx, p, s, q)
	if err != nil {
		return nil, err
	}
	shown, err := c.newRenderer(ctx, c.readSource(p), p, s, found.Docs, q.Projection)
	if err != nil {
		return nil, err
	}
	if q.Projection.Select == nil {
		shown.room = max(shown.room, int(found.Bytes))
	}
	for i, r := range found.Docs {
		found.Docs[i] = s.AsOf(r, shown.now)
	}
	return shown.body(found.Members(reply.Member{Schema: s, Value: reply.Records(found.Docs), View: &shown.view})...)
}

// Count is how many records match where. Errors: as List.
func (c *Service) Count(ctx context.Context, p tenant.Principal, s *collection.Schema, where collection.JSONValue) (int64, error) {
	query, err := c.buildQuery(p, s, Query{Where: where, Page: 1})
	if err != nil {
		return 0, err
	}
	found, err := c.Store.Read(ports.ForPrincipal(p)).Find(ctx, query)
	return found.TotalDocs, err
}

// Get responds with the record as p sees it. Errors: fault.ErrNotFound also for a record p may not see,
// and as List.
func (c *Service) Get(ctx context.Context, p tenant.Principal, s *collection.Schema, id string, show Projection) (*reply.Body, error) {
	body, _, err := c.GetTagged(ctx, p, s, id, show)
	return body, err
}

// GetTagged is Get, with its Tag. Errors: as Get.
func (c *Service) GetTagged(
	ctx context.Context, p tenant.Principal, s *collection.Schema, id string, show Projection,
) (body *reply.Body, tag string, err error) {
	if err := c.checkQuery(s, p, 0, show); err != nil {
		return nil, "", err
	}
	record, err := c.GetRecord(ctx, p, s, id)
	if err != nil {
		return nil, "", err
	}
	shown, err := c.newRenderer(ctx, c.readSource(p), p, s, []collection.Record{record}, show)
	if err != nil {
		return nil, "", err
	}
	body, err = shown.body(shown.member(record))
	return body, Tag(p, record), err
}

func (c *Service) buildQuery(p tenant.Principal, s *collection.Schema, q Query) (collection.Query, error) {
	reach, err := c.accessFilter(p, s, collection.Read)
	if err != nil {
		return collection.Query{}, err
	}
	if reach != nil && s.Access.PublicListWhere != nil {
		parser := collection.QueryParser{Registry: c.Registry, Schema: s, Audience: collection.ServerOnly, Fold: c.Fold}
		listed, err := parser.Where(s.Access.PublicListWhere)
		if err != nil {
			return collection.Query{}, err
		}
		reach = andConds(reach, listed)
	}
	where, err := c.parseWhere(p, s, q.Where)
	if err != nil {
		return collection.Query{}, err
	}
	sort, err := c.parseSort(p, s, q.Sort)
	return collection.Query{
		Schema: s, Environment: string(p.Environment), Where: andConds(andConds(reach, q.Filter), where), Sort: sort, Limit: q.Limit,
		Page: max(1, q.Page), Now: c.Now(),
	}, err
}

func andConds(a, b collection.Cond) collection.Cond {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return collection.And{a, b}
}

// findRecord returns a record that matches reach, with its computed fields for env. env is explicit because
// the transaction of a caller of InTransaction may have no environment, and a stock read as null would be
// written as null. Errors: ports.ErrNotFound.
func (c *Service) findRecord(
	ctx context.Context, r ports.Reader, s *collection.Schema, env tenant.Environment, id string, reach collection.Cond,
) (collection.Record, error) {
	if reach == nil && !hasComputedFields(s) {
		return ports.GetInEnvironment(ctx, r, s, env, id)
	}
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Environment: string(env), Where: andConds(reach, s.Where("id", collection.Equals, id)), Limit: 1, Page: 1, Now: c.Now(),
	})
	if err != nil {
		return nil, err
	}
	if len(page.Docs) == 0 {
		return nil, ports.ErrNotFound
	}
	return page.Docs[0], nil
}

func (c *Service) checkQuery(s *collection.Schema, p tenant.Principal, limit int, show Projection) error {
	if limit < 0 || limit > collection.MaxLimit {
		return fault.Invalidf("limit", "limit must be from 0 to %d.", collection.MaxLimit)
	}
	if show.Depth < 0 || show.Depth > collection.MaxDepth {
		return fault.Invalidf("depth", "depth must be from 0 to %d.", collection.MaxDepth)
	}
	if name := show.Select.FirstUnknown(s, Audience(p)); name != "" {
		return fault.Invalidf("select", "%s is not a field that can be selected.", strconv.Quote(name))
	}
	for slug, sel := range show.Populate {
		target := c.Registry.Get(slug)
		if target == nil {
			return fault.Invalidf("populate", "%s is not a collection.", strconv.Quote(slug))
		}
		if name := sel.FirstUnknown(target, Audience(p)); name != "" {
			return fault.Invalidf("populate", "%s is not a field of %s that can be selected.", strconv.Quote(name), slug)
		}
	}
	return nil
}

// Members are the members of the envelope of a list whose docs are the value of docs. Rules collections-2,
// collections-7: a page past the end is empty; an empty result has one page.
func (p RecordPage) Members(docs reply.Member) reply.Object {
	docs.Name = "docs"
	pages, page := p.TotalPages(), int64(p.Page)
	var previous, next any
	if page > 1 {
		previous = page - 1
	}
	if page < pages {
		next = page + 1
	}
	return reply.Object{
		docs,
		{Name: "totalDocs", Value: p.Total}, {Name: "limit", Value: int64(p.Limit)}, {Name: "totalPages", Value: pages},
		{Name: "page", Value: page}, {Name: "pagingCounter", Value: (page-1)*int64(p.Limit) + 1},
		{Name: "hasPrevPage", Value: page > 1}, {Name: "hasNextPage", Value: page < pages}, {Name: "prevPage", Value: previous},
		{Name: "nextPage", Value: next},
	}
}
