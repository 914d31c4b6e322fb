package order

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrImported says that an order with this number is there, and that it is another one than was told.
var ErrImported = fault.New(fault.Conflict, "order_number_taken", "Another order has this number, or it was imported with other content. Orders are never overwritten.")

// Arrival is what is known of the shop that an order comes to.
type Arrival struct {
	Tenant      tenant.ID
	Environment tenant.Environment
	Currency    money.Currency               // the shop's
	Variants    map[string]collection.Record // those that lines name, as far as they exist
	Now         time.Time
	NewID       func() string
}

// Import makes an order of what Incoming's schema accepted, with the work that is left to do. Its money has to add up: it is
// checked, never corrected. It has no return policy, and its money is not in the books before some of it goes back. It takes
// no stock, so that neither a cancel nor a return puts any back: what the other system counts is not ours to count. What is
// shipped by now was sent by it; an order on its way back there is one from delivery here, which waits for a return request.
// Errors: fault.ErrValidation with Fields.
func Import(in collection.Record, a Arrival) (Order, []FulfillmentOrder, error) {
	x := arriving{Arrival: a, in: in}
	if x.head(); !x.o.Currency.Valid() { // nothing can be added up in it
		return Order{}, nil, fault.ErrValidation.In(x.problems...)
	}
	for i, row := range in.Rows("lines") {
		x.line(i, row)
	}
	if len(x.problems) > 0 { // sums of what is wrong say nothing
		return Order{}, nil, fault.ErrValidation.In(x.problems...)
	}
	x.sums()
	x.history()
	if len(x.problems) > 0 {
		return Order{}, nil, fault.ErrValidation.In(x.problems...)
	}
	if x.o.sent() || x.o.Status == Canceled {
		return x.o, nil, nil
	}
	return x.o, x.o.work(a.NewID), nil
}

// sent reports whether the goods of o have left the house.
func (o Order) sent() bool {
	return !slices.Contains([]Status{Pending, Failed, Canceled, Paid, Preparing}, o.Status)
}

// arriving is an order in the making.
type arriving struct {
	Arrival

	in       collection.Record
	o        Order
	problems []fault.Field
}

func (x *arriving) problemf(field, format string, args ...any) {
	x.problems = append(x.problems, fault.Field{Field: field, Message: fmt.Sprintf(format, args...)})
}

// money is an amount that was told, else nothing.
func (x *arriving) money(r collection.Record, name string) money.Money {
	if m, told := r.Money(name); told {
		return m
	}
	return money.Of(0, x.o.Currency)
}

// told insists that an amount, if it was told, is what it comes to.
func (x *arriving) told(r collection.Record, at, name string, want money.Money) {
	if got, told := r.Money(name); told && got != want {
		x.problemf(at+name, "It comes to %s, not %s.", want.Major(), got.Major())
	}
}

