package productindex

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/indexing"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Version counts the changes of what products are found by. An index that another version made is made anew.
const Version = 2

// Indexer is what the product indexes of all tenants are kept with.
type Indexer struct {
	Index    ports.ProductSearch
	Events   ports.EventLog
	Store    ports.Store
	Fold     collection.Fold
	Log      *slog.Logger
	Task     *background.Task // see indexing.Follower
	Numbered <-chan struct{}
}

// Bounds of a round.
const (
	eventPage   = 1000 // events of a tenant
	makePage    = 500  // products that are stored at once while an index is made: the more, the fewer times a set is written
	pagesOfMake = 2    // of these pages in a round
	makePause   = 100 * time.Millisecond
)

// groupSource is a collection whose records are groups of products.
type groupSource struct {
	kind   productsearch.GroupKind
	schema *collection.Schema
}

var groupSources = []groupSource{
	{productsearch.Brand, catalog.Brands}, {productsearch.Category, catalog.Categories}, {productsearch.Tag, catalog.Tags},
}

// Follower keeps the indexes.
func (x *Indexer) Follower() *indexing.Follower {
	var schemas []*collection.Schema
	for _, s := range groupSources {
		schemas = append(schemas, s.schema)
	}
	return &indexing.Follower{
		Index: x.Index, Events: x.Events, Store: x.Store, Log: x.Log, Task: x.Task, Numbered: x.Numbered,
		Steps: indexing.Steps{
			Indexes: "product indexes", Version: Version, Schemas: append(schemas, catalog.Products), Environment: tenant.Live,
			Page:     ports.EventQuery{Collections: followed(), Limit: eventPage},
			MakePage: makePage, PagesOfMake: pagesOfMake, MakePause: makePause, Take: x.take, Make: x.make,
		},
	}
}

// make takes in some of the records that an index is made of.
func (x *Indexer) make(ctx context.Context, m indexing.Move, s *collection.Schema, docs []collection.Record) error {
	b, err := x.open(ctx, m.From.Tenant)
	if err != nil {
		return err
	}
	var entries []productsearch.Entry
	var groups []productsearch.Group
	if s == catalog.Products {
		entries, groups, err = b.products(ctx, docs)
	} else {
		groups = b.groups(slices.IndexFunc(groupSources, func(g groupSource) bool { return g.schema == s }), docs)
	}
	if err != nil {
		return err
	}
	return x.Index.Put(ctx, m.From, m.To, entries, groups)
}
