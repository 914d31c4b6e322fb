package records

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// eachChunk is how many of the ids that a text finds are read at once.
const eachChunk = 500

// CheckEach refuses what Each would refuse of q before the first page. Errors: fault.ErrUnauthenticated, fault.ErrForbidden,
// fault.ErrValidation, collection.ErrQuery, search.ErrQuery.
func (c *Service) CheckEach(p tenant.Principal, s *collection.Schema, q Query) error {
	if _, err := c.buildQuery(p, s, q); err != nil {
		return err
	}
	switch {
	case q.Search == "":
		return nil
	case c.Search == nil || !search.IsTarget(s):
		return fault.Invalidf("q", "%s are not searched. Use where.", s.Slug)
	case !p.IsStaff():
		return search.ErrQuery.WithMessage("q is for users and secret keys. Use where.")
	}
	_, err := search.Parse(q.Search, c.Fold)
	return err
}

// CountEach is how many records Each goes through at present, at most. Errors: those of CheckEach.
func (c *Service) CountEach(ctx context.Context, p tenant.Principal, s *collection.Schema, q Query) (int64, error) {
	if q.Search == "" {
		return c.Count(ctx, p, s, q.Where)
	}
	if err := c.CheckEach(p, s, q); err != nil {
		return 0, err
	}
	ids, err := c.Search.Find(ctx, p, s, q.Search, ports.MaxFound)
	return int64(len(ids)), err
}

// Each calls fn with the records that q selects for p, page by page and by ascending id, until fn fails; what a
// text finds is in an order of its own. Of q, where, filter
// and search count. complete is false when the text finds so many records that some of them may have been left out. Errors:
// those of CheckEach, of reading and of fn.
func (c *Service) Each(
	ctx context.Context, p tenant.Principal, s *collection.Schema, q Query, fn func(page []collection.Record) error,
) (complete bool, err error) {
	if err := c.CheckEach(p, s, q); err != nil {
		return false, err
	}
	query, err := c.buildQuery(p, s, q)
	if err != nil {
		return false, err
	}
	page := func(found []collection.Record) error {
		docs, err := c.decorate(ctx, p, s, found)
		if err != nil {
			return err
		}
		return fn(docs)
	}
	from := c.Store.Read(ports.ForPrincipal(p))
	if q.Search == "" {
		return true, ports.FindEach(ctx, from, query, page)
	}
	ids, err := c.Search.Find(ctx, p, s, q.Search, ports.MaxFound)
	if err != nil {
		return false, err
	}
	where := query.Where
	for some := range slices.Chunk(ids, eachChunk) {
		query.Where = andConds(where, collection.FieldIn(s, "id", some))
		if err := ports.FindEach(ctx, from, query, page); err != nil {
			return false, err
		}
	}
	return len(ids) < ports.MaxFound, nil
}
