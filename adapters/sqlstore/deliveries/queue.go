package deliveries

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Queue is a ports.Deliveries: rows of the collection webhook-deliveries, with three tables beside them. A
// tenant's place in the log is in webhook_cursors, moved in the transaction that stores what was decided up
// to there. Who is at a delivery is in webhook_claims, since the row itself says nothing of it. Since when an
// endpoint fails is in webhook_health, since to keep it in the endpoint would be an event for each turn.
//
// What is pending is found by partial indexes that what has ended leaves: however long the log is, a claim
// reads as many rows as it takes, and those that are held back behind them.
type Queue struct {
	db     *db.DB
	shape  *table.Shape // of webhook-deliveries
	writer change.Writer
	now    func() time.Time
	log    *slog.Logger
}

var _ ports.Deliveries = Queue{}

// New is the queue of a database.
func New(d *db.DB, shape *table.Shape, writer change.Writer, now func() time.Time, log *slog.Logger) Queue {
	return Queue{d, shape, writer, now, log}
}

// scan reads the row of a delivery; damaged ones are logged and left out, since they would keep the others from being
// read.
func (q Queue) scan(r db.Row, fn func(collection.Record)) error {
	found, err := q.shape.ScanRecord(r)
	if damaged, is := errors.AsType[*collection.DamagedError](err); is {
		q.log.Error("a webhook delivery cannot be read and is left alone", "error", damaged.Error())
		return nil
	}
	if err == nil {
		fn(found)
	}
	return err
}

// Tables are those beside.
var Tables = []table.SystemTable{
	{
		Name: "webhook_cursors",
		Body: `tenant TEXT PRIMARY KEY, number BIGINT NOT NULL`,
	},
	{
		Name: "webhook_claims",
		Body: `tenant TEXT NOT NULL, delivery TEXT NOT NULL, fence BIGINT NOT NULL, expires_at TIMESTAMP NOT NULL, PRIMARY KEY (tenant, delivery)`,
	},
	{
		Name: "webhook_health",
		Body: `tenant TEXT NOT NULL, endpoint TEXT NOT NULL, failing_since TIMESTAMP NOT NULL, PRIMARY KEY (tenant, endpoint)`,
	},
}

const tenantsWithWebhooks = "SELECT DISTINCT e.tenant, coalesce(c.number, 0) FROM webhook_endpoints e LEFT JOIN webhook_cursors c ON c.tenant = e.tenant WHERE e.enabled"

// Cursors implements ports.Deliveries.
func (q Queue) Cursors(ctx context.Context) (map[tenant.ID]int64, error) {
	all := map[tenant.ID]int64{}
	err := db.Query(ctx, q.db.Reader(db.SystemScope), func(r db.Row) error {
		var id tenant.ID
		var number int64
		err := r.Scan(&id, &number)
		all[id] = number
		return err
	}, tenantsWithWebhooks)
	if err != nil {
		return nil, fmt.Errorf("list tenants with webhooks: %w", err)
	}
	return all, nil
}

// FanOut implements ports.Deliveries.
func (q Queue) FanOut(ctx context.Context, id tenant.ID, from, to int64, deliveries []webhook.Delivery) error {
	now := q.now()
	err := q.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		move := "UPDATE webhook_cursors SET number = $2 WHERE tenant = $1 AND number = $3"
		if from == 0 {
			move = "INSERT INTO webhook_cursors (tenant, number) VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET number = excluded.number WHERE webhook_cursors.number = $3"
		}
		moved := db.Stmt{SQL: move, Args: []any{string(id), to, from}, OnDone: db.ErrIfNone(ports.ErrStale)}
		return on.Run(ctx, append([]db.Stmt{moved}, q.insertStmts(id, deliveries, now)...)...)
	})
	if err != nil {
		return fmt.Errorf("store deliveries: %w", err)
	}
	return nil
}

