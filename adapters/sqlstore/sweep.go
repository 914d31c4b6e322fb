package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// sweepSize bounds what one call of Sweep takes on, so that none holds a lock for long.
const sweepSize = 500

// abandonedClaim is how long a claim that nobody finished or took over is remembered, and its fence with it. It is
// measured by the clock that set the lease, the database's: a server that is ahead must not forget a living claim.
const abandonedClaim = 30 * 24 * time.Hour

// skew is how far apart the clocks of instances may be: a token must not come back to life on the slower one.
const skew = time.Hour

// usageKept is how long counts of calls are remembered: a year and a month, to compare with the year before.
const usageKept = 400 * 24 * time.Hour

// Swept is what a call of Sweep did.
type Swept struct {
	Holders     int // whose promises of stock ended
	Receipts    int // forgotten
	Claims      int // forgotten: nobody finished them
	Revocations int // forgotten: their tokens have expired
	Enclosures  int // forgotten: nobody delivered them in time
	Heard       int // events of webhooks that were forgotten
	Usage       int // counts of calls of long ago that were forgotten
	Refilled    int // rows that an older version wrote beside this one, now with all columns
}

// More reports whether there may be more to do.
func (s Swept) More() bool {
	return s.Holders >= sweepSize || s.Receipts >= sweepSize || s.Claims >= sweepSize || s.Revocations >= sweepSize || s.Enclosures >= sweepSize || s.Heard >= sweepSize || s.Usage >= sweepSize
}

// Sweep ends promises of stock whose time has come, unless they were renewed meanwhile, and forgets receipts, revocations,
// enclosures and events of webhooks past their expiry. Rows that older versions wrote get the columns that those do not know. It works across
// tenants and is safe to run on several instances at once.
func (s *Store) Sweep(ctx context.Context, now time.Time) (done Swept, err error) {
	type due struct{ tenant, holder string }
	var all []due
	err = query(ctx, &reads{s, systemScope}, func(r row) error {
		var d due
		err := r.Scan(&d.tenant, &d.holder)
		all = append(all, d)
		return err
	}, "SELECT DISTINCT tenant, holder FROM reservations WHERE until_time <= $1 LIMIT $2", now, sweepSize)
	for i := 0; err == nil && i < len(all); i++ {
		err = s.transact(ctx, ports.Of(tenant.ID(all[i].tenant)), func(ctx context.Context, t *txn) error {
			return endOverdue(ctx, t, all[i].tenant, all[i].holder, now)
		})
		done.Holders++
	}
	if err != nil {
		return done, fmt.Errorf("sweep reservations: %w", err)
	}
	if done.Receipts, err = s.prune(ctx, now); err != nil {
		return done, err
	}
	if done.Claims, err = s.forget(ctx, "receipts", "tenant, key", claimsLeft(s.d), abandonedClaim.Milliseconds()); err != nil {
		return done, err
	}
	done.Revocations, err = s.forget(ctx, "revocations", "jti", "until_time < $1", now.Add(-skew))
	if err != nil {
		return done, err
	}
	done.Enclosures, err = s.forget(ctx, "enclosures", "tenant, event", "expires_at <= $1", now)
	if err != nil {
		return done, err
	}
	done.Heard, err = s.forget(ctx, "heard_events", "tenant, connection, event", "until_time <= $1", now)
	if err != nil {
		return done, err
	}
	done.Usage, err = s.forget(ctx, "usage_days", "tenant, day, counter", "day < $1", quota.DayOf(now.Add(-usageKept)).String())
	if err != nil {
		return done, err
	}
	done.Refilled, err = s.refillBeside(ctx)
	return done, err
}

// forget deletes up to sweepSize rows by their key. What another instance is deleting is left to it.
func (s *Store) forget(ctx context.Context, table, key, where string, a ...any) (n int, err error) {
	err = s.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		deleted, err := exec(ctx, t, s.d.deleteSome(table, key, where), a...)
		n = int(deleted)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sweep %s: %w", table, err)
	}
	return n, nil
}

// endOverdue takes its locks as Reserve does: promises first, then stock in variant order.
func endOverdue(ctx context.Context, t *txn, tenantID, holder string, now time.Time) error {
	var ended []promise
	err := query(ctx, t, func(r row) error {
		var p promise
		err := r.Scan(&p.env, &p.variant, &p.held)
		ended = append(ended, p)
		return err
	}, "DELETE FROM reservations WHERE tenant = $1 AND holder = $2 AND until_time <= $3 RETURNING environment, variant, quantity", tenantID, holder, now)
	if err != nil || len(ended) == 0 {
		return err
	}
	slices.SortFunc(ended, byPlace)
	var moves counting[promise]
	for _, p := range ended {
		moves.plain(promiseUnits, tenantID, p.env, p.variant, -p.held)
		t.held = append(t.held, ports.Place{Environment: tenant.Environment(p.env), Variant: p.variant})
	}
	_, err = moves.run(ctx, t)
	return err
}

// byPlace is the order in which rows of stock are locked.
func byPlace(a, b promise) int {
	return cmp.Or(cmp.Compare(a.variant, b.variant), cmp.Compare(a.env, b.env))
}
