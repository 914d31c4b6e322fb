package content

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Records is one page of a list, as records: for adapters that show them field by field, and only to Audience. What has
// lapsed shows in them.
type Records struct {
	Docs        []collection.Record
	Total       int64
	Limit, Page int
}

// TotalPages is how many pages there are; an empty result has one.
func (r Records) TotalPages() int64 { return totalPages(r.Total, r.Limit) }

func totalPages(total int64, limit int) int64 {
	if limit <= 0 || total <= 0 {
		return 1
	}
	return (total + int64(limit) - 1) / int64(limit)
}

// Audience is which fields p sees.
func Audience(p tenant.Principal) collection.Audience {
	if p.Staff() {
		return collection.Staff
	}
	return collection.Everyone
}

// Find answers a query. Errors: as List.
func (c *Content) Find(ctx context.Context, p tenant.Principal, s *collection.Schema, q Query) (Records, error) {
	if err := c.check(s, p, q.Limit, q.Show); err != nil {
		return Records{}, err
	}
	query, err := c.query(p, s, q)
	if err != nil {
		return Records{}, err
	}
	query.Uncounted = q.Uncounted
	found, err := c.Store.Read(ports.For(p)).Find(ctx, query)
	if err != nil {
		return Records{}, err
	}
	docs, err := c.asSeen(ctx, p, s, found.Docs)
	return Records{Docs: docs, Total: found.TotalDocs, Limit: query.Limit, Page: query.Page}, err
}

// One is the record as Get shows it. Errors: as Get.
func (c *Content) One(ctx context.Context, p tenant.Principal, s *collection.Schema, id string) (collection.Record, error) {
	reach, err := c.reach(p, s, collection.Read)
	if err != nil {
		return nil, err
	}
	r := c.Store.Read(ports.For(p))
	var record collection.Record
	if reach == nil || collection.Local(reach, c.Now()) { // computed fields are those of r's environment
		record, err = here(ctx, r, s, p.Environment, id)
		if err == nil && !collection.Holds(record, reach, c.Fold) {
			err = ports.ErrAbsent
		}
	} else {
		record, err = c.find(ctx, r, s, p.Environment, id, reach)
	}
	if err != nil {
		return nil, err
	}
	records, err := c.asSeen(ctx, p, s, []collection.Record{record})
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

// Load gets those of ids that p may read, by id; none of a collection that p may not read at all. It asks the store once.
func (c *Content) Load(ctx context.Context, p tenant.Principal, s *collection.Schema, ids []string) (map[string]collection.Record, error) {
	found, err := c.loadMany(ctx, source{Reader: c.Store.Read(ports.For(p))}, p, s, ids)
	if err != nil {
		return nil, err
	}
	records, err := c.asSeen(ctx, p, s, slices.Collect(maps.Values(found)))
	for _, r := range records {
		found[r.ID()] = r
	}
	return found, err
}

// Joined gets the records behind j of all ids, those that p may read, in order; none of a collection that p may not read
// at all. It asks the store once. Errors: ErrTooMuch.
func (c *Content) Joined(ctx context.Context, p tenant.Principal, j collection.Join, ids []string) (map[string][]collection.Record, error) {
	s := c.Registry.Get(j.From)
	reach, err := c.reach(p, s, collection.Read)
	if err != nil {
		return nil, nil //nolint:nilerr // not readable at all: as with relations
	}
	on := make([]any, len(ids))
	for i, id := range ids {
		on[i] = id
	}
	sort, _ := s.Field(j.Sort)
	page, err := c.Store.Read(ports.For(p)).Find(ctx, collection.Query{
		Schema: s, Environment: string(p.Environment), Where: both(s.Where(j.On, collection.In, on...), reach),
		Sort: []collection.Order{{Path: []collection.Field{sort}}}, Limit: MaxEmbedded + 1, Page: 1, Now: c.Now(), Uncounted: true,
	})
	if err != nil {
		return nil, err
	}
	if len(page.Docs) > MaxEmbedded {
		return nil, ErrTooMuch
	}
	docs, err := c.asSeen(ctx, p, s, page.Docs)
	found := map[string][]collection.Record{}
	for _, r := range docs {
		found[r.Text(j.On)] = append(found[r.Text(j.On)], r)
	}
	return found, err
}

// asSeen is records as p sees them by now; it may replace them in the list.
func (c *Content) asSeen(ctx context.Context, p tenant.Principal, s *collection.Schema, records []collection.Record) ([]collection.Record, error) {
	now := c.Now()
	for i, r := range records {
		records[i] = s.AsOf(r, now)
	}
	if dress := c.Hooks[s.Slug].Dress; dress != nil {
		return dress(ctx, p, records)
	}
	return records, nil
}
