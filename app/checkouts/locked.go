package checkouts

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Locked is a checkout with its cart, both locked in this transaction.
type Locked struct {
	CartRecord, Record collection.Record
	CartStatus         cart.Status
	Checkout           checkout.Checkout
	PaidBy             string               // the payment session whose money places the order; "": none
	Authorization      *order.Authorization // set if the money of PaidBy is held and not collected yet
	PlacedBy           tenant.Actor         // who places its order; zero: the buyer
	unpaid             bool                 // its order is placed before it is paid
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
// checkout; stock is taken and discount uses are counted at once. Whatever else of the cart could still be
// paid loses the slot, and money that it brought is to be refunded. number is the order's unless the checkout
// has a chosen one that is free. A checkout without a record is created with its order. It returns the
// order's and the checkout's record as they will be read. Errors: ports.ErrOutOfStock,
// ports.ErrDiscountUsageLimit, ports.ErrDiscountCustomerLimit; the transaction must then be rolled back.
func Place(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l Locked, number string) (o, c collection.Record, err error) {
	x := l.Checkout
	offered, err := lockOffered(ctx, tx, x)
	if err != nil {
		return nil, nil, err
	}
	placed, work, err := placement.Place(ctx, tx, x, placement.OrderParams{Number: number, Now: w.Now, NewID: w.NewID, Actor: l.PlacedBy})
	if err != nil {
		return nil, nil, err
	}
	switch {
	case l.unpaid:
		placed = placed.AwaitPayment()
	case l.Authorization != nil:
		placed = placed.Authorize(*l.Authorization)
	}
	if offered != nil {
		placed = placed.PaidFromDraft(x.Draft)
		placed.Assignment = draft.FromRecord(offered).Assignment
		w.Put(draft.Schema, offered, draft.Sell(offered, placed.ID, placed.Totals(), placed.TaxFree()))
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
	if err := supersedeOthers(ctx, tx, w, x, l.PaidBy); err != nil {
		return nil, nil, err
	}
	if l.PaidBy != "" {
		x.Session = l.PaidBy
	}
	c = w.Put(checkout.Schema, l.Record, x.Complete(placed.ID).Record())
	return o, c, nil
}

// lockOffered locks the draft whose payment link x is; nil for other checkouts, and where the draft has been taken back.
func lockOffered(ctx context.Context, tx ports.Tx, x checkout.Checkout) (collection.Record, error) {
	if x.Draft == "" {
		return nil, nil
	}
	r, err := tx.Records.Lock(ctx, draft.Schema, x.Draft)
	if err != nil || draft.LinkOf(r).Checkout != x.ID {
		return nil, err
	}
	return r, nil
}

// IsCartSpent reports whether the cart of l has its order, which may be that of another checkout, or has gone into another
// cart, from which its goods are ordered: nothing more is placed of it, and money that it still brings is late.
func (l Locked) IsCartSpent() bool {
	return l.CartStatus == cart.Completed || l.CartStatus == cart.Merged || l.Checkout.Status == checkout.Completed
}
