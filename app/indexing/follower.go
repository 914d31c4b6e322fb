package indexing

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Index is what any index has: a ports.SearchIndex or a ports.ProductSearch.
type Index interface {
	Behind(ctx context.Context, version int64, limit int) ([]ports.SearchLag, error)
	Clear(ctx context.Context, at ports.SearchPlace) (more bool, err error)
	Backlog(ctx context.Context, version int64) (ports.SearchBacklog, error)
}

// Steps say what stands in an index.
type Steps struct {
	Indexes     string               // what they are called in logs, as "search indexes"
	Version     int64                // an index that another version made is made anew
	Schemas     []*collection.Schema // of the records that an index is made of, in order
	Environment tenant.Environment   // whose stock the records have; "": none
	Page        ports.EventQuery     // of events: which collections, how many at once, and whether with their bodies
	MakePage    int                  // records that are stored at once while an index is made
	PagesOfMake int                  // in a round
	MakePause   time.Duration        // between rounds
	// Take takes in what events are about, and moves the place. It reads the records itself: they are as these events left
	// them, or newer, and then another event follows. There may be no events. Errors: ports.ErrStale.
	Take func(ctx context.Context, m Move, events []ports.Event) error
	// Make takes in records of a schema, and moves the place. Errors: ports.ErrStale.
	Make func(ctx context.Context, m Move, s *collection.Schema, docs []collection.Record) error
}

// Move is a tenant's place in its events, and the next one.
type Move struct{ From, To ports.SearchPlace }

// Follower keeps the indexes of all tenants. Every instance runs one.
type Follower struct {
	Index    Index
	Steps    Steps
	Events   ports.EventLog
	Store    ports.Store
	Log      *slog.Logger
	Task     *background.Task // of the tenants; may be nil
	Numbered <-chan struct{}  // receives when there are new events; nil: they are found by polling
}

// maxBehind is how many tenants a round takes on.
const maxBehind = 1000

// Run keeps the indexes until ctx ends.
func (f *Follower) Run(ctx context.Context) error {
	loop := background.Loop{
		Pace: background.FollowPace, Told: f.Numbered, Log: f.Log,
		Failing: f.Steps.Indexes + " cannot be kept; will retry", Again: f.Steps.Indexes + " are kept again",
	}
	loop.Run(ctx, func(ctx context.Context, _ bool) (background.Look, error) { return f.Round(ctx) })
	return nil
}

// Round takes a page of events of each tenant into its index, or some of the records while it is made.
func (f *Follower) Round(ctx context.Context) (found background.Look, err error) {
	behind, err := f.Index.Behind(ctx, f.Steps.Version, maxBehind)
	if err != nil {
		return found, err
	}
	whose := func(l ports.SearchLag) tenant.ID { return l.Tenant }
	return background.Follow(ctx, f.Task, behind, whose, func(ctx context.Context, lag ports.SearchLag) (background.Look, error) {
		more, err := f.advance(ctx, lag)
		if more && !f.isComplete(lag) {
			return background.Look{Next: f.Steps.MakePause, Busy: true}, err
		}
		return background.Look{More: more, Busy: true}, err
	})
}

// CatchUp makes rounds until no index is behind.
func (f *Follower) CatchUp(ctx context.Context) error {
	for {
		behind, err := f.Index.Behind(ctx, f.Steps.Version, 1)
		if err != nil || len(behind) == 0 {
			return err
		}
		if _, err := f.Round(ctx); err != nil {
			return err
		}
	}
}

// Backlog is how far all indexes are behind, over all instances.
func (f *Follower) Backlog(ctx context.Context) (ports.SearchBacklog, error) {
	return f.Index.Backlog(ctx, f.Steps.Version)
}

// isComplete reports whether an index is of this version, and follows events that are still there.
func (f *Follower) isComplete(l ports.SearchLag) bool {
	return l.Version == f.Steps.Version && l.Reading == "" && l.Sequence >= l.Trimmed
}

// advance takes one step, or some of those that make an index; more reports whether there are others. Errors:
// ports.ErrStale.
func (f *Follower) advance(ctx context.Context, lag ports.SearchLag) (more bool, err error) {
	if f.isComplete(lag) {
		return f.follow(ctx, lag.SearchPlace)
	}
	place := lag.SearchPlace
	if place.Reading == "" || place.Version != f.Steps.Version {
		// What changes from here on has a larger number, and is taken in after all records were read.
		begun := ports.SearchPlace{Tenant: lag.Tenant, Version: f.Steps.Version, Sequence: lag.Newest, Reading: ports.SearchClearing}
		if err := f.Steps.Take(ctx, Move{place, begun}, nil); err != nil {
			return false, err
		}
		place = begun
	}
	for range f.Steps.PagesOfMake {
		if place, err = f.makePart(ctx, place); err != nil || place.Reading == "" {
			return false, err
		}
	}
	return true, nil
}

// follow takes a page of events into an index; more reports whether there is another.
func (f *Follower) follow(ctx context.Context, place ports.SearchPlace) (more bool, err error) {
	q := f.Steps.Page
	q.Tenant, q.After = place.Tenant, place.Sequence
	page, err := f.Events.Events(ctx, q)
	if err != nil || page.Next <= place.Sequence {
		return false, err
	}
	next := place
	next.Sequence = page.Next
	return page.More(), f.Steps.Take(ctx, Move{place, next}, page.Events)
}

// makePart clears some of an index, or reads some records into it, and returns the place after that.
func (f *Follower) makePart(ctx context.Context, place ports.SearchPlace) (ports.SearchPlace, error) {
	next := place
	if place.Reading == ports.SearchClearing {
		more, err := f.Index.Clear(ctx, place)
		if err != nil || more {
			return place, err
		}
		next.Reading = f.Steps.Schemas[0].Slug
		return next, f.Steps.Take(ctx, Move{place, next}, nil)
	}
	at := slices.IndexFunc(f.Steps.Schemas, func(s *collection.Schema) bool { return s.Slug == place.Reading })
	schema := f.Steps.Schemas[at]
	scope := ports.ForTenant(place.Tenant)
	scope.Environment = f.Steps.Environment
	page, err := f.Store.Read(scope).Find(ctx, collection.Query{
		Schema: schema, Where: schema.Where("id", collection.GreaterThan, place.After), Limit: f.Steps.MakePage, Page: 1,
		Sort: schema.SortBy("id"), SkipCount: true, LeaveOutDamaged: true,
	})
	if err != nil {
		return place, err
	}
	next.After = page.LastID()
	if page.Found() < f.Steps.MakePage {
		next.Reading, next.After = "", ""
		if at+1 < len(f.Steps.Schemas) {
			next.Reading = f.Steps.Schemas[at+1].Slug
		}
	}
	return next, f.Steps.Make(ctx, Move{place, next}, schema, page.Docs)
}
