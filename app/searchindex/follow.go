package searchindex

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/ports"
)

// changed are ids of records, by the slug of their collection.
type changed map[string]map[string]bool

func (c changed) add(slug, id string) {
	if c[slug] == nil {
		c[slug] = map[string]bool{}
	}
	c[slug][id] = true
}

// ids are those of a collection, sorted.
func (c changed) ids(slug string) []string { return slices.Sorted(maps.Keys(c[slug])) }

// follow takes a page of events into an index; more reports whether there is another. The records are read after the
// page, so that they are as these events left them, or newer: then another event follows.
func (x *Indexer) follow(ctx context.Context, place ports.SearchPlace) (more bool, err error) {
	var slugs []string
	for _, s := range search.Sources {
		slugs = append(slugs, s.Schema.Slug)
	}
	page, err := x.Events.Events(ctx, ports.EventQuery{
		Tenant: place.Tenant, After: place.Sequence, Collections: slugs, Limit: eventPage, WithoutBodies: true,
	})
	if err != nil || page.Next <= place.Sequence {
		return false, err
	}
	records := changed{}
	for _, e := range page.Events {
		records.add(e.Collection, e.Record)
	}
	r := x.Store.Read(ports.ForTenant(place.Tenant))
	if err := addDependents(ctx, r, records); err != nil {
		return false, err
	}
	var entries []search.Entry
	for _, s := range search.Sources {
		some, err := x.changedEntries(ctx, r, s, records.ids(s.Schema.Slug))
		if err != nil {
			return false, err
		}
		entries = append(entries, some...)
	}
	next := place
	next.Sequence = page.Next
	return page.More(), x.Index.Put(ctx, place, next, entries)
}

// addDependents adds the records that are found by what stands in changed ones, such as the returns of an order.
func addDependents(ctx context.Context, r ports.Reader, records changed) error {
	for _, s := range search.Sources {
		for _, related := range s.With {
			ids := records.ids(related.Schema.Slug)
			found, err := readMany(ctx, r, s.Schema, ids, func(some []string) collection.Cond { return related.Naming(s.Schema, some) })
			if err != nil {
				return err
			}
			for _, one := range found {
				records.add(s.Schema.Slug, one.ID())
			}
		}
	}
	return nil
}

// changedEntries are what the records of ids contribute now: nothing, if they are gone.
func (x *Indexer) changedEntries(ctx context.Context, r ports.Reader, s search.Source, ids []string) (entries []search.Entry, err error) {
	for some := range slices.Chunk(ids, recordPage) {
		docs, err := readMany(ctx, r, s.Schema, some, isID(s.Schema))
		if err != nil {
			return nil, err
		}
		there, err := x.entries(ctx, r, s, docs)
		if err != nil {
			return nil, err
		}
		gone := map[string]bool{}
		for _, id := range some {
			gone[id] = true
		}
		for _, e := range there {
			delete(gone, e.Source)
		}
		entries = append(entries, there...)
		for _, id := range slices.Sorted(maps.Keys(gone)) {
			entries = append(entries, search.Gone(id))
		}
	}
	return entries, nil
}
