package productindex

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Version counts the changes of what products are found by. An index that another version made is made anew.
const Version = 1

// Indexer keeps the product indexes of all tenants. Every instance runs one; what one has done the others leave.
type Indexer struct {
	Index    ports.ProductSearch
	Events   ports.EventLog
	Store    ports.Store
	Fold     collection.Fold
	Log      *slog.Logger
	Task     *background.Task // of the tenants; may be nil
	Numbered <-chan struct{}  // receives when there are new events; nil: they are found by polling
}

// Bounds of a round.
const (
	maxBehind   = 1000 // tenants
	eventPage   = 1000 // events of a tenant
	recordPage  = 250  // records that are read at once
	makePage    = 500  // products that are stored at once while an index is made: the more, the fewer times a set is written
	pagesOfMake = 2    // of these pages in a round
	makePause   = 100 * time.Millisecond
)

// groupSources are the collections whose records are groups of products.
var groupSources = []struct {
	kind   productsearch.GroupKind
	schema *collection.Schema
}{
	{productsearch.Brand, catalog.Brands}, {productsearch.Category, catalog.Categories}, {productsearch.Tag, catalog.Tags},
}

// Run keeps the indexes until ctx ends.
func (x *Indexer) Run(ctx context.Context) error {
	loop := background.Loop{
		Pace: background.FollowPace, Told: x.Numbered, Log: x.Log,
		Failing: "product indexes cannot be kept; will retry", Again: "product indexes are kept again",
	}
	loop.Run(ctx, func(ctx context.Context, _ bool) (background.Look, error) { return x.Round(ctx) })
	return nil
}

// Round takes a page of events of each tenant into its index, or some of the records while it is made.
func (x *Indexer) Round(ctx context.Context) (found background.Look, err error) {
	behind, err := x.Index.Behind(ctx, Version, maxBehind)
	if err != nil {
		return found, err
	}
	whose := func(l ports.SearchLag) tenant.ID { return l.Tenant }
	return background.Follow(ctx, x.Task, behind, whose, func(ctx context.Context, lag ports.SearchLag) (background.Look, error) {
		more, err := x.advance(ctx, lag)
		if more && !isComplete(lag) {
			return background.Look{Next: makePause, Busy: true}, err
		}
		return background.Look{More: more, Busy: true}, err
	})
}

// CatchUp makes rounds until no index is behind.
func (x *Indexer) CatchUp(ctx context.Context) error {
	for {
		behind, err := x.Index.Behind(ctx, Version, 1)
		if err != nil || len(behind) == 0 {
			return err
		}
		if _, err := x.Round(ctx); err != nil {
			return err
		}
	}
}

// Backlog is how far all indexes are behind, over all instances.
func (x *Indexer) Backlog(ctx context.Context) (ports.SearchBacklog, error) {
	return x.Index.Backlog(ctx, Version)
}

// isComplete reports whether an index is of this version, and follows events that are still there.
func isComplete(l ports.SearchLag) bool {
	return l.Version == Version && l.Reading == "" && l.Sequence >= l.Trimmed
}

// advance takes one step, or some of those that make an index; more reports whether there are others. Errors:
// ports.ErrStale.
func (x *Indexer) advance(ctx context.Context, lag ports.SearchLag) (more bool, err error) {
	if isComplete(lag) {
		return x.follow(ctx, lag.SearchPlace)
	}
	place := lag.SearchPlace
	if place.Reading == "" || place.Version != Version {
		// What changes from here on has a larger number, and is taken in after all records were read.
		begun := ports.SearchPlace{Tenant: lag.Tenant, Version: Version, Sequence: lag.Newest, Reading: ports.SearchClearing}
		if err := x.Index.Put(ctx, place, begun, nil, nil); err != nil {
			return false, err
		}
		place = begun
	}
	for range pagesOfMake {
		if place, err = x.makePart(ctx, place); err != nil || place.Reading == "" {
			return false, err
		}
	}
	return true, nil
}

// readings are the collections that an index is made of, in order.
func readings() (slugs []string) {
	for _, s := range groupSources {
		slugs = append(slugs, s.schema.Slug)
	}
	return append(slugs, catalog.Products.Slug)
}

// makePart clears some of an index, or reads some records into it, and returns the place after that.
func (x *Indexer) makePart(ctx context.Context, place ports.SearchPlace) (ports.SearchPlace, error) {
	next := place
	slugs := readings()
	if place.Reading == ports.SearchClearing {
		more, err := x.Index.Clear(ctx, place)
		if err != nil || more {
			return place, err
		}
		next.Reading = slugs[0]
		return next, x.Index.Put(ctx, place, next, nil, nil)
	}
	at := slices.Index(slugs, place.Reading)
	schema := catalog.Products
	if at < len(groupSources) {
		schema = groupSources[at].schema
	}
	b, err := x.open(ctx, place.Tenant)
	if err != nil {
		return place, err
	}
	page, err := b.live.Find(ctx, collection.Query{
		Schema: schema, Where: schema.Where("id", collection.GreaterThan, place.After), Limit: makePage, Page: 1,
		Sort: schema.SortBy("id"), SkipCount: true, LeaveOutDamaged: true,
	})
	if err != nil {
		return place, err
	}
	var entries []productsearch.Entry
	var groups []productsearch.Group
	if schema == catalog.Products {
		entries, groups, err = b.products(ctx, page.Docs)
	} else {
		groups = b.groups(at, page.Docs)
	}
	if err != nil {
		return place, err
	}
	next.After = page.LastID()
	if page.Found() < makePage {
		next.Reading, next.After = "", ""
		if at+1 < len(slugs) {
			next.Reading = slugs[at+1]
		}
	}
	return next, x.Index.Put(ctx, place, next, entries, groups)
}