// insertStmts store new rows. Of those that are there, by id or as that of their endpoint and event, nothing
// changes.
func (q Queue) insertStmts(id tenant.ID, deliveries []webhook.Delivery, now time.Time) (stmts []db.Stmt) {
	sh := q.shape
	const leave = " ON CONFLICT DO NOTHING"
	var rows db.ColumnArrays
	for _, one := range deliveries {
		r := one.Record()
		r["tenant"] = string(id)
		row := sh.RowValues(collection.NewChange(webhook.Deliveries, nil, r, "", now).After, q.writer.Fold)
		if rows.AddRow(row[0], row[1:]...); !q.db.Dialect.Postgres {
			stmts = append(stmts, db.Stmt{SQL: sh.InsertSQL + leave, Args: row})
		}
	}
	if q.db.Dialect.Postgres && !rows.Empty() {
		columns := strings.Join(sh.QuotedColumns(), ", ")
		text := "INSERT INTO " + db.Quote(sh.Table) + " (" + columns + ") SELECT " + columns + " FROM " +
			db.Unnest("f", sh.TypedColumns(), 1, "") + leave
		stmts = append(stmts, db.Stmt{SQL: text, Args: rows.Columns(0)})
	}
	return stmts
}

// dueEndpoints jumps from one endpoint with pending deliveries to the next, however many each has. The row without an
// endpoint says when the first of the others is due.
const dueEndpoints = `WITH RECURSIVE e(endpoint) AS (
	SELECT (SELECT d.endpoint FROM webhook_deliveries d WHERE d.next_attempt_at IS NOT NULL ORDER BY d.endpoint LIMIT 1)
	UNION ALL
	SELECT (SELECT d.endpoint FROM webhook_deliveries d WHERE d.next_attempt_at IS NOT NULL AND d.endpoint > e.endpoint ORDER BY d.endpoint LIMIT 1) FROM e WHERE e.endpoint IS NOT NULL
), pending AS (
	SELECT e.endpoint, (SELECT d.tenant FROM webhook_deliveries d WHERE d.next_attempt_at IS NOT NULL AND d.endpoint = e.endpoint ORDER BY d.next_attempt_at LIMIT 1) AS tenant,
		(SELECT d.next_attempt_at FROM webhook_deliveries d WHERE d.next_attempt_at IS NOT NULL AND d.endpoint = e.endpoint ORDER BY d.next_attempt_at LIMIT 1) AS since
	FROM e WHERE e.endpoint IS NOT NULL
)
SELECT tenant, endpoint, since FROM (SELECT * FROM pending WHERE since <= $1 ORDER BY since, endpoint LIMIT $2) due
UNION ALL SELECT '', '', min(since) FROM pending WHERE since > $1`

// forceIndexOrder makes Postgres read what is due in the order of its index, and no more than needed: to sort
// what another index finds, that of a tenant's lists, looks cheap to it as long as it thinks that little is
// there.
func (q Queue) forceIndexOrder() []db.Stmt {
	if !q.db.Dialect.Postgres {
		return nil
	}
	return []db.Stmt{{
		SQL:   "SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)",
		OnRow: func(db.Row) error { return nil },
	}}
}

// Due implements ports.Deliveries.
func (q Queue) Due(ctx context.Context, now time.Time, limit int) (due []ports.DueEndpoint, next time.Time, err error) {
	// Statements that are sent together are a transaction, to which the settings are limited.
	args := []any{now, int64(limit)}
	err = q.db.Reader(db.SystemScope).Run(ctx, append(q.forceIndexOrder(), db.Stmt{SQL: dueEndpoints, Args: args, OnRow: func(r db.Row) error {
		var e ports.DueEndpoint
		var since db.NullTime
		err := r.Scan(&e.Tenant, &e.Endpoint, &since)
		if e.Endpoint == "" {
			next = since.Time
			return err
		}
		e.Since = since.Time
		due = append(due, e)
		return err
	}})...)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("look for due deliveries: %w", err)
	}
	return due, next, nil
}

