package order

import (
	"cmp"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrNotReturnable refuses a return of what the buyer does not have: an order that was not delivered, or that came back
// already. Contract 1.1.
var ErrNotReturnable = fault.New(fault.Conflict, "return_not_eligible", "Only an order that was delivered or confirmed can be returned.")

// WasDelivered reports whether the buyer has, or had, the goods of o, so that there is something to say about returns.
func (o Order) WasDelivered() bool {
	return slices.Contains([]Status{Delivered, Confirmed, ReturnRequested, ReturnProcessing, Returned}, o.Status)
}

// BeginReturn is o with one more return. The first one moves it to return_requested and remembers where it was; while
// others are open it stays where it is. Spec 3.3 rule 1. Errors: ErrNotReturnable.
func (o Order) BeginReturn() (Order, error) {
	switch o.Status {
	case Delivered, Confirmed:
		if o.MayBecome(ReturnRequested) != nil {
			return o, ErrNotReturnable.Saying("The order is being canceled.")
		}
		o.BeforeReturn, o.Status = o.Status, ReturnRequested
		return o, nil
	case ReturnRequested, ReturnProcessing:
		return o, nil
	default:
		return o, ErrNotReturnable.With("status", string(o.Status))
	}
}

// ProcessReturn is o when one of its returns was approved.
func (o Order) ProcessReturn() Order {
	if o.Status == ReturnRequested {
		o.Status = ReturnProcessing
	}
	return o
}

// ReopenReturn is o when money of an ended return has to be given back once more: it is in return_processing again. One of
// which every unit came back stays returned.
func (o Order) ReopenReturn() Order {
	if open, err := o.BeginReturn(); err == nil {
		return open.ProcessReturn()
	}
	return o
}

// EndReturns is o when its last open return ended: returned if every unit came back, else where it was before the first.
func (o Order) EndReturns() Order {
	switch {
	case o.Status != ReturnRequested && o.Status != ReturnProcessing:
		return o
	case o.Status == ReturnProcessing && o.cameBack():
		o.Status = Returned
	default:
		o.Status = cmp.Or(o.BeforeReturn, Delivered) // an order of another system may come without
	}
	o.BeforeReturn = ""
	return o
}

func (o Order) cameBack() bool {
	return !slices.ContainsFunc(o.Lines, func(l Line) bool { return l.Returned < l.Quantity })
}

// TakeUnits is o when units came back: of each line, by its id, so many more.
func (o Order) TakeUnits(units map[string]int64) Order {
	o.Lines = slices.Clone(o.Lines)
	for i := range o.Lines {
		o.Lines[i].Returned += units[o.Lines[i].ID]
	}
	return o
}
