package searchindex

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/indexing"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/ports"
)

// Indexer is what the indexes of all tenants are kept with.
type Indexer struct {
	Index    ports.SearchIndex
	Events   ports.EventLog
	Store    ports.Store
	Fold     collection.Fold
	Log      *slog.Logger
	Task     *background.Task // see indexing.Follower
	Numbered <-chan struct{}
}

// Bounds of a round.
const (
	eventPage   = 2000 // events of a tenant
	makePage    = 200  // records that are stored at once while an index is made
	pagesOfMake = 5    // of these pages in a round
	makePause   = 250 * time.Millisecond
)

// Follower keeps the indexes.
func (x *Indexer) Follower() *indexing.Follower {
	var schemas []*collection.Schema
	var slugs []string
	for _, s := range search.Sources {
		schemas, slugs = append(schemas, s.Schema), append(slugs, s.Schema.Slug)
	}
	return &indexing.Follower{
		Index: x.Index, Events: x.Events, Store: x.Store, Log: x.Log, Task: x.Task, Numbered: x.Numbered,
		Steps: indexing.Steps{
			Indexes: "search indexes", Version: search.Version, Schemas: schemas,
			Page:     ports.EventQuery{Collections: slugs, Limit: eventPage, WithoutBodies: true},
			MakePage: makePage, PagesOfMake: pagesOfMake, MakePause: makePause, Take: x.take, Make: x.make,
		},
	}
}

// make takes in some of the records that an index is made of.
func (x *Indexer) make(ctx context.Context, m indexing.Move, s *collection.Schema, docs []collection.Record) error {
	at := slices.IndexFunc(search.Sources, func(one search.Source) bool { return one.Schema == s })
	entries, err := x.entries(ctx, x.Store.Read(ports.ForTenant(m.From.Tenant)), search.Sources[at], docs)
	if err != nil {
		return err
	}
	return x.Index.Put(ctx, m.From, m.To, entries)
}

// entries are what records contribute.
func (x *Indexer) entries(ctx context.Context, r ports.Reader, s search.Source, docs []collection.Record) ([]search.Entry, error) {
	with := map[string]collection.Record{}
	for _, related := range s.With {
		var ids []string
		for _, doc := range docs {
			ids = append(ids, related.IDs(doc)...)
		}
		slices.Sort(ids)
		found, err := indexing.ReadMany(ctx, r, related.Schema, slices.Compact(ids), indexing.In(related.Schema, "id"))
		if err != nil {
			return nil, err
		}
		for _, one := range found {
			with[one.ID()] = one
		}
	}
	entries := make([]search.Entry, len(docs))
	for i, doc := range docs {
		entries[i] = s.Entry(doc, with, x.Fold)
	}
	return entries, nil
}
