package order_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/inventory"
	. "github.com/cartwright-dev/cartwright/domain/order"
)

func TestWhatCanBeCanceled(t *testing.T) {
	t.Parallel()
	for _, status := range Statuses {
		for _, owed := range []bool{false, true} {
			o, _ := Place(mixed(), "1", now, counter())
			o.Status = status
			got, err := o.BeginCancel("too late", "k1", owed)
			want := slices.Contains([]Status{Pending, Failed, Paid, Preparing}, status) || status == Canceled && owed
			if (err == nil) != want || err != nil && (!errors.Is(err, ErrTransition) || !reflect.DeepEqual(got, o)) {
				t.Errorf("%s, owed %v: %v", status, owed, err)
			}
			if err == nil && (got.Status != status || got.CancelKey != "k1") {
				t.Errorf("%s became %+v before its money went back", status, got)
			}
		}
	}
}

func TestAnOrderThatIsBeingCanceledGoesNowhereElse(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixed(), "1", now, counter())
	o, err := o.BeginCancel("too late", "k1", true)
	if err != nil || !o.Canceling() || o.CancelReason != "too late" {
		t.Fatalf("%+v %v", o, err)
	}
	if err := o.MayBecome(Preparing); !errors.Is(err, ErrTransition) {
		t.Errorf("it is prepared: %v", err)
	}
	if other, err := o.BeginCancel("again", "k2", true); err != nil || other.CancelKey != "k2" {
		t.Errorf("another cancel: %+v %v", other, err)
	}
	if back := o.StopCancel(); back.Canceling() || back.CancelReason != "" || back.MayBecome(Preparing) != nil {
		t.Errorf("%+v", back)
	}
	done := o.Cancel()
	if done.Canceling() || done.Status != Canceled || !reflect.DeepEqual(done.StopCancel(), done) {
		t.Errorf("%+v", done)
	}
}

func TestACancelPutsBackWhatNeverLeft(t *testing.T) {
	t.Parallel()
	o, work := Place(mixed(), "1", now, counter())
	o.Lines[1].Fulfilled = 1
	if got := o.Unfulfilled(); !slices.Equal(got, []inventory.Demand{{Variant: "v1", Quantity: 2}}) {
		t.Error(got)
	}
	o.Source = FromAPI
	if got := o.Unfulfilled(); got != nil {
		t.Error("another system's goods come back", got)
	}
	for from, to := range map[string]string{"open": "canceled", "in_progress": "canceled", "closed": "closed", "canceled": "canceled"} {
		work[0].Status = from
		if got := work[0].Cancel(); got.Status != to {
			t.Errorf("%s: %s", from, got.Status)
		}
	}
}

func TestMoneyThatComesBackIsThereAgain(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixed(), "1", now, counter())
	if got := o.GiveBack(krw(400)).GiveBack(krw(5000)); got.PaymentStatus() != "refunded" || got.TakeBack(krw(5000)).PaymentStatus() != "partially_refunded" {
		t.Errorf("%+v", got)
	}
}

func TestOrdersOfOtherSystemsSayByTheirStatusWhatWasPaid(t *testing.T) {
	t.Parallel()
	for status, want := range map[Status]string{Pending: "unpaid", Failed: "unpaid", Paid: "paid", Delivered: "paid", Canceled: "unpaid"} {
		o, _ := Place(mixed(), "1", now, counter())
		o.Status = status
		r := o.Record()
		delete(r, "paidAmount")
		if got := FromRecord(r); got.PaymentStatus() != want {
			t.Errorf("%s: %s", status, got.PaymentStatus())
		}
	}
}
