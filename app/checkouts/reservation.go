package checkouts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/ports"
)

// Reserve reserves the stock and the discount uses of a checkout, replacing its earlier reservation. Stock is
// reserved until the given time. Errors: ports.ErrOutOfStock, ports.ErrDiscountUsageLimit,
// ports.ErrDiscountCustomerLimit.
func Reserve(ctx context.Context, tx ports.Tx, x checkout.Checkout, until time.Time) error {
	if len(x.Codes) > 0 {
		if err := tx.DiscountUses.Reserve(ctx, x.Tenant, x.Environment, x.ID, placement.DiscountUses(x)); err != nil {
			return err
		}
	}
	return tx.Stock.Reserve(ctx, x.Tenant, x.Environment, x.ID, x.Demands(), until)
}

// ReleaseReservation ends the reservation of a checkout.
func ReleaseReservation(ctx context.Context, tx ports.Tx, x checkout.Checkout) error {
	if err := tx.DiscountUses.Release(ctx, x.Tenant, x.ID); err != nil {
		return err
	}
	return tx.Stock.Release(ctx, x.Tenant, x.ID)
}
