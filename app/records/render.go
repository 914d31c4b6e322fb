package records

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxEmbedded bounds the related records embedded in one response, repetitions included.
const MaxEmbedded = 20_000

// renderer renders records with their relations, all loaded beforehand with at most one query per level and
// collection.
type renderer struct {
	schema   *collection.Schema
	view     collection.View
	now      time.Time
	embedded int
	room     int // bytes that the records will take at least, more or less
	growth   reply.Growth
}

// recordRoom is what most records take at least when all their fields are shown.
const recordRoom = 512

// readSource is where a response reads from: the store, or an open transaction that may see other tenants.
type readSource struct {
	ports.Reader

	room      *collection.Room // of what is embedded
	openTx    *ports.Tx        // nil: none
	decorates bool             // hooks may query the store for what is embedded: no transaction is open
}

// readSource reads from the store, outside of any transaction.
func (c *Service) readSource(p tenant.Principal) readSource {
	return readSource{Reader: c.Store.Read(ports.ForPrincipal(p)), room: newRoom(), decorates: true}
}

// newRoom is the room for what one answer embeds. Rule collections-31.
func newRoom() *collection.Room { return collection.NewRoom(MaxPageBytes) }

// relatedRecords are the records behind the relations to one collection.
type relatedRecords struct {
	schema    *collection.Schema
	requested map[string]bool
	records   map[string]collection.Record // the requested ones that the viewer may read
}

// newRenderer loads the relations of records down to the requested depth.
func (c *Service) newRenderer(
	ctx context.Context, r readSource, p tenant.Principal, s *collection.Schema, records []collection.Record, how Projection,
) (*renderer, error) {
	if how.Depth > 0 {
		how.Populate = c.populate(p, how.Populate)
	}
	out := &renderer{
		schema: s, now: c.Now(), growth: reply.Growth{Most: maxEmbeddingBytes, Memory: ports.MemoryOf(ctx)},
		view: collection.View{Audience: Audience(p), Depth: how.Depth, Select: how.Select, Populate: how.Populate},
	}
	out.view.Full = out.growth.Full
	if how.Select == nil {
		out.room = recordRoom * len(records)
	}
	loaded := map[string]*relatedRecords{}
	gone := deletedLinks{ids: map[string]bool{}}
	links := gone.collect(s, records, how.Select, how.Depth > 0)
	for range how.Depth {
		next, err := c.loadLevel(ctx, r, p, loaded, links, &gone, how.Populate)
		if err != nil {
			return nil, err
		}
		if links = next; len(links) == 0 {
			break
		}
	}
	if err := gone.resolve(ctx, r, loaded); err != nil {
		return nil, err
	}
	out.view.IsDeleted = func(id string) bool { return gone.ids[id] }
	out.view.Resolve = func(slug, id string) (*collection.Schema, collection.Record, bool) {
		b := loaded[slug]
		if out.view.IsDeleted(id) {
			return nil, nil, true
		}
		if b == nil || b.records[id] == nil {
			return nil, nil, false // not readable by this viewer: show the id only
		}
		out.embedded++
		return b.schema, b.schema.AsOf(b.records[id], out.now), out.embedded <= MaxEmbedded
	}
	return out, nil
}

// populate is what p is shown of embedded records: what was asked, within the LinkedFields of the collections
// that p sees through links only.
func (c *Service) populate(p tenant.Principal, asked map[string]*collection.Selection) map[string]*collection.Selection {
	if Audience(p) != collection.Everyone {
		return asked
	}
	shown := maps.Clone(asked)
	if shown == nil {
		shown = map[string]*collection.Selection{}
	}
	for _, s := range c.Registry.All() {
		if seesLinked(p, s) {
			shown[s.Slug] = asked[s.Slug].Within(s.Access.LinkedFields)
		}
	}
	return shown
}

// seesLinked reports whether p sees single fields of those records of s that a record refers to which p may
// read, and no others: shoppers see the name and picture of the author of a post. Rule content-4.
func seesLinked(p tenant.Principal, s *collection.Schema) bool {
	return Audience(p) == collection.Everyone && len(s.Access.LinkedFields) > 0
}

// member is one record as the members of an answer itself.
func (s *renderer) member(r collection.Record) reply.Member {
	return reply.Member{Schema: s.schema, Record: s.schema.AsOf(r, s.now), View: &s.view}
}

// maxEmbeddingBytes bounds the JSON of an answer that embeds records: it may become a receipt.
const maxEmbeddingBytes = 8 << 20

// body is the body of an answer with these members. What is embedded is counted while its JSON is made. Errors:
// ErrAnswerTooLarge, fault.ErrUnavailable.
func (s *renderer) body(members ...reply.Member) (*reply.Body, error) {
	b := reply.OfObject(s.view.Audience, members).WithRoom(s.room)
	if s.view.Depth == 0 {
		return b, s.growth.Memory.Take(int64(s.room)) // its JSON is made later
	}
	b, err := b.Bounded(&s.growth)
	if err == nil && s.embedded > MaxEmbedded {
		return nil, ErrAnswerTooLarge
	}
	return b, err
}

// deletedLinks are the linked ids of deleted records. Most records carry theirs from when they were read.
type deletedLinks struct {
	ids        map[string]bool
	unresolved []collection.Link // of records that do not
}

