package order

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Become is o one step of the table further at now. What is delivered remembers when, for the first time. Errors:
// ErrTransition.
func (o Order) Become(to Status, now time.Time) (Order, error) {
	if err := o.MayBecome(to); err != nil {
		return o, err
	}
	o.Status = to
	if to == Delivered && o.DeliveredAt.IsZero() {
		o.DeliveredAt = collection.Instant(now)
	}
	return o, nil
}

// way is where goods take an order, in order.
var way = []Status{Paid, Preparing, Shipped, Delivered}

// Reach is o when its goods have come as far as to: every step on the way there is taken at now, so that an order without
// anything to ship is delivered by way of the same states. An order that is there, or further, stays where it is. Errors:
// ErrTransition.
func (o Order) Reach(to Status, now time.Time) (Order, error) {
	was, goal := slices.Index(way, o.Status), slices.Index(way, to)
	if was < 0 || goal < 0 {
		return o, o.MayBecome(to)
	}
	next := o
	for _, step := range way[was+1 : max(was, goal)+1] {
		var err error
		if next, err = next.Become(step, now); err != nil {
			return o, err
		}
	}
	return next, nil
}

// HandledByEditors reports whether a step to s is the work of those who handle goods. Every other step of a person has to
// do with money, and is for admins. Contract 2, 9.
func (s Status) HandledByEditors() bool {
	return s == Preparing || s == Shipped || s == Delivered || s == Confirmed
}

// byReturns reports whether only return requests lead to s, and away from it.
func (s Status) byReturns() bool {
	return s == ReturnRequested || s == ReturnProcessing || s == Returned
}

// Move is o after a person moved it at now, saying note. That it was paid by hand is said of the whole amount. Return
// requests alone move what is being returned, and canceling gives money back, which is not a step but an operation. Errors:
// ErrTransition.
func (o Order) Move(to Status, note string, now time.Time) (Order, error) {
	refused := ErrTransition.With("from", string(o.Status)).With("to", string(to))
	switch {
	case to.byReturns(), o.Status.byReturns():
		return o, refused.Saying("Only return requests move an order into this state, and out of it.")
	case to == Canceled:
		return o, refused.Saying("An order is canceled by its own operation, which gives back what was paid.")
	}
	next, err := o.Become(to, now)
	if err != nil {
		return o, err
	}
	next.StatusNote = note
	if o.Status == Pending && to == Paid {
		next.Paid = o.Total
	}
	return next, nil
}

// Day is the unit in which shops say how long customers have to look at what they got.
const Day = 24 * time.Hour

// AutoConfirm is o confirmed days after its delivery; due is false while that is not so. Days of 0 never are. An order that
// is being returned waits for its return. Contract 9.
func (o Order) AutoConfirm(days int64, now time.Time) (next Order, due bool) {
	if days <= 0 || o.Status != Delivered || o.DeliveredAt.IsZero() || now.Before(o.DeliveredAt.Add(time.Duration(days)*Day)) {
		return o, false
	}
	next, err := o.Become(Confirmed, now)
	return next, err == nil
}
