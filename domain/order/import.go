package order

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrNumberTaken says that an order with this number exists and differs from the imported one.
var ErrNumberTaken = fault.New(fault.Conflict, "order_number_taken",
	"Another order has this number, or it was imported with other content. Orders are never overwritten.")

// ImportContext has the facts of the tenant that an imported order depends on.
type ImportContext struct {
	Tenant      tenant.ID
	Environment tenant.Environment
	Currency    money.Currency               // the tenant's
	Country     string                       // where addresses are that name none, the tenant's; "": unknown
	Variants    map[string]collection.Record // those of the lines, if they exist
	Now         time.Time
	NewID       func() string
}

// Import makes an order, with its fulfillment orders, of a record that ImportSchema accepted.
//
// The amounts have to add up: they are checked, never corrected. The order has no return policy, and nothing
// in the ledger until something is refunded. It takes no stock, so neither a cancel nor a return restocks
// any: its units are counted by the other system. Units shipped so far were shipped by that system. An order
// in return there is imported as delivered, and needs a return request here. Errors: fault.ErrValidation with
// fields.
func Import(in collection.Record, a ImportContext) (Order, []FulfillmentOrder, error) {
	x := importer{ImportContext: a, in: in}
	if x.readHeader(); !x.o.Currency.Valid() { // no sums without a currency
		return Order{}, nil, fault.ErrValidation.WithFields(x.problems...)
	}
	for i, row := range in.Rows("lines") {
		x.readLine(i, row)
	}
	if len(x.problems) > 0 { // no sums of invalid amounts
		return Order{}, nil, fault.ErrValidation.WithFields(x.problems...)
	}
	x.computeTotals()
	x.applyStatus()
	if len(x.problems) > 0 {
		return Order{}, nil, fault.ErrValidation.WithFields(x.problems...)
	}
	if x.o.hasShipped() || x.o.Status == Canceled {
		return x.o, nil, nil
	}
	return x.o, x.o.newFulfillmentOrders(a.NewID), nil
}

// hasShipped reports whether the goods of o were shipped.
func (o Order) hasShipped() bool {
	return !slices.Contains([]Status{Pending, Failed, Canceled, Paid, Preparing}, o.Status)
}

// importer builds an order from an imported record and collects its problems.
type importer struct {
	ImportContext

	in       collection.Record
	o        Order
	problems []fault.Field
}

func (x *importer) problemf(field, format string, args ...any) {
	x.problems = append(x.problems, fault.Field{Field: field, Message: fmt.Sprintf(format, args...)})
}

// money is an amount of the record, 0 if absent.
func (x *importer) money(r collection.Record, name string) money.Money {
	if m, given := r.Money(name); given {
		return m
	}
	return money.Of(0, x.o.Currency)
}

// checkAmount checks that an amount, if present, is the computed one.
func (x *importer) checkAmount(r collection.Record, at, name string, want money.Money) {
	if got, given := r.Money(name); given && got != want {
		x.problemf(at+name, "The total is %s, not %s.", want.Major(), got.Major())
	}
}

func (x *importer) readHeader() {
	in := x.in
	x.o = Order{
		ID: x.NewID(), Tenant: x.Tenant, Environment: x.Environment, Number: in.Text("orderNumber"), Status: Status(in.Text("status")),
		Source: FromAPI, Customer: in.Text("customer"), Currency: money.Currency(in.Text("currency")), Notes: in.Text("notes"),
		Metadata: in["metadata"], PlacedAt: in.Time("placedAt"), Contact: sale.ContactFrom(in.Group("customerSnapshot")),
	}
	if x.o.Currency == "" {
		x.o.Currency = x.Currency
	}
	if !x.o.Currency.Valid() {
		x.problemf("currency", "This field takes an ISO 4217 code.")
	}
	if err := CheckNumber(x.o.Number); err != nil {
		x.problems = append(x.problems, fault.From(err).Fields...)
	}
	switch email := in.Text("email"); {
	case x.o.Contact.Email == "":
		x.o.Contact.Email = email
	case email != "" && email != x.o.Contact.Email:
		x.problemf("customerSnapshot.email", "This is not the order's email.")
	}
	if a := address.From(in.Group("shippingAddress")); a != nil && *a != (address.Address{}) {
		a.PhoneE164 = a.Complete(x.Country).PhoneE164 // the rest stays as it was there
		x.o.Address = a
	}
	x.o.Contact = x.o.Contact.Complete(sale.CountryOf(x.o.Address, x.Country))
	if x.o.PlacedAt.IsZero() {
		x.o.PlacedAt = collection.TruncateTime(x.Now)
	}
	if x.o.PlacedAt.After(x.Now) {
		x.problemf("placedAt", "An order is placed no later than now.")
	}
	for _, c := range in.Rows("discountCodes") {
		x.o.Codes = append(x.o.Codes, checkout.Code{Code: c.Text("code"), Amount: x.money(c, "amount")})
	}
}

