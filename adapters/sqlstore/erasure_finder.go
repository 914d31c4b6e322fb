package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErasureFinder is a ports.ErasureFinder.
type ErasureFinder struct{ store *engine }

var _ ports.ErasureFinder = ErasureFinder{}

// A log and answers that have no index are gone through in parts, each of which is read well within the time limit of a statement:
// so many events, and the answers whose key begins with one of so many bytes.
const (
	eventsPerRead = 20_000
	bytesPerRead  = 8
)

// PersonalEvents implements ports.ErasureFinder. What comes behind Through meanwhile is found by RedactEvents.
func (f ErasureFinder) PersonalEvents(
	ctx context.Context, of tenant.ID, s *collection.Schema, ids ...string,
) (found ports.PersonalEvents, err error) {
	if len(ids) == 0 || s.NoEvents {
		return found, nil
	}
	log, on := f.store.events, f.store.db.Reader(ports.ForTenant(of))
	text := log.EventsOfRecords(s.Slug)
	reads := []eventRead{{text, []any{string(of), ids}}}
	if !log.IndexedByRecord(s.Slug) {
		reads = nil
		if _, err := db.QueryRow(ctx, on, []any{&found.Through}, "SELECT last FROM event_counters WHERE tenant = $1", string(of)); err != nil {
			return found, fmt.Errorf("find the end of the log: %w", err)
		}
		for from := int64(0); from < found.Through; from += eventsPerRead {
			reads = append(reads, eventRead{text + eventlog.Between, []any{string(of), ids, from, min(from+eventsPerRead, found.Through)}})
		}
	}
	found.Of = map[string][]int64{}
	err = personalEvents(ctx, on, s, reads, func(e storedEvent) { found.Of[e.record] = append(found.Of[e.record], e.key) })
	if err != nil {
		return found, fmt.Errorf("find the events of %s: %w", s.Slug, err)
	}
	return found, nil
}

// storedEvent is an event.
type storedEvent struct {
	record        string
	key           int64 // what tells it from the other events of the record: see eventlog.Tables.EventsOfRecords
	doc, previous *string
}

// eventRead is an eventlog.Tables.EventsOfRecords.
type eventRead struct {
	text string
	args []any
}

// personalEvents calls do with each event in which there is something personal, as it is without that.
func personalEvents(ctx context.Context, on db.Session, s *collection.Schema, reads []eventRead, do func(storedEvent)) error {
	each := func(r db.Row) error {
		var e storedEvent
		if err := r.Scan(&e.record, &e.key, &e.doc, &e.previous); err != nil {
			return err
		}
		doc, previous, changed, err := table.RedactEvent(s, e.record, []byte(*e.doc), e.previous)
		if err == nil && changed {
			e.doc, e.previous = &doc, previous
			do(e)
		}
		return err
	}
	for _, read := range reads {
		if err := db.Query(ctx, on, each, read.text, read.args...); err != nil {
			return err
		}
	}
	return nil
}

// PersonalReceipts implements ports.ErasureFinder. Receipts are not found by the record that they are about, because every change of
// a cart would pay for the index: those of the tenant are gone through.
func (f ErasureFinder) PersonalReceipts(ctx context.Context, of tenant.ID, records ...ports.Ref) (keys []ports.ReceiptKey, err error) {
	schemas, ids := bySchemas(records)
	text := shownAnswers + " AND r.key >= $2 AND r.key <= $3 AND " + f.store.dialect.InList("r.record", "$4")
	for first := 0; first < 256 && len(records) > 0 && err == nil; first += bytesPerRead {
		from, until := ports.ReceiptKey{byte(first)}, ports.ReceiptKey{}
		for i := range until {
			until[i] = 0xff
		}
		until[0] = byte(first + bytesPerRead - 1)
		err = personalAnswers(ctx, f.store.db.Reader(ports.ForTenant(of)), schemas, func(key ports.ReceiptKey, _ []byte) {
			keys = append(keys, key)
		}, text, string(of), from[:], until[:], ids)
	}
	return keys, err
}

// bySchemas are the collections of records by their ids, and these.
func bySchemas(records []ports.Ref) (schemas map[string]*collection.Schema, ids []string) {
	schemas = make(map[string]*collection.Schema, len(records))
	for _, r := range records {
		schemas[r.ID], ids = r.Schema, append(ids, r.ID)
	}
	return schemas, ids
}

// shownAnswers selects the stored answers of tenant $1 that may show records.
const shownAnswers = "SELECT r.key, r.body FROM receipts r WHERE r.tenant = $1 AND r.done AND r.result <> '" + string(ports.ReceiptRefused) + "'"

// personalAnswers calls do with the key of each answer in which there is something personal, and the answer without that.
func personalAnswers(
	ctx context.Context, on db.Session, schemas map[string]*collection.Schema, do func(ports.ReceiptKey, []byte), text string, args ...any,
) error {
	err := db.Query(ctx, on, func(r db.Row) error {
		var key, body []byte
		if err := r.Scan(&key, &body); err != nil {
			return err
		}
		redacted, changed, err := table.RedactAnswer(schemas, body)
		if err == nil && changed {
			do(ports.ReceiptKey(key), redacted)
		}
		return err
	}, text, args...)
	if err != nil {
		return fmt.Errorf("look for stored answers: %w", err)
	}
	return nil
}
