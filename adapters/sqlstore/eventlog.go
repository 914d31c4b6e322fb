package sqlstore

import (
	"context"
	"fmt"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of a page of the log, so that none costs more than a list does.
const (
	logWindow = 5000    // numbers that are looked at, so many more as were given out together
	logBytes  = 4 << 20 // of bodies, and one more event
)

// EventLog is a ports.EventLog. No page looks at more than logWindow numbers or shows much more than logBytes.
type EventLog struct {
	store  *Store
	window int64
}

var _ ports.EventLog = EventLog{}

// EventLog is the log of s.
func (s *Store) EventLog() EventLog { return EventLog{s, logWindow} }

// Newest implements ports.EventLog.
func (l EventLog) Newest(ctx context.Context, ids []tenant.ID) (map[tenant.ID]int64, error) {
	last := make(map[tenant.ID]int64, len(ids))
	if len(ids) == 0 {
		return last, nil
	}
	v := view{s: l.store, scope: ports.Scope{Tenants: ids}}
	var a args
	err := query(ctx, &reads{l.store, v.scope}, func(r row) error {
		var id tenant.ID
		var n int64
		err := r.Scan(&id, &n)
		last[id] = n
		return err
	}, "SELECT c.tenant, c.last FROM event_counters c WHERE "+v.fence(&a, "c"), a...)
	if err != nil {
		return nil, fmt.Errorf("ask for the newest events: %w", err)
	}
	return last, nil
}

// Trimmed implements ports.EventLog.
func (l EventLog) Trimmed(ctx context.Context, id tenant.ID) (n int64, err error) {
	if _, err = queryRow(ctx, &reads{l.store, ports.Of(id)}, []any{&n}, "SELECT trimmed FROM event_floors WHERE tenant = $1", string(id)); err != nil {
		return 0, fmt.Errorf("ask where the log begins: %w", err)
	}
	return n, nil
}

// Events implements ports.EventLog. The bounds of the page are read first: what becomes visible after that is left for the
// next one, so that no number behind a hole is passed over.
func (l EventLog) Events(ctx context.Context, q ports.EventQuery) (p ports.EventPage, err error) {
	on := &reads{l.store, ports.Of(q.Tenant)}
	var end *int64
	var trimmed int64
	_, err = queryRow(ctx, on, []any{&p.Last, &trimmed, &end}, l.store.d.logBounds(), string(q.Tenant), q.After, l.window)
	if err != nil {
		return p, fmt.Errorf("look for the end of a page of events: %w", err)
	}
	q.After = max(q.After, trimmed)
	if end == nil { // nothing is there
		p.Next = max(q.After, p.Last)
		return p, nil
	}
	reading := logPage{query: q, page: p, end: *end}
	text, a := l.store.logText(q, *end)
	if err := query(ctx, on, reading.take, text, a...); err != nil {
		return ports.EventPage{}, fmt.Errorf("read a page of events: %w", err)
	}
	return reading.done(), nil
}

// logBounds selects the last number that was given out to tenant $1, and the one that ends a page which begins after $2 and
// is $3 long: null where there is none behind $2. Between the two, up to where the log was trimmed: SQLite keeps some of the
// events there, which later ones are told by.
func (d *dialect) logBounds() string {
	log := "events"
	if d.postgres {
		log = "event_log"
	}
	trimmed := "coalesce((SELECT f.trimmed FROM event_floors f WHERE f.tenant = $1), 0)"
	return "SELECT s.last, s.trimmed, (SELECT max(h.sequence) FROM " + log + " h WHERE h.tenant = $1 AND h.sequence <= s.first + $3) FROM (SELECT c.last, " + trimmed + " AS trimmed, " +
		"(SELECT min(l.sequence) FROM " + log + " l WHERE l.tenant = $1 AND l.sequence > $2 AND l.sequence > " + trimmed + ") AS first FROM event_counters c WHERE c.tenant = $1) s"
}

// logText selects the events of a page up to number end: of each number in question, whether it is shown or not, its
// place, what it is about and its EventText, null if that is of the other environment or gone.
func (s *Store) logText(q ports.EventQuery, end int64) (text string, a args) {
	where := " WHERE " + (&view{s: s, scope: ports.Of(q.Tenant)}).fence(&a, "l") + " AND l.sequence <= " + a.bind(end)
	from, limit := a.bind(q.After+1), strconv.Itoa(q.Limit) // a plan that is made once for all limits is made for large ones
	if q.Collections != nil {
		where += " AND " + s.d.in("l.collection", a.bind(q.Collections))
	}
	shown := "TRUE"
	if q.Environment != "" {
		shown = "(e.environment IS NULL OR e.environment = " + a.bind(string(q.Environment)) + ")"
	}
	columns := "e.record, e.record_sequence, e.id, e.collection, e.operation, e.environment, e.occurred_at, CASE WHEN " + shown + " THEN " + eventText
	if !s.d.postgres { // the log and the events are one table
		return "SELECT e.sequence, " + columns + s.notHot() + ")) END END FROM (SELECT l.tenant, l.sequence FROM events l" + where + " AND l.sequence >= " + from +
			" ORDER BY l.sequence LIMIT " + limit + ") n JOIN events e ON e.tenant = n.tenant AND e.sequence = n.sequence ORDER BY n.sequence", a
	}
	// Each event is found by its key, however the table is filled.
	return "SELECT n.sequence, " + columns + ")) END END FROM " + s.d.numbersFrom(where, from, limit) + " n LEFT JOIN LATERAL (SELECT * FROM events k" +
		" WHERE k.tenant = n.tenant AND k.record = n.record AND k.record_sequence = n.record_sequence LIMIT 1) e ON TRUE ORDER BY n.sequence", a
}

// logPage is a page while it is read.
type logPage struct {
	query ports.EventQuery
	page  ports.EventPage
	end   int64 // number that ends the part of the log in question
	taken int   // numbers
	bytes int
	full  bool
}

// take reads one row of logText.
func (l *logPage) take(r row) error {
	if l.full {
		return nil // it is left for the next page
	}
	var record, id, of, operation, environment *string
	var recordSequence *int64
	var at moment
	var text []byte
	e := ports.Event{Tenant: l.query.Tenant}
	if err := r.Scan(&e.Sequence, &record, &recordSequence, &id, &of, &operation, &environment, &at, &text); err != nil {
		return err
	}
	l.taken++
	l.page.Next = e.Sequence
	if text == nil {
		return nil
	}
	e.Record, e.RecordSequence, e.ID, e.Collection, e.Operation, e.At = *record, *recordSequence, *id, *of, collection.Operation(*operation), at.Time
	if environment != nil {
		e.Environment = tenant.Environment(*environment)
	}
	e.Body = PublishedBody(text)
	l.page.Events = append(l.page.Events, e)
	l.bytes += len(e.Body)
	l.full = l.bytes >= logBytes
	return nil
}

// done is the page. A part of the log of which all was read is left behind as a whole.
func (l *logPage) done() ports.EventPage {
	if !l.full && l.taken < l.query.Limit {
		l.page.Next = l.end
	}
	return l.page
}
