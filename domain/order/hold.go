package order

import (
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// The reasons to hold an order: its provider took money back, its buyer disputes the payment, or the provider released
// what it held for the order before it was captured.
const (
	HoldReversed = "payment_reversed"
	HoldDisputed = "payment_disputed"
	HoldVoided   = "payment_voided"
)

// HoldReasons are why an order may be on hold.
var HoldReasons = []string{HoldReversed, HoldDisputed, HoldVoided}

// ErrOnHold says that goods of an order on hold do not leave the shop. Data "hold" is why. Rule orders-20.
var ErrOnHold = fault.New(fault.Conflict, "order_on_hold", "The order is on hold.")

// checkNotHeld refuses to let goods of an order on hold leave the shop. Errors: ErrOnHold.
func (o Order) checkNotHeld() error {
	if o.Hold == "" {
		return nil
	}
	return ErrOnHold.WithData("hold", o.Hold).
		WithMessage("The order is on hold, because its payment was taken back, was released or is disputed. Dismiss that at its payment session to send it all the same.")
}

// endVoidedHold returns o, which was paid otherwise, without the hold for the payment that was released.
func (o Order) endVoidedHold() Order {
	if o.Hold == HoldVoided {
		o.Hold = ""
	}
	return o
}

// HasShipped reports whether any goods of o left the shop.
func (o Order) HasShipped() bool {
	for _, l := range o.Lines {
		if l.Fulfilled > 0 {
			return true
		}
	}
	return false
}

// Follow returns o while its provider keeps reversed of what was paid, or its buyer disputes it. It is on hold then, unless
// it was canceled, or an operator dismissed that.
func (o Order) Follow(reversed money.Money, disputed, dismissed bool) Order {
	o.Reversed, o.Hold = money.Money{}, ""
	if !reversed.IsZero() {
		o.Reversed = reversed
	}
	switch {
	case dismissed || o.Status == Canceled:
	case disputed:
		o.Hold = HoldDisputed
	case !reversed.IsZero():
		o.Hold = HoldReversed
	}
	return o
}
