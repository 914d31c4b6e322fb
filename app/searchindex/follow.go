package searchindex

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/indexing"
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

// take takes in the records that events are about.
func (x *Indexer) take(ctx context.Context, m indexing.Move, events []ports.Event) error {
	records := changed{}
	for _, e := range events {
		records.add(e.Collection, e.Record)
	}
	r := x.Store.Read(ports.ForTenant(m.From.Tenant))
	if err := addDependents(ctx, r, records); err != nil {
		return err
	}
	var entries []search.Entry
	for _, s := range search.Sources {
		some, err := x.changedEntries(ctx, r, s, records.ids(s.Schema.Slug))
		if err != nil {
			return err
		}
		entries = append(entries, some...)
	}
	return x.Index.Put(ctx, m.From, m.To, entries)
}

// addDependents adds the records that are found by what stands in changed ones, such as the returns of an order.
func addDependents(ctx context.Context, r ports.Reader, records changed) error {
	for _, s := range search.Sources {
		for _, related := range s.With {
			ids := records.ids(related.Schema.Slug)
			found, err := indexing.ReadMany(ctx, r, s.Schema, ids, func(some []string) collection.Cond { return related.Naming(s.Schema, some) })
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
	for some := range slices.Chunk(ids, indexing.ReadAtOnce) {
		docs, err := indexing.ReadMany(ctx, r, s.Schema, some, indexing.In(s.Schema, "id"))
		if err != nil {
			return nil, err
		}
		there, err := x.entries(ctx, r, s, docs)
		if err != nil {
			return nil, err
		}
		entries = append(entries, there...)
		for _, id := range indexing.Missing(some, docs) {
			entries = append(entries, search.Gone(id))
		}
	}
	return entries, nil
}
