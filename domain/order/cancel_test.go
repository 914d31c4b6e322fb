package order_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/inventory"
	. "github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestCancelableStatuses(t *testing.T) {
	t.Parallel()
	for _, status := range Statuses {
		for _, owed := range []bool{false, true} {
			o, _ := Place(mixedCheckout(), "1", now, counter())
			o.Status = status
			got, err := o.BeginCancel("too late", "k1", tenant.Actor{}, owed)
			want := slices.Contains([]Status{Pending, Failed, Authorized, Paid, Preparing}, status) || status == Canceled && owed
			if (err == nil) != want || err != nil && (!errors.Is(err, ErrTransition) || !reflect.DeepEqual(got, o)) {
				t.Errorf("%s, owed %v: %v", status, owed, err)
			}
			if err == nil && (got.Status != status || got.CancelKey != "k1") {
				t.Errorf("%s became %+v before its money went back", status, got)
			}
		}
	}
}

func TestCancelingOrderTakesNoOtherTransition(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixedCheckout(), "1", now, counter())
	o, err := o.BeginCancel("too late", "k1", tenant.Actor{}, true)
	if err != nil || !o.Canceling() || o.CancelReason != "too late" {
		t.Fatalf("%+v %v", o, err)
	}
	if err := o.CheckTransition(Preparing); !errors.Is(err, ErrTransition) {
		t.Errorf("it is prepared: %v", err)
	}
	if other, err := o.BeginCancel("again", "k2", tenant.Actor{}, true); err != nil || other.CancelKey != "k2" {
		t.Errorf("another cancel: %+v %v", other, err)
	}
	if back := o.StopCancel(); back.Canceling() || back.CancelReason != "" || back.CheckTransition(Preparing) != nil {
		t.Errorf("%+v", back)
	}
	done := o.Cancel()
	if done.Canceling() || done.Status != Canceled || !reflect.DeepEqual(done.StopCancel(), done) {
		t.Errorf("%+v", done)
	}
}

func TestCancelRestocksTakenUnits(t *testing.T) {
	t.Parallel()
	mugs, lamps := inventory.Demand{Variant: "mug", Quantity: 5}, inventory.Demand{Variant: "lamp", Quantity: 1}
	for name, c := range map[string]struct {
		taken     []inventory.Demand
		fulfilled [3]int64 // of 2 mugs, 3 mugs, 1 lamp
		want      []inventory.Demand
	}{
		"all units, per variant": {[]inventory.Demand{lamps, mugs}, [3]int64{}, []inventory.Demand{lamps, mugs}},
		"not shipped units": {
			[]inventory.Demand{lamps, mugs}, [3]int64{2, 1, 1}, []inventory.Demand{{Variant: "mug", Quantity: 2}},
		},
		"nothing once all are shipped":    {[]inventory.Demand{lamps, mugs}, [3]int64{2, 3, 1}, nil},
		"not units without tracked stock": {[]inventory.Demand{mugs}, [3]int64{1, 0, 0}, []inventory.Demand{{Variant: "mug", Quantity: 4}}},
		"nothing if none was taken":       {nil, [3]int64{}, nil},
		"nothing of other variants":       {[]inventory.Demand{{Variant: "hat", Quantity: 1}}, [3]int64{}, nil},
	} {
		x := mixedCheckout()
		x.Lines = nil
		for _, d := range []inventory.Demand{{Variant: "mug", Quantity: 2}, {Variant: "mug", Quantity: 3}, lamps} {
			x.Lines = append(x.Lines, sale.Line{Variant: d.Variant, Quantity: d.Quantity})
		}
		o, _ := Place(x, "1", now, counter())
		o = o.WithStockTaken(c.taken)
		for i, n := range c.fulfilled {
			o.Lines[i].Fulfilled = n
		}
		if got := o.UnfulfilledStock(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestCancelRestocksOnlyTakenUnits(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixedCheckout(), "1", now, counter())
	r := o.WithStockTaken(mixedCheckout().Demands()).Record()
	if got := FromRecord(r).UnfulfilledStock(); len(got) != 2 {
		t.Errorf("of taken units: %v", got)
	}
	for _, l := range r.Rows("lines") {
		delete(l, "stockTaken")
	}
	if got := FromRecord(r).UnfulfilledStock(); len(got) != 0 {
		t.Errorf("an order without this information: %v", got)
	}
	in, _, err := imported(incomingOrder(object{"status": "paid", "lines": line(object{"variant": "v1"}), "totalAmount": n("4000")}))
	if err != nil || len(in.UnfulfilledStock()) != 0 {
		t.Errorf("an order of another system: %v %v", in.UnfulfilledStock(), err)
	}
}

func TestCancelEndsOpenFulfillmentOrders(t *testing.T) {
	t.Parallel()
	_, work := Place(mixedCheckout(), "1", now, counter())
	for from, to := range map[string]string{"open": "canceled", "in_progress": "canceled", "closed": "closed", "canceled": "canceled"} {
		work[0].Status = from
		if got := work[0].Cancel(); got.Status != to {
			t.Errorf("%s: %s", from, got.Status)
		}
	}
}

func TestReverseRefund(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixedCheckout(), "1", now, counter())
	if got := o.AddRefund(krw(400)).AddRefund(krw(5000)); got.PaymentStatus() != "refunded" ||
		got.ReverseRefund(krw(5000)).PaymentStatus() != "partially_refunded" {
		t.Errorf("%+v", got)
	}
}

func TestPaidAmountOfImportedOrdersFollowsStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[Status]string{Pending: "unpaid", Failed: "unpaid", Paid: "paid", Delivered: "paid", Canceled: "unpaid"} {
		o, _ := Place(mixedCheckout(), "1", now, counter())
		o.Status = status
		r := o.Record()
		delete(r, "paidAmount")
		if got := FromRecord(r); got.PaymentStatus() != want {
			t.Errorf("%s: %s", status, got.PaymentStatus())
		}
	}
}
