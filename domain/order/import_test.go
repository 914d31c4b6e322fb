package order_test

import (
	"errors"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/order"
)

// object is a JSON object as a client sends it.
type object = map[string]any

func n(text string) collection.JSONNumber { return collection.JSONNumber(text) }

// incomingOrder is an order of another system: two mugs and a course for 5500 with shipping.
func incomingOrder(change ...object) object {
	o := object{
		"orderNumber": "OLD-1", "status": "delivered", "email": "Kim@Example.com", "placedAt": "2025-12-24T09:00:00Z",
		"lines": []any{
			object{"title": "Mug", "quantity": n("2"), "unitPrice": n("1000")},
			object{"title": "Course", "quantity": n("1"), "unitPrice": n("500"), "kind": "digital"},
		},
		"shippingAmount": n("3000"), "totalAmount": n("5500"),
	}
	for _, c := range change {
		maps.Copy(o, c)
	}
	return o
}

func line(change object) []any {
	l := object{"title": "Mug", "quantity": n("1"), "unitPrice": n("1000")}
	maps.Copy(l, change)
	return []any{l}
}

func imported(o object) (Order, []FulfillmentOrder, error) {
	in, err := collection.InputParser{Schema: ImportSchema, Currency: "KRW", NewID: counter(), Now: now}.Merge(nil, o)
	if err != nil {
		return Order{}, nil, err
	}
	return Import(in, ImportContext{
		Tenant: "t1", Environment: "test", Currency: "KRW", Country: "KR", Now: now, NewID: counter(),
		Variants: map[string]collection.Record{
			"v1": {"id": "v1", "product": "p1", "sku": "MUG", "kind": "physical", "requiresShipping": true},
			"v2": {"id": "v2", "product": "p2", "kind": "service"},
		},
	})
}

func TestImportedOrderHasNoReturnPolicy(t *testing.T) {
	t.Parallel()
	o, work, err := imported(incomingOrder())
	if err != nil {
		t.Fatal(err)
	}
	if o.Source != FromAPI || o.Number != "OLD-1" || o.ReturnPolicy != nil || o.Checkout != "" || o.Contact.Email != "kim@example.com" ||
		len(work) != 0 {
		t.Errorf("%+v %v", o, work)
	}
	if o.Subtotal != krw(2500) || !o.Discount.IsZero() || o.Shipping != krw(3000) || o.Total != krw(5500) || o.Paid != krw(5500) ||
		!o.Refunded.IsZero() {
		t.Errorf("%+v", o)
	}
	if !o.PlacedAt.Equal(time.Date(2025, 12, 24, 9, 0, 0, 0, time.UTC)) || !o.DeliveredAt.Equal(now) ||
		o.FulfillmentStatus() != "fulfilled" || o.PaymentStatus() != "paid" {
		t.Errorf("%+v", o)
	}
	if !o.Lines[0].RequiresShipping || o.Lines[1].RequiresShipping || o.Lines[1].Kind != "digital" || o.Lines[0].Total != krw(2000) {
		t.Errorf("%+v", o.Lines)
	}
	if nameless, _, err := imported(incomingOrder(object{"email": nil})); err != nil || nameless.Record()["email"] != nil {
		t.Errorf("%v %v", nameless.Record()["email"], err)
	}
	if o.Address != nil || o.Record()["shippingAddress"] != nil || o.Record().Rows("lines")[0]["variant"] != nil {
		t.Errorf("missing values must be null: %+v", o.Record())
	}
	if got := FromRecord(o.Record()); !reflect.DeepEqual(got, o) {
		t.Errorf("got %+v\nwant %+v", got, o)
	}
}

