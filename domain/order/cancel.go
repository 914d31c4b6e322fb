package order

import (
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Canceling reports whether o waits for its refund at the provider before it is canceled.
func (o Order) Canceling() bool { return o.CancelKey != "" && o.Status != Canceled }

// CheckTransition checks a step from o's status. An order that is being canceled takes no other step, and one of which lines
// are being canceled none at all. Errors: ErrTransition.
func (o Order) CheckTransition(to Status) error {
	if busy := o.canceling(); busy != "" && (to != Canceled || o.cancelsLines()) {
		return ErrTransition.WithData("from", string(o.Status)).WithData("to", string(to)).WithMessage("%s", busy)
	}
	return CheckTransition(o.Status, to)
}

// canceling says which cancel of o waits for its refund; "" for none.
func (o Order) canceling() string {
	switch {
	case o.Canceling():
		return "The order is being canceled."
	case o.cancelsLines():
		return "Lines of the order are being canceled."
	}
	return ""
}

// BeginCancel returns o while its refund is in progress: status and units stay as they are until the provider
// accepts the refund. A canceled order can be canceled again only if its refund failed later, which the
// caller reports by owed. by is who cancels it; zero: the server itself. Errors: ErrTransition.
func (o Order) BeginCancel(reason, key string, by tenant.Actor, owed bool) (Order, error) {
	if o.Status != Canceled || !owed {
		if err := o.CheckTransition(Canceled); err != nil {
			return o, err
		}
		o.CancelReason, o.CanceledBy = reason, by
	}
	o.CancelKey = key
	return o, nil
}

// StopCancel returns o as it was before the cancel, after the provider refused the refund.
func (o Order) StopCancel() Order {
	if o.Canceling() {
		o.CancelKey, o.CancelReason, o.CanceledBy = "", "", tenant.Actor{}
	}
	return o
}

// Cancel returns o canceled, once nothing is left to refund.
func (o Order) Cancel() Order {
	o.Status, o.Hold = Canceled, ""
	return o
}

// AddRefund returns o after amount was refunded.
func (o Order) AddRefund(amount money.Money) Order {
	o.Refunded = o.Refunded.Plus(amount)
	return o
}

// ReverseRefund returns o after a refund of amount failed that was recorded as done.
func (o Order) ReverseRefund(amount money.Money) Order {
	o.Refunded = o.Refunded.Minus(amount)
	return o
}

// UnfulfilledStock returns the units per variant that were taken from stock and neither fulfilled nor canceled: what a cancel
// restocks.
func (o Order) UnfulfilledStock() []inventory.Demand {
	var units []inventory.Demand
	for _, l := range o.Lines {
		if left := l.Kept() - l.Fulfilled; l.StockTaken && left > 0 {
			units = append(units, inventory.Demand{Variant: l.Variant, Quantity: left})
		}
	}
	return inventory.Sum(units)
}

// Cancel returns f after its order was canceled; a fulfillment order that is closed stays closed.
func (f FulfillmentOrder) Cancel() FulfillmentOrder {
	if f.Status == FulfillmentOrderOpen || f.Status == FulfillmentOrderInProgress {
		f.Status = FulfillmentOrderCanceled
	}
	return f
}
