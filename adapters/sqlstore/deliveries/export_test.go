package deliveries

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Plans are how the database finds what the dispatcher asks for, by the name of the question.
func (q Queue) Plans(ctx context.Context, id tenant.ID, endpoint string, now time.Time) (map[string]string, error) {
	plans := map[string]string{}
	const limit = 64
	for name, asked := range map[string]db.Stmt{
		"claim":   {SQL: q.claimSQL(limit, ""), Args: []any{string(id), endpoint, now, now}},
		"hold":    {SQL: q.holdBackSQL(), Args: []any{string(id), endpoint, now}},
		"due":     {SQL: dueEndpoints, Args: []any{now, int64(limit)}},
		"tenants": {SQL: tenantsWithWebhooks},
		"expire":  {SQL: q.expireSQL(limit), Args: []any{now, now}},
		"prune":   {SQL: q.pruneSQL(limit), Args: []any{now}},
		"lag":     {SQL: pendingDeliveries},
	} {
		err := q.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
			var lines []string
			var first []db.Stmt
			if name == "claim" || name == "hold" || name == "due" {
				first = q.forceIndexOrder()
			}
			err := on.Run(ctx, append(first, db.ExplainStmt(q.db.Dialect, asked, &lines))...)
			plans[name] = strings.Join(lines, "\n")
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// Exec runs a statement of a test for a tenant.
func (q Queue) Exec(ctx context.Context, id tenant.ID, sql string) error {
	return q.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		_, err := db.Exec(ctx, on, sql)
		return err
	})
}
