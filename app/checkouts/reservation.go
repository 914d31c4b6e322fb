package checkouts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/ports"
)

// ReserveNew is Reserve for a payment session that takes the slot: its codes must still be on offer. Errors:
// those of Reserve, discount.ErrNotFound, discount.ErrInactive.
func ReserveNew(ctx context.Context, tx ports.Tx, x checkout.Checkout, until time.Time) error {
	if err := placement.CheckCodes(ctx, tx, x); err != nil {
		return err
	}
	return Reserve(ctx, tx, x, until)
}

// Reserve reserves the stock and the discount uses of a checkout, replacing its earlier reservation. Stock is
// reserved until the given time, codes within the limits that they have now. Errors: ports.ErrOutOfStock,
// ports.ErrDiscountUsageLimit, ports.ErrDiscountCustomerLimit.
func Reserve(ctx context.Context, tx ports.Tx, x checkout.Checkout, until time.Time) error {
	if len(x.Codes) > 0 {
		uses, err := placement.DiscountUses(ctx, tx, x)
		if err != nil {
			return err
		}
		if err := tx.DiscountUses.Reserve(ctx, x.Tenant, x.Environment, x.ID, uses); err != nil {
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
