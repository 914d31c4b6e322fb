package sqlstore

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unsafe"

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

// eventsOf are the events of consecutive changes of one record. What the record was before is kept unless it is known to be
// the very bytes that its event before keeps: those of the change before in the same run, or what whoever made the change
// had committed. It can be something else: what a computed field said then, or what a schema without a new field showed.
// On SQLite events of hot collections are not found by their record, so there each keeps what was before it. Records of
// silent collections have none.
func (s *Store) eventsOf(changes []collection.Change) []event {
	if changes[0].Schema.Silent {
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
			e.doc = shownToStaff(c.Schema, c.Before, nil)
		case collection.Updated:
			e.changed = strings.Join(c.Changed(), ",")
			switch alone := c.Schema.Hot && !s.d.postgres; {
			case i == 0 && (alone || c.PreviousDoc == nil):
				e.previous = shownToStaff(c.Schema, c.Before, c.PreviousDoc)
			case alone:
				e.previous = events[i-1].doc
			}
			fallthrough
		default:
			e.doc = shownToStaff(c.Schema, c.After, c.Doc)
		}
		if env := c.Environment(); env != "" {
			e.environment = env
		}
		events[i] = e
	}
	return events
}

// shownToStaff is a record as events show it; made is that where it has been made already.
func shownToStaff(s *collection.Schema, r collection.Record, made []byte) string {
	if made == nil {
		made = collection.AppendJSON(make([]byte, 0, 2048), s, r, collection.View{Audience: collection.Staff})
	}
	return unsafe.String(unsafe.SliceData(made), len(made)) //nolint:gosec // nobody changes it any more
}

// EventText selects, of a row e of events, what PublishedBody and decodeEvent read: three lines with the names of the changed
// fields, the record after and the record before the change. Documents have no line breaks. It is null where the event
// before, which an update may need, is gone.
const EventText = eventText + `)) END`

// eventText is EventText as far as the condition on the event before.
const eventText = `CASE e.operation WHEN 'create' THEN '
' || e.doc || '
' WHEN 'delete' THEN '

' || e.doc ELSE e.changed || '
' || e.doc || '
' || coalesce(e.previous_doc, (SELECT p.doc FROM events p WHERE p.tenant = e.tenant AND p.record = e.record AND p.record_sequence = e.record_sequence - 1`

// PublishedBody is what a delivery shows of an event, made from its EventText: data, the changed fields of an update, else
// the whole record; doc, the record after the change; previousDoc, the record before an update.
func PublishedBody(text []byte) []byte {
	names, after, before := partsOf(text)
	body := append(make([]byte, 0, 64+3*len(after)+len(before)), `{"data":`...)
	switch {
	case len(after) == 0:
		return append(append(body, before...), '}')
	case len(before) == 0:
		body = append(append(append(body, after...), `,"doc":`...), after...)
		return append(body, '}')
	}
	body = appendMembers(body, after, names)
	body = append(append(append(body, `,"doc":`...), after...), `,"previousDoc":`...)
	return append(append(body, before...), '}')
}

// partsOf takes an EventText apart.
func partsOf(text []byte) (names, after, before []byte) {
	names, text, _ = bytes.Cut(text, []byte{'\n'})
	after, before, _ = bytes.Cut(text, []byte{'\n'})
	return names, after, before
}

// appendMembers appends an object of those members of doc that are named, in the order they have there.
func appendMembers(dst, doc, names []byte) []byte {
	wanted := strings.Split(string(names), ",")
	dst = append(dst, '{')
	d := decoder{b: doc}
	d.take('{')
	for !d.take('}') && d.err == nil {
		d.take(',')
		start := d.i
		key := string(d.key())
		d.take(':')
		d.skip()
		if slices.Contains(wanted, key) {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(dst, doc[start:d.i]...)
		}
	}
	return append(dst, '}')
}

const (
	insertEvent = "INSERT INTO events (" + eventValues + ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
	insertQueue = "INSERT INTO unnumbered (tenant, records, record_sequences, collection) VALUES ($1, ARRAY[$2::text], ARRAY[$3::bigint], $4)"
	// On SQLite there is one writer, so the number is given in the transaction itself.
	countEvent = "INSERT INTO event_counters (tenant, last) VALUES ($1, 1) ON CONFLICT (tenant) DO UPDATE SET last = last + 1"
	insertLast = "INSERT INTO events (" + eventValues + ", sequence) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, (SELECT last FROM event_counters WHERE tenant = $1))"
	// The same for many events of a tenant.
	countEvents = "INSERT INTO event_counters (tenant, last) VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET last = last + excluded.last RETURNING last"
	insertPlace = "INSERT INTO events (" + eventValues + ", sequence) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
)

// eventStatements store an event and put it in line for its number.
func (s *Store) eventStatements(e event) []stmt {
	if s.d.postgres {
		return []stmt{{sql: insertEvent, args: e.values()}, {sql: insertQueue, args: []any{e.tenant, e.record, e.sequence, e.collection}}}
	}
	return []stmt{{sql: countEvent, args: []any{e.tenant}}, {sql: insertLast, args: e.values()}}
}

// values are those of eventValues.
func (e event) values() []any {
	return []any{e.tenant, e.record, e.sequence, e.id, e.collection, e.operation, e.environment, e.doc, e.changed, e.previous, e.at}
}
