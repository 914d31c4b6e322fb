package sqlstore

import (
	"time"
	"unsafe"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// event is the stored notification of one change. Contract 10.
type event struct {
	tenant, record, id, collection string
	operation                      string
	environment                    any // nil for shared collections
	sequence                       int64
	body                           string // {"data", "doc", "previousDoc"} as staff see them
	at                             time.Time
}

// eventsOf are the events of consecutive changes of one record: the document after a change is encoded once, though it
// is the previous one of the next change too.
func eventsOf(changes []collection.Change) []event {
	events := make([]event, len(changes))
	var doc []byte
	for i, c := range changes {
		var body []byte
		body, doc = eventBody(c, doc)
		events[i] = event{
			tenant: tenantOf(c), record: c.ID(), id: c.EventID, collection: c.Schema.Slug, operation: string(c.Operation),
			sequence: c.Sequence(), body: unsafe.String(unsafe.SliceData(body), len(body)), at: c.At, //nolint:gosec // nobody changes body any more
		}
		if env := c.Environment(); env != "" {
			events[i].environment = env
		}
	}
	return events
}

// eventBody holds what a delivery shows: data is the changed fields of an update, else the whole record. doc is the part
// of it that shows the record afterwards; previous is that part of the record's change before, nil when unknown.
func eventBody(c collection.Change, previous []byte) (body, doc []byte) {
	staff := collection.View{Audience: collection.Staff}
	body = append(make([]byte, 0, 512+3*max(len(c.Doc), 1024)), `{"data":`...)
	if c.Operation == collection.Deleted {
		return append(collection.AppendJSON(body, c.Schema, c.Before, staff), '}'), nil
	}
	if doc = c.Doc; doc == nil {
		doc = collection.AppendJSON(make([]byte, 0, 2048), c.Schema, c.After, staff)
	}
	if c.Operation == collection.Created {
		body = append(append(append(body, doc...), `,"doc":`...), doc...)
		return append(body, '}'), doc
	}
	body = collection.AppendFields(body, c.Schema, c.After, staff, c.Changed())
	body = append(append(append(body, `,"doc":`...), doc...), `,"previousDoc":`...)
	if previous == nil {
		previous = c.PreviousDoc
	}
	if previous == nil {
		previous = collection.AppendJSON(nil, c.Schema, c.Before, staff)
	}
	return append(append(body, previous...), '}'), doc
}

const (
	insertEvent = "INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, body, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
	insertQueue = "INSERT INTO unnumbered (tenant, records, record_sequences, collection, environment) VALUES ($1, ARRAY[$2::text], ARRAY[$3::bigint], $4, $5)"
	// On SQLite there is one writer, so the number is given in the transaction itself.
	countEvent = "INSERT INTO event_counters (tenant, last) VALUES ($1, 1) ON CONFLICT (tenant) DO UPDATE SET last = last + 1"
	insertLog  = "INSERT INTO event_log (tenant, sequence, record, record_sequence, collection, environment) SELECT $1, last, $2, $3, $4, $5 FROM event_counters WHERE tenant = $1"
	// The same for many events of a tenant.
	countEvents = "INSERT INTO event_counters (tenant, last) VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET last = last + excluded.last RETURNING last"
	insertPlace = "INSERT INTO event_log (tenant, sequence, record, record_sequence, collection, environment) VALUES ($1, $2, $3, $4, $5, $6)"
)

// eventStatements store an event and put it in line for its number.
func (s *Store) eventStatements(e event) []stmt {
	key := []any{e.tenant, e.record, e.sequence, e.collection, e.environment}
	if s.d.postgres {
		return []stmt{e.stored(), {sql: insertQueue, args: key}}
	}
	return []stmt{e.stored(), {sql: countEvent, args: []any{e.tenant}}, {sql: insertLog, args: key}}
}

func (e event) stored() stmt {
	return stmt{sql: insertEvent, args: []any{e.tenant, e.record, e.sequence, e.id, e.collection, e.operation, e.environment, e.body, e.at}}
}
