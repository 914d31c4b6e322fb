package orders

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks check what operators edit of an order. Rule orders-24.
func Hooks() records.Hooks {
	return records.Hooks{BeforeWrite: beforeWrite, Reasons: []*fault.Error{order.ErrAddressFixed}}
}

func beforeWrite(_ context.Context, _ ports.Tx, w *records.Write) (err error) {
	if w.Before != nil && w.After != nil {
		w.After, err = order.Correct(w.Before, w.After)
	}
	return err
}
