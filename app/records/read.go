package records

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// RecordPage is one page of a list, as records: for adapters that render them field by field, limited to the
// fields of Audience. Timed transitions that are due have been applied.
type RecordPage struct {
	Docs        []collection.Record
	Total       int64
	Limit, Page int
	Bytes       int64 // of Docs as they are stored
}

// TotalPages is the number of pages; an empty result has one.
func (p RecordPage) TotalPages() int64 {
	if p.Limit <= 0 || p.Total <= 0 {
		return 1
	}
	return (p.Total + int64(p.Limit) - 1) / int64(p.Limit)
}

// Audience decides which fields p sees.
func Audience(p tenant.Principal) collection.Audience {
	if p.IsStaff() {
		return collection.Staff
	}
	return collection.Everyone
}

// Find runs a query. Errors: as List.
func (c *Service) Find(ctx context.Context, p tenant.Principal, s *collection.Schema, q Query) (RecordPage, error) {
	if err := c.checkQuery(s, p, q.Limit, q.Projection); err != nil {
		return RecordPage{}, err
	}
	if q.Search != "" {
		return c.search(ctx, p, s, q)
	}
	query, err := c.buildQuery(p, s, q)
	if err != nil {
		return RecordPage{}, err
	}
	query.SkipCount, query.MaxBytes = q.Uncounted, MaxPageBytes
	found, err := c.Store.Read(ports.ForPrincipal(p)).Find(ctx, query)
	if err != nil {
		return RecordPage{}, err
	}
	docs, err := c.decorate(ctx, p, s, found.Docs)
	return RecordPage{Docs: docs, Total: found.TotalDocs, Limit: query.Limit, Page: query.Page, Bytes: found.Bytes}, err
}

// GetRecord is the record that Get renders. Errors: as Get.
func (c *Service) GetRecord(ctx context.Context, p tenant.Principal, s *collection.Schema, id string) (collection.Record, error) {
	reach, err := c.accessFilter(p, s, collection.Read)
	if err != nil {
		return nil, err
	}
	r := c.Store.Read(ports.ForPrincipal(p))
	var record collection.Record
	if reach == nil || collection.RecordLocal(reach, c.Now()) { // computed fields are those of r's environment
		record, err = ports.GetInEnvironment(ctx, r, s, p.Environment, id)
		if err == nil && !collection.Matches(record, reach, c.Fold) {
			err = ports.ErrNotFound
		}
	} else {
		record, err = c.findRecord(ctx, r, s, p.Environment, id, reach)
	}
	if err != nil {
		return nil, err
	}
	records, err := c.decorate(ctx, p, s, []collection.Record{record})
	if err != nil {
		return nil, err
	}
	return records[0], nil
}

// GetMany returns, by id, the records of ids that p may read, which take room; none of a collection p may not read. It
// makes one query. Errors: ErrAnswerTooLarge.
func (c *Service) GetMany(
	ctx context.Context, p tenant.Principal, s *collection.Schema, ids []string, room *collection.Room,
) (map[string]collection.Record, error) {
	from := c.readSource(p)
	from.room = room
	return c.loadVisible(ctx, from, p, s, ids)
}

// LoadJoined returns, by id, the records joined by j that p may read, which take room, in order; none of a collection p may
// not read. It makes one query. Errors: ErrAnswerTooLarge.
func (c *Service) LoadJoined(
	ctx context.Context, p tenant.Principal, j collection.Join, ids []string, room *collection.Room,
) (map[string][]collection.Record, error) {
	s := c.Registry.Get(j.From)
	reach, err := c.accessFilter(p, s, collection.Read)
	if err != nil {
		return nil, nil //nolint:nilerr // an unreadable collection is omitted, as with relations
	}
	on := make([]any, len(ids))
	for i, id := range ids {
		on[i] = id
	}
	page, err := c.Store.Read(ports.ForPrincipal(p)).Find(ctx, collection.Query{
		Schema: s, Environment: string(p.Environment), Where: andConds(s.Where(j.On, collection.In, on...), reach),
		Sort: s.SortBy(j.Sort), Limit: MaxEmbedded + 1, Page: 1, Now: c.Now(), SkipCount: true,
		MaxBytes: max(1, room.Left()), // 0 would be any
	})
	if err == nil {
		err = room.Take(int(page.Bytes))
	}
	if err != nil {
		return nil, err
	}
	if len(page.Docs) > MaxEmbedded {
		return nil, ErrAnswerTooLarge
	}
	docs, err := c.decorate(ctx, p, s, page.Docs)
	found := map[string][]collection.Record{}
	for _, r := range docs {
		found[r.Text(j.On)] = append(found[r.Text(j.On)], r)
	}
	return found, err
}

// decorate completes stored records to what p sees now; it may replace elements of the slice.
func (c *Service) decorate(
	ctx context.Context, p tenant.Principal, s *collection.Schema, records []collection.Record,
) ([]collection.Record, error) {
	now := c.Now()
	for i, r := range records {
		records[i] = s.Localized(s.AsOf(r, now), p.Content)
	}
	if dress := c.Hooks[s.Slug].Decorate; dress != nil {
		return dress(ctx, p, records)
	}
	return records, nil
}