func (x *importer) readLine(i int, r collection.Record) {
	at := fmt.Sprintf("lines.%d.", i)
	l := Line{Line: sale.Line{
		ID: x.NewID(), Title: strings.TrimSpace(r.Text("title")), VariantTitle: r.Text("variantTitle"), SKU: r.Text("sku"),
		Kind: r.Text("kind"), Quantity: r.Int("quantity"), UnitPrice: x.money(r, "unitPrice"), Discount: x.money(r, "discount"),
		Attributes: sale.AttributesFrom(r["attributes"]), TaxClass: tax.ClassOf(r.Text("taxClass")),
	}, Returned: r.Int("returnedQuantity")}
	if id := r.Text("variant"); id != "" {
		v := x.Variants[id]
		if v == nil {
			x.problemf(at+"variant", "This record does not exist.")
		}
		l.Variant, l.Product = id, v.Text("product")
		l.SKU, l.Kind = cmp.Or(l.SKU, v.Text("sku")), cmp.Or(l.Kind, v.Text("kind"))
	}
	l.Kind = cmp.Or(l.Kind, catalog.Physical)
	l.RequiresShipping = l.Kind == catalog.Physical
	for _, source := range []collection.Record{x.Variants[l.Variant], r} { // the imported line overrides the variant
		if v, given := source["requiresShipping"].(bool); given {
			l.RequiresShipping = v
		}
	}
	if l.Returned > l.Quantity {
		x.problemf(at+"returnedQuantity", "At most %d units can have been returned.", l.Quantity)
	}
	subtotal, err := l.UnitPrice.Times(l.Quantity)
	if err != nil {
		x.problemf(at+"unitPrice", "The line comes to more than an order can.")
		return
	}
	if l.Subtotal = subtotal; l.Discount.Minor > subtotal.Minor {
		x.problemf(at+"discount", "A discount takes off no more than the line.")
		return
	}
	l.Total = subtotal.Minus(l.Discount)
	x.checkAmount(r, at, "subtotal", l.Subtotal)
	x.o.Lines = append(x.o.Lines, l)
}

// computeTotals adds up the lines and compares the sums with the record.
func (x *importer) computeTotals() {
	o := &x.o
	o.Subtotal, o.Discount, o.Shipping = money.Of(0, o.Currency), money.Of(0, o.Currency), x.money(x.in, "shippingAmount")
	for _, l := range o.Lines {
		o.Subtotal, o.Discount = o.Subtotal.Plus(l.Subtotal), o.Discount.Plus(l.Discount)
	}
	if whole := x.money(x.in, "discountAmount"); o.Discount.IsZero() && whole.Minor <= o.Subtotal.Minor {
		x.allocateDiscount(whole)
	}
	for i, r := range x.in.Rows("lines") {
		x.checkAmount(r, fmt.Sprintf("lines.%d.", i), "total", o.Lines[i].Total)
	}
	o.Total = o.Subtotal.Minus(o.Discount).Plus(o.Shipping)
	x.readTaxes()
	x.checkAmount(x.in, "", "subtotal", o.Subtotal)
	x.checkAmount(x.in, "", "discountAmount", o.Discount)
	x.checkAmount(x.in, "", "totalAmount", o.Total)
	if o.Subtotal.Minor > money.Max || o.Total.Minor > money.Max {
		x.problemf("lines", "The lines come to more than an order can.")
	}
}

// allocateDiscount splits a discount over the lines by value.
func (x *importer) allocateDiscount(whole money.Money) {
	weights := make([]int64, len(x.o.Lines))
	for i, l := range x.o.Lines {
		weights[i] = l.Subtotal.Minor
	}
	for i, share := range money.Allocate(whole.Minor, weights) {
		l := &x.o.Lines[i]
		l.Discount = money.Of(share, x.o.Currency)
		l.Total = l.Subtotal.Minus(l.Discount)
	}
	x.o.Discount = whole
}

// applyPaymentStatus lets the record say whether an order was paid, as far as its status leaves that open.
func (x *importer) applyPaymentStatus() {
	given := x.in.Text("paymentStatus")
	switch given {
	case "":
		return
	case unpaid:
		x.o.Paid = money.Of(0, x.o.Currency)
	default:
		x.o.Paid = x.o.Total
	}
	if is := x.o.PaymentStatus(); is != given || given == unpaid && x.o.Status == Paid {
		x.problemf("paymentStatus", "An order that is %s, with %s refunded, is not %s.", x.o.Status, x.o.Refunded.Major(), given)
	}
}

// applyStatus derives payments and fulfilled units from the status.
func (x *importer) applyStatus() {
	o := &x.o
	o.Refunded = x.money(x.in, "refundedAmount")
	o.Paid = o.paidByStatus()
	x.applyPaymentStatus()
	if o.Refunded.Minor > o.Paid.Minor {
		x.problemf("refundedAmount", "No more than the %s that were paid can have gone back.", o.Paid.Major())
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		if given := x.in.Rows("lines")[i]["returnedQuantity"] != nil; o.Status == Returned && !given {
			l.Returned = l.Quantity
		}
		if o.hasShipped() {
			l.Fulfilled = l.Quantity
		} else if l.Returned > 0 {
			x.problemf(fmt.Sprintf("lines.%d.returnedQuantity", i), "An order that is %s has no returned units.", o.Status)
		}
	}
	switch returning := o.Status == ReturnRequested || o.Status == ReturnProcessing; {
	case returning && o.fullyReturned():
		x.problemf("status", "All units were returned: import it with status returned.")
	case returning:
		o.StatusBeforeReturn = Delivered
	case o.Status == Returned && !o.fullyReturned(): // the other units could never be returned
		x.problemf("status", "Not all units were returned: import it with status delivered.")
	}
	at, given := x.in["deliveredAt"].(time.Time)
	switch delivered := o.hasShipped() && o.Status != Shipped; {
	case given && !delivered:
		x.problemf("deliveredAt", "An order that is %s has not been delivered.", o.Status)
	case given && (at.Before(o.PlacedAt) || at.After(x.Now)):
		x.problemf("deliveredAt", "It was delivered after it was placed, and not later than now.")
	case given:
		o.DeliveredAt = at
	case delivered:
		o.DeliveredAt = collection.TruncateTime(x.Now)
	}
}
