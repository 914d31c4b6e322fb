package order

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The refusals of fulfilling units. Rule fulfillment-1.
var (
	ErrNotShippable     = fault.New(fault.Unprocessable, "line_not_shippable", "This line does not ship: complete it manually.")
	ErrRequiresShipping = fault.New(fault.Unprocessable, "line_requires_shipping",
		"This line ships: it is fulfilled by a carrier, not completed by hand.")
	ErrNothingToPack = fault.New(fault.Conflict, "nothing_to_pack", "This fulfillment order has no units that can be packed now.")
	ErrUnitsExceeded = fault.New(fault.Unprocessable, "fulfillment_quantity_exceeded", "Fewer units are left to fulfill.")
)

// OrderFulfillment is an order with its fulfillment orders and fulfillments, decided together under the
// order's lock. Methods return a copy.
//
// A unit of a shipping line is open until a fulfillment takes it, and done once that is shipped. Units of
// other lines are done when an operator completes them. A canceled fulfillment makes its units open again.
// The status of the order follows: preparing once any unit is packed or done, shipped once every shipping
// unit is shipped, delivered once all of those are delivered and all others done.
type OrderFulfillment struct { //nolint:revive // Fulfillment is one of its parcels
	Order             Order
	FulfillmentOrders []FulfillmentOrder
	Fulfillments      []Fulfillment
}

// clone copies the parts that decisions change.
func (g OrderFulfillment) clone() OrderFulfillment {
	g.Order.Lines = slices.Clone(g.Order.Lines)
	g.FulfillmentOrders = slices.Clone(g.FulfillmentOrders)
	for i := range g.FulfillmentOrders {
		g.FulfillmentOrders[i].Lines = slices.Clone(g.FulfillmentOrders[i].Lines)
	}
	g.Fulfillments = slices.Clone(g.Fulfillments)
	return g
}

// fulfillmentOrder finds a fulfillment order by id; nil if there is none.
func (g OrderFulfillment) fulfillmentOrder(id string) *FulfillmentOrder {
	if i := slices.IndexFunc(g.FulfillmentOrders, func(w FulfillmentOrder) bool { return w.ID == id }); i >= 0 {
		return &g.FulfillmentOrders[i]
	}
	return nil
}

// fulfillment finds a fulfillment and checks that it and its order may take the step. Errors:
// fault.ErrNotFound, ErrFulfillmentTransition, ErrTransition.
func (g OrderFulfillment) fulfillment(id string, to FulfillmentState, order Status) (*Fulfillment, error) {
	i := slices.IndexFunc(g.Fulfillments, func(f Fulfillment) bool { return f.ID == id })
	if i < 0 {
		return nil, fault.ErrNotFound
	}
	f := &g.Fulfillments[i]
	if err := g.Order.checkFulfillable(order); err != nil {
		return f, err
	}
	return f, f.CheckTransition(to)
}

// checkFulfillable refuses to fulfill an order that is unpaid, canceled, being canceled, or completed; to is
// the status that it would reach. Errors: ErrTransition.
func (o Order) checkFulfillable(to Status) error {
	at := ErrTransition.WithData("from", string(o.Status)).WithData("to", string(to))
	switch {
	case o.canceling() != "":
		return at.WithMessage("%s", o.canceling())
	case o.Status == Authorized || o.Status == Paid || o.Status == Preparing || o.Status == Shipped:
		return nil
	}
	return at.WithMessage("Nothing is shipped or completed of an order that is %s.", o.Status)
}

// OpenItems returns the units of a fulfillment order that are neither done nor in a pending fulfillment, by
// line, without lines that have none. It is empty for an unknown id.
func (g OrderFulfillment) OpenItems(workID string) []Item {
	w := g.fulfillmentOrder(workID)
	if w == nil {
		return nil
	}
	var open []Item
	for _, l := range w.Lines {
		if n := l.Quantity - l.Done - g.pendingUnits(l.OrderLine); n > 0 {
			open = append(open, Item{OrderLine: l.OrderLine, Quantity: n})
		}
	}
	return open
}

// pendingUnits is the number of units of a line in pending fulfillments.
func (g OrderFulfillment) pendingUnits(line string) (units int64) {
	for _, f := range g.Fulfillments {
		for _, it := range f.Items {
			if f.State == FulfillmentPending && it.OrderLine == line {
				units += it.Quantity
			}
		}
	}
	return units
}

