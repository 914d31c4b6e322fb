package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// OrderCounts is a ports.OrderCounts.
type OrderCounts struct{ db *db.DB }

var _ ports.OrderCounts = OrderCounts{}

const raiseOrderCount = `INSERT INTO order_counts (tenant, environment, series, last) VALUES ($1, $2, $3, $4)
	ON CONFLICT (tenant, environment, series) DO UPDATE SET last = order_counts.last + excluded.last RETURNING last`

// Next implements ports.OrderCounts.
func (c OrderCounts) Next(ctx context.Context, id tenant.ID, env tenant.Environment, series string, step int64) (n int64, err error) {
	err = c.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		_, err := db.QueryRow(ctx, on, []any{&n}, raiseOrderCount, string(id), string(env), series, step)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("count an order: %w", err)
	}
	return n, nil
}