func TestImportStatusDecidesPaidAndFulfilled(t *testing.T) {
	t.Parallel()
	if _, _, err := imported(incomingOrder(object{"status": string(Authorized)})); !errors.Is(err, fault.ErrValidation) {
		t.Errorf("authorized by nobody: %v", err)
	}
	for _, status := range ImportedStatuses {
		o, work, err := imported(incomingOrder(object{"status": string(status)}))
		if err != nil {
			t.Errorf("%s: %v", status, err)
			continue
		}
		paid, sent, delivered := krw(5500), true, true
		switch status {
		case Pending, Failed, Canceled:
			paid, sent, delivered = krw(0), false, false
		case Paid, Preparing:
			sent, delivered = false, false
		case Shipped:
			delivered = false
		case Authorized, Delivered, Confirmed, ReturnRequested, ReturnProcessing, Returned:
		}
		if o.Status != status || o.Paid != paid || (o.FulfillmentStatus() == "fulfilled") != sent || o.DeliveredAt.IsZero() == delivered {
			t.Errorf("%s: %+v", status, o)
		}
		if open := !sent && status != Canceled; open != (len(work) == 2) ||
			open && (work[0].Type != "shipping" || work[0].Order != o.ID || work[1].Lines[0].OrderLine != o.Lines[1].ID) {
			t.Errorf("%s: %+v", status, work)
		}
		if back := o.Lines[0].Returned; (back == 2) != (status == Returned) {
			t.Errorf("%s: %d came back", status, back)
		}
		if returning := status == ReturnRequested || status == ReturnProcessing; returning != (o.StatusBeforeReturn == Delivered) {
			t.Errorf("%s: before it was %q", status, o.StatusBeforeReturn)
		}
	}
}

// A status leaves open whether an order was paid: one may be shipped before it is paid, or canceled and not refunded.
func TestImportTakesPaymentStatus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status, payment string
		refunded        string
		paid            money.Money
		refused         bool
	}{
		"shipped and unpaid":                {"shipped", "unpaid", "0", krw(0), false},
		"canceled and not refunded":         {"canceled", "paid", "0", krw(5500), false},
		"canceled before it was paid":       {"canceled", "unpaid", "0", krw(0), false},
		"as the status says":                {"delivered", "paid", "0", krw(5500), false},
		"partly refunded":                   {"delivered", "partially_refunded", "500", krw(5500), false},
		"refunded":                          {"delivered", "refunded", "5500", krw(5500), false},
		"pending and paid":                  {"pending", "paid", "0", krw(0), true},
		"paid with status paid and unpaid":  {"paid", "unpaid", "0", krw(0), true},
		"paid, but some of it was refunded": {"delivered", "paid", "500", krw(0), true},
		"refunded, but nothing went back":   {"delivered", "refunded", "0", krw(0), true},
	} {
		o, _, err := imported(incomingOrder(object{"status": c.status, "paymentStatus": c.payment, "refundedAmount": n(c.refunded)}))
		if c.refused {
			if fields := fault.From(err).Fields; len(fields) != 1 || fields[0].Field != "paymentStatus" {
				t.Errorf("%s: %v %v", name, err, fields)
			}
			continue
		}
		if err != nil || o.Paid != c.paid || o.PaymentStatus() != c.payment {
			t.Errorf("%s: paid %v, %s, %v", name, o.Paid, o.PaymentStatus(), err)
		}
	}
}

func TestImportKeepsEarlierRefundsAndReturns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change object
		want   string
	}{
		"in part":              {object{"refundedAmount": n("500")}, "partially_refunded"},
		"all of it":            {object{"refundedAmount": n("5500"), "status": "returned"}, "refunded"},
		"of a canceled order":  {object{"refundedAmount": n("5500"), "status": "canceled"}, "refunded"},
		"canceled, never paid": {object{"status": "canceled"}, "unpaid"},
	} {
		if o, _, err := imported(incomingOrder(c.change)); err != nil || o.PaymentStatus() != c.want {
			t.Errorf("%s: %s %v", name, o.PaymentStatus(), err)
		}
	}
	o, _, err := imported(incomingOrder(object{
		"lines": line(object{"quantity": n("3"), "returnedQuantity": n("2")}), "totalAmount": n("6000"),
	}))
	if err != nil || o.Lines[0].Returned != 2 {
		t.Errorf("%+v %v", o, err)
	}
}