func (x *arriving) head() {
	in := x.in
	x.o = Order{
		ID: x.NewID(), Tenant: x.Tenant, Environment: x.Environment, Number: in.Text("orderNumber"), Status: Status(in.Text("status")),
		Source: FromAPI, Customer: in.Text("customer"), Currency: money.Currency(in.Text("currency")), Notes: in.Text("notes"),
		Metadata: in["metadata"], PlacedAt: in.Time("placedAt"), Contact: checkout.ContactFrom(in.Group("customerSnapshot")),
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
	if a := checkout.AddressFrom(in.Group("shippingAddress")); a != nil && *a != (checkout.Address{}) {
		x.o.Address = a
	}
	if x.o.PlacedAt.IsZero() {
		x.o.PlacedAt = collection.Instant(x.Now)
	}
	if x.o.PlacedAt.After(x.Now) {
		x.problemf("placedAt", "An order is placed no later than now.")
	}
	for _, c := range in.Rows("discountCodes") {
		x.o.Codes = append(x.o.Codes, checkout.Code{Code: c.Text("code"), Amount: x.money(c, "amount")})
	}
}

func (x *arriving) line(i int, r collection.Record) {
	at := fmt.Sprintf("lines.%d.", i)
	l := Line{Line: checkout.Line{
		ID: x.NewID(), Title: strings.TrimSpace(r.Text("title")), VariantTitle: r.Text("variantTitle"), SKU: r.Text("sku"), Kind: r.Text("kind"),
		Quantity: r.Int("quantity"), UnitPrice: x.money(r, "unitPrice"), Discount: x.money(r, "discount"), Attributes: r["attributes"],
	}, Returned: r.Int("returnedQuantity")}
	if id := r.Text("variant"); id != "" {
		v := x.Variants[id]
		if v == nil {
			x.problemf(at+"variant", "This record does not exist.")
		}
		l.Variant, l.Product = id, v.Text("product")
		l.SKU, l.Kind = either(l.SKU, v.Text("sku")), either(l.Kind, v.Text("kind"))
	}
	l.Kind = either(l.Kind, catalog.Physical)
	l.RequiresShipping = l.Kind == catalog.Physical
	for _, said := range []collection.Record{x.Variants[l.Variant], r} { // what the order says of itself counts
		if v, told := said["requiresShipping"].(bool); told {
			l.RequiresShipping = v
		}
	}
	if l.Returned > l.Quantity {
		x.problemf(at+"returnedQuantity", "No more than %d units can have come back.", l.Quantity)
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
	x.told(r, at, "subtotal", l.Subtotal)
	x.o.Lines = append(x.o.Lines, l)
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// sums adds the lines up, and compares with what was told.
func (x *arriving) sums() {
	o := &x.o
	o.Subtotal, o.Discount, o.Shipping = money.Of(0, o.Currency), money.Of(0, o.Currency), x.money(x.in, "shippingAmount")
	for _, l := range o.Lines {
		o.Subtotal, o.Discount = o.Subtotal.Plus(l.Subtotal), o.Discount.Plus(l.Discount)
	}
	if whole := x.money(x.in, "discountAmount"); o.Discount.IsZero() && whole.Minor <= o.Subtotal.Minor {
		x.spread(whole)
	}
	for i, r := range x.in.Rows("lines") {
		x.told(r, fmt.Sprintf("lines.%d.", i), "total", o.Lines[i].Total)
	}
	o.Total = o.Subtotal.Minus(o.Discount).Plus(o.Shipping)
	x.told(x.in, "", "subtotal", o.Subtotal)
	x.told(x.in, "", "discountAmount", o.Discount)
	x.told(x.in, "", "totalAmount", o.Total)
	if o.Subtotal.Minor > money.Max {
		x.problemf("lines", "The lines come to more than an order can.")
	}
}

// spread gives every line its share of a discount by value.
func (x *arriving) spread(whole money.Money) {
	weights := make([]int64, len(x.o.Lines))
	for i, l := range x.o.Lines {
		weights[i] = l.Subtotal.Minor
	}
	for i, share := range money.Spread(whole.Minor, weights) {
		l := &x.o.Lines[i]
		l.Discount = money.Of(share, x.o.Currency)
		l.Total = l.Subtotal.Minus(l.Discount)
	}
	x.o.Discount = whole
}

// history is what the status says of money and goods.
func (x *arriving) history() {
	o := &x.o
	o.Refunded = x.money(x.in, "refundedAmount")
	if o.Paid = o.paidByStatus(); o.Refunded.Minor > o.Paid.Minor {
		x.problemf("refundedAmount", "No more than the %s that were paid can have gone back.", o.Paid.Major())
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		if told := x.in.Rows("lines")[i]["returnedQuantity"] != nil; o.Status == Returned && !told {
			l.Returned = l.Quantity
		}
		if o.sent() {
			l.Fulfilled = l.Quantity
		} else if l.Returned > 0 {
			x.problemf(fmt.Sprintf("lines.%d.returnedQuantity", i), "Nothing comes back of an order that is %s.", o.Status)
		}
	}
	switch returning := o.Status == ReturnRequested || o.Status == ReturnProcessing; {
	case returning && o.cameBack():
		x.problemf("status", "Everything came back: bring it as returned.")
	case returning:
		o.BeforeReturn = Delivered
	case o.Status == Returned && !o.cameBack(): // what is still with the buyer could never be sent back
		x.problemf("status", "Not everything came back: bring it as delivered.")
	}
	at, told := x.in["deliveredAt"].(time.Time)
	switch delivered := o.sent() && o.Status != Shipped; {
	case told && !delivered:
		x.problemf("deliveredAt", "An order that is %s has not been delivered.", o.Status)
	case told && (at.Before(o.PlacedAt) || at.After(x.Now)):
		x.problemf("deliveredAt", "It was delivered after it was placed, and not later than now.")
	case told:
		o.DeliveredAt = at
	case delivered:
		o.DeliveredAt = collection.Instant(x.Now)
	}
}
