package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
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

// Swept is what a call of Sweep did.
type Swept struct {
	ReservationHolders int // whose expired stock reservations were released
	Receipts           int // deleted: expired
	Claims             int // deleted: never finished
	Revocations        int // deleted: their tokens have expired
	SealedTokens       int // deleted: not delivered in time
	ProcessedWebhooks  int // deleted: expired
	Usage              int // deleted: counts of calls older than the retention
	Backfilled         int // rows that an older version wrote beside this one, now with all columns
}

// More reports whether there may be more to do.
func (s Swept) More() bool {
	return s.ReservationHolders >= sweepSize || s.Receipts >= sweepSize || s.Claims >= sweepSize || s.Revocations >= sweepSize ||
		s.SealedTokens >= sweepSize || s.ProcessedWebhooks >= sweepSize || s.Usage >= sweepSize
}

// sweeper deletes what is no longer needed.
type sweeper struct {
	engine   *engine
	pruning  pruning
	backfill backfiller
}

func (s *sweeper) sweep(ctx context.Context, now time.Time) (done Swept, err error) {
	type due struct{ tenant, holder string }
	var all []due
	err = db.Query(ctx, s.engine.db.Reader(db.SystemScope), func(r db.Row) error {
		var d due
		err := r.Scan(&d.tenant, &d.holder)
		all = append(all, d)
		return err
	}, "SELECT DISTINCT tenant, holder FROM reservations WHERE expires_at <= $1 LIMIT $2", now, sweepSize)
	for i := 0; err == nil && i < len(all); i++ {
		err = s.engine.transact(ctx, ports.ForTenant(tenant.ID(all[i].tenant)), func(ctx context.Context, t *txn) error {
			return releaseExpired(ctx, t, all[i].tenant, all[i].holder, now)
		})
		done.ReservationHolders++
	}
	if err != nil {
		return done, fmt.Errorf("sweep reservations: %w", err)
	}
	if done.Receipts, err = s.pruning.run(ctx, s.engine.db, now); err != nil {
		return done, err
	}
	if done.Claims, err = s.deleteExpired(ctx, "receipts", "tenant, key", abandonedClaims(s.engine.dialect),
		abandonedClaimAge.Milliseconds()); err != nil {
		return done, err
	}
	done.Revocations, err = s.deleteExpired(ctx, "revocations", "jti", "expires_at < $1", now.Add(-clockSkew))
	if err != nil {
		return done, err
	}
	done.SealedTokens, err = s.deleteExpired(ctx, "sealed_tokens", "tenant, event", "expires_at <= $1", now)
	if err != nil {
		return done, err
	}
	done.ProcessedWebhooks, err = s.deleteExpired(ctx, "processed_webhooks", "tenant, connection, event", "expires_at <= $1", now)
	if err != nil {
		return done, err
	}
	done.Usage, err = s.deleteExpired(ctx, "usage_days", "tenant, day, counter", "day < $1", quota.DayOf(now.Add(-usageRetention)).String())
	if err != nil {
		return done, err
	}
	if done.Backfilled, err = s.backfill.run(ctx); err != nil {
		return done, err
	}
	return done, migrate.RefreshStatistics(ctx, s.engine.db)
}

// deleteExpired deletes up to sweepSize rows by their key. What another instance is deleting is left to it.
func (s *sweeper) deleteExpired(ctx context.Context, table, key, where string, a ...any) (n int, err error) {
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
