package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Usage is ports.Usage.
type Usage struct{ store *Store }

var _ ports.Usage = Usage{}

// Usage is how many calls tenants made.
func (s *Store) Usage() Usage { return Usage{s} }

const (
	keepUsage     = "INSERT INTO usage_days (counter, tenant, day, calls) "
	replaceUsage  = " ON CONFLICT (tenant, day, counter) DO UPDATE SET calls = excluded.calls"
	othersOfMonth = " AND day >= $2 AND day < $3 AND counter <> $4 GROUP BY 1"
)

// keepAll writes many rows of one counter at once: each process writes one for every tenant that called, again and again.
var keepAll = keepUsage + "SELECT $1, c.tenant, c.day, c.calls FROM " +
	unnested("c", []string{"tenant text", "day text", "calls bigint"}, 2, "") + " WHERE TRUE" + replaceUsage //nolint:mnd // after the counter

// Keep implements ports.Usage. No two of counts are of the same tenant and day.
func (u Usage) Keep(ctx context.Context, counter string, counts []ports.Calls) error {
	err := u.store.transact(ctx, systemScope, func(ctx context.Context, t *txn) error { return t.run(ctx, u.keep(counter, counts)...) })
	if err != nil {
		return fmt.Errorf("keep usage: %w", err)
	}
	return nil
}

func (u Usage) keep(counter string, counts []ports.Calls) (all []stmt) {
	if !u.store.d.postgres {
		for _, c := range counts {
			all = append(all, stmt{sql: keepUsage + "VALUES ($1, $2, $3, $4)" + replaceUsage, args: []any{counter, string(c.Tenant), c.Day.String(), c.Count}})
		}
		return all
	}
	tenants, days, calls := make([]string, len(counts)), make([]string, len(counts)), make([]int64, len(counts))
	for i, c := range counts {
		tenants[i], days[i], calls[i] = string(c.Tenant), c.Day.String(), c.Count
	}
	return []stmt{{sql: keepAll, args: []any{counter, tenants, days, calls}}}
}

// Elsewhere implements ports.Usage.
func (u Usage) Elsewhere(ctx context.Context, counter string, tenants []tenant.ID, month quota.Month) (map[tenant.ID]int64, error) {
	ids := make([]string, len(tenants))
	for i, id := range tenants {
		ids[i] = string(id)
	}
	all := map[tenant.ID]int64{}
	err := query(ctx, &reads{u.store, systemScope}, func(r row) error {
		var id string
		var calls int64
		err := r.Scan(&id, &calls)
		all[tenant.ID(id)] = calls
		return err
	}, "SELECT tenant, CAST(sum(calls) AS bigint) FROM usage_days WHERE "+u.store.d.in("tenant", "$1")+othersOfMonth,
		ids, month.First.String(), month.Next.String(), counter)
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return all, nil
}

// Counters implements ports.Usage.
func (u Usage) Counters(ctx context.Context, id tenant.ID, month quota.Month) (map[string]int64, error) {
	all := map[string]int64{}
	err := query(ctx, &reads{u.store, ports.Of(id)}, func(r row) error {
		var counter string
		var calls int64
		err := r.Scan(&counter, &calls)
		all[counter] = calls
		return err
	}, "SELECT counter, CAST(sum(calls) AS bigint) FROM usage_days WHERE tenant = $1 AND day >= $2 AND day < $3 GROUP BY 1",
		string(id), month.First.String(), month.Next.String())
	if err != nil {
		return nil, fmt.Errorf("read usage by counter: %w", err)
	}
	return all, nil
}

// Daily implements ports.Usage.
func (u Usage) Daily(ctx context.Context, counter string, id tenant.ID, month quota.Month) (map[quota.Day]int64, error) {
	all := map[quota.Day]int64{}
	err := query(ctx, &reads{u.store, ports.Of(id)}, func(r row) error {
		var text string
		var calls int64
		if err := r.Scan(&text, &calls); err != nil {
			return err
		}
		day, err := quota.ParseDay(text)
		all[day] = calls
		return err
	}, "SELECT day, CAST(sum(calls) AS bigint) FROM usage_days WHERE tenant = $1"+othersOfMonth,
		string(id), month.First.String(), month.Next.String(), counter)
	if err != nil {
		return nil, fmt.Errorf("read usage by day: %w", err)
	}
	return all, nil
}
