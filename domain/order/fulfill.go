package order

import (
	"cmp"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// NewFulfillment is a request to create a fulfillment.
type NewFulfillment struct {
	ID               string // of the new fulfillment
	FulfillmentOrder string // the fulfillment order whose units it has
	Items            []Item // nil: all open units
	Tracking         Tracking
}

// CreateFulfillment makes a fulfillment of open units, which are reserved for it until it is shipped or
// canceled. Errors: fault.ErrNotFound, fault.ErrValidation, ErrTransition, ErrOnHold, ErrNotShippable,
// cart.ErrLineNotFound, ErrUnitsExceeded. Rule fulfillment-3.
func (g OrderFulfillment) CreateFulfillment(p NewFulfillment, now time.Time) (OrderFulfillment, error) {
	w := g.fulfillmentOrder(p.FulfillmentOrder)
	if w == nil {
		return g, fault.ErrNotFound
	}
	if w.Type != ShippingFulfillmentOrder {
		return g, ErrNotShippable
	}
	if err := p.Tracking.Check(); err != nil {
		return g, err
	}
	if err := CheckItems("items", p.Items); err != nil {
		return g, err
	}
	if err := cmp.Or(g.Order.checkFulfillable(Preparing), g.Order.checkNotHeld()); err != nil {
		return g, err
	}
	items, err := g.selectItems(w, p.Items)
	if err != nil {
		return g, err
	}
	return g.addFulfillment(p, items).updateStatuses(now)
}

// addFulfillment is g with one more fulfillment.
func (g OrderFulfillment) addFulfillment(p NewFulfillment, items []Item) OrderFulfillment {
	g = g.clone()
	g.Fulfillments = append(g.Fulfillments, Fulfillment{
		ID: p.ID, Tenant: g.Order.Tenant, Environment: g.Order.Environment, Order: g.Order.ID, FulfillmentOrder: p.FulfillmentOrder,
		State: FulfillmentPending, Tracking: p.Tracking, Items: items,
	})
	return g
}

// Ship marks a fulfillment as shipped. The parts of t that are set replace what was known. Errors:
// fault.ErrNotFound, fault.ErrValidation, ErrTransition, ErrFulfillmentTransition, ErrOnHold.
func (g OrderFulfillment) Ship(id string, t Tracking, now time.Time) (OrderFulfillment, error) {
	f, err := g.fulfillment(id, FulfillmentShipped, Shipped)
	if err = cmp.Or(err, g.Order.checkNotHeld()); err != nil {
		return g, err
	}
	t = t.withDefaults(f.Tracking)
	if err := t.checkShippable(); err != nil {
		return g, err
	}
	g = g.clone()
	g.markShipped(id, t, now)
	return g.updateStatuses(now)
}

// markShipped marks a fulfillment as shipped; g must be a clone.
func (g OrderFulfillment) markShipped(id string, t Tracking, now time.Time) {
	for i := range g.Fulfillments {
		if f := &g.Fulfillments[i]; f.ID == id {
			f.State, f.Tracking, f.ShippedAt = FulfillmentShipped, t, collection.TruncateTime(now)
			g.markDone(g.fulfillmentOrder(f.FulfillmentOrder), f.Items)
		}
	}
}

// Deliver marks a fulfillment as delivered. Errors: fault.ErrNotFound, ErrTransition,
// ErrFulfillmentTransition.
func (g OrderFulfillment) Deliver(id string, now time.Time) (OrderFulfillment, error) {
	if _, err := g.fulfillment(id, FulfillmentDelivered, Delivered); err != nil {
		return g, err
	}
	g = g.clone()
	g.markDelivered(func(f Fulfillment) bool { return f.ID == id }, now)
	return g.updateStatuses(now)
}

// markDelivered marks the selected shipped fulfillments as delivered; g must be a clone.
func (g OrderFulfillment) markDelivered(which func(Fulfillment) bool, now time.Time) {
	for i := range g.Fulfillments {
		if f := &g.Fulfillments[i]; f.State == FulfillmentShipped && which(*f) {
			f.State, f.DeliveredAt = FulfillmentDelivered, collection.TruncateTime(now)
		}
	}
}

// CancelFulfillment cancels a fulfillment that was not shipped: its units are open again. The order stays in
// preparation. Errors: fault.ErrNotFound, ErrTransition, ErrFulfillmentTransition.
func (g OrderFulfillment) CancelFulfillment(id string, now time.Time) (OrderFulfillment, error) {
	if _, err := g.fulfillment(id, FulfillmentCanceled, Preparing); err != nil {
		return g, err
	}
	g = g.clone()
	g.cancelPending(func(f Fulfillment) bool { return f.ID == id })
	return g.updateStatuses(now)
}

// UpdateTracking changes the tracking of a fulfillment that is not delivered; empty parts of t are left as
// they are. Errors: fault.ErrNotFound, fault.ErrValidation, ErrTransition, ErrFulfillmentTransition.
func (g OrderFulfillment) UpdateTracking(id string, t Tracking) (OrderFulfillment, error) {
	next := g.clone()
	for i := range next.Fulfillments {
		f := &next.Fulfillments[i]
		if f.ID != id {
			continue
		}
		if err := g.Order.checkFulfillable(Shipped); err != nil {
			return g, err
		}
		f.Tracking = t.withDefaults(f.Tracking)
		if err := f.checkTrackable(); err != nil {
			return g, err
		}
		return next, nil
	}
	return g, fault.ErrNotFound
}

// checkTrackable refuses new tracking of a fulfillment that is delivered or canceled, and tracking that is
// invalid.
func (f Fulfillment) checkTrackable() error {
	switch f.State {
	case FulfillmentPending:
		return f.Tracking.Check()
	case FulfillmentShipped:
		return f.Tracking.checkShippable()
	case FulfillmentDelivered, FulfillmentCanceled:
	}
	return f.CheckTransition(FulfillmentShipped)
}

// CompleteItems marks units that do not ship as done; nil means all open units. Errors: fault.ErrNotFound,
// fault.ErrValidation, ErrTransition, ErrOnHold, ErrRequiresShipping, cart.ErrLineNotFound, ErrUnitsExceeded. Rule
// fulfillment-1.
func (g OrderFulfillment) CompleteItems(workID string, items []Item, now time.Time) (OrderFulfillment, error) {
	w := g.fulfillmentOrder(workID)
	if w == nil {
		return g, fault.ErrNotFound
	}
	if w.Type != ManualFulfillmentOrder {
		return g, ErrRequiresShipping
	}
	if err := CheckItems("items", items); err != nil {
		return g, err
	}
	if err := cmp.Or(g.Order.checkFulfillable(Delivered), g.Order.checkNotHeld()); err != nil {
		return g, err
	}
	items, err := g.selectItems(w, items)
	if err != nil {
		return g, err
	}
	g = g.clone()
	g.markDone(g.fulfillmentOrder(workID), items)
	return g.updateStatuses(now)
}

// Cancel returns g after its order was canceled: pending fulfillments and open fulfillment orders are
// canceled. Units that were shipped still count as fulfilled.
func (g OrderFulfillment) Cancel() OrderFulfillment {
	g = g.clone()
	g.Order = g.Order.Cancel()
	for i := range g.FulfillmentOrders {
		g.FulfillmentOrders[i] = g.FulfillmentOrders[i].Cancel()
	}
	g.cancelPending(func(Fulfillment) bool { return true })
	return g
}

// cancelPending cancels the selected pending fulfillments; g must be a clone.
func (g OrderFulfillment) cancelPending(which func(Fulfillment) bool) {
	for i := range g.Fulfillments {
		if f := &g.Fulfillments[i]; f.State == FulfillmentPending && which(*f) {
			f.State = FulfillmentCanceled
		}
	}
}

// MoveByHand returns g after an operator changed the status of its order, with a note. The fulfillments
// follow: when the order is shipped, all open units leave in one new fulfillment without a carrier; when it
// is delivered, shipped fulfillments are delivered and manual work is done. Other statuses change the order
// only. newID returns ids for fulfillments. Errors: those of Order.MoveByHand.
func (g OrderFulfillment) MoveByHand(to Status, note string, now time.Time, newID func() string) (OrderFulfillment, error) {
	moved, err := g.Order.MoveByHand(to, note, now)
	if err != nil {
		return g, err
	}
	g.Order = moved
	g = g.clone()
	switch to {
	case Shipped:
		g = g.shipRest(now, newID)
	case Delivered:
		g.markDelivered(func(Fulfillment) bool { return true }, now)
		for i := range g.FulfillmentOrders {
			if w := &g.FulfillmentOrders[i]; w.Type == ManualFulfillmentOrder {
				g.markDone(w, g.OpenItems(w.ID))
			}
		}
	default: // no fulfillment changes
	}
	for i := range g.FulfillmentOrders {
		g.FulfillmentOrders[i].Status = g.fulfillmentOrderStatus(g.FulfillmentOrders[i])
	}
	return g, nil
}

// shipRest ships the pending fulfillments, and the open units in new fulfillments.
func (g OrderFulfillment) shipRest(now time.Time, newID func() string) OrderFulfillment {
	for _, w := range g.FulfillmentOrders {
		if open := g.OpenItems(w.ID); w.Type == ShippingFulfillmentOrder && len(open) > 0 {
			g = g.addFulfillment(NewFulfillment{ID: newID(), FulfillmentOrder: w.ID}, open)
		}
	}
	for _, f := range g.Fulfillments {
		if f.State == FulfillmentPending {
			g.markShipped(f.ID, f.Tracking, now)
		}
	}
	return g
}
