package sqlstore

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Usage is ports.Usage.
type Usage struct{ db *db.DB }

var _ ports.Usage = Usage{}

const (
	insertUsage            = "INSERT INTO usage_days (counter, tenant, day, calls) "
	onConflictReplaceUsage = " ON CONFLICT (tenant, day, counter) DO UPDATE SET calls = excluded.calls"
)

// insertManyUsage writes many rows of one counter at once: each process writes one for every tenant that
// called, again and again.
var insertManyUsage = insertUsage + "SELECT $1, c.tenant, c.day, c.calls FROM " +
	db.Unnest("c", []string{"tenant text", "day text", "calls bigint"}, 2, "") + " WHERE TRUE" + onConflictReplaceUsage //nolint:mnd // after the counter

// Save implements ports.Usage. No two of counts are of the same tenant and day.
func (u Usage) Save(ctx context.Context, counter string, counts []ports.CallCount) error {
	err := u.db.Transact(ctx, db.SystemScope,
		func(ctx context.Context, on db.Session) error { return on.Run(ctx, u.keepStmts(counter, counts)...) })
	if err != nil {
		return fmt.Errorf("keep usage: %w", err)
	}
	return nil
}

func (u Usage) keepStmts(counter string, counts []ports.CallCount) (all []db.Stmt) {
	if !u.db.Dialect.Postgres {
		for _, c := range counts {
			all = append(all, db.Stmt{
				SQL:  insertUsage + "VALUES ($1, $2, $3, $4)" + onConflictReplaceUsage,
				Args: []any{counter, string(c.Tenant), c.Day.String(), c.Count},
			})
		}
		return all
	}
	tenants, days, calls := make([]string, len(counts)), make([]string, len(counts)), make([]int64, len(counts))
	for i, c := range counts {
		tenants[i], days[i], calls[i] = string(c.Tenant), c.Day.String(), c.Count
	}
	return []db.Stmt{{SQL: insertManyUsage, Args: []any{counter, tenants, days, calls}}}
}

// sums adds up the calls of a month by a column.
func (u Usage) sums(by string, month quota.Month) *bun.SelectQuery {
	return u.db.Builder().Select((*usageRow)(nil)).Column(by).ColumnExpr("CAST(sum(calls) AS bigint)").
		Where("day >= ?", month.First.String()).Where("day < ?", month.Next.String()).Group(by)
}

// SumOthers implements ports.Usage.
func (u Usage) SumOthers(ctx context.Context, counter string, tenants []tenant.ID, month quota.Month) (map[tenant.ID]int64, error) {
	ids := make([]string, len(tenants))
	for i, id := range tenants {
		ids[i] = string(id)
	}
	q := u.sums("tenant", month).Where("counter <> ?", counter).
		Where("?", db.Expr(func(a *db.Args) string { return u.db.Dialect.InList("tenant", a.Bind(ids)) }))
	all := map[tenant.ID]int64{}
	err := u.db.Builder().Query(ctx, u.db.Reader(db.SystemScope), q, func(r db.Row) error {
		var id tenant.ID
		var calls int64
		err := r.Scan(&id, &calls)
		all[id] = calls
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	return all, nil
}

// ByCounter implements ports.Usage.
func (u Usage) ByCounter(ctx context.Context, id tenant.ID, month quota.Month) (map[string]int64, error) {
	q := u.sums("counter", month).Where("tenant = ?", string(id))
	all := map[string]int64{}
	err := u.db.Builder().Query(ctx, u.db.Reader(ports.ForTenant(id)), q, func(r db.Row) error {
		var counter string
		var calls int64
		err := r.Scan(&counter, &calls)
		all[counter] = calls
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read usage by counter: %w", err)
	}
	return all, nil
}

// SumOthersByDay implements ports.Usage.
func (u Usage) SumOthersByDay(ctx context.Context, counter string, id tenant.ID, month quota.Month) (map[quota.Day]int64, error) {
	q := u.sums("day", month).Where("tenant = ?", string(id)).Where("counter <> ?", counter)
	all := map[quota.Day]int64{}
	err := u.db.Builder().Query(ctx, u.db.Reader(ports.ForTenant(id)), q, func(r db.Row) error {
		var text string
		var calls int64
		if err := r.Scan(&text, &calls); err != nil {
			return err
		}
		day, err := quota.ParseDay(text)
		all[day] = calls
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read usage by day: %w", err)
	}
	return all, nil
}
