package order

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Packing is a fulfillment to be made.
type Packing struct {
	ID       string // the new fulfillment's
	Work     string // the fulfillment order it is made of
	Items    []Item // nil: all that is open
	Tracking Tracking
}

// Pack makes a fulfillment of units that are open: it holds them until it is shipped or canceled. Spec 3.4 rule 3.
// Errors: fault.ErrNotFound, fault.ErrValidation, ErrTransition, ErrNotShippable, cart.ErrLineNotFound, ErrUnitsExceeded.
func (g Goods) Pack(p Packing, now time.Time) (Goods, error) {
	w := g.work(p.Work)
	if w == nil {
		return g, fault.ErrNotFound
	}
	if w.Type != ShippingWork {
		return g, ErrNotShippable
	}
	if err := p.Tracking.Check(); err != nil {
		return g, err
	}
	if err := CheckItems(p.Items); err != nil {
		return g, err
	}
	if err := g.Order.workable(Preparing); err != nil {
		return g, err
	}
	items, err := g.pick(w, p.Items)
	if err != nil {
		return g, err
	}
	return g.pack(p, items).follow(now)
}

// pack is g with one more fulfillment.
func (g Goods) pack(p Packing, items []Item) Goods {
	g = g.clone()
	g.Fulfillments = append(g.Fulfillments, Fulfillment{
		ID: p.ID, Tenant: g.Order.Tenant, Environment: g.Order.Environment, Order: g.Order.ID, Work: p.Work,
		State: FulfillmentPending, Tracking: p.Tracking, Items: items,
	})
	return g
}

// Ship sends a fulfillment off. What t says of the carrier stands in place of what was known. Errors: fault.ErrNotFound,
// fault.ErrValidation, ErrTransition, ErrFulfillmentTransition.
func (g Goods) Ship(id string, t Tracking, now time.Time) (Goods, error) {
	f, err := g.fulfillment(id, FulfillmentShipped, Shipped)
	if err != nil {
		return g, err
	}
	t = t.over(f.Tracking)
	if err := t.sendable(); err != nil {
		return g, err
	}
	g = g.clone()
	g.send(id, t, now)
	return g.follow(now)
}

// send marks a fulfillment of g, which is a clone, as shipped.
func (g Goods) send(id string, t Tracking, now time.Time) {
	for i := range g.Fulfillments {
		if f := &g.Fulfillments[i]; f.ID == id {
			f.State, f.Tracking, f.ShippedAt = FulfillmentShipped, t, collection.Instant(now)
			g.finish(g.work(f.Work), f.Items)
		}
	}
}

// Arrive says that a fulfillment was delivered. Errors: fault.ErrNotFound, ErrTransition, ErrFulfillmentTransition.
func (g Goods) Arrive(id string, now time.Time) (Goods, error) {
	if _, err := g.fulfillment(id, FulfillmentDelivered, Delivered); err != nil {
		return g, err
	}
	g = g.clone()
	g.receive(func(f Fulfillment) bool { return f.ID == id }, now)
	return g.follow(now)
}

// receive marks the fulfillments of g, which is a clone, as delivered that are on their way.
func (g Goods) receive(which func(Fulfillment) bool, now time.Time) {
	for i := range g.Fulfillments {
		if f := &g.Fulfillments[i]; f.State == FulfillmentShipped && which(*f) {
			f.State, f.DeliveredAt = FulfillmentDelivered, collection.Instant(now)
		}
	}
}

// Unpack cancels a fulfillment that was not shipped: its units are open again. The order stays in preparation. Errors:
// fault.ErrNotFound, ErrTransition, ErrFulfillmentTransition.
func (g Goods) Unpack(id string, now time.Time) (Goods, error) {
	if _, err := g.fulfillment(id, FulfillmentCanceled, Preparing); err != nil {
		return g, err
	}
	g = g.clone()
	g.drop(func(f Fulfillment) bool { return f.ID == id })
	return g.follow(now)
}