// selectItems returns the units of w that items request, after checking them; nil requests all open units.
// Errors: ErrNotShippable, ErrRequiresShipping, cart.ErrLineNotFound, ErrUnitsExceeded.
func (g OrderFulfillment) selectItems(w *FulfillmentOrder, items []Item) ([]Item, error) {
	open := g.OpenItems(w.ID)
	if items == nil {
		if len(open) == 0 {
			return nil, ErrUnitsExceeded.WithMessage("Nothing is left to fulfill.")
		}
		return open, nil
	}
	for _, it := range items {
		if err := g.checkLine(w, it.OrderLine); err != nil {
			return nil, err.WithData("orderLine", it.OrderLine)
		}
		var left int64
		for _, o := range open {
			if o.OrderLine == it.OrderLine {
				left = o.Quantity
			}
		}
		if it.Quantity > left {
			return nil, ErrUnitsExceeded.WithData("orderLine", it.OrderLine).WithData("requested", it.Quantity).WithData("open", left)
		}
	}
	return items, nil
}

// checkLine refuses a line that is not of w. A line of the order's other fulfillment order has an error of
// its own.
func (g OrderFulfillment) checkLine(w *FulfillmentOrder, line string) *fault.Error {
	if slices.ContainsFunc(w.Lines, func(l FulfillmentOrderLine) bool { return l.OrderLine == line }) {
		return nil
	}
	switch i := slices.IndexFunc(g.Order.Lines, func(l Line) bool { return l.ID == line }); {
	case i < 0:
		return cart.ErrLineNotFound.WithMessage("The order has no such line.")
	case w.Type == ShippingFulfillmentOrder && !g.Order.Lines[i].RequiresShipping:
		return ErrNotShippable
	case w.Type == ManualFulfillmentOrder && g.Order.Lines[i].RequiresShipping:
		return ErrRequiresShipping
	}
	return cart.ErrLineNotFound.WithMessage("The line is of another fulfillment order.")
}

// markDone counts units as done in their fulfillment order and in the order.
func (g OrderFulfillment) markDone(w *FulfillmentOrder, items []Item) {
	for _, it := range items {
		for i := range w.Lines {
			if w.Lines[i].OrderLine == it.OrderLine {
				w.Lines[i].Done += it.Quantity
			}
		}
		for i := range g.Order.Lines {
			if g.Order.Lines[i].ID == it.OrderLine {
				g.Order.Lines[i].Fulfilled += it.Quantity
			}
		}
	}
}

// updateStatuses derives the statuses of the fulfillment orders and the order from their units. Errors:
// ErrTransition.
func (g OrderFulfillment) updateStatuses(now time.Time) (next OrderFulfillment, err error) {
	begun, ships, shipped, complete := false, false, true, true
	for i := range g.FulfillmentOrders {
		w := &g.FulfillmentOrders[i]
		w.Status = g.fulfillmentOrderStatus(*w)
		if w.Status == FulfillmentOrderCanceled {
			continue
		}
		begun = begun || w.Status != FulfillmentOrderOpen
		complete = complete && w.Status == FulfillmentOrderClosed
		shipped = shipped && (w.Status == FulfillmentOrderClosed || w.Type != ShippingFulfillmentOrder)
		ships = ships || w.Type == ShippingFulfillmentOrder
	}
	if !ships {
		shipped = complete // nothing ships: delivered with the last completed unit
	}
	switch {
	case complete && g.allDelivered():
		g.Order, err = g.Order.AdvanceTo(Delivered, now)
	case shipped:
		g.Order, err = g.Order.AdvanceTo(Shipped, now)
	case begun:
		g.Order, err = g.Order.AdvanceTo(Preparing, now)
	}
	return g, err
}

// fulfillmentOrderStatus is derived from the units of w, whose order was not canceled.
func (g OrderFulfillment) fulfillmentOrderStatus(w FulfillmentOrder) string {
	var units, done, pending int64
	for _, l := range w.Lines {
		units, done, pending = units+l.Quantity, done+l.Done, pending+g.pendingUnits(l.OrderLine)
	}
	switch {
	case units == 0: // every unit was canceled
		return FulfillmentOrderCanceled
	case done == units:
		return FulfillmentOrderClosed
	case done+pending > 0:
		return FulfillmentOrderInProgress
	}
	return FulfillmentOrderOpen
}

// allDelivered reports whether everything that ships is known to be delivered. The delivery of units shipped
// without a fulfillment, by another system, is unknown until an operator reports it.
func (g OrderFulfillment) allDelivered() bool {
	var missing int64
	for _, w := range g.FulfillmentOrders {
		for _, l := range w.Lines {
			if w.Type == ShippingFulfillmentOrder {
				missing += l.Quantity
			}
		}
	}
	for _, f := range g.Fulfillments {
		for _, it := range f.Items {
			if f.State == FulfillmentDelivered {
				missing -= it.Quantity
			}
		}
	}
	return missing == 0
}
