package buying

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// locked is a checkout with its cart, both locked in this transaction, and their records.
type locked struct {
	cartRecord, record collection.Record
	cart               cart.Status
	checkout           checkout.Checkout
	unpaid             bool // its order waits for the money
}

// lockBoth locks a checkout and, before it, its cart.
func lockBoth(ctx context.Context, tx ports.Tx, id string) (locked, error) {
	var l locked
	r, err := tx.Records.Get(ctx, checkout.Schema, id)
	if err != nil {
		return l, err
	}
	if l.cartRecord, err = tx.Records.Lock(ctx, cart.Schema, r.Text("cart")); err != nil {
		return l, err
	}
	l.cart = cart.Status(l.cartRecord.Text("status"))
	if l.record, err = tx.Records.Lock(ctx, checkout.Schema, id); err != nil {
		return l, err
	}
	l.checkout = checkout.FromRecord(l.record)
	return l, nil
}

// place makes the order of a checkout: uses counted, stock taken, cart completed. number is the order's unless it has one of
// its own. A checkout without a record is made with it. It returns the order's and the checkout's record as written. Errors: ports.ErrShort, ports.ErrUsedUp, ports.ErrCustomerUsedUp; the
// transaction must then be rolled back.
func (b *Buying) place(ctx context.Context, tx ports.Tx, w *changes, l locked, number string) (o, c collection.Record, err error) {
	x := l.checkout
	placed, work, err := placing.Place(ctx, tx, x, placing.Making{Number: number, Now: w.now, NewID: b.NewID})
	if err != nil {
		return nil, nil, err
	}
	if l.unpaid {
		placed = placed.Await()
	}
	o = w.put(order.Schema, nil, placed.Record())
	for _, f := range work {
		w.put(order.FulfillmentOrders, nil, f.Record())
	}
	if l.cart == cart.Active || l.cart == cart.Abandoned {
		bought, err := cart.FromRecord(l.cartRecord)
		if err != nil {
			return nil, nil, err
		}
		w.put(cart.Schema, l.cartRecord, bought.Complete(w.now).Record())
	}
	if !x.Live() { // paid late: a newer checkout of the cart has nothing left to sell
		if err := w.supersedeFree(ctx, tx, x.Cart, x.ID); err != nil {
			return nil, nil, err
		}
	}
	c = w.put(checkout.Schema, l.record, x.Complete(placed.ID).Record())
	return o, c, nil
}