// claimsPerSequence are how many claims of a row there may be between two changes of it. The fence of a claim
// is the row's recordSequence times as many, and one more with every claim: it is never given twice, and
// identifies the version of the row that was claimed.
const claimsPerSequence = 1 << 16

// unclaimed is true of a delivery r that is not claimed at a time. It is no anti-join, and neither is the
// look-up of the first of a record: Postgres would take the endpoint's whole backlog for each row, as long as
// it thinks that it is short.
func unclaimed(at string) string {
	return "coalesce((SELECT c.expires_at FROM webhook_claims c WHERE c.tenant = r.tenant AND c.delivery = r.id) <= " + at + ", TRUE)"
}

// onlyTests narrows a claim to what an operator waits for.
const onlyTests = " AND r.test IS TRUE"

// claimWindow is how many due deliveries of an endpoint a claim looks at: of the many of one record it takes
// one.
const claimWindow = 1000

// firstOfRecord is the first pending delivery b of the record of r to its endpoint.
const firstOfRecord = " FROM webhook_deliveries b WHERE b.record = r.record AND b.endpoint = r.endpoint AND b.ended_at IS NULL AND b.record_sequence IS NOT NULL ORDER BY b.record_sequence LIMIT 1"

// holdBackSQL has due deliveries of endpoint $2 of tenant $1 that wait at $3 for one that is tried later wait
// until then: they are not looked at again before that, however many they are. Their records go on telling
// since when they are due.
func (q Queue) holdBackSQL() string {
	return "UPDATE webhook_deliveries AS r SET next_attempt_at = (SELECT b.next_attempt_at" + firstOfRecord +
		") WHERE r.tenant = $1 AND r.id IN (SELECT r.id FROM webhook_deliveries r" +
		" WHERE r.tenant = $1 AND r.endpoint = $2 AND r.next_attempt_at <= $3 AND r.record_sequence IS NOT NULL AND (SELECT b.next_attempt_at" +
		firstOfRecord + ") > $3" +
		" ORDER BY r.next_attempt_at, r.sequence_value LIMIT " + strconv.Itoa(claimWindow) + q.db.Dialect.SkipLocked() + ")"
}

// claimSQL is the claim of up to limit deliveries of endpoint $2 of tenant $1 at $3, until $4; only narrows
// it further.
func (q Queue) claimSQL(limit int, only string) string {
	fence := strconv.Itoa(claimsPerSequence)
	return `INSERT INTO webhook_claims (tenant, delivery, fence, expires_at)
SELECT r.tenant, r.id, r.sequence * ` + fence + ` + 1, CAST($4 AS ` + q.db.Dialect.DDL("TIMESTAMP") + `) FROM (
	SELECT r.tenant, r.id, r.sequence FROM webhook_deliveries r
	WHERE r.tenant = $1 AND r.endpoint = $2 AND r.next_attempt_at <= $3
	AND coalesce((r.next_attempt_at, r.sequence_value) <= (SELECT w.next_attempt_at, w.sequence_value FROM webhook_deliveries w WHERE w.endpoint = $2 AND w.next_attempt_at <= $3 ORDER BY w.next_attempt_at, w.sequence_value LIMIT 1 OFFSET ` + strconv.Itoa(claimWindow) + `), TRUE)
	AND (r.record_sequence IS NULL OR r.record_sequence = (SELECT b.record_sequence` + firstOfRecord + `))
	AND ` + unclaimed("$3") + only + `
	ORDER BY r.next_attempt_at, r.sequence_value LIMIT ` + strconv.Itoa(limit) + q.db.Dialect.SkipLocked() + `
) r WHERE TRUE
ON CONFLICT (tenant, delivery) DO UPDATE SET expires_at = excluded.expires_at,
	fence = CASE WHEN excluded.fence > webhook_claims.fence THEN excluded.fence ELSE webhook_claims.fence + 1 END
WHERE webhook_claims.expires_at <= $3
RETURNING delivery, fence`
}

