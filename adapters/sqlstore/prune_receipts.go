package sqlstore

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// Receipts are the one table that grows with every change of a cart and loses as many rows a week later. They
// are pruned beside the traffic: at most sweepSize in a transaction, by the index on their expiry, rows that
// someone else holds left out. A writer never waits for that; on SQLite, which has one writer, no longer than
// one such transaction. A call of Sweep that finds as many is followed by the next at once, so an instance
// prunes as fast as it can delete, some ten thousand a second, and a backlog of thousands for each second
// between two sweeps is gone within the next.
//
// Deleted rows stay in the index until Postgres vacuums, at its first end, where every batch begins. So a
// process begins where it left off, and once in pruneRestart at the very first: there may be rows that
// another instance failed to delete.
type pruning struct {
	mu          sync.Mutex
	doneUpTo    time.Time // what expires earlier is gone
	restartedAt time.Time // when it began at the first row
}

// sweepSize bounds what one call of Sweep takes on, so that none holds a lock for long.
const sweepSize = 500

const pruneRestart = time.Hour

// nextStart is where a batch begins at now.
func (p *pruning) nextStart(now time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Before(p.restartedAt) || now.Sub(p.restartedAt) >= pruneRestart {
		p.doneUpTo, p.restartedAt = time.Time{}, now
	}
	return p.doneUpTo
}

// advance notes that a batch came up to t.
func (p *pruning) advance(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.After(p.doneUpTo) {
		p.doneUpTo = t
	}
}

// pruneSQL deletes receipts that expired between $1 and $2.
func pruneSQL(d *db.Dialect) string {
	return deleteBatchSQL(d, "receipts", "tenant, key", "expires_at >= $1 AND expires_at <= $2 ORDER BY expires_at") +
		" RETURNING expires_at"
}

// deleteBatchSQL deletes up to sweepSize rows, except those that others have locked; key is the primary key.
// Postgres gets the physical place of the rows: given their keys it may read the whole table.
func deleteBatchSQL(d *db.Dialect, table, key, where string) string {
	some := " FROM " + table + " WHERE " + where + " LIMIT " + strconv.Itoa(sweepSize) + d.SkipLocked()
	if d.Postgres {
		return "DELETE FROM " + table + " WHERE ctid = ANY (ARRAY(SELECT ctid" + some + "))"
	}
	return "DELETE FROM " + table + " WHERE (" + key + ") IN (SELECT " + key + some + ")"
}

// run deletes receipts that have expired, the oldest first.
func (p *pruning) run(ctx context.Context, d *db.DB, now time.Time) (n int, err error) {
	from := p.nextStart(now)
	var last time.Time
	err = d.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		n, last = 0, from
		return db.Query(ctx, on, func(r db.Row) error {
			var at db.NullTime
			err := r.Scan(&at)
			n++
			if at.After(last) {
				last = at.Time
			}
			return err
		}, pruneSQL(d.Dialect), from, now)
	})
	if err != nil {
		return 0, fmt.Errorf("prune receipts: %w", err)
	}
	p.advance(last)
	return n, nil
}

// endless is the condition on receipts that older versions stored without an end. It has an index by age, which is
// empty once they are gone. Written as it is, the condition keeps planners from the index on expires_at, where the
// claims without an end are, too.
const endless = "done AND (expires_at IS NULL) IS TRUE"

// endlessReceipts are those that were made up to $1, the oldest first.
const endlessReceipts = endless + " AND created_at <= $1 ORDER BY created_at"

// abandonedClaims is the condition on claims that were neither finished nor taken over; $1 is their age in
// milliseconds. It has an index.
func abandonedClaims(d *db.Dialect) string {
	age := " - $1"
	if d.Postgres {
		age += "::bigint * interval '1 millisecond'"
	}
	return "NOT done AND lease_until <= " + d.Clock() + age
}
