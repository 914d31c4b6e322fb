package sqlstore

import (
	"time"

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

func eventOf(c collection.Change) event {
	e := event{
		tenant: tenantOf(c), record: c.ID(), id: c.EventID, collection: c.Schema.Slug, operation: string(c.Operation),
		sequence: c.Sequence(), body: string(eventBody(c)), at: c.At,
	}
	if env := c.Environment(); env != "" {
		e.environment = env
	}
	return e
}

// eventBody holds what a delivery shows: data is the changed fields of an update, else the whole record.
func eventBody(c collection.Change) []byte {
	staff := collection.View{Audience: collection.Staff}
	dst := append(make([]byte, 0, 4096), `{"data":`...)
	switch c.Operation {
	case collection.Deleted:
		return append(collection.AppendJSON(dst, c.Schema, c.Before, staff), '}')
	case collection.Created:
		start := len(dst)
		dst = collection.AppendJSON(dst, c.Schema, c.After, staff)
		end := len(dst)
		dst = append(dst, `,"doc":`...)
		dst = append(dst, dst[start:end]...)
	default:
		dst = collection.AppendFields(dst, c.Schema, c.After, staff, c.Changed())
		dst = collection.AppendJSON(append(dst, `,"doc":`...), c.Schema, c.After, staff)
		dst = collection.AppendJSON(append(dst, `,"previousDoc":`...), c.Schema, c.Before, staff)
	}
	return append(dst, '}')
}

const (
	insertEvent = "INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, body, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
	insertQueue = "INSERT INTO event_queue (tenant, record, record_sequence, collection, environment) VALUES ($1, $2, $3, $4, $5)"
	// On SQLite there is one writer, so the number is given in the transaction itself.
	countEvent = "INSERT INTO event_counters (tenant, last) VALUES ($1, 1) ON CONFLICT (tenant) DO UPDATE SET last = last + 1"
	insertLog  = "INSERT INTO event_log (tenant, sequence, record, record_sequence, collection, environment) SELECT $1, last, $2, $3, $4, $5 FROM event_counters WHERE tenant = $1"
)

// eventStatements store an event and put it in line for its number.
func (s *Store) eventStatements(e event) []stmt {
	key := []any{e.tenant, e.record, e.sequence, e.collection, e.environment}
	stored := stmt{sql: insertEvent, args: []any{e.tenant, e.record, e.sequence, e.id, e.collection, e.operation, e.environment, e.body, e.at}}
	if s.d.postgres {
		return []stmt{stored, {sql: insertQueue, args: key}}
	}
	return []stmt{stored, {sql: countEvent, args: []any{e.tenant}}, {sql: insertLog, args: key}}
}