// collect adds what the records carry, and returns their shown links; if wanted is false, only those that
// still need to be resolved.
func (d *deletedLinks) collect(
	s *collection.Schema, records []collection.Record, sel *collection.Selection, wanted bool,
) (links []collection.Link) {
	for _, r := range records {
		ids, known := r.DeletedLinks()
		if known {
			for id := range strings.FieldsSeq(ids) {
				d.ids[id] = true
			}
			if !wanted {
				continue
			}
		}
		shown := s.VisibleLinks(r, sel)
		if links = append(links, shown...); !known {
			d.unresolved = append(d.unresolved, shown...)
		}
	}
	return links
}

// resolve queries the unresolved links whose targets were not loaded.
func (d *deletedLinks) resolve(ctx context.Context, r ports.Reader, loaded map[string]*relatedRecords) error {
	var ids []string
	seen := map[string]bool{}
	for _, l := range d.unresolved {
		if b := loaded[l.Slug]; !seen[l.ID] && (b == nil || b.records[l.ID] == nil) {
			seen[l.ID] = true
			ids = append(ids, l.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := r.Deleted(ctx, ids)
	for id := range found {
		d.ids[id] = true
	}
	return err
}

// loadLevel loads the records behind links that are not loaded yet, and returns their shown links.
func (c *Service) loadLevel(
	ctx context.Context, r readSource, p tenant.Principal, loaded map[string]*relatedRecords, links []collection.Link, gone *deletedLinks,
	populate map[string]*collection.Selection,
) ([]collection.Link, error) {
	wanted := map[string][]string{}
	for _, l := range links {
		b := loaded[l.Slug]
		if b == nil {
			b = &relatedRecords{schema: c.Registry.Get(l.Slug), requested: map[string]bool{}, records: map[string]collection.Record{}}
			loaded[l.Slug] = b
		}
		if !b.requested[l.ID] {
			b.requested[l.ID] = true
			wanted[l.Slug] = append(wanted[l.Slug], l.ID)
		}
	}
	var next []collection.Link
	for slug, ids := range wanted {
		b := loaded[slug]
		found, err := c.loadVisible(ctx, r, p, b.schema, ids)
		if err != nil {
			return nil, err
		}
		maps.Copy(b.records, found)
		next = append(next, gone.collect(b.schema, slices.Collect(maps.Values(found)), populate[slug], true)...)
	}
	return next, nil
}

// loadVisible returns those of ids that p may read, in this tenant or, where the collection's hooks allow, in
// others.
func (c *Service) loadVisible(
	ctx context.Context, r readSource, p tenant.Principal, s *collection.Schema, ids []string,
) (map[string]collection.Record, error) {
	found, err := c.loadInTenant(ctx, r, p, s, ids)
	switch {
	case err != nil:
	case !r.decorates || seesLinked(p, s): // in the language of the answer all the same
		for id, record := range found {
			found[id] = s.Localized(s.AsOf(record, c.Now()), p.Content)
		}
	case len(found) > 0:
		err = c.decorateAll(ctx, p, s, found)
	}
	beyond := c.Hooks[s.Slug].LoadForeign
	if err != nil || beyond == nil || found == nil || len(found) == len(ids) {
		return found, err
	}
	missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return found[id] != nil })
	more, err := beyond(ctx, r.openTx, p, missing)
	maps.Copy(found, more)
	return found, err
}

// decorateAll completes found, by id, to what p sees now.
func (c *Service) decorateAll(ctx context.Context, p tenant.Principal, s *collection.Schema, found map[string]collection.Record) error {
	records, err := c.decorate(ctx, p, s, slices.Collect(maps.Values(found)))
	for _, r := range records {
		found[r.ID()] = r
	}
	return err
}

// loadInTenant returns those of ids that p may read in their tenant.
func (c *Service) loadInTenant(
	ctx context.Context, r readSource, p tenant.Principal, s *collection.Schema, ids []string,
) (map[string]collection.Record, error) {
	if seesLinked(p, s) {
		return c.loadLinked(ctx, r, s, ids)
	}
	reach, err := c.accessFilter(p, s, collection.Read)
	if err != nil {
		return nil, nil // not readable at all: the ids are shown
	}
	found := map[string]collection.Record{}
	if reach == nil {
		found, err = r.GetMany(ctx, s, ids, r.room)
		for id, record := range found {
			if s.PerEnvironment && record.Text("environment") != string(p.Environment) {
				delete(found, id)
			}
		}
		return found, err
	}
	for some := range slices.Chunk(ids, MaxEmbedded) {
		in := make([]any, len(some))
		for i, id := range some {
			in[i] = id
		}
		page, err := r.Find(ctx, collection.Query{
			Schema: s, Environment: string(p.Environment), Where: andConds(reach, s.Where("id", collection.In, in...)), Limit: MaxEmbedded,
			Page: 1, Now: c.Now(), SkipCount: true, MaxBytes: max(1, r.room.Left()), // 0 would be any
		})
		if err == nil {
			err = r.room.Take(int(page.Bytes))
		}
		if err != nil {
			return nil, err
		}
		for _, record := range page.Docs {
			found[record.ID()] = record
		}
	}
	return found, nil
}

// loadLinked returns what shoppers see of those of ids that exist in their tenant.
func (c *Service) loadLinked(
	ctx context.Context, r readSource, s *collection.Schema, ids []string,
) (map[string]collection.Record, error) {
	found, err := r.GetMany(ctx, s, ids, r.room)
	for id, record := range found {
		found[id] = s.Linked(record)
	}
	return found, err
}
