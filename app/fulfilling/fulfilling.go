// Package fulfilling gets what was bought to its buyers: shipping lines in parcels, the others by somebody who says that
// they are done. Spec 3.4, Contract 9.
//
// Decisions of our own:
//
//   - Items that are left out stand for all that is open. An empty list, a line named twice and a quantity below 1 are
//     invalid; a line of the order that is done the other way is line_not_shippable or line_requires_shipping, any other
//     unknown line line_not_found, more units than are open fulfillment_quantity_exceeded.
//   - A fulfillment may be made before its carrier is known. It is shipped by a carrier and under a tracking number, which
//     ship takes too and which then stand in place of the earlier ones; parcels of the carrier "other" need no number. Until
//     it arrived its tracking can be corrected, though not taken away.
//   - Tracking numbers are kept as waybill.Number writes them, in capitals and without spaces and hyphens, whoever enters them:
//     what is the same number is the same text. One that looks as if a spreadsheet had rounded it stays as it was typed.
//   - Units that wait in a fulfillment are taken, and not fulfilled before it is shipped: only then they count as such in the
//     order, and only then a cancel of the order no longer puts them back on the shelf.
//   - A fulfillment that was shipped is not canceled: what comes back is a return. Canceling one that was not gives its units
//     back to the fulfillment order; the order stays in preparation, since its states have no way back.
//   - An order is prepared once a fulfillment was made or a unit completed, shipped once all its shipping units are, and
//     delivered once all of them arrived and all others are completed; one that ships nothing goes all the way with its last
//     unit. What it passes on the way is not told.
//   - Work on orders that wait for their money, are canceled or being canceled, or are over, is order_transition_invalid.
//   - An order that was shipped in part can still be canceled, since it is in preparation. Then everything that was paid goes
//     back, units that never left are on the shelf again, fulfillments that wait are canceled; those that are on their way
//     stay as they are and are nobody's work any more. Who wants to keep the money of what left ships the rest, or refunds.
//   - An order that somebody calls shipped sends what is open in one fulfillment without a carrier.
//
// Everything is decided under the lock of the order, in one transaction with its records, events and receipt. The fulfillment
// orders and fulfillments of an order are written under that lock only, so they need none of their own; the writes compare
// what they were decided on all the same.
package fulfilling

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/waybill"
	"github.com/cartwright-dev/cartwright/ports"
)

// Fulfilling is the use cases.
type Fulfilling struct {
	Store ports.Store
	Once  *once.Runner
	Now   func() time.Time
	NewID func() string
}

// NewFulfillment is a parcel to be made of the work of one order.
type NewFulfillment struct {
	Work     string       // the fulfillment order
	Items    []order.Item // nil: all that is open
	Tracking order.Tracking
}

// Create makes a fulfillment and answers {fulfillment, fulfillmentOrder, order}. Errors: those of access.Operator and
// order.Goods.Pack, ports.ErrAbsent.
func (f *Fulfilling) Create(ctx context.Context, c once.Call, in NewFulfillment) (once.Answer, error) {
	id := f.NewID()
	return f.run(ctx, c, task{on: order.FulfillmentOrders, id: in.Work, shows: id, result: ports.Created, decide: func(g order.Goods) (order.Goods, error) {
		return g.Pack(order.Packing{ID: id, Work: in.Work, Items: in.Items, Tracking: normal(in.Tracking)}, f.Now())
	}})
}

// Ship sends a fulfillment off and answers as Create does. Errors: those of access.Operator and order.Goods.Ship,
// ports.ErrAbsent.
func (f *Fulfilling) Ship(ctx context.Context, c once.Call, id string, t order.Tracking) (once.Answer, error) {
	return f.onFulfillment(ctx, c, id, func(g order.Goods) (order.Goods, error) { return g.Ship(id, normal(t), f.Now()) })
}

