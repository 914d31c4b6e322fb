package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// abandonedClaimAge is how long a claim that was neither finished nor taken over is kept, and its fence with
// it. It is measured by the clock that set the lease, the database's: a server whose clock is ahead must not
// delete a live claim.
const abandonedClaimAge = 30 * 24 * time.Hour

// clockSkew is how far apart the clocks of instances may be: a token must not come back to life on the slower
// one.
const clockSkew = time.Hour

// usageRetention is how long counts of calls are remembered: a year and a month, to compare with the year
// before.
const usageRetention = 400 * 24 * time.Hour

// failureRetention is how long a background failure is kept that nobody has seen again: items that are set aside are
// tried every hour.
const failureRetention = 7 * 24 * time.Hour

// Swept is what a call of Sweep did.
type Swept struct {
	ReservationHolders int // whose expired stock reservations were released
	Receipts           int // deleted: expired
	EndlessReceipts    int // deleted: as old as expired ones, stored by a version that gave them no end
	Claims             int // deleted: never finished
	Revocations        int // deleted: their tokens have expired
	Logins             int // deleted: expired
	SealedTokens       int // deleted: not delivered in time
	ProcessedWebhooks  int // deleted: expired
	Usage              int // deleted: counts of calls older than the retention
	BackgroundFailures int // deleted: not seen any more
	Backfilled         int // rows that an older version wrote beside this one, now with all columns

	more bool // reservations, or rows to backfill
}

// More reports whether there may be more to do.
func (s Swept) More() bool {
	return s.more || s.Receipts >= sweepSize || s.EndlessReceipts >= sweepSize || s.Claims >= sweepSize || s.Revocations >= sweepSize ||
		s.Logins >= sweepSize ||
		s.SealedTokens >= sweepSize || s.ProcessedWebhooks >= sweepSize || s.Usage >= sweepSize ||
		s.BackgroundFailures >= sweepSize
}

// sweeper deletes what is no longer needed.
type sweeper struct {
	engine   *engine
	pruning  pruning
	backfill backfiller

	parts        *background.Task
	reservations *background.Task
}

// part runs a part of a sweep, which counts what it did in n.
func (s *sweeper) part(ctx context.Context, name string, n *int, run func() (int, error)) error {
	return s.parts.Do(ctx, background.Item{ID: name}, func(context.Context) (err error) {
		*n, err = run()
		return err
	})
}

// release runs the parts that others wait for.
func (s *sweeper) release(ctx context.Context, now time.Time) (done Swept, err error) {
	var failed []error // each waits by itself; together they are no reason to wait with the others
	releasing := s.part(ctx, "reservations", &done.ReservationHolders, func() (released int, err error) {
		released, done.more, failed, err = s.releaseReservations(ctx, now)
		return released, err
	})
	filling := s.part(ctx, "backfill", &done.Backfilled, func() (int, error) {
		rows, more, err := s.backfill.run(ctx)
		done.more = done.more || more
		return rows, err
	})
	return done, errors.Join(append(failed, releasing, filling)...)
}

// sweep runs every part, whatever becomes of the others.
func (s *sweeper) sweep(ctx context.Context, now time.Time) (done Swept, err error) {
	done, err = s.release(ctx, now)
	errs := []error{err}
	part := func(name string, n *int, run func() (int, error)) { errs = append(errs, s.part(ctx, name, n, run)) }
	expired := func(n *int, table, key, where string, args ...any) {
		part(table+" where "+where, n, func() (int, error) { return s.deleteExpired(ctx, table, key, where, args...) })
	}
	part("receipts", &done.Receipts, func() (int, error) { return s.pruning.run(ctx, s.engine.db, now) })
	expired(&done.EndlessReceipts, "receipts", "tenant, key", endlessReceipts, now.AddDate(-1, 0, 0))
	expired(&done.Claims, "receipts", "tenant, key", abandonedClaims(s.engine.dialect), abandonedClaimAge.Milliseconds())
	expired(&done.Revocations, "revocations", "jti", "expires_at < $1", now.Add(-clockSkew))
	expired(&done.Logins, "logins", "id", "expires_at < $1", now)
	expired(&done.SealedTokens, "sealed_tokens", "tenant, event", "expires_at <= $1", now)
	expired(&done.ProcessedWebhooks, "processed_webhooks", "tenant, connection, event", "expires_at <= $1", now)
	expired(&done.Usage, "usage_days", "tenant, day, counter", "day < $1", quota.DayOf(now.Add(-usageRetention)).String())
	expired(&done.BackgroundFailures, "background_failures", "tenant, task, item", "last_failed_at < $1", now.Add(-failureRetention))
	part("statistics", new(int), func() (int, error) { return 0, migrate.RefreshStatistics(ctx, s.engine.db) })
	return done, errors.Join(errs...)
}

// releaseReservations releases the holders of up to sweepSize expired reservations, the oldest first; more reports
// whether others are left. A holder that cannot be released does not keep others from it: failed are their errors.
func (s *sweeper) releaseReservations(ctx context.Context, now time.Time) (released int, more bool, failed []error, err error) {
	type due struct{ tenant, holder string }
	all, rows := map[due]struct{}{}, 0
	err = db.Query(ctx, s.engine.db.Reader(db.SystemScope), func(r db.Row) error {
		var d due
		err := r.Scan(&d.tenant, &d.holder)
		all[d] = struct{}{}
		rows++
		return err
	}, "SELECT tenant, holder FROM reservations WHERE expires_at <= $1 AND "+s.engine.dialect.NotInList("holder", "$3")+
		" ORDER BY expires_at LIMIT $2", now, int64(sweepSize), s.waitingHolders())
	if err != nil {
		return 0, false, nil, fmt.Errorf("sweep reservations: %w", err)
	}
	for d := range all {
		err := s.reservations.Do(ctx, background.Item{Tenant: tenant.ID(d.tenant), ID: d.holder}, func(ctx context.Context) error {
			err := s.engine.transact(ctx, ports.ForTenant(tenant.ID(d.tenant)), func(ctx context.Context, t *txn) error {
				return releaseExpired(ctx, t, d.tenant, d.holder, now)
			})
			if err == nil {
				released++
			}
			return err
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("release the reservations of %s: %w", d.holder, err))
		}
	}
	return released, rows == sweepSize && (released > 0 || failed == nil), failed, nil
}

// waitingHolders are those whose reservations could not be released and are not tried again yet.
func (s *sweeper) waitingHolders() []string {
	holders := []string{}
	for _, item := range s.reservations.Waiting(sweepSize) {
		holders = append(holders, item.ID)
	}
	return holders
}

// deleteExpired deletes up to sweepSize rows by their key. What another instance is deleting is left to it.
func (s *sweeper) deleteExpired(ctx context.Context, table, key, where string, a ...any) (n int, err error) {
	found, err := db.QueryRow(ctx, s.engine.db.Reader(db.SystemScope), []any{new(int64)}, "SELECT 1 FROM "+table+" WHERE "+where+" LIMIT 1", a...)
	if err != nil || !found {
		return 0, err // mostly, at the cost of a read
	}
	err = s.engine.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		deleted, err := db.Exec(ctx, on, deleteBatchSQL(s.engine.dialect, table, key, where), a...)
		n = int(deleted)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sweep %s: %w", table, err)
	}
	return n, nil
}
