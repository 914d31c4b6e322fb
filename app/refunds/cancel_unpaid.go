package refunds

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// unpaidReason is the reason of a cancel because nobody paid.
const unpaidReason = "The order was not paid in time."

// CancelUnpaid cancels an order that has been unpaid for as long as the tenant's settings say, with the effects of
// CancelOrder; done is false when it is not due, or was paid meanwhile. Errors: ports.ErrNotFound.
func (oc *OrderCanceler) CancelUnpaid(ctx context.Context, shop tenant.Settings, id string) (done bool, err error) {
	err = oc.refunds.atomically(ctx, shop.ID, func(ctx context.Context, tx ports.Tx) error {
		w := oc.refunds.newChangeSet()
		found, err := lockRefundable(ctx, tx, w, id, "")
		if err != nil {
			return err
		}
		_, open := found.unanswered()
		_, left := found.next()
		if done = found.order.DueUnpaid(shop.UnpaidOrderHours, w.Now) && !open && !left; !done {
			return nil
		}
		o, err := found.order.BeginCancel(unpaidReason, w.NewID(), tenant.Actor{}, false)
		if err != nil {
			return err
		}
		if o, err = finishCancel(ctx, tx, w, o); err != nil {
			return err
		}
		w.Put(order.Schema, found.record, o.Record())
		return tx.Records.Write(ctx, w.List()...)
	})
	return done && err == nil, err
}