// Deliver says that a fulfillment arrived and answers as Create does. Errors: those of access.Operator and
// order.Goods.Arrive, ports.ErrAbsent.
func (f *Fulfilling) Deliver(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	return f.onFulfillment(ctx, c, id, func(g order.Goods) (order.Goods, error) { return g.Arrive(id, f.Now()) })
}

// Cancel gives the units of a fulfillment back that was not shipped, and answers as Create does. Errors: those of
// access.Operator and order.Goods.Unpack, ports.ErrAbsent.
func (f *Fulfilling) Cancel(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	return f.onFulfillment(ctx, c, id, func(g order.Goods) (order.Goods, error) { return g.Unpack(id, f.Now()) })
}

// Track corrects how a fulfillment is followed and answers as Create does. Errors: those of access.Operator and
// order.Goods.Track, ports.ErrAbsent.
func (f *Fulfilling) Track(ctx context.Context, c once.Call, id string, t order.Tracking) (once.Answer, error) {
	return f.onFulfillment(ctx, c, id, func(g order.Goods) (order.Goods, error) { return g.Track(id, normal(t)) })
}

// normal is tracking with its number as it is kept.
func normal(t order.Tracking) order.Tracking {
	if number, err := waybill.Number(t.Carrier, t.Number); err == nil {
		t.Number = number
	}
	return t
}

// Complete says that units which do not ship are done, nil for all that is open, and answers {fulfillmentOrder, order}.
// Errors: those of access.Operator and order.Goods.Complete, ports.ErrAbsent.
func (f *Fulfilling) Complete(ctx context.Context, c once.Call, work string, items []order.Item) (once.Answer, error) {
	return f.run(ctx, c, task{on: order.FulfillmentOrders, id: work, result: ports.OK, decide: func(g order.Goods) (order.Goods, error) {
		return g.Complete(work, items, f.Now())
	}})
}

func (f *Fulfilling) onFulfillment(ctx context.Context, c once.Call, id string, decide decision) (once.Answer, error) {
	return f.run(ctx, c, task{on: order.Fulfillments, id: id, shows: id, result: ports.OK, decide: decide})
}

// decision is what is done to the goods of an order.
type decision func(order.Goods) (order.Goods, error)

// task is a decision that a caller asks for.
type task struct {
	on     *collection.Schema // of the record that is named
	id     string
	shows  string // the fulfillment of the answer, "" is none
	result ports.Result
	decide decision
}

// run does a task, once per key where there is one. Admins and editors may, and secret keys that write.
func (f *Fulfilling) run(ctx context.Context, c once.Call, t task) (once.Answer, error) {
	if err := access.Operator(c.Principal, tenant.Admin, tenant.Editor); err != nil {
		return once.Answer{}, err
	}
	work := func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = f.Store.Atomically(ctx, ports.Of(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = f.carryOut(ctx, tx, c, t); err != nil {
				return err
			}
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	}
	answer, _, err := f.Once.RunOptional(ctx, c, work, t.id)
	return answer, err
}

// carryOut does a task within a transaction.
func (f *Fulfilling) carryOut(ctx context.Context, tx ports.Tx, c once.Call, t task) (ports.Receipt, error) {
	named, err := tx.Records.Get(ctx, t.on, t.id)
	if err != nil {
		return ports.Receipt{}, err
	}
	if tenant.Environment(named.Text("environment")) != c.Principal.Environment {
		return ports.Receipt{}, ports.ErrAbsent
	}
	found, err := Open(ctx, tx, named.Text("order"))
	if err != nil {
		return ports.Receipt{}, err
	}
	next, err := t.decide(found.Goods)
	if err != nil {
		return ports.Receipt{}, err
	}
	now := f.Now()
	written := found.Changes(next, now, f.NewID)
	if err := tx.Records.Write(ctx, written...); err != nil {
		return ports.Receipt{}, err
	}
	receipt := c.Receipt(t.result, c.Body(found.after(written).members(t)...), nil, now, time.Time{})
	receipt.Record = found.Order.ID
	return receipt, nil
}
