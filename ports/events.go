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
	Actor          tenant.Actor // who made the change; zero for those of versions that did not know
	// Body is a JSON object with data, doc and previousDoc as staff sees them; an update has all three, a
	// create no previousDoc, a delete data only. It must not be modified.
	Body []byte
}

// EventQuery asks for a page of a tenant's events in the order of their numbers.
type EventQuery struct {
	Tenant      tenant.ID
	After       int64              // only events with larger numbers; 0: from the oldest stored event
	Before      int64              // only events with smaller numbers; 0: up to the newest
	Descending  bool               // from the newest to the oldest
	Actor       string             // a kind of actor or the id of one: only what they changed; "": all
	Environment tenant.Environment // only its events and those of both; "": all
	Collections []string           // slugs; nil: all
	Limit       int                // maximum number of events, at least 1
	// WithoutBodies leaves Event.Body nil, for those who ask which records changed.
	WithoutBodies bool
}

// EventPage is the result of an EventQuery. It may have fewer events than Limit, even none, if events are
// large or few match. While More, the next page is the one after Next, of a descending query the one before it.
type EventPage struct {
	Events []Event
	Next   int64 // every number up to this one has been examined; of a descending query, from this one on
	Last   int64 // number of the tenant's newest event of any kind, or the last one before EventQuery.Before; 0: none
	// Floor is the number after which a descending query begins to find events.
	Floor      int64
	Descending bool
}

// More reports whether there are events that the page has not examined.
func (p EventPage) More() bool {
	if p.Descending {
		return p.Next > p.Floor+1
	}
	return p.Next < p.Last
}

// HistoryQuery asks for the events of some records, in the order of their times, of one record in that of its changes. It
// finds them as soon as they are committed. The records of collections that change constantly, such as carts, have no history.
type HistoryQuery struct {
	Tenant      tenant.ID
	Environment tenant.Environment // only its events and those of both; "": all
	Records     []string           // ids, at least one
	Actor       string             // as in EventQuery
	// After and Before bound the recordSequence, both excluded; 0: no bound. For one record.
	After, Before int64
	// BeforeTime and BeforeID bound the time of the events, and the id among those of one time; zero: no bound.
	BeforeTime time.Time
	BeforeID   string
	Descending bool
	Limit      int // maximum number of events, at least 1
}

// EventLog reads events. A number becomes visible only after all smaller ones, so a reader that has read up
// to n never misses a number ≤ n.
type EventLog interface {
	// Events returns a page of the log. Updates whose previous document is no longer available are omitted.
	Events(ctx context.Context, q EventQuery) (EventPage, error)
	// History returns the events of records, without their numbers (Sequence 0). Updates whose previous document is no
	// longer available are omitted.
	History(ctx context.Context, q HistoryQuery) ([]Event, error)
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
