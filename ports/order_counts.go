package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// OrderCounts counts the orders of each series of numbers (order.NumberFormat). A count is taken in a transaction of its
// own, before the one that places the order: so placements of one shop do not wait for each other, no two ever get the same
// count, and one is skipped when its order is not placed. Suite: portstest.OrderCounts.
type OrderCounts interface {
	// Next raises the count of a series by step, at least 1, and returns it; a new series begins at 0.
	Next(ctx context.Context, t tenant.ID, env tenant.Environment, series string, step int64) (int64, error)
}
