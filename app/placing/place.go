// Package placing is what every sale has in common, whoever makes it: what it costs as the transaction sees it, and its
// order. Paid checkouts place through it, and the drafts of operators.
package placing

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// Tries bounds how often a clashing order number is drawn again: at 100 000 orders a day five draws fail together once in
// 10⁵ orders, and the caller's retry then draws five more.
const Tries = 5

// Number draws an order number.
func Number(now time.Time) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return order.Number(now, binary.BigEndian.Uint64(random[:]))
}

// Drawing runs place with a fresh order number until that one is free. Errors: those of place, fault.ErrUnavailable in place
// of ports.ErrDuplicate: whoever asks again draws anew.
func Drawing(now func() time.Time, place func(number string) error) error {
	var err error
	for range Tries {
		if err = place(Number(now())); !errors.Is(err, ports.ErrDuplicate) {
			return err
		}
	}
	return fault.ErrUnavailable.Because(err)
}

// Making is what an order needs besides what is sold.
type Making struct {
	Number string // unless the sale has one of its own that is free
	Now    time.Time
	NewID  func() string
}

// Place counts the uses of x's codes, takes its goods, and makes its order with the work there is to do; the caller writes
// them. x.ID is the holder of what was promised before, and of the uses. Errors: ports.ErrShort, ports.ErrUsedUp,
// ports.ErrCustomerUsedUp; the transaction must then be rolled back.
func Place(ctx context.Context, tx ports.Tx, x checkout.Checkout, m Making) (order.Order, []order.FulfillmentOrder, error) {
	if len(x.Codes) > 0 {
		if err := tx.Uses.Place(ctx, x.Tenant, x.Environment, x.ID, Uses(x)); err != nil {
			return order.Order{}, nil, err
		}
	}
	taken, err := tx.Stock.Take(ctx, x.Tenant, x.Environment, x.ID, x.Demands())
	if err != nil {
		return order.Order{}, nil, err
	}
	number, err := orderNumber(ctx, tx, x, m.Number)
	if err != nil {
		return order.Order{}, nil, err
	}
	placed, work := order.Place(x, number, m.Now, m.NewID)
	return placed.Took(taken), work, nil
}

// orderNumber is the number that was chosen for the order of x, or drawn where that one is taken.
func orderNumber(ctx context.Context, tx ports.Tx, x checkout.Checkout, drawn string) (string, error) {
	if x.OrderNumber == "" {
		return drawn, nil
	}
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: order.Schema, Where: order.Schema.Where("orderNumber", collection.Equals, x.OrderNumber), Limit: 1, Page: 1, Uncounted: true,
	})
	if err != nil || len(page.Docs) > 0 {
		return drawn, err
	}
	return x.OrderNumber, nil
}
