package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Event is what is told of one change. Spec 6, Contract 10.
type Event struct {
	ID             string // UUIDv7
	Tenant         tenant.ID
	Environment    tenant.Environment // "" concerns both
	Sequence       int64              // 1, 2, 3… in the tenant, in commit order
	RecordSequence int64              // 1, 2, 3… of the record
	Collection     string             // slug
	Record         string             // id
	Operation      collection.Operation
	At             time.Time
	// Body is an object of data, doc and previousDoc as staff sees them; update has all three, create no previousDoc, delete
	// data alone. Nobody changes it.
	Body []byte
}

// EventQuery asks for a page of a tenant's events in commit order.
type EventQuery struct {
	Tenant      tenant.ID
	After       int64              // events with larger numbers; 0 begins with the oldest that is kept
	Environment tenant.Environment // events of it and those that concern both; "" all
	Collections []string           // slugs; nil: all
	Limit       int                // at most so many, from 1
}

// EventPage is an answer to EventQuery. It has fewer events than asked for, even none, where they are large or few match:
// whoever wants more asks again After Next, as long as there is More.
type EventPage struct {
	Events []Event
	Next   int64 // no number up to this one is left to look at
	Last   int64 // of the tenant's newest event, of whatever sort; 0: there was none
}

// More reports whether there are numbers behind the page.
func (p EventPage) More() bool { return p.Next < p.Last }

// EventLog reads what happened. A number is visible only once every smaller one is: who has read up to n never meets a
// number ≤ n later.
type EventLog interface {
	// Events is a page of the log. An update of which nobody can tell any more what was before it is left out.
	Events(ctx context.Context, q EventQuery) (EventPage, error)
	// Trimmed is the number up to which a tenant's events are not kept any more; 0: all are.
	Trimmed(ctx context.Context, id tenant.ID) (int64, error)
	// Newest are the numbers of the newest events, by tenant. Tenants without events are missing.
	Newest(ctx context.Context, ids []tenant.ID) (map[tenant.ID]int64, error)
}

// EventTrimmer forgets what happened long ago.
type EventTrimmer interface {
	// Trim forgets some of the oldest events of a tenant that happened before a time, in their order; more says that there
	// are others. What later events are told by stays.
	Trim(ctx context.Context, id tenant.ID, before time.Time) (more bool, err error)
}
