package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Event is the event of one change. Rules events-1, events-2.
type Event struct {
	ID             string // UUIDv7
	Tenant         tenant.ID
	Environment    tenant.Environment // "" concerns both
	Sequence       int64              // 1, 2, 3… in the tenant; a record's events have them in the order of their commits
	RecordSequence int64              // 1, 2, 3… of the record
	Collection     string             // slug
	Record         string             // id
	Operation      collection.Operation
	At             time.Time
	// Body is a JSON object with data, doc and previousDoc as staff sees them; an update has all three, a
	// create no previousDoc, a delete data only. It must not be modified.
	Body []byte
}

// EventQuery asks for a page of a tenant's events in the order of their numbers.
type EventQuery struct {
	Tenant      tenant.ID
	After       int64              // only events with larger numbers; 0: from the oldest stored event
	Environment tenant.Environment // only its events and those of both; "": all
	Collections []string           // slugs; nil: all
	Limit       int                // maximum number of events, at least 1
}

// EventPage is the result of an EventQuery. It may have fewer events than Limit, even none, if events are
// large or few match. While More, the next page is the one after Next.
type EventPage struct {
	Events []Event
	Next   int64 // every number up to this one has been examined
	Last   int64 // number of the tenant's newest event of any kind; 0: none
}

// More reports whether there are events after the page.
func (p EventPage) More() bool { return p.Next < p.Last }

// EventLog reads events. A number becomes visible only after all smaller ones, so a reader that has read up
// to n never misses a number ≤ n.
type EventLog interface {
	// Events returns a page of the log. Updates whose previous document is no longer available are omitted.
	Events(ctx context.Context, q EventQuery) (EventPage, error)
	// TrimmedThrough is the number up to which a tenant's events have been deleted; 0: none.
	TrimmedThrough(ctx context.Context, id tenant.ID) (int64, error)
	// Newest returns the number of each tenant's newest event. Tenants without events are absent.
	Newest(ctx context.Context, ids []tenant.ID) (map[tenant.ID]int64, error)
}

// EventTrimmer deletes old events.
type EventTrimmer interface {
	// Trim deletes some of a tenant's oldest events from before a time, in order; more reports whether there
	// are others. It keeps documents that later events need as their previousDoc.
	Trim(ctx context.Context, id tenant.ID, before time.Time) (more bool, err error)
}
