package order_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	. "github.com/cartwright-dev/cartwright/domain/order"
)

// byHand are the steps that operators may take: the table without returns, which have requests, and without
// cancels, which are operations.
var byHand = map[Status][]Status{
	Pending: {Paid, Failed}, Failed: {Pending}, Authorized: {Preparing}, Paid: {Preparing}, Preparing: {Shipped}, Shipped: {Delivered}, Delivered: {Confirmed},
}

func in(status Status) Order {
	o, _ := Place(mixedCheckout(), "1", now, counter())
	if o.Status = status; status == Pending || status == Failed {
		o.Paid = krw(0)
	}
	return o
}

func TestManualTransitions(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses {
		for _, to := range Statuses {
			was := in(from)
			o, err := was.MoveByHand(to, "because", now)
			if allowed := slices.Contains(byHand[from], to); allowed != (err == nil) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
			if err == nil {
				if o.Status != to || o.StatusNote != "because" {
					t.Errorf("%s to %s: %+v", from, to, o)
				}
				continue
			}
			f := fault.From(err)
			if !errors.Is(err, ErrTransition) || f.Data["from"] != string(from) || f.Data["to"] != string(to) ||
				!reflect.DeepEqual(o, was) {
				t.Errorf("%s to %s: %v %v", from, to, err, f.Data)
			}
		}
	}
}

func TestTransitionRefusalSuggestsAlternative(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		from, to Status
		canceled bool
	}{
		"return requests": {Delivered, ReturnRequested, false}, "Only return": {ReturnProcessing, Delivered, false},
		"own operation": {Paid, Canceled, false}, "being canceled": {Paid, Preparing, true},
	} {
		o := in(c.from)
		if c.canceled {
			o.CancelKey = "k"
		}
		if _, err := o.MoveByHand(c.to, "", now); !strings.Contains(fault.From(err).Message, what) {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
}

func TestManualPaymentCoversTotal(t *testing.T) {
	t.Parallel()
	paid, err := in(Pending).MoveByHand(Paid, "by transfer", now)
	if err != nil || paid.Paid != paid.Total || paid.PaymentStatus() != "paid" {
		t.Errorf("%+v %v", paid, err)
	}
	for _, s := range []Status{Preparing, Shipped, Delivered, Confirmed} { // it was sent with an invoice
		sent := in(s)
		sent.Paid = krw(0)
		paid, err := sent.MoveByHand(Paid, "by transfer", now)
		if err != nil || paid.Status != s || paid.Paid != paid.Total || paid.StatusNote != "by transfer" {
			t.Errorf("%s: %+v %v", s, paid, err)
		}
		if _, err := paid.MoveByHand(Paid, "again", now); !errors.Is(err, ErrTransition) {
			t.Errorf("%s is paid twice: %v", s, err)
		}
	}
	if failed, err := in(Pending).MoveByHand(Failed, "", now); err != nil || !failed.Paid.IsZero() || failed.PaymentStatus() != "unpaid" {
		t.Errorf("%+v %v", failed, err)
	}
}

func TestIsFulfillment(t *testing.T) {
	t.Parallel()
	for _, s := range Statuses {
		if want := slices.Contains([]Status{Preparing, Shipped, Delivered, Confirmed}, s); s.IsFulfillment() != want {
			t.Errorf("%s", s)
		}
	}
}

func TestAdvanceToTakesEveryStep(t *testing.T) {
	t.Parallel()
	way := []Status{Paid, Preparing, Shipped, Delivered}
	for i, from := range way {
		for j, to := range way {
			o, err := in(from).AdvanceTo(to, now)
			want := way[max(i, j)]
			if err != nil || o.Status != want || (want == Delivered && from != Delivered) == o.DeliveredAt.IsZero() {
				t.Errorf("%s to %s: %+v %v", from, to, o, err)
			}
		}
	}
	for _, from := range []Status{Pending, Failed, Canceled, Confirmed, Returned} {
		if o, err := in(from).AdvanceTo(Shipped, now); !errors.Is(err, ErrTransition) || o.Status != from {
			t.Errorf("%s: %v %v", from, o.Status, err)
		}
	}
	o := in(Paid)
	o.CancelKey = "k"
	if got, err := o.AdvanceTo(Shipped, now); !errors.Is(err, ErrTransition) || !reflect.DeepEqual(got, o) {
		t.Errorf("canceling: %v", err)
	}
}

func TestDeliveredAtIsFirstDelivery(t *testing.T) {
	t.Parallel()
	o, err := in(Shipped).TransitionTo(Delivered, now)
	if err != nil || !o.DeliveredAt.Equal(now) {
		t.Fatalf("%+v %v", o, err)
	}
	o.Status = ReturnRequested
	if o, err = o.TransitionTo(Delivered, now.Add(time.Hour)); err != nil || !o.DeliveredAt.Equal(now) {
		t.Errorf("after a rejected return: %+v %v", o, err)
	}
}

func TestAutoConfirm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status Status
		days   int64
		after  time.Duration
		want   bool
	}{
		"a moment too early":         {Delivered, 7, 7*Day - time.Millisecond, false},
		"when its days have passed":  {Delivered, 7, 7 * Day, true},
		"long after":                 {Delivered, 1, 400 * Day, true},
		"when the shop never does":   {Delivered, 0, 400 * Day, false},
		"while it is shipped":        {Shipped, 7, 8 * Day, false},
		"while it is returned":       {ReturnRequested, 7, 8 * Day, false},
		"while a return is accepted": {ReturnProcessing, 7, 8 * Day, false},
		"again":                      {Confirmed, 7, 8 * Day, false},
	} {
		o := in(c.status)
		o.DeliveredAt = now
		next, due := o.AutoConfirm(c.days, now.Add(c.after))
		if due != c.want || due && next.Status != Confirmed || !due && !reflect.DeepEqual(next, o) {
			t.Errorf("%s: %v %s", name, due, next.Status)
		}
	}
	if _, due := in(Delivered).AutoConfirm(7, now.Add(8*Day)); due {
		t.Error("the delivery time is unknown")
	}
}
