package content

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxEmbedded bounds the related records in one answer, however they repeat.
const MaxEmbedded = 20_000

// shown shows records with their relations, all loaded beforehand: at most one query per level and collection.
type shown struct {
	schema   *collection.Schema
	view     collection.View
	now      time.Time
	embedded int
}

// source is where an answer reads what it shows: beside the writes, or in one that is open and may see other tenants.
type source struct {
	ports.Reader

	open *ports.Tx // nil: none
}

// behind is what stands behind the relations to one collection.
type behind struct {
	schema  *collection.Schema
	asked   map[string]bool
	records map[string]collection.Record // those of asked that the viewer may read
}

// show loads what records lead to, down to the depth asked for.
func (c *Content) show(ctx context.Context, r source, p tenant.Principal, s *collection.Schema, records []collection.Record, how Show) (*shown, error) {
	out := &shown{schema: s, now: c.Now(), view: collection.View{
		Audience: Audience(p), Depth: how.Depth, Select: how.Select, Populate: how.Populate,
	}}
	loaded := map[string]*behind{}
	gone := deleted{ids: map[string]bool{}}
	links := gone.note(s, records, how.Select, how.Depth > 0)
	for range how.Depth {
		next, err := c.loadLevel(ctx, r, p, loaded, links, &gone, how.Populate)
		if err != nil {
			return nil, err
		}
		if links = next; len(links) == 0 {
			break
		}
	}
	if err := gone.ask(ctx, r, loaded); err != nil {
		return nil, err
	}
	out.view.Gone = func(id string) bool { return gone.ids[id] }
	out.view.Find = func(slug, id string) (*collection.Schema, collection.Record, bool) {
		b := loaded[slug]
		if out.view.Gone(id) {
			return nil, nil, true
		}
		if b == nil || b.records[id] == nil {
			return nil, nil, false // not for this viewer: the id is all there is
		}
		out.embedded++
		return b.schema, b.schema.AsOf(b.records[id], out.now), out.embedded <= MaxEmbedded
	}
	return out, nil
}

func (s *shown) append(dst []byte, r collection.Record) ([]byte, error) {
	r = s.schema.AsOf(r, s.now)
	dst = collection.AppendJSON(dst, s.schema, r, s.view)
	if s.embedded > MaxEmbedded {
		return nil, ErrTooMuch
	}
	return dst, nil
}

// deleted are the linked ids that belong to deleted records. Most records know theirs since they were read.
type deleted struct {
	ids    map[string]bool
	unsure []collection.Link // of records that do not
}

// note takes in what records know, and returns those of their links that are shown; only where they are wanted if they
// are not needed here.
func (d *deleted) note(s *collection.Schema, records []collection.Record, sel *collection.Selection, wanted bool) (links []collection.Link) {
	for _, r := range records {
		ids, known := r.Gone()
		if known {
			for id := range strings.FieldsSeq(ids) {
				d.ids[id] = true
			}
			if !wanted {
				continue
			}
		}
		shown := s.LinksShown(r, sel)
		if links = append(links, shown...); !known {
			d.unsure = append(d.unsure, shown...)
		}
	}
	return links
}

// ask finds out about the links that nobody knows of, as far as what they lead to was not loaded.
func (d *deleted) ask(ctx context.Context, r ports.Reader, loaded map[string]*behind) error {
	var ids []string
	seen := map[string]bool{}
	for _, l := range d.unsure {
		if b := loaded[l.Slug]; !seen[l.ID] && (b == nil || b.records[l.ID] == nil) {
			seen[l.ID] = true
			ids = append(ids, l.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := r.Gone(ctx, ids)
	for id := range found {
		d.ids[id] = true
	}
	return err
}

// loadLevel loads the records behind links that are not loaded yet, and returns those of their links that are shown.
func (c *Content) loadLevel(ctx context.Context, r source, p tenant.Principal, loaded map[string]*behind, links []collection.Link, gone *deleted, populate map[string]*collection.Selection) ([]collection.Link, error) {
	wanted := map[string][]string{}
	for _, l := range links {
		b := loaded[l.Slug]
		if b == nil {
			b = &behind{schema: c.Registry.Get(l.Slug), asked: map[string]bool{}, records: map[string]collection.Record{}}
			loaded[l.Slug] = b
		}
		if !b.asked[l.ID] {
			b.asked[l.ID] = true
			wanted[l.Slug] = append(wanted[l.Slug], l.ID)
		}
	}
	var next []collection.Link
	for slug, ids := range wanted {
		b := loaded[slug]
		found, err := c.loadMany(ctx, r, p, b.schema, ids)
		if err != nil {
			return nil, err
		}
		maps.Copy(b.records, found)
		next = append(next, gone.note(b.schema, slices.Collect(maps.Values(found)), populate[slug], true)...)
	}
	return next, nil
}

// loadMany gets those of ids that p may read, here or, as its collection says, in other tenants.
func (c *Content) loadMany(ctx context.Context, r source, p tenant.Principal, s *collection.Schema, ids []string) (map[string]collection.Record, error) {
	found, err := c.loadHere(ctx, r, p, s, ids)
	beyond := c.Hooks[s.Slug].Beyond
	if err != nil || beyond == nil || found == nil || len(found) == len(ids) {
		return found, err
	}
	missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return found[id] != nil })
	more, err := beyond(ctx, r.open, p, missing)
	maps.Copy(found, more)
	return found, err
}

// loadHere gets those of ids that p may read in their tenant.
func (c *Content) loadHere(ctx context.Context, r ports.Reader, p tenant.Principal, s *collection.Schema, ids []string) (map[string]collection.Record, error) {
	reach, err := c.reach(p, s, collection.Read)
	if err != nil {
		return nil, nil // not readable at all: the ids stay
	}
	found := map[string]collection.Record{}
	if reach == nil {
		found, err = r.GetMany(ctx, s, ids)
		for id, record := range found {
			if s.Environmented && record.Text("environment") != string(p.Environment) {
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
			Schema: s, Environment: string(p.Environment), Where: both(reach, s.Where("id", collection.In, in...)), Limit: MaxEmbedded, Page: 1, Now: c.Now(), Uncounted: true,
		})
		if err != nil {
			return nil, err
		}
		for _, record := range page.Docs {
			found[record.ID()] = record
		}
	}
	return found, nil
}
