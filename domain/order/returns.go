package order

import (
	"cmp"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrNotReturnable says that the order was not delivered, or was returned already. Rule api-14.
var ErrNotReturnable = fault.New(fault.Conflict, "return_not_eligible", "Only an order that was delivered or confirmed can be returned.")

// WasDelivered reports whether o was delivered, so that it may have returns.
func (o Order) WasDelivered() bool {
	return slices.Contains([]Status{Delivered, Confirmed, ReturnRequested, ReturnProcessing, Returned}, o.Status)
}

// checkCaptured refuses to take goods back for nothing whose payment could still be captured in full. Errors:
// ErrNotReturnable.
func (o Order) checkCaptured() error {
	if o.Authorization == nil {
		return nil
	}
	return ErrNotReturnable.WithMessage("The payment of the order is authorized and not captured: capture it, or a part of it, first.")
}

// CheckReturnable refuses to take back anything of an order that was not delivered, or whose payment was not captured.
// Errors: ErrNotReturnable.
func (o Order) CheckReturnable() error {
	if !o.WasDelivered() {
		return ErrNotReturnable.WithData("status", string(o.Status))
	}
	return o.checkCaptured()
}

// BeginReturn returns o with one more open return. The first one moves it to return_requested and stores its
// status; while others are open, the status stays. Errors: ErrNotReturnable. Rule returns-1.
func (o Order) BeginReturn() (Order, error) {
	if err := o.checkCaptured(); err != nil {
		return o, err
	}
	switch o.Status {
	case Delivered, Confirmed:
		if o.CheckTransition(ReturnRequested) != nil {
			return o, ErrNotReturnable.WithMessage("The order is being canceled.")
		}
		o.StatusBeforeReturn, o.Status = o.Status, ReturnRequested
		return o, nil
	case ReturnRequested, ReturnProcessing:
		return o, nil
	default:
		return o, ErrNotReturnable.WithData("status", string(o.Status))
	}
}

// ProcessReturn returns o after one of its returns was approved.
func (o Order) ProcessReturn() Order {
	if o.Status == ReturnRequested {
		o.Status = ReturnProcessing
	}
	return o
}

// ReopenReturn returns o in return_processing again, because the refund of an ended return has to be
// repeated. An order of which every unit was returned stays returned.
func (o Order) ReopenReturn() Order {
	if open, err := o.BeginReturn(); err == nil {
		return open.ProcessReturn()
	}
	return o
}

// EndReturns returns o after its last open return ended: returned if every unit was, else in its status
// before the first return.
func (o Order) EndReturns() Order {
	switch {
	case o.Status != ReturnRequested && o.Status != ReturnProcessing:
		return o
	case o.Status == ReturnProcessing && o.fullyReturned():
		o.Status = Returned
	default:
		o.Status = cmp.Or(o.StatusBeforeReturn, Delivered) // an imported order may have none
	}
	o.StatusBeforeReturn = ""
	return o
}

func (o Order) fullyReturned() bool {
	return !slices.ContainsFunc(o.Lines, func(l Line) bool { return l.Returned < l.Kept() })
}

// AddReturned returns o with more returned units per line, by line id.
func (o Order) AddReturned(units map[string]int64) Order {
	o.Lines = slices.Clone(o.Lines)
	for i := range o.Lines {
		o.Lines[i].Returned += units[o.Lines[i].ID]
	}
	return o
}
