package eventlog

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of a page of the log, so that none costs more than a list does.
const (
	logWindow = 5000    // numbers that are looked at, so many more as were given out together
	logBytes  = 4 << 20 // of bodies, and one more event
)

// Log is a ports.EventLog. No page looks at more than a window of numbers or shows much more than logBytes.
type Log struct {
	db         *db.DB
	tables     Tables
	window     int64
	unfiltered bool
}

var _ ports.EventLog = Log{}

// Options are what a Log reads.
type Options struct {
	DB         *db.DB
	Tables     Tables
	Window     int64 // how many numbers a page looks at; 0 is 5000
	Unfiltered bool  // see table.TenantScope
}

// New is the log of a database.
func New(o Options) Log { return Log{o.DB, o.Tables, cmp.Or(o.Window, logWindow), o.Unfiltered} }

// scoped is a scope as statements apply it.
func (l Log) scoped(scope ports.Scope) table.TenantScope {
	return table.TenantScope{Dialect: l.db.Dialect, Scope: scope, Unfiltered: l.unfiltered}
}

// Newest implements ports.EventLog.
func (l Log) Newest(ctx context.Context, ids []tenant.ID) (map[tenant.ID]int64, error) {
	last := make(map[tenant.ID]int64, len(ids))
	if len(ids) == 0 {
		return last, nil
	}
	within := l.scoped(ports.Scope{Tenants: ids})
	var a db.Args
	err := db.Query(ctx, l.db.Reader(within.Scope), func(r db.Row) error {
		var id tenant.ID
		var n int64
		err := r.Scan(&id, &n)
		last[id] = n
		return err
	}, "SELECT c.tenant, c.last FROM event_counters c WHERE "+within.TenantFilter(&a, "c"), a...)
	if err != nil {
		return nil, fmt.Errorf("ask for the newest events: %w", err)
	}
	return last, nil
}

// TrimmedThrough implements ports.EventLog.
func (l Log) TrimmedThrough(ctx context.Context, id tenant.ID) (n int64, err error) {
	if _, err = db.QueryRow(ctx, l.db.Reader(ports.ForTenant(id)), []any{&n}, "SELECT trimmed FROM event_trims WHERE tenant = $1",
		string(id)); err != nil {
		return 0, fmt.Errorf("ask where the log begins: %w", err)
	}
	return n, nil
}

// Events implements ports.EventLog. The bounds of the page are read first: what becomes visible after that is
// left for the next one, so that no number behind a hole is passed over.
func (l Log) Events(ctx context.Context, q ports.EventQuery) (p ports.EventPage, err error) {
	on := l.db.Reader(ports.ForTenant(q.Tenant))
	var end *int64
	var trimmed int64
	bounds, args := l.tables.bounds(), []any{string(q.Tenant), q.After, l.window}
	if q.Descending {
		q.Before = cmp.Or(q.Before, math.MaxInt64)
		bounds, args = l.tables.boundsBefore(), []any{string(q.Tenant), q.Before - 1}
	}
	if _, err = db.QueryRow(ctx, on, []any{&p.Last, &trimmed, &end}, bounds, args...); err != nil {
		return p, fmt.Errorf("look for the bounds of a page of events: %w", err)
	}
	q.After = max(q.After, trimmed)
	p.Descending, p.Floor = q.Descending, q.After
	if q.Before > 0 {
		p.Last = min(p.Last, q.Before-1)
	}
	switch {
	case q.Descending && (end == nil || p.Last <= q.After):
		p.Next = q.After + 1
		return p, nil
	case q.Descending:
		q.Before = p.Last + 1
		q.After = max(q.After, p.Last-l.window)
	case end == nil || q.After >= p.Last: // nothing is there
		p.Next = max(q.After, p.Last)
		return p, nil
	}
	reading := logPage{query: q, page: p, end: *end}
	text, a := l.tables.page(l.scoped(ports.ForTenant(q.Tenant)), q, *end)
	if err := db.Query(ctx, on, reading.addRow, text, a...); err != nil {
		return ports.EventPage{}, fmt.Errorf("read a page of events: %w", err)
	}
	return reading.done(), nil
}

// History implements ports.EventLog.
func (l Log) History(ctx context.Context, q ports.HistoryQuery) ([]ports.Event, error) {
	scope := ports.ForTenant(q.Tenant)
	reading := logPage{query: ports.EventQuery{Tenant: q.Tenant}}
	text, a := l.tables.history(l.scoped(scope), q)
	if err := db.Query(ctx, l.db.Reader(scope), reading.addRow, text, a...); err != nil {
		return nil, fmt.Errorf("read the history of records: %w", err)
	}
	return reading.page.Events, nil
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

// addRow reads one row of a page.
func (l *logPage) addRow(r db.Row) error {
	if l.full {
		return nil // it is left for the next page
	}
	var record, id, of, operation, environment, actor *string
	var recordSequence *int64
	var at db.NullTime
	var text []byte
	e := ports.Event{Tenant: l.query.Tenant}
	if err := r.Scan(&e.Sequence, &record, &recordSequence, &id, &of, &operation, &environment, &at, &actor, &text); err != nil {
		return err
	}
	l.taken++
	l.page.Next = e.Sequence
	if text == nil {
		return nil
	}
	e.Record, e.RecordSequence, e.ID, e.Collection, e.Operation, e.At = *record, *recordSequence, *id, *of,
		collection.Operation(*operation), at.Time
	if environment != nil {
		e.Environment = tenant.Environment(*environment)
	}
	if actor != nil {
		e.Actor = tenant.ParseActor(*actor)
	}
	if !l.query.WithoutBodies {
		e.Body = table.PublishedBody(text)
	}
	l.page.Events = append(l.page.Events, e)
	l.bytes += len(e.Body)
	l.full = l.bytes >= logBytes
	return nil
}

// done is the page. A part of the log of which all was read is left behind as a whole.
func (l *logPage) done() ports.EventPage {
	switch {
	case l.full || l.taken >= l.query.Limit: // it ends with the last number that was read
	case l.query.Descending:
		l.page.Next = l.query.After + 1
	default:
		l.page.Next = min(l.end, l.page.Last)
	}
	return l.page
}
