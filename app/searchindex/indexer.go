package searchindex

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Indexer keeps the indexes of all tenants. Every instance runs one; what one has done the others leave.
type Indexer struct {
	Index    ports.SearchIndex
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
	eventPage   = 2000 // events of a tenant
	recordPage  = 200  // records that are read at once
	pagesOfMake = 5    // pages of records of a tenant whose index is made
	makePause   = 250 * time.Millisecond
)

// Run keeps the indexes until ctx ends.
func (x *Indexer) Run(ctx context.Context) error {
	loop := background.Loop{
		Pace: background.FollowPace, Told: x.Numbered, Log: x.Log,
		Failing: "search indexes cannot be kept; will retry", Again: "search indexes are kept again",
	}
	loop.Run(ctx, func(ctx context.Context, _ bool) (background.Look, error) { return x.Round(ctx) })
	return nil
}

// Round takes a page of events of each tenant into its index, or some of the records while it is made.
func (x *Indexer) Round(ctx context.Context) (found background.Look, err error) {
	behind, err := x.Index.Behind(ctx, search.Version, maxBehind)
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
		behind, err := x.Index.Behind(ctx, search.Version, 1)
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
	return x.Index.Backlog(ctx, search.Version)
}

// isComplete reports whether an index is of this version, and follows events that are still there.
func isComplete(l ports.SearchLag) bool {
	return l.Version == search.Version && l.Reading == "" && l.Sequence >= l.Trimmed
}

// advance takes one step, or some of those that make an index; more reports whether there are others. Errors:
// ports.ErrStale.
func (x *Indexer) advance(ctx context.Context, lag ports.SearchLag) (more bool, err error) {
	if isComplete(lag) {
		return x.follow(ctx, lag.SearchPlace)
	}
	place := lag.SearchPlace
	if place.Reading == "" || place.Version != search.Version {
		// What changes from here on has a larger number, and is taken in after all records were read.
		begun := ports.SearchPlace{Tenant: lag.Tenant, Version: search.Version, Sequence: lag.Newest, Reading: ports.SearchClearing}
		if err := x.Index.Put(ctx, place, begun, nil); err != nil {
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

// makePart clears some of an index, or reads some records into it, and returns the place after that.
func (x *Indexer) makePart(ctx context.Context, place ports.SearchPlace) (ports.SearchPlace, error) {
	next := place
	if place.Reading == ports.SearchClearing {
		more, err := x.Index.Clear(ctx, place)
		if err != nil || more {
			return place, err
		}
		next.Reading = search.Sources[0].Schema.Slug
		return next, x.Index.Put(ctx, place, next, nil)
	}
	at := slices.IndexFunc(search.Sources, func(s search.Source) bool { return s.Schema.Slug == place.Reading })
	source := search.Sources[at]
	r := x.Store.Read(ports.ForTenant(place.Tenant))
	page, err := r.Find(ctx, collection.Query{
		Schema: source.Schema, Where: source.Schema.Where("id", collection.GreaterThan, place.After), Limit: recordPage, Page: 1,
		Sort: source.Schema.SortBy("id"), SkipCount: true, LeaveOutDamaged: true,
	})
	if err != nil {
		return place, err
	}
	entries, err := x.entries(ctx, r, source, page.Docs)
	if err != nil {
		return place, err
	}
	next.After = page.LastID()
	if page.Found() < recordPage {
		next.Reading, next.After = "", ""
		if at+1 < len(search.Sources) {
			next.Reading = search.Sources[at+1].Schema.Slug
		}
	}
	return next, x.Index.Put(ctx, place, next, entries)
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
		found, err := readMany(ctx, r, related.Schema, slices.Compact(ids), isID(related.Schema))
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

// readMany reads the records that some of values call for by a condition, but for damaged ones: nobody can read those.
func readMany(
	ctx context.Context, r ports.Reader, s *collection.Schema, values []string, where func(some []string) collection.Cond,
) (all []collection.Record, err error) {
	for some := range slices.Chunk(values, recordPage) {
		q := collection.Query{Schema: s, Where: where(some), LeaveOutDamaged: true}
		err = ports.FindEach(ctx, r, q, func(page []collection.Record) error {
			all = append(all, page...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// isID is the condition that records of s are some of those with these ids.
func isID(s *collection.Schema) func(ids []string) collection.Cond {
	return func(ids []string) collection.Cond { return collection.FieldIn(s, "id", ids) }
}
