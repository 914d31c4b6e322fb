package order_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func counter() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint("id", n) }
}

func mixedCheckout() checkout.Checkout {
	fee := krw(3000)
	return checkout.Checkout{
		ID: "k1", Tenant: "t1", Environment: "test", Status: checkout.PaymentPending, Customer: "u1", Locale: "ko",
		Contact: sale.Contact{Name: "Kim", Email: "kim@example.com", Phone: "010"},
		Address: &address.Address{RecipientName: "Kim", PostalCode: "06000", Address1: "Gangnam"}, Currency: "KRW", Notes: "n",
		Lines: []sale.Line{
			{
				ID: "l1", Variant: "v1", Title: "Mug", Quantity: 2, UnitPrice: krw(1000), Subtotal: krw(2000), Discount: krw(100),
				Total: krw(1900), RequiresShipping: true, Kind: "physical",
			},
			{
				ID: "l2", Variant: "v2", Title: "Course", Quantity: 1, UnitPrice: krw(500), Subtotal: krw(500), Discount: krw(0),
				Total: krw(500), Kind: "digital",
			},
		},
		Codes: []checkout.Code{{Code: "TEN", Amount: krw(100), Discount: "d1"}}, Totals: sale.Totals{
			Subtotal: krw(2500), Discount: krw(100), Total: krw(5400), Shipping: &fee,
		},
		ReturnPolicy: checkout.ReturnPolicy{InitialShippingRefund: "proportional", ReturnShippingFee: krw(2500)},
	}
}

func TestPlacedOrderCopiesCheckout(t *testing.T) {
	t.Parallel()
	o, work := Place(mixedCheckout(), "260131000007", now, counter())
	if o.Status != Paid || o.Source != FromCheckout || o.Checkout != "k1" || o.Number != "260131000007" || !o.PlacedAt.Equal(now) {
		t.Errorf("%+v", o)
	}
	if o.Subtotal.Minus(o.Discount).Plus(o.Shipping) != o.Total || o.Total != krw(5400) || !o.Refunded.IsZero() {
		t.Errorf("amounts differ from the checkout's: %+v", o)
	}
	if o.ReturnPolicy == nil || o.ReturnPolicy.InitialShippingRefund != "proportional" || o.PaymentStatus() != "paid" ||
		o.FulfillmentStatus() != "none" {
		t.Errorf("%+v", o)
	}
	if len(work) != 2 || work[0].Type != "shipping" || work[1].Type != "manual" ||
		work[0].Lines[0] != (FulfillmentOrderLine{OrderLine: o.Lines[0].ID, Quantity: 2}) || work[1].Lines[0].OrderLine != o.Lines[1].ID {
		t.Errorf("%+v", work)
	}
}

func TestDigitalOrderHasOnlyManualFulfillmentOrder(t *testing.T) {
	t.Parallel()
	c := mixedCheckout()
	c.Lines, c.Address, c.Totals.Shipping, c.ReturnPolicy = c.Lines[1:], nil, nil, checkout.ReturnPolicy{}
	o, work := Place(c, "1", now, counter())
	if len(work) != 1 || work[0].Type != "manual" || !o.Shipping.IsZero() || o.ReturnPolicy == nil ||
		o.ReturnPolicy.InitialShippingRefund != "never" {
		t.Errorf("%+v %+v", o, work)
	}
}

func TestOrderKeepsExternalPaymentID(t *testing.T) {
	t.Parallel()
	c := mixedCheckout()
	if o, _ := Place(c, "1", now, counter()); o.Metadata != nil {
		t.Error(o.Metadata)
	}
	c.PaymentID = "p1"
	if o, _ := Place(c, "1", now, counter()); !reflect.DeepEqual(o.Metadata, map[string]any{"paymentId": "p1"}) {
		t.Error(o.Metadata)
	}
}

func TestAwaitPayment(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixedCheckout(), "1", now, counter())
	if got := o.AwaitPayment(); got.Status != Pending || got.PaymentStatus() != "unpaid" {
		t.Error(got)
	}
	o.Total = krw(0)
	if got := o.AwaitPayment(); got.Status != Paid {
		t.Error("an order that costs nothing must be paid", got)
	}
}

func TestChosenOrderNumbers(t *testing.T) {
	t.Parallel()
	for number, ok := range map[string]bool{
		"A-1": true, "!": true, "~": true, strings.Repeat("1", 64): true,
		"": false, strings.Repeat("1", 65): false, "A 1": false, "A\x7f": false, "주문": false,
	} {
		if err := CheckNumber(number); (err == nil) != ok || err != nil && !errors.Is(err, fault.ErrValidation) {
			t.Errorf("%q: %v", number, err)
		}
	}
}

func TestOrderNumbersAreTheDateAndSixDigits(t *testing.T) {
	t.Parallel()
	for random, want := range map[uint64]string{7: "260131000007", 999_999: "260131999999", 1_000_001: "260131000001"} {
		for attempt := range 2 {
			if got := DefaultNumberFormat.Drawn(now, random, attempt); got != want {
				t.Errorf("%d: %s", random, got)
			}
		}
	}
}

// Where short numbers are taken, longer ones are not.
func TestOrderNumbersGrowWhereTheyAreTaken(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[int]string{
		2: "260131700000007", 3: "260131123700000007", 5: "260131000000123700000007", 50: "260131000000123700000007",
	} {
		if got := DefaultNumberFormat.Drawn(now, 123_700_000_007, attempt); got != want {
			t.Errorf("%d: %s", attempt, got)
		}
	}
}