// Claim implements ports.Deliveries. What is to be sent again after a claim ran out unanswered was perhaps
// sent.
func (q Queue) Claim(
	ctx context.Context, id tenant.ID, endpoint string, now time.Time, lease time.Duration, limit int,
) ([]ports.ClaimedDelivery, error) {
	claimed, err := q.claim(ctx, id, endpoint, q.claimSQL(limit, ""), now, now.Add(lease))
	if err == nil && len(claimed) < limit {
		err = q.holdBack(ctx, id, endpoint, now)
	}
	return claimed, err
}

// holdBack leaves those alone that wait for others, by holdBackSQL. A claim that found less than it could
// take has met all of them.
func (q Queue) holdBack(ctx context.Context, id tenant.ID, endpoint string, now time.Time) error {
	err := q.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		return on.Run(ctx, append(q.forceIndexOrder(), db.Stmt{SQL: q.holdBackSQL(), Args: []any{string(id), endpoint, now}})...)
	})
	if err != nil {
		return fmt.Errorf("hold deliveries back: %w", err)
	}
	return nil
}

// ClaimTests implements ports.Deliveries.
func (q Queue) ClaimTests(
	ctx context.Context, id tenant.ID, endpoint string, now time.Time, lease time.Duration, limit int,
) ([]ports.ClaimedDelivery, error) {
	return q.claim(ctx, id, endpoint, q.claimSQL(limit, onlyTests), now, now.Add(lease))
}

// claim claims by text until a time. Damaged deliveries are claimed too, so that the next ones get their turn.
func (q Queue) claim(
	ctx context.Context, id tenant.ID, endpoint, text string, now, until time.Time,
) (claimed []ports.ClaimedDelivery, err error) {
	for more := true; more && err == nil; {
		claimed, more, err = q.claimReadable(ctx, id, endpoint, text, now, until)
	}
	return claimed, err
}

// claimReadable is one turn of claim; more reports that all it claimed is damaged.
func (q Queue) claimReadable(
	ctx context.Context, id tenant.ID, endpoint, text string, now, until time.Time,
) (claimed []ports.ClaimedDelivery, more bool, err error) {
	err = q.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		claimed = nil
		fences := map[string]int64{}
		var ids []string
		err := on.Run(ctx, append(q.forceIndexOrder(), db.Stmt{
			SQL: text, Args: []any{string(id), endpoint, now, until}, OnRow: func(r db.Row) error {
				var delivery string
				var fence int64
				err := r.Scan(&delivery, &fence)
				fences[delivery], ids = fence, append(ids, delivery)
				return err
			},
		})...)
		if err != nil {
			return err
		}
		more = len(ids) > 0
		if !more {
			return nil
		}
		return db.Query(ctx, on, func(r db.Row) error {
			return q.scan(r, func(found collection.Record) {
				claimed = append(claimed, ports.ClaimedDelivery{
					Delivery: webhook.DeliveryFrom(found), Tenant: id, Fence: fences[found.ID()],
				})
			})
		}, "SELECT "+q.shape.SelectColumns("", q.db.Dialect)+" FROM webhook_deliveries r WHERE r.tenant = $1 AND "+
			q.db.Dialect.InList("r.id", "$2"), string(id), ids)
	})
	if err != nil {
		return nil, false, fmt.Errorf("claim deliveries: %w", err)
	}
	slices.SortFunc(claimed, func(a, b ports.ClaimedDelivery) int {
		if by := a.NextAttemptAt.Compare(b.NextAttemptAt); by != 0 {
			return by
		}
		return int(a.Sequence - b.Sequence)
	})
	return claimed, more && len(claimed) == 0, nil
}

// expireSQL reads up to limit pending deliveries of events before $1 that are unclaimed at $2.
func (q Queue) expireSQL(limit int) string {
	return "SELECT " + q.shape.SelectColumns("", q.db.Dialect) +
		" FROM webhook_deliveries r WHERE r.status = 'pending' AND r.occurred_at < $1 AND r.replayed IS NOT TRUE AND " + unclaimed("$2") +
		" ORDER BY r.occurred_at LIMIT " + strconv.Itoa(limit) + q.db.Dialect.SkipLocked()
}

