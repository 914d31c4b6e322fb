package order_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// authorized is an order of 5400 KRW that is held by a provider.
func authorized(mode checkout.CaptureMode) Order {
	o, _ := Place(mixedCheckout(), "1", now, counter())
	return o.Authorize(Authorization{Session: "s1", Amount: o.Total, Capture: mode, Until: now.Add(7 * Day)})
}

func sendAll(o Order) Order {
	for i := range o.Lines {
		o.Lines[i].Fulfilled = o.Lines[i].Quantity
	}
	return o
}

func TestAuthorizedOrderIsPaidByItsCapture(t *testing.T) {
	t.Parallel()
	o := authorized(checkout.CaptureByHand)
	if o.Status != Authorized || !o.Paid.IsZero() || o.PaymentStatus() != "authorized" || o.DueUnpaid(1, now.Add(time.Hour)) {
		t.Fatalf("%s %v %s", o.Status, o.Paid, o.PaymentStatus())
	}
	for name, c := range map[string]struct {
		amount money.Money
		want   error
	}{
		"all": {o.Total, nil}, "a part": {krw(1), nil}, "nothing": {krw(0), fault.ErrValidation}, "less than nothing": {krw(-1), fault.ErrValidation},
		"more": {o.Total.Plus(krw(1)), ErrCaptureTooLarge}, "other money": {money.Of(1, "USD"), fault.ErrValidation},
	} {
		if err := o.CheckCapture(c.amount); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	canceling, err := o.BeginCancel("changed my mind", "k", tenant.Actor{}, false)
	if err != nil || !errors.Is(canceling.CheckCapture(o.Total), ErrTransition) {
		t.Errorf("while it is being canceled: %v", err)
	}
	paid := o.AddCapture(krw(5000))
	if paid.Status != Paid || paid.Paid != krw(5000) || paid.PaymentStatus() != "partially_paid" || !errors.Is(paid.CheckCapture(krw(400)), ErrNotAuthorized) {
		t.Errorf("%s %v %s", paid.Status, paid.Paid, paid.PaymentStatus())
	}
	o.Status = Preparing
	if sent := o.AddCapture(o.Total); sent.Status != Preparing || sent.PaymentStatus() != "paid" {
		t.Errorf("on its way: %s %s", sent.Status, sent.PaymentStatus())
	}
	if late := canceling.AddCapture(o.Total); late.Canceling() || late.Paid != o.Total {
		t.Errorf("captured while it was being canceled: %+v", late)
	}
}

func TestOrderIsCapturedWhenAllOfItWasSent(t *testing.T) {
	t.Parallel()
	for _, mode := range []checkout.CaptureMode{checkout.CaptureOnShipping, checkout.CaptureByHand} {
		o := authorized(mode)
		o.Lines[0].Fulfilled = 1
		if o.DueCapture() {
			t.Errorf("%s: captured when a part was sent", mode)
		}
		if o = sendAll(o); o.DueCapture() != (mode == checkout.CaptureOnShipping) || o.DueVoid() {
			t.Errorf("%s: due is %v", mode, o.DueCapture())
		}
		if o.AddCapture(o.Total).DueCapture() {
			t.Errorf("%s: captured twice", mode)
		}
		canceling, err := authorized(mode).BeginCancel("late", "k", tenant.Actor{}, false)
		if err != nil || canceling.DueCapture() || !canceling.DueVoid() {
			t.Errorf("%s, being canceled: %v", mode, err)
		}
	}
}

func TestOrderWhoseAuthorizationEndedIsHeld(t *testing.T) {
	t.Parallel()
	o := authorized(checkout.CaptureOnShipping).LoseAuthorization()
	if o.Status != Pending || o.Hold != HoldVoided || o.PaymentStatus() != "unpaid" || o.DueUnpaid(1, now.Add(time.Hour)) {
		t.Errorf("%s %q %s", o.Status, o.Hold, o.PaymentStatus())
	}
	if paid, err := o.MoveByHand(Paid, "by transfer", now); err != nil || paid.Hold != "" || paid.Paid != o.Total {
		t.Errorf("paid otherwise: %v %q", err, paid.Hold)
	}
	sent := authorized(checkout.CaptureOnShipping)
	sent.Status = Shipped
	if sent = sent.LoseAuthorization(); sent.Status != Shipped || sent.Hold != HoldVoided {
		t.Errorf("%s %q", sent.Status, sent.Hold)
	}
	if paid, err := sent.MoveByHand(Paid, "by transfer", now); err != nil || paid.Status != Shipped || paid.Hold != "" || paid.PaymentStatus() != "paid" {
		t.Errorf("paid after it was sent: %v %+v", err, paid)
	}
	canceling, _ := authorized(checkout.CaptureByHand).BeginCancel("late", "k", tenant.Actor{}, false)
	if gone := canceling.LoseAuthorization(); gone.Hold != "" || !gone.Canceling() {
		t.Errorf("being canceled: %q", gone.Hold)
	}
}

func TestAuthorizedOrderIsNotReturned(t *testing.T) {
	t.Parallel()
	o := authorized(checkout.CaptureByHand)
	o.Status = Delivered
	if _, err := o.BeginReturn(); !errors.Is(err, ErrNotReturnable) || !errors.Is(o.CheckReturnable(), ErrNotReturnable) {
		t.Errorf("returned before it was captured: %v", err)
	}
	o = o.AddCapture(krw(5000))
	if _, err := o.BeginReturn(); err != nil || o.CheckReturnable() != nil {
		t.Errorf("captured: %v", err)
	}
}

func TestAuthorizedOrderIsNotPaidByHand(t *testing.T) {
	t.Parallel()
	for _, status := range []Status{Authorized, Preparing, Shipped, Delivered} {
		o := authorized(checkout.CaptureByHand)
		o.Status = status
		if _, err := o.MoveByHand(Paid, "by transfer", now); !errors.Is(err, ErrTransition) {
			t.Errorf("%s: %v", status, err)
		}
	}
}