func TestTheTransitionTable(t *testing.T) {
	t.Parallel()
	want := map[Status][]Status{
		Pending: {Paid, Failed, Canceled}, Failed: {Pending, Canceled}, Authorized: {Preparing, Canceled},
		Paid: {Preparing, Canceled}, Preparing: {Shipped, Canceled},
		Shipped: {Delivered}, Delivered: {Confirmed, ReturnRequested}, Confirmed: {ReturnRequested},
		ReturnRequested: {ReturnProcessing, Delivered, Confirmed}, ReturnProcessing: {Returned, Delivered, Confirmed},
	}
	for _, from := range Statuses {
		for _, to := range Statuses {
			err := CheckTransition(from, to)
			if allowed := slices.Contains(want[from], to); allowed != (err == nil) || err != nil && !errors.Is(err, ErrTransition) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
	}
}

func TestPaymentStatusFollowsTheMoney(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status         Status
		paid, refunded int64
		want           string
	}{
		"pending": {Pending, 0, 0, "unpaid"}, "failed": {Failed, 0, 0, "unpaid"}, "paid": {Paid, 5400, 0, "paid"},
		"delivered": {Delivered, 5400, 0, "paid"}, "partly refunded": {Delivered, 5400, 1, "partially_refunded"},
		"refunded": {Returned, 5400, 5400, "refunded"}, "canceled before it was paid": {Canceled, 0, 0, "unpaid"},
		"captured in part": {Paid, 5000, 0, "partially_paid"}, "of that, a part refunded": {Paid, 5000, 1, "partially_refunded"},
		"canceled and refunded": {Canceled, 5400, 5400, "refunded"}, "canceled, its refund pending": {Canceled, 5400, 0, "paid"},
	} {
		o := Order{Status: c.status, Total: krw(5400), Paid: krw(c.paid), Refunded: krw(c.refunded)}
		if got := o.PaymentStatus(); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestFulfillmentStatusFollowsTheUnits(t *testing.T) {
	t.Parallel()
	for done, want := range map[int64]string{0: "none", 1: "partial", 3: "fulfilled"} {
		o := Order{Lines: []Line{
			{Line: sale.Line{Quantity: 1}, Fulfilled: min(done, 1)}, {Line: sale.Line{Quantity: 2}, Fulfilled: max(0, done-1)},
		}}
		if got := o.FulfillmentStatus(); got != want {
			t.Errorf("%d: %s", done, got)
		}
	}
}

func TestOrderRecordRoundTrip(t *testing.T) {
	t.Parallel()
	o, work := Place(mixedCheckout(), "260131000007", now, counter())
	o.Draft, o.StatusBeforeReturn, o.CancelKey, o.CancelReason, o.Metadata = "d1", Delivered, "k", "too late", map[string]any{"a": "b"}
	o.CanceledBy = tenant.Actor{Kind: tenant.User, ID: "u1"}
	o.DeliveredAt, o.StatusNote, o.ImportHash, o.ShippingMethod = now, "by transfer", "hash", "Express"
	o = o.Follow(krw(100), true, false)
	o.Authorization = &Authorization{Session: "s1", Amount: krw(5400), Capture: checkout.CaptureOnShipping, Until: now}
	o.Lines[0].Fulfilled, o.Lines[0].Returned, o.Lines[0].StockTaken = 2, 1, true
	o.Lines[0].Canceled, o.Lines[0].CanceledAmount = 1, krw(300)
	o.LineCancels = []LineCancel{{
		Key: "l", Done: true, At: now, Actor: o.CanceledBy, Reason: "out of stock", Shipping: krw(0),
		Lines: []CanceledUnits{{Item{o.Lines[0].ID, 1}, krw(300)}},
	}}
	o.Taxes = &sale.Taxes{Amount: krw(500), Included: true, Rates: tax.Taxes{{Rate: "r1", Name: "VAT", Base: krw(5000), Amount: krw(500)}}}
	o.Assignment, o.FormerEmails = team.Assignment{Tags: []string{"vip"}, Assignee: "u1"}, []string{"typo@example.com"}
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves %s empty", v.Type().Field(i).Name)
		}
	}
	r := o.Record()
	if got := FromRecord(r); !reflect.DeepEqual(got, o) {
		t.Errorf("got %+v\nwant %+v", got, o)
	}
	for name := range r {
		if _, ok := Schema.Field(name); !ok {
			t.Errorf("%s is not declared", name)
		}
	}
	if got := FulfillmentOrderFrom(work[0].Record()); !reflect.DeepEqual(got, work[0]) {
		t.Errorf("got %+v\nwant %+v", got, work[0])
	}
	for name := range work[0].Record() {
		if _, ok := FulfillmentOrders.Field(name); !ok {
			t.Errorf("%s is not declared", name)
		}
	}
}

func TestTheOrderOfADraft(t *testing.T) {
	t.Parallel()
	o, _ := Place(mixedCheckout(), "1", now, counter())
	if o.DiscountHolder() != "k1" {
		t.Error(o.DiscountHolder())
	}
	got := o.FromDraft().AwaitPayment()
	if got.Source != Manual || got.Draft != "k1" || got.Checkout != "" || got.DiscountHolder() != "k1" || got.Status != Pending {
		t.Errorf("%+v", got)
	}
	if (Order{}).DiscountHolder() != "" {
		t.Error("an imported order must have no discount holder")
	}
}
