package checkouts

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Locked is a checkout with its cart, both locked in this transaction.
type Locked struct {
	CartRecord, Record collection.Record
	CartStatus         cart.Status
	Checkout           checkout.Checkout
	unpaid             bool // its order is placed before it is paid
}

// LockWithCart locks a checkout and, before it, its cart. Errors: ports.ErrNotFound.
func LockWithCart(ctx context.Context, tx ports.Tx, id string) (Locked, error) {
	var l Locked
	r, err := tx.Records.Get(ctx, checkout.Schema, id)
	if err != nil {
		return l, err
	}
	if l.CartRecord, err = tx.Records.Lock(ctx, cart.Schema, r.Text("cart")); err != nil {
		return l, err
	}
	l.CartStatus = cart.Status(l.CartRecord.Text("status"))
	if l.Record, err = tx.Records.Lock(ctx, checkout.Schema, id); err != nil {
		return l, err
	}
	l.Checkout = checkout.FromRecord(l.Record)
	return l, nil
}

// Place adds to w the order of a checkout and its fulfillment orders, the completed cart and the completed
// checkout; stock is taken and discount uses are counted at once. number is the order's unless the checkout
// has a chosen one that is free. A checkout without a record is created with its order. It returns the
// order's and the checkout's record as they will be read. Errors: ports.ErrOutOfStock,
// ports.ErrDiscountUsageLimit, ports.ErrDiscountCustomerLimit; the transaction must then be rolled back.
func Place(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l Locked, number string) (o, c collection.Record, err error) {
	x := l.Checkout
	placed, work, err := placement.Place(ctx, tx, x, placement.OrderParams{Number: number, Now: w.Now, NewID: w.NewID})
	if err != nil {
		return nil, nil, err
	}
	if l.unpaid {
		placed = placed.AwaitPayment()
	}
	o = w.Put(order.Schema, nil, placed.Record())
	for _, f := range work {
		w.Put(order.FulfillmentOrders, nil, f.Record())
	}
	if l.CartStatus == cart.Active || l.CartStatus == cart.Abandoned {
		bought, err := cart.FromRecord(l.CartRecord)
		if err != nil {
			return nil, nil, err
		}
		w.Put(cart.Schema, l.CartRecord, bought.Complete(w.Now).Record())
	}
	if !x.IsLive() { // paid late: a newer checkout of the cart has nothing left to sell
		if err := supersedeUnlessPaying(ctx, tx, w, x.Cart, x.ID); err != nil {
			return nil, nil, err
		}
	}
	c = w.Put(checkout.Schema, l.Record, x.Complete(placed.ID).Record())
	return o, c, nil
}

// supersede ends the live checkout of a cart in favor of the checkout with id by. Errors: payment.ErrSlotHeld
// while a payment holds its slot.
func supersede(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, cartID, by string) error {
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: checkout.Schema, Where: checkout.Schema.Where("liveCart", collection.Equals, cartID), Limit: 1, Page: 1,
	})
	if err != nil || len(page.Docs) == 0 {
		return err
	}
	r, err := tx.Records.Lock(ctx, checkout.Schema, page.Docs[0].ID())
	if err != nil {
		return err
	}
	old := checkout.FromRecord(r)
	switch {
	case old.SlotHeld:
		return payment.ErrSlotHeld.WithData("paymentSessionId", old.Session)
	case old.StatusAt(w.Now) == checkout.Expired:
		old = old.Expire()
	default:
		old = old.Supersede(by)
	}
	w.Put(checkout.Schema, r, old.Record())
	return nil
}

// supersedeUnlessPaying leaves a checkout alone whose slot is held: its payment will turn out to be late.
func supersedeUnlessPaying(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, cartID, by string) error {
	if err := supersede(ctx, tx, w, cartID, by); !errors.Is(err, payment.ErrSlotHeld) {
		return err
	}
	return nil
}
