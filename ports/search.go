package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// SearchPlace is how far the index of what a tenant's records are found by follows the tenant's events.
type SearchPlace struct {
	Tenant   tenant.ID
	Version  int64 // search.Version of those who made it; 0: there is none yet
	Sequence int64 // it has what events up to this number tell, once it is complete
	// Reading is the slug of the collection whose records are being read to make the index, SearchClearing while what is
	// left of another version is deleted, and "" when it is complete.
	Reading string
	After   string // id of the last record of Reading that is in it; "": none
}

// SearchClearing is SearchPlace.Reading before the first collection is read.
const SearchClearing = "*"

// SearchLag is a tenant whose index is behind.
type SearchLag struct {
	SearchPlace

	Newest  int64 // number of the tenant's newest event
	Trimmed int64 // number up to which its events have been deleted
}

// SearchBacklog is how far all indexes are behind, for metrics.
type SearchBacklog struct {
	Events int64 // that no index has yet, of any collection
	Making int64 // tenants whose index is being made
}

// SearchQuery asks for records of one collection.
type SearchQuery struct {
	Tenant      tenant.ID
	Environment tenant.Environment // "" for collections of both
	Collection  string             // slug
	Query       search.Query
	Kinds       []search.Kind // of terms that count; nil: all
	Limit       int           // 1..MaxFound
}

// Bounds of what one query costs. Rule search-5.
const (
	SearchWindow = 2500 // terms that are looked at for the rarest word
	MaxFound     = SearchWindow
)

// SearchIndex has the terms of the records of all tenants. It is made of the records and their events, and can be made
// again from them. Suite: portstest.SearchIndex.
type SearchIndex interface {
	// Behind lists at most limit tenants whose index is not complete, lacks events, or is of a smaller version.
	Behind(ctx context.Context, version int64, limit int) ([]SearchLag, error)
	// Put replaces what the sources of entries contributed, and moves the place of a tenant from one to the next, which may
	// be the same. Entries may be there before the place is moved; it is moved after all of them. Errors: ErrStale
	// when the place is another one.
	Put(ctx context.Context, from, to SearchPlace, entries []search.Entry) error
	// Clear deletes some of the terms of a tenant whose place is at; more reports whether there are others. Errors: ErrStale.
	Clear(ctx context.Context, at SearchPlace) (more bool, err error)
	// Find returns the ids of what is found, by rank and then by descending id. Where a word begins more than SearchWindow
	// terms, or more records than that have a word, it leaves out some of them, and mostly older ones.
	Find(ctx context.Context, q SearchQuery) ([]string, error)
	// Backlog is how far the indexes of this version are behind.
	Backlog(ctx context.Context, version int64) (SearchBacklog, error)
}
