package sqlstore

import (
	"strings"
	"time"
	"unsafe"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// event is the stored notification of one change: as little as the body that is published can be made of, see EventText.
type event struct {
	tenant, record, id, collection string
	operation                      string
	environment                    any // nil for shared collections
	sequence                       int64
	doc                            string // the record after the change, of a delete before it, as staff see it
	changed                        any    // of an update: the names of the fields that changed, with commas between; else nil
	previous                       any    // of an update: the record before it; nil when that is the doc of the record's event before
	at                             time.Time
}

// eventsOf are the events of consecutive changes of one record. The record before the change is stored unless it is known to be
// the very bytes that its previous event has: those of the change before in the same run, or what whoever made the change
// had committed. It can be something else: what a computed field said then, or what a schema without a new field showed.
// On SQLite events of hot collections are not found by their record, so there each keeps what was before it. Records of
// silent collections have none.
func (w rowWriter) eventsOf(changes []collection.Change) []event {
	if changes[0].Schema.NoEvents {
		return nil
	}
	events := make([]event, len(changes))
	for i, c := range changes {
		e := event{
			tenant: tenantOf(c), record: c.ID(), id: c.EventID, collection: c.Schema.Slug, operation: string(c.Operation),
			sequence: c.Sequence(), at: c.At,
		}
		switch c.Operation {
		case collection.Deleted:
			e.doc = staffJSON(c.Schema, c.Before, nil)
		case collection.Updated:
			e.changed = strings.Join(c.ChangedFields(), ",")
			switch alone := c.Schema.FrequentlyUpdated && !w.dialect.Postgres; {
			case i == 0 && (alone || c.PreviousDoc == nil):
				e.previous = staffJSON(c.Schema, c.Before, c.PreviousDoc)
			case alone:
				e.previous = events[i-1].doc
			}
			fallthrough
		default:
			e.doc = staffJSON(c.Schema, c.After, c.Doc)
		}
		if env := c.Environment(); env != "" {
			e.environment = env
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

const (
	insertEvent      = "INSERT INTO events (" + eventValues + ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
	insertUnnumbered = "INSERT INTO unnumbered_events (tenant, records, record_sequences, collection) VALUES ($1, ARRAY[$2::text], ARRAY[$3::bigint], $4)"
	// On SQLite there is one writer, so the number is given in the transaction itself.
	nextEventNumber     = "INSERT INTO event_counters (tenant, last) VALUES ($1, 1) ON CONFLICT (tenant) DO UPDATE SET last = last + 1"
	insertNumberedEvent = "INSERT INTO events (" + eventValues + ", sequence) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, (SELECT last FROM event_counters WHERE tenant = $1))"
	// The same for many events of a tenant.
	reserveEventNumbers = "INSERT INTO event_counters (tenant, last) VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET last = last + excluded.last RETURNING last"
	insertEventAt       = "INSERT INTO events (" + eventValues + ", sequence) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
)

// eventStatements store an event and queue it for its number.
func (w rowWriter) eventStatements(e event) []db.Stmt {
	if w.dialect.Postgres {
		return []db.Stmt{{SQL: insertEvent, Args: e.values()}, {SQL: insertUnnumbered, Args: []any{e.tenant, e.record, e.sequence, e.collection}}}
	}
	return []db.Stmt{{SQL: nextEventNumber, Args: []any{e.tenant}}, {SQL: insertNumberedEvent, Args: e.values()}}
}

// values are those of eventValues.
func (e event) values() []any {
	return []any{e.tenant, e.record, e.sequence, e.id, e.collection, e.operation, e.environment, e.doc, e.changed, e.previous, e.at}
}
