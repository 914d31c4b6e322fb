package records

import (
	"cmp"
	"context"
	"slices"
	"strconv"

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
	query, err := c.buildQuery(p, s, q)
	if err == nil && q.Sort != "" {
		err = checkOrder(q, query.Sort)
	}
	switch {
	case err != nil || q.Search == "":
		return err
	case c.Search == nil || !search.IsTarget(s):
		return fault.Invalidf("q", "%s are not searched. Use where.", s.Slug)
	case !p.IsStaff():
		return search.ErrQuery.WithMessage("q is for users and secret keys. Use where.")
	}
	_, err = search.Parse(q.Search, c.Fold)
	return err
}

// checkOrder refuses an order of q that Each has not. Errors: fault.ErrValidation for sort.
func checkOrder(q Query, keys []collection.SortKey) error {
	if q.Search != "" {
		return fault.Invalidf("sort", "What a text finds has an order of its own. Use sort or q.")
	}
	for _, key := range keys {
		for _, f := range key.Path {
			if f.Kind == collection.Relation || f.Kind == collection.Upload || f.Source != "" {
				return fault.Invalidf("sort", "Sort by fields of the records themselves, not by %s.", strconv.Quote(f.Name))
			}
		}
		if f := key.Path[len(key.Path)-1]; !f.Indexed {
			return fault.Invalidf("sort", "Sort by a field that lists are quickly sorted by, not by %s.", strconv.Quote(f.Name))
		}
	}
	return nil
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

// Each calls fn with the records that q selects for p, page by page, until fn fails: by ascending id unless q has a sort; what a
// text finds is in an order of its own. Of q, where, filter, sort
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
	switch {
	case q.Search == "" && q.Sort != "":
		return true, eachInOrder(ctx, from, query, page)
	case q.Search == "":
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

// eachInOrder is ports.FindEach in the order of q. It sorts by what it reads first, and then reads the records again in that order: pages
// by the place in the order alone would leave out a record whose place changes meanwhile, or have it twice. Decision 82.
func eachInOrder(ctx context.Context, r ports.Reader, q collection.Query, fn func(page []collection.Record) error) error {
	var places []collection.Record // with the fields that the order goes by, and nothing else
	err := ports.FindEach(ctx, r, q, func(page []collection.Record) error {
		for _, record := range page {
			place := collection.Record{"id": record.ID()}
			for _, key := range q.Sort {
				place[key.Path[0].Name] = record[key.Path[0].Name]
			}
			places = append(places, place)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(places, q.Compare)
	where := q.Where
	for some := range slices.Chunk(places, cmp.Or(q.Limit, collection.MaxLimit)) {
		at := make(map[string]int, len(some))
		ids := make([]string, len(some))
		for i, place := range some {
			at[place.ID()], ids[i] = i, place.ID()
		}
		q.Where, q.Limit, q.Page, q.SkipCount = andConds(where, collection.FieldIn(q.Schema, "id", ids)), len(ids), 1, true
		found, err := r.Find(ctx, q)
		if err != nil {
			return err
		}
		slices.SortFunc(found.Docs, func(a, b collection.Record) int { return cmp.Compare(at[a.ID()], at[b.ID()]) })
		if err := fn(found.Docs); err != nil {
			return err
		}
	}
	return nil
}