// Track corrects how a fulfillment that has not arrived is followed; what t leaves out stays. Errors: fault.ErrNotFound,
// fault.ErrValidation, ErrTransition, ErrFulfillmentTransition.
func (g Goods) Track(id string, t Tracking) (Goods, error) {
	next := g.clone()
	for i := range next.Fulfillments {
		f := &next.Fulfillments[i]
		if f.ID != id {
			continue
		}
		if err := g.Order.workable(Shipped); err != nil {
			return g, err
		}
		f.Tracking = t.over(f.Tracking)
		if err := f.trackable(); err != nil {
			return g, err
		}
		return next, nil
	}
	return g, fault.ErrNotFound
}

// trackable refuses to follow what has arrived or was never sent, and by what nobody can follow.
func (f Fulfillment) trackable() error {
	switch f.State {
	case FulfillmentPending:
		return f.Tracking.Check()
	case FulfillmentShipped:
		return f.Tracking.sendable()
	case FulfillmentDelivered, FulfillmentCanceled:
	}
	return f.Step(FulfillmentShipped)
}

// Complete says that units which do not ship are done; nil is all that is open. Spec 3.4 rule 3. Errors:
// fault.ErrNotFound, fault.ErrValidation, ErrTransition, ErrRequiresShipping, cart.ErrLineNotFound, ErrUnitsExceeded.
func (g Goods) Complete(workID string, items []Item, now time.Time) (Goods, error) {
	w := g.work(workID)
	if w == nil {
		return g, fault.ErrNotFound
	}
	if w.Type != ManualWork {
		return g, ErrRequiresShipping
	}
	if err := CheckItems(items); err != nil {
		return g, err
	}
	if err := g.Order.workable(Delivered); err != nil {
		return g, err
	}
	items, err := g.pick(w, items)
	if err != nil {
		return g, err
	}
	g = g.clone()
	g.finish(g.work(workID), items)
	return g.follow(now)
}

// Cancel is g when its order is canceled: what waits to be shipped is not sent, work that is not finished will not be.
// Units that left stay where they are, and count as fulfilled.
func (g Goods) Cancel() Goods {
	g = g.clone()
	g.Order = g.Order.Cancel()
	for i := range g.Work {
		g.Work[i] = g.Work[i].Cancel()
	}
	g.drop(func(Fulfillment) bool { return true })
	return g
}

// drop cancels the fulfillments of g, which is a clone, that wait to be shipped.
func (g Goods) drop(which func(Fulfillment) bool) {
	for i := range g.Fulfillments {
		if f := &g.Fulfillments[i]; f.State == FulfillmentPending && which(*f) {
			f.State = FulfillmentCanceled
		}
	}
}

// MoveByHand is g after a person moved its order, saying note: the goods follow. What is open when it is shipped leaves in
// one fulfillment of its own, without a carrier; what is on its way when it is delivered has arrived, and manual work is
// done. Other statuses change nothing but the order. newID gives the ids of fulfillments. Errors: those of Order.Move.
func (g Goods) MoveByHand(to Status, note string, now time.Time, newID func() string) (Goods, error) {
	moved, err := g.Order.Move(to, note, now)
	if err != nil {
		return g, err
	}
	g.Order = moved
	g = g.clone()
	switch to {
	case Shipped:
		g = g.shipRest(now, newID)
	case Delivered:
		g.receive(func(Fulfillment) bool { return true }, now)
		for i := range g.Work {
			if w := &g.Work[i]; w.Type == ManualWork {
				g.finish(w, g.Open(w.ID))
			}
		}
	default: // nothing leaves the house
	}
	for i := range g.Work {
		g.Work[i].Status = g.workStatus(g.Work[i])
	}
	return g, nil
}

// shipRest sends off what waits, and the rest in fulfillments of their own.
func (g Goods) shipRest(now time.Time, newID func() string) Goods {
	for _, w := range g.Work {
		if open := g.Open(w.ID); w.Type == ShippingWork && len(open) > 0 {
			g = g.pack(Packing{ID: newID(), Work: w.ID}, open)
		}
	}
	for _, f := range g.Fulfillments {
		if f.State == FulfillmentPending {
			g.send(f.ID, f.Tracking, now)
		}
	}
	return g
}
