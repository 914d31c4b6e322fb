package eventlog

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// sequencerLock is held by the one instance that numbers events in this moment.
const sequencerLock = 7_227_002

// lockRound asks for the lock, and has Postgres find rows by their position, however few rows it thinks there are.
const lockRound = "SELECT pg_try_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)"

// roundRows are the rows of a round: behind position $1, up to $2, about $3 events and at least one row, without the
// tenants $4, and of tenant $5 alone unless it is ”.
const roundRows = `SELECT q.ctid AS at, q.tenant, sum(cardinality(q.records)) OVER (ORDER BY q.position ROWS UNBOUNDED PRECEDING) - cardinality(q.records) AS before
		FROM (SELECT u.ctid, u.tenant, u.position, u.records FROM unnumbered_events u
			WHERE u.position > $1 AND u.position <= $2 AND u.tenant <> ALL ($4::text[]) AND ($5::text = '' OR u.tenant = $5)
			ORDER BY u.position LIMIT $3::bigint) q`

// numberEvents gives the committed events of a round the next numbers of their tenants. Inside a round a
// record's events keep their order; a later change of a record can only have become visible together with or
// after the earlier one. Events of one collection get numbers in a row, so that one row of the log holds many
// of them: a row each was most of the cost. All instances are told of it: rounds are few, so that this may be, unlike
// a notification by whoever writes (see migrate.NotifyChannel).
const numberEvents = `
WITH taken AS (
	DELETE FROM unnumbered_events WHERE ctid = ANY (ARRAY(SELECT f.at FROM (` + roundRows + `) f WHERE f.before < $3))
	RETURNING tenant, collection, records, record_sequences, position
), ranked AS (
	SELECT g.tenant, g.collection, e.record, e.record_sequence,
		row_number() OVER (PARTITION BY g.tenant, g.collection ORDER BY e.record_sequence, e.record) AS place
	FROM taken g, unnest(g.records, g.record_sequences) AS e(record, record_sequence)
), rows AS MATERIALIZED (
	SELECT tenant, collection, (place - 1) / 32 AS part, count(*) AS many,
		array_agg(record ORDER BY place) AS records, array_agg(record_sequence ORDER BY place) AS record_sequences
	FROM ranked GROUP BY tenant, collection, part
), counted AS (
	INSERT INTO event_counters AS c (tenant, last) SELECT tenant, sum(many) FROM rows GROUP BY tenant ORDER BY tenant
	ON CONFLICT (tenant) DO UPDATE SET last = c.last + excluded.last RETURNING tenant, last
), logged AS (
	INSERT INTO event_log (tenant, sequence, collection, records, record_sequences)
	SELECT r.tenant, c.last - r.after, r.collection, r.records, r.record_sequences
	FROM (SELECT *, sum(many) OVER (PARTITION BY tenant ORDER BY collection DESC, part DESC) - many AS after FROM rows) r JOIN counted c USING (tenant)
)
SELECT coalesce(sum(many), 0)::bigint, (SELECT coalesce(max(position), 0) FROM taken),
	(SELECT count(pg_notify($6::text, $7::text)) FROM (SELECT 1 FROM taken LIMIT 1) t) FROM rows`

// lastWaiting is the last position of an event without a number; 0: there is none.
const lastWaiting = "SELECT coalesce(max(position), 0) FROM unnumbered_events"

// round is one transaction of the sequencer.
type round struct {
	by         string   // process, see Sequencer.id
	after, end int64    // positions; end 0 is the last one there is
	size       int64    // events
	except     []string // tenants that are left out
	only       string   // tenant; "" is all
	numbered   int64    // events
	last       int64    // position
	leader     bool     // no other instance was at it
}

// run numbers the events of a round: none while another instance is at it.
func (r *round) run(ctx context.Context, d *db.DB) error {
	return d.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		r.numbered, r.last = 0, 0
		var off string
		if _, err := db.QueryRow(ctx, on, []any{&r.leader, &off, &off}, lockRound, sequencerLock); err != nil || !r.leader {
			return err
		}
		if r.after == 0 {
			if _, err := db.QueryRow(ctx, on, []any{&r.end}, lastWaiting); err != nil || r.end == 0 {
				return err
			}
		}
		// The next statement sees everything committed up to now, the previous round included.
		var told int64
		_, err := db.QueryRow(ctx, on, []any{&r.numbered, &r.last, &told}, numberEvents, append(r.args(), NotifyChannel, r.by)...)
		return err
	})
}

// args are the arguments of roundRows.
func (r *round) args() []any {
	except := r.except
	if except == nil {
		except = []string{}
	}
	return []any{r.after, r.end, r.size, except, r.only}
}

// tenants are those whose events are in a round.
func (r *round) tenants(ctx context.Context, d *db.DB) (ids []tenant.ID, err error) {
	err = db.Query(ctx, d.Reader(db.SystemScope), func(row db.Row) error {
		var id tenant.ID
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	}, "SELECT DISTINCT f.tenant FROM ("+roundRows+") f WHERE f.before < $3", r.args()...)
	return ids, err
}
