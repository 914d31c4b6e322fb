package order

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Why units are not fulfilled. Spec 3.4.
var (
	ErrNotShippable     = fault.New(fault.Unprocessable, "line_not_shippable", "This line does not ship: it is completed by hand.")
	ErrRequiresShipping = fault.New(fault.Unprocessable, "line_requires_shipping", "This line ships: it is fulfilled by a carrier, not completed by hand.")
	ErrUnitsExceeded    = fault.New(fault.Unprocessable, "fulfillment_quantity_exceeded", "Fewer units than that are left to fulfill.")
)

// Goods is an order with the work it makes and the fulfillments made of that work: what is decided together, under the
// lock of the order. Its methods return what it becomes and never change it.
//
// Units of a shipping line are open until a fulfillment takes them, and done once that is shipped; those of the other lines
// are done when somebody says so. Canceled fulfillments give their units back. The order follows its goods: it is prepared
// once anything is begun, shipped once every shipping unit is, and delivered once all of that arrived and all else is done.
type Goods struct {
	Order        Order
	Work         []FulfillmentOrder
	Fulfillments []Fulfillment
}

// clone copies what decisions change.
func (g Goods) clone() Goods {
	g.Order.Lines = slices.Clone(g.Order.Lines)
	g.Work = slices.Clone(g.Work)
	for i := range g.Work {
		g.Work[i].Lines = slices.Clone(g.Work[i].Lines)
	}
	g.Fulfillments = slices.Clone(g.Fulfillments)
	return g
}

// work finds work by its id, nil when g has none such.
func (g Goods) work(id string) *FulfillmentOrder {
	if i := slices.IndexFunc(g.Work, func(w FulfillmentOrder) bool { return w.ID == id }); i >= 0 {
		return &g.Work[i]
	}
	return nil
}

// fulfillment finds a fulfillment and checks that it, and its order, may take the step. Errors: fault.ErrNotFound,
// ErrFulfillmentTransition, ErrTransition.
func (g Goods) fulfillment(id string, to FulfillmentState, order Status) (*Fulfillment, error) {
	i := slices.IndexFunc(g.Fulfillments, func(f Fulfillment) bool { return f.ID == id })
	if i < 0 {
		return nil, fault.ErrNotFound
	}
	f := &g.Fulfillments[i]
	if err := g.Order.workable(order); err != nil {
		return f, err
	}
	return f, f.Step(to)
}

// workable refuses work on an order that is not paid, was canceled or is being canceled, or is over; to is where the work
// leads. Errors: ErrTransition.
func (o Order) workable(to Status) error {
	at := ErrTransition.With("from", string(o.Status)).With("to", string(to))
	switch {
	case o.Canceling():
		return at.Saying("The order is being canceled.")
	case o.Status == Paid || o.Status == Preparing || o.Status == Shipped:
		return nil
	}
	return at.Saying("Nothing is shipped or completed of an order that is %s.", o.Status)
}

// Open is the units of work that are neither done nor in a fulfillment that waits to be shipped, by line, those with none
// left out. Unknown work has none.
func (g Goods) Open(workID string) []Item {
	w := g.work(workID)
	if w == nil {
		return nil
	}
	var open []Item
	for _, l := range w.Lines {
		if n := l.Quantity - l.Done - g.waiting(l.OrderLine); n > 0 {
			open = append(open, Item{OrderLine: l.OrderLine, Quantity: n})
		}
	}
	return open
}

// waiting is the units of a line in fulfillments that are not shipped yet.
func (g Goods) waiting(line string) (units int64) {
	for _, f := range g.Fulfillments {
		for _, it := range f.Items {
			if f.State == FulfillmentPending && it.OrderLine == line {
				units += it.Quantity
			}
		}
	}
	return units
}

// pick is the units of w that items, once checked, ask for; nil asks for all that is open. Errors: ErrNotShippable,
// ErrRequiresShipping, cart.ErrLineNotFound, ErrUnitsExceeded.
func (g Goods) pick(w *FulfillmentOrder, items []Item) ([]Item, error) {
	open := g.Open(w.ID)
	if items == nil {
		if len(open) == 0 {
			return nil, ErrUnitsExceeded.Saying("Nothing is left to fulfill.")
		}
		return open, nil
	}
	for _, it := range items {
		if err := g.belongs(w, it.OrderLine); err != nil {
			return nil, err.With("orderLine", it.OrderLine)
		}
		var left int64
		for _, o := range open {
			if o.OrderLine == it.OrderLine {
				left = o.Quantity
			}
		}
		if it.Quantity > left {
			return nil, ErrUnitsExceeded.With("orderLine", it.OrderLine).With("requested", it.Quantity).With("open", left)
		}
	}
	return items, nil
}

// belongs refuses a line that is not of w, nil is that it is: a line of the order that is done the other way says so.
func (g Goods) belongs(w *FulfillmentOrder, line string) *fault.Error {
	if slices.ContainsFunc(w.Lines, func(l Work) bool { return l.OrderLine == line }) {
		return nil
	}
	switch i := slices.IndexFunc(g.Order.Lines, func(l Line) bool { return l.ID == line }); {
	case i < 0:
		return cart.ErrLineNotFound.Saying("The order has no such line.")
	case w.Type == ShippingWork && !g.Order.Lines[i].RequiresShipping:
		return ErrNotShippable
	case w.Type == ManualWork && g.Order.Lines[i].RequiresShipping:
		return ErrRequiresShipping
	}
	return cart.ErrLineNotFound.Saying("The line is of another fulfillment order.")
}

// finish counts units as done, in their work and in the order.
func (g Goods) finish(w *FulfillmentOrder, items []Item) {
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

// follow brings work and order to where their units are. Errors: ErrTransition.
func (g Goods) follow(now time.Time) (next Goods, err error) {
	begun, sent, done := false, true, true
	for i := range g.Work {
		w := &g.Work[i]
		w.Status = g.workStatus(*w)
		begun = begun || w.Status != WorkOpen
		done = done && w.Status == WorkClosed
		sent = sent && (w.Status == WorkClosed || w.Type != ShippingWork)
	}
	if !slices.ContainsFunc(g.Work, func(w FulfillmentOrder) bool { return w.Type == ShippingWork }) {
		sent = done // nothing ships: it is over with the last unit that is completed
	}
	switch {
	case done && g.arrived():
		g.Order, err = g.Order.Reach(Delivered, now)
	case sent:
		g.Order, err = g.Order.Reach(Shipped, now)
	case begun:
		g.Order, err = g.Order.Reach(Preparing, now)
	}
	return g, err
}

// workStatus is derived from the units of w, whose order was not canceled.
func (g Goods) workStatus(w FulfillmentOrder) string {
	var units, done, waiting int64
	for _, l := range w.Lines {
		units, done, waiting = units+l.Quantity, done+l.Done, waiting+g.waiting(l.OrderLine)
	}
	switch {
	case done == units:
		return WorkClosed
	case done+waiting > 0:
		return WorkInProgress
	}
	return WorkOpen
}

// arrived reports whether everything that ships is known to have arrived. Of what left without a fulfillment, in another
// system, nobody knows before somebody says so.
func (g Goods) arrived() bool {
	var missing int64
	for _, w := range g.Work {
		for _, l := range w.Lines {
			if w.Type == ShippingWork {
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