// Expire implements ports.Deliveries.
func (q Queue) Expire(ctx context.Context, before, now time.Time, limit int) (n int, err error) {
	err = q.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		var changes []collection.Change
		err := db.Query(ctx, on, func(r db.Row) error {
			return q.scan(r, func(old collection.Record) {
				after := webhook.DeliveryFrom(old).Discard(webhook.TooOld, now).Record()
				after["tenant"] = old["tenant"]
				changes = append(changes, collection.NewChange(webhook.Deliveries, old, after, "", now))
			})
		}, q.expireSQL(limit), before, now)
		if n = len(changes); err != nil || n == 0 {
			return err
		}
		return q.write(ctx, on, changes)
	})
	if err != nil {
		return 0, fmt.Errorf("give up old deliveries: %w", err)
	}
	return n, nil
}

// pruneSQL deletes up to limit deliveries that ended before $1.
func (q Queue) pruneSQL(limit int) string {
	return "DELETE FROM webhook_deliveries WHERE (tenant, id) IN (SELECT tenant, id FROM webhook_deliveries WHERE ended_at < $1 AND status <> 'pending' ORDER BY ended_at LIMIT " +
		strconv.Itoa(limit) + q.db.Dialect.SkipLocked() + ")"
}

// What is left of deliveries and endpoints that are gone.
const (
	pruneClaims = "DELETE FROM webhook_claims WHERE (tenant, delivery) IN (SELECT tenant, delivery FROM webhook_claims WHERE expires_at < $1 LIMIT $2)"
	pruneHealth = "DELETE FROM webhook_health WHERE (tenant, endpoint) IN (SELECT h.tenant, h.endpoint FROM webhook_health h WHERE NOT EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.tenant = h.tenant AND e.id = h.endpoint) LIMIT $1)"
)

// Prune implements ports.Deliveries.
func (q Queue) Prune(ctx context.Context, before time.Time, limit int) (n int, err error) {
	err = q.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		deleted, err := db.Exec(ctx, on, q.pruneSQL(limit), before)
		if n = int(deleted); err != nil {
			return err
		}
		return on.Run(ctx, db.Stmt{SQL: pruneClaims, Args: []any{before, int64(limit)}}, db.Stmt{SQL: pruneHealth, Args: []any{int64(limit)}})
	})
	if err != nil {
		return 0, fmt.Errorf("prune deliveries: %w", err)
	}
	return n, nil
}

const pendingDeliveries = "SELECT count(*), min(created_at) FROM webhook_deliveries WHERE status = 'pending'"

// Lag implements ports.Deliveries.
func (q Queue) Lag(ctx context.Context) (lag ports.DeliveryLag, err error) {
	var oldest db.NullTime
	err = q.db.Reader(db.SystemScope).Run(ctx,
		db.Stmt{SQL: pendingDeliveries, OnRow: func(r db.Row) error { return r.Scan(&lag.Pending, &oldest) }},
		db.Stmt{
			SQL: `SELECT CAST(coalesce(sum(n.last - CASE WHEN coalesce(c.number, 0) > s.since THEN c.number ELSE s.since END), 0) AS bigint)
FROM (SELECT tenant, min(since) AS since FROM webhook_endpoints WHERE enabled GROUP BY tenant) s
JOIN event_counters n ON n.tenant = s.tenant LEFT JOIN webhook_cursors c ON c.tenant = s.tenant`,
			OnRow: func(r db.Row) error { return r.Scan(&lag.EventsBehind) },
		})
	if err != nil {
		return ports.DeliveryLag{}, fmt.Errorf("measure deliveries: %w", err)
	}
	lag.Oldest = oldest.Time
	return lag, nil
}