func TestImportFillsLineFromVariant(t *testing.T) {
	t.Parallel()
	o, _, err := imported(incomingOrder(object{"shippingAmount": nil, "totalAmount": n("3000"), "lines": []any{
		line(object{"variant": "v1"})[0], line(object{"variant": "v2", "sku": "OWN"})[0],
		line(object{"variant": "v1", "requiresShipping": false, "taxClass": "exempt"})[0],
	}}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Line{{}, {}, {}} {
		got := o.Lines[i]
		want.Variant, want.Product = []string{"v1", "v2", "v1"}[i], []string{"p1", "p2", "p1"}[i]
		want.SKU, want.Kind, want.RequiresShipping = []string{"MUG", "OWN", "MUG"}[i],
			[]string{"physical", "service", "physical"}[i], i == 0
		if got.Variant != want.Variant || got.Product != want.Product || got.SKU != want.SKU || got.Kind != want.Kind ||
			got.RequiresShipping != want.RequiresShipping {
			t.Errorf("line %d: %+v", i, got)
		}
	}
	if o.Lines[0].TaxFree() || !o.Lines[2].TaxFree() || o.TaxFree() != krw(1000) || o.Record()["taxFreeAmount"] != krw(1000) {
		t.Errorf("%+v", o.Lines)
	}
}

func TestImportAllocatesOrderDiscount(t *testing.T) {
	t.Parallel()
	o, _, err := imported(incomingOrder(object{
		"discountAmount": n("1000"), "totalAmount": n("4500"), "discountCodes": []any{object{"code": "TEN", "amount": n("1000")}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if o.Lines[0].Discount != krw(800) || o.Lines[1].Discount != krw(200) || o.Lines[1].Total != krw(300) || o.Discount != krw(1000) ||
		o.Codes[0].Amount != krw(1000) {
		t.Errorf("%+v", o)
	}
}

func TestAmountsHaveTheDigitsOfTheirCurrency(t *testing.T) {
	t.Parallel()
	for currency, c := range map[string]struct {
		price string
		minor int64 // of two; 0: refused
	}{"USD": {"19.99", 3998}, "KWD": {"1.005", 2010}, "KRW": {"19.99", 0}, "usd": {"0.5", 100}, "XXX": {"1", 0}} {
		o := incomingOrder(object{
			"currency": currency, "shippingAmount": nil, "lines": line(object{"quantity": n("2"), "unitPrice": n(c.price)}),
		})
		o["totalAmount"] = n(money.Of(max(c.minor, 1), money.Currency(strings.ToUpper(currency))).Major())
		got, _, err := imported(o)
		if c.minor == 0 != (err != nil) ||
			err == nil && (got.Total.Minor != c.minor || got.Total.Currency != money.Currency(strings.ToUpper(currency))) {
			t.Errorf("%s: %v %v", currency, got.Total, err)
		}
	}
}

func TestImportReportsProblems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change object
		field  string
	}{
		"no number":                    {object{"orderNumber": nil}, "orderNumber"},
		"a number with spaces":         {object{"orderNumber": "A 1"}, "orderNumber"},
		"no status":                    {object{"status": nil}, "status"},
		"an unknown status":            {object{"status": "lost"}, "status"},
		"an invalid email":             {object{"email": "kim"}, "email"},
		"two emails":                   {object{"customerSnapshot": object{"email": "lee@example.com"}}, "customerSnapshot.email"},
		"no lines":                     {object{"lines": []any{}}, "lines"},
		"a line that is not an object": {object{"lines": []any{"mug"}}, "lines.0"},
		"a line without a title":       {object{"lines": line(object{"title": " "})}, "lines.0.title"},
		"no units":                     {object{"lines": line(object{"quantity": n("0")})}, "lines.0.quantity"},
		"half a unit":                  {object{"lines": line(object{"quantity": n("1.5")})}, "lines.0.quantity"},
		"a negative price":             {object{"lines": line(object{"unitPrice": n("-1")})}, "lines.0.unitPrice"},
		"a price out of bounds": {
			object{"lines": line(object{"unitPrice": n("90000000000000"), "quantity": n("2")})}, "lines.0.unitPrice",
		},
		"an unknown variant":        {object{"lines": line(object{"variant": "v9"})}, "lines.0.variant"},
		"a discount above its line": {object{"lines": line(object{"discount": n("1001")})}, "lines.0.discount"},
		"a wrong line subtotal":     {object{"lines": line(object{"subtotal": n("999")})}, "lines.0.subtotal"},
		"a wrong line total": {
			object{"lines": line(object{"discount": n("1"), "total": n("1000")}), "totalAmount": n("3999")}, "lines.0.total",
		},
		"a wrong subtotal":              {object{"subtotal": n("2499")}, "subtotal"},
		"a discount above the subtotal": {object{"discountAmount": n("2501")}, "discountAmount"},
		"discounts that do not add up": {
			object{"lines": line(object{"discount": n("10")}), "discountAmount": n("11"), "totalAmount": n("3990")}, "discountAmount",
		},
		"a wrong total":                  {object{"totalAmount": n("5499")}, "totalAmount"},
		"a refund above the paid amount": {object{"refundedAmount": n("5501")}, "refundedAmount"},
		"a refund of an unpaid order":    {object{"refundedAmount": n("1"), "status": "pending"}, "refundedAmount"},
		"more returned units than ordered": {
			object{"lines": line(object{"returnedQuantity": n("2")}), "totalAmount": n("4000")}, "lines.0.returnedQuantity",
		},
		"a return in progress without units to return": {
			object{"lines": line(object{"returnedQuantity": n("1")}), "totalAmount": n("4000"), "status": "return_processing"}, "status",
		},
		"a returned order with units not returned": {
			object{"lines": line(object{"returnedQuantity": n("0")}), "totalAmount": n("4000"), "status": "returned"}, "status",
		},
		"placed in the future": {object{"placedAt": "2099-01-01", "status": "paid"}, "placedAt"},
		"an unknown currency":  {object{"currency": "XXZ"}, "currency"},
		"returned units that were never shipped": {
			object{"lines": line(object{"returnedQuantity": n("1")}), "totalAmount": n("4000"), "status": "paid"},
			"lines.0.returnedQuantity",
		},
		"delivered before placed":  {object{"deliveredAt": "2025-12-23"}, "deliveredAt"},
		"delivered in the future":  {object{"deliveredAt": "2027-01-01"}, "deliveredAt"},
		"delivered before shipped": {object{"deliveredAt": "2025-12-25", "status": "paid"}, "deliveredAt"},
		"an unknown field":         {object{"returnShippingPolicy": object{}}, "returnShippingPolicy"},
		"a read-only field":        {object{"id": "1"}, "id"},
	} {
		_, _, err := imported(incomingOrder(c.change))
		var fields []string
		for _, f := range fault.From(err).Fields {
			fields = append(fields, f.Field)
		}
		if !errors.Is(err, fault.ErrValidation) || len(fields) != 1 || fields[0] != c.field {
			t.Errorf("%s: %v %v", name, err, fields)
		}
	}
}

func TestImportKeepsShippingAddress(t *testing.T) {
	t.Parallel()
	o, _, err := imported(incomingOrder(object{
		"shippingAddress": object{"recipientName": "Kim", "postalCode": "06000", "address1": "Gangnam 1"},
	}))
	if err != nil || o.Address == nil || o.Address.RecipientName != "Kim" || o.Address.PostalCode != "06000" {
		t.Errorf("%+v %v", o.Address, err)
	}
}

func TestImportKnowsNumbers(t *testing.T) {
	t.Parallel()
	o, _, err := imported(incomingOrder(object{
		"customerSnapshot": object{"phone": "503-555-0123", "phoneE164": "+1"},
		"shippingAddress":  object{"recipientName": "Kim", "province": "Oregon", "country": "US", "phone": "503 555 0199"},
	}))
	if err != nil || o.Contact.PhoneE164 != "+15035550123" || o.Address.PhoneE164 != "+15035550199" || o.Address.Province != "Oregon" {
		t.Errorf("%+v %+v %v", o.Contact, o.Address, err)
	}
}

func TestImportLimits(t *testing.T) {
	t.Parallel()
	maxAmount := n(strconv.Itoa(money.Max))
	for name, c := range map[string]struct {
		change object
		lines  int64 // after discounts
	}{
		"a free line":  {object{"lines": line(object{"discount": n("1000")}), "totalAmount": n("3000")}, 0},
		"a free order": {object{"lines": line(nil), "discountAmount": n("1000"), "totalAmount": n("3000")}, 0},
		"the largest amounts": {
			object{"lines": line(object{"unitPrice": maxAmount}), "shippingAmount": n("0"), "totalAmount": maxAmount}, money.Max,
		},
	} {
		o, _, err := imported(incomingOrder(c.change))
		if err != nil || o.Total.Minus(o.Shipping) != krw(c.lines) || o.Lines[0].Total != krw(c.lines) {
			t.Errorf("%s: %+v %v", name, o, err)
		}
	}
}
