package buying

import (
	"context"
	"crypto/rand"
	"encoding/binary"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// numberTries bounds how often a clashing order number is drawn again: at 100 000 orders a day five draws fail together
// once in 10⁵ orders, and the caller's retry then draws five more.
const numberTries = 5

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
	if len(x.Codes) > 0 {
		if err := tx.Uses.Place(ctx, x.Tenant, x.Environment, x.ID, uses(x)); err != nil {
			return nil, nil, err
		}
	}
	if err := tx.Stock.Take(ctx, x.Tenant, x.Environment, x.ID, x.Demands()); err != nil {
		return nil, nil, err
	}
	if number, err = orderNumber(ctx, tx, x, number); err != nil {
		return nil, nil, err
	}
	placed, work := order.Place(x, number, w.now, b.NewID)
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

// number draws an order number.
func (b *Buying) number() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return order.Number(b.Now(), binary.BigEndian.Uint64(random[:]))
}
