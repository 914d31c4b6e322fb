package order

import (
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// HoldReversed is why an order is on hold whose money the provider took back.
const HoldReversed = "payment_reversed"

// HoldReasons are why an order may be on hold.
var HoldReasons = []string{HoldReversed}

// ErrOnHold says that goods of an order on hold do not leave the shop. Data "hold" is why. Rule orders-20.
var ErrOnHold = fault.New(fault.Conflict, "order_on_hold", "The order is on hold.")

// checkNotHeld refuses to let goods of an order on hold leave the shop. Errors: ErrOnHold.
func (o Order) checkNotHeld() error {
	if o.Hold == "" {
		return nil
	}
	return ErrOnHold.WithData("hold", o.Hold).
		WithMessage("The order is on hold, because its payment was taken back. Cancel it, or dismiss its payment session to send it all the same.")
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

// Follow returns o while its provider keeps reversed of what was paid. It is on hold then, unless it was canceled, or an
// operator dismissed the reversal.
func (o Order) Follow(reversed money.Money, dismissed bool) Order {
	o.Reversed, o.Hold = money.Money{}, ""
	if reversed.IsZero() {
		return o
	}
	if o.Reversed = reversed; !dismissed && o.Status != Canceled {
		o.Hold = HoldReversed
	}
	return o
}
