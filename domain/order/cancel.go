package order

import (
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Canceling reports whether o waits for the provider's word on its money before it is canceled.
func (o Order) Canceling() bool { return o.CancelKey != "" && o.Status != Canceled }

// MayBecome checks a step from where o is: of an order whose money is on its way back nothing but the cancel goes on.
// Errors: ErrTransition.
func (o Order) MayBecome(to Status) error {
	if o.Canceling() && to != Canceled {
		return ErrTransition.With("from", string(o.Status)).With("to", string(to)).Saying("The order is being canceled.")
	}
	return Step(o.Status, to)
}

// BeginCancel is o while its money goes back: status and goods stay as they are until the provider took the refund. A
// canceled order whose refund failed later may be canceled again, which is owed; any other may not. Errors: ErrTransition.
func (o Order) BeginCancel(reason, key string, owed bool) (Order, error) {
	if o.Status != Canceled || !owed {
		if err := o.MayBecome(Canceled); err != nil {
			return o, err
		}
		o.CancelReason = reason
	}
	o.CancelKey = key
	return o, nil
}

// StopCancel is o after the provider refused to give the money back: as it was before.
func (o Order) StopCancel() Order {
	if o.Canceling() {
		o.CancelKey, o.CancelReason = "", ""
	}
	return o
}

// Cancel is o once nothing is left to give back.
func (o Order) Cancel() Order {
	o.Status = Canceled
	return o
}

// GiveBack is o when it is known that amount went back.
func (o Order) GiveBack(amount money.Money) Order {
	o.Refunded = o.Refunded.Plus(amount)
	return o
}

// TakeBack is o when it is known that amount did not arrive after all.
func (o Order) TakeBack(amount money.Money) Order {
	o.Refunded = o.Refunded.Minus(amount)
	return o
}

// Unfulfilled is the units that were taken from stock and never left the house, per variant: what a cancel puts back.
func (o Order) Unfulfilled() []inventory.Demand {
	var units []inventory.Demand
	for _, l := range o.Lines {
		if left := l.Quantity - l.Fulfilled; l.StockTaken && left > 0 {
			units = append(units, inventory.Demand{Variant: l.Variant, Quantity: left})
		}
	}
	return inventory.Sum(units)
}

// Cancel is f when its order is canceled: work that was not finished will not be.
func (f FulfillmentOrder) Cancel() FulfillmentOrder {
	if f.Status == WorkOpen || f.Status == WorkInProgress {
		f.Status = WorkCanceled
	}
	return f
}
