package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Unfence takes the tenant predicate away, so that row-level security stands alone.
func (s *Store) Unfence() { s.unfenced = true }

// Entry is one line of the event log.
type Entry struct {
	Sequence, RecordSequence int64
	Record, Body             string
}

// Log reads the numbered events of the scope's tenants after a number, in order.
func (s *Store) Log(ctx context.Context, scope ports.Scope, after int64) (log []Entry, err error) {
	v := view{s: s, scope: scope, on: &reads{s, scope}}
	var a args
	text := "SELECT r.sequence, r.record_sequence, r.record, " + EventText + " FROM " + s.d.numbersFrom(" WHERE "+v.fence(&a, "l"), a.bind(after+1), "100000") +
		" r JOIN events e ON e.tenant = r.tenant AND e.record = r.record AND e.record_sequence = r.record_sequence ORDER BY r.sequence"
	err = query(ctx, v.on, func(r row) error {
		var e Entry
		var body []byte
		err := r.Scan(&e.Sequence, &e.RecordSequence, &e.Record, &body)
		e.Body = string(PublishedBody(body))
		log = append(log, e)
		return err
	}, text, a...)
	return log, err
}

// Columns compares the query columns of a stored row with those that its document gives.
func (s *Store) Columns(ctx context.Context, c *collection.Schema, id string) (same bool, err error) {
	sh, err := s.shape(c)
	if err != nil {
		return false, err
	}
	r, err := s.Read(systemScope).Get(ctx, c, id)
	if err != nil {
		return false, err
	}
	a := args{id}
	where := "id = $1"
	for i := range sh.columns {
		col := &sh.columns[i]
		if v := col.value(sh.schema, r, s.o.Fold); v == nil {
			where += " AND " + quote(col.name) + " IS NULL"
		} else {
			where += " AND " + quote(col.name) + " = " + a.bind(v)
		}
	}
	return queryRow(ctx, &reads{s, systemScope}, []any{&id}, "SELECT id FROM "+quote(sh.table)+" WHERE "+where, a...)
}

// Open reports whether the circuit refuses calls.
func (s *Store) Open() bool {
	return slices.Contains(s.Circuits(), ports.Circuit{Name: "database", State: ports.CircuitOpen})
}

// Stall runs a statement that never ends by itself.
func (s *Store) Stall(ctx context.Context, scope ports.Scope) error {
	return query(ctx, &reads{s, scope}, func(row) error { return nil }, "SELECT pg_sleep(3600)")
}

// Backend identifies the connection that serves a tenant.
func (s *Store) Backend(ctx context.Context, id tenant.ID) (pid int64) {
	_, _ = queryRow(ctx, &reads{s, ports.Of(id)}, []any{&pid}, "SELECT pg_backend_pid()")
	return pid
}

// PingPatience tells when the patience with a ping ends that is sent at a moment, look by look.
func PingPatience(sent time.Time) (over func(now time.Time) bool) {
	return (&patience{pulsePing, sent}).over
}

// PingLook is the time between two looks for the answer to a ping.
const PingLook = pulseLook

// DataVersion is the number that a SQLite file has for the store.
func (s *Store) DataVersion(ctx context.Context) (int64, error) { return s.lite.version(ctx) }

// The bounds of pruning.
const (
	SweepSize = sweepSize
	PruneAnew = pruneAnew
)

// PruneText is the statement that deletes expired receipts.
func (s *Store) PruneText() string { return pruneText(s.d) }

// ClaimsText is the statement that deletes claims that nobody finished.
func (s *Store) ClaimsText() string {
	return s.d.deleteSome("receipts", "tenant, key", claimsLeft(s.d))
}

// NewsPlans are SQLite's plans for what a list asks of the event log.
func (s *Store) NewsPlans(ctx context.Context, slug string) (plans []string, err error) {
	about := s.logged("l", "$1", slug)
	for _, text := range []string{s.d.lastNumber(about), s.d.numbersFrom(about, "$2", "10")} {
		var plan, rest string
		each := func(r row) error {
			err := r.Scan(&rest, &rest, &rest, &plan)
			plans = append(plans, plan)
			return err
		}
		if err := query(ctx, &reads{s, ports.Of("t1")}, each, "EXPLAIN QUERY PLAN SELECT * FROM "+text, "t1", int64(7)); err != nil {
			return nil, err
		}
	}
	return plans, nil
}
