package orders

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks check what operators edit of an order. Rule orders-24.
func Hooks() records.Hooks {
	return records.Hooks{BeforeWrite: beforeWrite, Reasons: []*fault.Error{order.ErrAddressFixed}}
}

func beforeWrite(ctx context.Context, tx ports.Tx, w *records.Write) (err error) {
	if w.Before == nil || w.After == nil {
		return nil
	}
	if w.After, err = order.Correct(w.Before, w.After, w.Principal.Tenant.Country); err != nil {
		return err
	}
	return tellPackers(ctx, tx, w)
}

// tellPackers marks what was exported to a carrier under the address that w replaces, or with anything else of the order on its
// row that is another now. The order is locked, so that nothing of it is exported meanwhile. Rule fulfillment-20.
func tellPackers(ctx context.Context, tx ports.Tx, w *records.Write) error {
	if collection.Equal(w.Before["shippingAddress"], w.After["shippingAddress"]) &&
		carrier.SameOnRows(order.FromRecord(w.Before), order.FromRecord(w.After)) {
		return nil
	}
	s := order.FulfillmentOrders
	work, err := ports.FindAll(ctx, tx.Records, collection.Query{
		Schema: s, Where: s.Where("order", collection.Equals, w.ID),
		Sort: s.SortBy("id"),
	})
	for _, before := range work {
		was := order.FulfillmentOrderFrom(before)
		if is := was.MarkChanged(order.AddressChanged); len(is.ChangedSinceExport) > len(was.ChangedSinceExport) {
			w.AddChange(s, before, is.Record())
		}
	}
	return err
}
