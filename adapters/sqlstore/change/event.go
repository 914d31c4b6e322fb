package change

import (
	"strings"
	"time"
	"unsafe"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Event is the stored notification of one change: as little as the body that is published can be made of, see
// EventText.
type Event struct {
	Tenant, Record, ID, Collection string
	Operation                      string
	Environment                    any // nil for shared collections
	Sequence                       int64
	Doc                            string // the record after the change, of a delete before it, as staff see it
	Changed                        any    // of an update: the names of the fields that changed, with commas between; else nil
	Previous                       any    // of an update: the record before it, or its table.Delta; nil when that is the doc of the record's event before
	At                             time.Time
	Actor                          any // tenant.Actor as text; nil: of a version that did not know
}

// EventsOf are the events of consecutive changes of one record. The record before the change is stored unless
// it is known to be the very bytes that its previous event has: those of the change before in the same run,
// or what whoever made the change had committed. It can be something else: what a computed field said then,
// or what a schema without a new field showed. On SQLite events of hot collections are not found by their
// record, so there each keeps what was before it. Records of silent collections have none.
func (w Writer) EventsOf(changes []collection.Change) []Event {
	if changes[0].Schema.NoEvents {
		return nil
	}
	events := make([]Event, len(changes))
	for i, c := range changes {
		e := Event{
			Tenant: TenantOf(c), Record: c.ID(), ID: c.EventID, Collection: c.Schema.Slug, Operation: string(c.Operation),
			Sequence: c.Sequence(), At: c.At, Actor: c.Actor.String(),
		}
		switch c.Operation {
		case collection.Deleted:
			e.Doc = staffJSON(c.Schema, c.Before, nil)
		case collection.Updated:
			e.Changed = strings.Join(c.ChangedFields(), ",")
			switch alone := c.Schema.FrequentlyUpdated && !w.Dialect.Postgres; {
			case i == 0 && (alone || c.PreviousDoc == nil):
				e.Previous = staffJSON(c.Schema, c.Before, c.PreviousDoc)
			case alone:
				e.Previous = events[i-1].Doc
			}
			fallthrough
		default:
			e.Doc = staffJSON(c.Schema, c.After, c.Doc)
		}
		if before, stored := e.Previous.(string); stored && !w.Dialect.Postgres { // there, older servers may read it
			e.Previous = table.Delta(e.Doc, before)
		}
		if env := c.Environment(); env != "" {
			e.Environment = env
		}
		events[i] = e
	}
	return events
}

// staffJSON is a record as events show it; made is that where it has been made already.
func staffJSON(s *collection.Schema, r collection.Record, made []byte) string {
	if made == nil {
		made = collection.AppendJSON(make([]byte, 0, 2048), s, r, collection.View{Audience: collection.Staff})
	}
	return unsafe.String(unsafe.SliceData(made), len(made)) //nolint:gosec // it is not changed any more
}

// EventColumns are the columns of an event, but for its number.
const EventColumns = "tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at, actor"

// EventArrays and QueueArrays are the arrays of a statement for many events, and for their entries in the
// queue, after n, which tells what changed together.
const (
	EventArrays = "tenant text, record text, record_sequence bigint, id text, collection text, operation text, environment text, doc text, changed text, previous_doc text, occurred_at timestamptz, actor text"
	QueueArrays = "n bigint, tenant text, record text, record_sequence bigint, collection text"
)

// The statements for many events on Postgres, of EventArrays, and for their entries in the queue, of
// QueueArrays.
var (
	InsertEvents = "INSERT INTO events (" + EventColumns + ") SELECT " + EventColumns + " FROM " +
		db.Unnest("e", strings.Split(EventArrays, ", "), 1, "")
	InsertManyUnnumbered = "INSERT INTO unnumbered_events (tenant, collection, records, record_sequences)\n" +
		"SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM " +
		db.Unnest("q", strings.Split(QueueArrays, ", "), 1, "") + " GROUP BY tenant, collection, n / 32"
)

const (
	insertEvent      = "INSERT INTO events (" + EventColumns + ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
	insertUnnumbered = "INSERT INTO unnumbered_events (tenant, records, record_sequences, collection) VALUES ($1, ARRAY[$2::text], ARRAY[$3::bigint], $4)"
	// On SQLite there is one writer, so the number is given in the transaction itself.
	nextEventNumber     = "INSERT INTO event_counters (tenant, last) VALUES ($1, 1) ON CONFLICT (tenant) DO UPDATE SET last = last + 1"
	insertNumberedEvent = "INSERT INTO events (" + EventColumns +
		", sequence) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, (SELECT last FROM event_counters WHERE tenant = $1))"

	// ReserveEventNumbers gives many events of a tenant their numbers, up to the one returned.
	ReserveEventNumbers = "INSERT INTO event_counters (tenant, last) VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET last = last + excluded.last RETURNING last"
	// InsertEventAt stores an event with its number.
	InsertEventAt = "INSERT INTO events (" + EventColumns + ", sequence) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
)

// EventStatements store an event and queue it for its number.
func (w Writer) EventStatements(e Event) []db.Stmt {
	if w.Dialect.Postgres {
		return []db.Stmt{
			{SQL: insertEvent, Args: e.Values()}, {SQL: insertUnnumbered, Args: []any{e.Tenant, e.Record, e.Sequence, e.Collection}},
		}
	}
	return []db.Stmt{{SQL: nextEventNumber, Args: []any{e.Tenant}}, {SQL: insertNumberedEvent, Args: e.Values()}}
}

// Values are those of EventColumns.
func (e Event) Values() []any {
	return []any{e.Tenant, e.Record, e.Sequence, e.ID, e.Collection, e.Operation, e.Environment, e.Doc, e.Changed, e.Previous, e.At, e.Actor}
}
