package order

import (
	"cmp"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// TransitionTo returns o after one step of the table at now. The first delivery sets DeliveredAt. Errors:
// ErrTransition.
func (o Order) TransitionTo(to Status, now time.Time) (Order, error) {
	if err := o.CheckTransition(to); err != nil {
		return o, err
	}
	o.Status = to
	if to == Delivered && o.DeliveredAt.IsZero() {
		o.DeliveredAt = collection.TruncateTime(now)
	}
	return o, nil
}

// forwardPath lists the statuses fulfillment moves an order through, in sequence; an authorized order begins like a paid
// one.
var forwardPath = []Status{Paid, Preparing, Shipped, Delivered}

// AdvanceTo returns o after every step of forwardPath up to status to, at now; an order without anything to
// ship passes through the same statuses. An order at or beyond to is returned unchanged. Errors:
// ErrTransition.
func (o Order) AdvanceTo(to Status, now time.Time) (Order, error) {
	was, goal := slices.Index(forwardPath, o.Status), slices.Index(forwardPath, to)
	if o.Status == Authorized {
		was = slices.Index(forwardPath, Paid)
	}
	if was < 0 || goal < 0 {
		return o, o.CheckTransition(to)
	}
	next := o
	for _, step := range forwardPath[was+1 : max(was, goal)+1] {
		var err error
		if next, err = next.TransitionTo(step, now); err != nil {
			return o, err
		}
	}
	return next, nil
}

// IsFulfillment reports whether an order comes to s by being packed, shipped or delivered. To set another status by hand
// concerns money. Rule orders-4.
func (s Status) IsFulfillment() bool {
	return s == Preparing || s == Shipped || s == Delivered || s == Confirmed
}

// setByReturns reports whether only return requests move an order to s and from it.
func (s Status) setByReturns() bool {
	return s == ReturnRequested || s == ReturnProcessing || s == Returned
}

// awaitsPayment reports whether o has gone on its way before it was paid, as one with an invoice or cash on delivery has.
func (o Order) awaitsPayment() bool {
	return o.Paid.IsZero() && o.Authorization == nil && !o.Due().IsZero() && slices.Contains([]Status{Preparing, Shipped, Delivered, Confirmed}, o.Status)
}

// MoveByHand returns o after an operator changed its status at now, with a note. Moving it to paid records
// what it comes to as paid; an order that was sent before it was paid keeps its status then. The statuses of returns are
// set by return requests only, and canceling, which refunds, is an operation of its own. Nothing is shipped of an order
// on hold. Errors: ErrTransition, ErrOnHold.
func (o Order) MoveByHand(to Status, note string, now time.Time) (Order, error) {
	refused := ErrTransition.WithData("from", string(o.Status)).WithData("to", string(to))
	switch {
	case to.setByReturns(), o.Status.setByReturns():
		return o, refused.WithMessage("Only return requests move an order into this state, and out of it.")
	case to == Canceled:
		return o, refused.WithMessage("An order is canceled by its own operation, which gives back what was paid.")
	}
	if to == Paid && o.awaitsPayment() {
		o.StatusNote, o.Paid = note, o.Due()
		return o.endVoidedHold(), nil
	}
	next, err := o.TransitionTo(to, now)
	if to == Preparing || to == Shipped {
		err = cmp.Or(err, o.checkNotHeld())
	}
	if err != nil {
		return o, err
	}
	next.StatusNote = note
	if o.Status == Pending && to == Paid {
		next.Paid = o.Due()
		next = next.endVoidedHold()
	}
	return next, nil
}

// Day is the unit of a tenant's confirmation period.
const Day = 24 * time.Hour

// AutoConfirm returns o confirmed if days have passed since its delivery; due is false otherwise. Days of 0
// disable it. An order with an open return is not confirmed. Rule orders-5.
func (o Order) AutoConfirm(days int64, now time.Time) (next Order, due bool) {
	if days <= 0 || o.Status != Delivered || o.DeliveredAt.IsZero() || now.Before(o.DeliveredAt.Add(time.Duration(days)*Day)) {
		return o, false
	}
	next, err := o.TransitionTo(Confirmed, now)
	return next, err == nil
}
