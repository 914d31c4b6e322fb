package order

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// The refusals of captures.
var (
	ErrNotAuthorized     = fault.New(fault.Conflict, "payment_not_authorized", "The order has no authorized payment that waits for its capture.")
	ErrCaptureInProgress = fault.New(fault.Conflict, "capture_in_progress", "Another capture of this payment is in progress. Try again.").WithRetry(time.Second)
	ErrCaptureTooLarge   = fault.New(fault.Unprocessable, "capture_exceeds_authorized", "The capture exceeds what is authorized, or what the order comes to.")
)

// Authorization is money that a provider holds for an order and collects when it is captured. It is captured once, in
// whole or in part; what is left of it is released then.
type Authorization struct {
	Session string // the payment session
	Amount  money.Money
	Capture checkout.CaptureMode
	Until   time.Time // when the provider releases it at the latest; zero: it does not say
}

// HeldAmount is what a provider holds for o and did not collect yet.
func (o Order) HeldAmount() money.Money {
	if o.Authorization == nil {
		return money.Of(0, o.Currency)
	}
	return o.Authorization.Amount
}

// DueCaptureAmount is what a capture of everything collects: what is held, as far as o comes to it after cancels of lines.
func (o Order) DueCaptureAmount() money.Money {
	held := o.HeldAmount()
	return money.Of(min(held.Minor, o.Due().Minor), held.Currency)
}

// CheckCapture refuses to capture amount of what is held for o. Errors: ErrNotAuthorized, ErrCaptureTooLarge, fault.ErrValidation,
// ErrTransition while o is being canceled.
func (o Order) CheckCapture(amount money.Money) error {
	switch a := o.Authorization; {
	case a == nil:
		return ErrNotAuthorized
	case o.Canceling():
		return o.CheckTransition(Paid)
	case amount.Currency != a.Amount.Currency, amount.Minor <= 0:
		return fault.Invalidf("amount", "This field takes a positive amount in %s.", a.Amount.Currency)
	case amount.Minor > o.DueCaptureAmount().Minor:
		return ErrCaptureTooLarge.WithData("authorized", collection.JSONNumber(a.Amount.Major())).
			WithData("due", collection.JSONNumber(o.DueCaptureAmount().Major()))
	}
	return nil
}

// DueCapture reports whether what is held for o is to be captured by now.
func (o Order) DueCapture() bool {
	return o.Authorization != nil && o.Authorization.Capture == checkout.CaptureOnShipping && o.FulfillmentStatus() == fulfilled && !o.toBeVoided()
}

// DueVoid reports whether what is held for o is to be released.
func (o Order) DueVoid() bool { return o.Authorization != nil && o.toBeVoided() }

func (o Order) toBeVoided() bool { return o.Canceling() || o.Status == Canceled }

// Authorize returns o, just placed, as authorized instead of paid.
func (o Order) Authorize(a Authorization) Order {
	o.Status, o.Paid, o.Authorization = Authorized, money.Of(0, o.Currency), &a
	return o
}

// AddCapture returns o after amount was captured of what was held for it. One that is being canceled is not any more: it
// has money to refund now, which is a cancel of its own.
func (o Order) AddCapture(amount money.Money) Order {
	o = o.StopCancel()
	o.Paid, o.Authorization = o.Paid.Plus(amount), nil
	if o.Status == Authorized {
		o.Status = Paid
	}
	return o
}

// LoseAuthorization returns o after the provider released what it held for o, without a capture. Nothing leaves the shop
// of an order that goes on.
func (o Order) LoseAuthorization() Order {
	o.Authorization = nil
	if o.Status == Authorized {
		o.Status = Pending
	}
	if !o.toBeVoided() {
		o.Hold = HoldVoided
	}
	return o
}
