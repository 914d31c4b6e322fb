package sqlstore

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// Receipts are the one table that grows with every change of a cart and loses as many rows a week later. They are pruned
// beside the traffic: at most sweepSize in a transaction, by the index on their expiry, rows that someone else holds left
// out. A writer never waits for that; on SQLite, which has one writer, no longer than one such transaction. A call of Sweep
// that finds as many is followed by the next at once, so an instance prunes as fast as it can delete, some ten thousand a
// second, and a backlog of thousands for each second between two sweeps is gone within the next.
//
// Deleted rows stay in the index until Postgres vacuums, at its first end, where every batch begins. So a process begins
// where it left off, and once in pruneAnew at the very first: there may be rows that another instance failed to delete.
type pruning struct {
	mu   sync.Mutex
	from time.Time // what expires earlier is gone
	anew time.Time // when it began at the first row
}

const pruneAnew = time.Hour

// start is where a batch begins at now.
func (p *pruning) start(now time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Before(p.anew) || now.Sub(p.anew) >= pruneAnew {
		p.from, p.anew = time.Time{}, now
	}
	return p.from
}

// gone notes that a batch came up to t.
func (p *pruning) gone(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.After(p.from) {
		p.from = t
	}
}

// pruneText deletes receipts that expired between $1 and $2.
func pruneText(d *dialect) string {
	return d.deleteSome("receipts", "tenant, key", "expires_at >= $1 AND expires_at <= $2 ORDER BY expires_at") + " RETURNING expires_at"
}

// deleteSome deletes up to sweepSize rows, but those that others hold; key is the primary key. Postgres is told where the
// rows are: asked for their keys it may read the whole table.
func (d *dialect) deleteSome(table, key, where string) string {
	some := " FROM " + table + " WHERE " + where + " LIMIT " + strconv.Itoa(sweepSize) + d.skipLocked()
	if d.postgres {
		return "DELETE FROM " + table + " WHERE ctid = ANY (ARRAY(SELECT ctid" + some + "))"
	}
	return "DELETE FROM " + table + " WHERE (" + key + ") IN (SELECT " + key + some + ")"
}

// prune forgets receipts that have expired, the oldest first.
func (s *Store) prune(ctx context.Context, now time.Time) (n int, err error) {
	from := s.pruned.start(now)
	var last time.Time
	err = s.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		n, last = 0, from
		return query(ctx, t, func(r row) error {
			var at moment
			err := r.Scan(&at)
			n++
			if at.After(last) {
				last = at.Time
			}
			return err
		}, pruneText(s.d), from, now)
	})
	if err != nil {
		return 0, fmt.Errorf("prune receipts: %w", err)
	}
	s.pruned.gone(last)
	return n, nil
}

// claimsLeft says which claims nobody finished or took over; $1 is their age in milliseconds. An index stands on it.
func claimsLeft(d *dialect) string {
	age := " - $1"
	if d.postgres {
		age += "::bigint * interval '1 millisecond'"
	}
	return "NOT done AND lease_until <= " + d.clock() + age
}
