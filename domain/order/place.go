package order

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Number is an order number: the UTC date of now and six digits from random. Contract 9.
func Number(now time.Time, random uint64) string {
	return fmt.Sprintf("%s%06d", now.UTC().Format("060102"), random%1_000_000)
}

const maxNumber = 64 // bytes of an order number that a shop chose

// CheckNumber refuses an order number that could not be told on the telephone: it takes 1 to 64 visible ASCII characters.
// Errors: fault.ErrValidation.
func CheckNumber(number string) error {
	odd := strings.ContainsFunc(number, func(r rune) bool { return r <= ' ' || r > '~' })
	if number == "" || len(number) > maxNumber || odd {
		return fault.Invalidf("orderNumber", "An order number has 1 to %d visible characters, without spaces.", maxNumber)
	}
	return nil
}

// Await is o, just placed, before its money came. What costs nothing waits for none.
func (o Order) Await() Order {
	if !o.Total.IsZero() {
		o.Status, o.Paid = Pending, money.Of(0, o.Currency)
	}
	return o
}

// Took is o, just placed, knowing what of it was taken from stock. What is taken of a variant is taken for all its lines.
func (o Order) Took(taken []inventory.Demand) Order {
	o.Lines = slices.Clone(o.Lines)
	for i := range o.Lines {
		l := &o.Lines[i]
		l.StockTaken = slices.ContainsFunc(taken, func(d inventory.Demand) bool { return d.Variant == l.Variant })
	}
	return o
}

// Place turns a checkout that is paid, or free, into an order with the work it makes: one fulfillment order over the
// shipping lines and one manual one over the others. number is made by Number; newID gives ids. Contract 9, Spec 3.4 rule 3.
func Place(c checkout.Checkout, number string, now time.Time, newID func() string) (Order, []FulfillmentOrder) {
	o := Order{
		ID: newID(), Tenant: c.Tenant, Environment: c.Environment, Number: number, Status: Paid, Source: FromCheckout,
		Customer: c.Customer, Contact: c.Contact, Address: c.Address, Currency: c.Currency, Codes: c.Codes,
		Subtotal: c.Totals.Subtotal, Discount: c.Totals.Discount, Shipping: money.Of(0, c.Currency), Total: c.Totals.Total,
		Paid: c.Totals.Total, Refunded: money.Of(0, c.Currency), Checkout: c.ID, Notes: c.Notes, PlacedAt: collection.Instant(now),
	}
	returns := c.Returns
	if returns.InitialShippingRefund == "" {
		returns = checkout.ReturnPolicy{InitialShippingRefund: "never", ReturnShippingFee: money.Of(0, c.Currency)} // nothing ships
	}
	o.Returns = &returns
	if c.PaymentID != "" {
		o.Metadata = map[string]any{"paymentId": c.PaymentID}
	}
	if c.Totals.Shipping != nil {
		o.Shipping = *c.Totals.Shipping
	}
	for _, l := range c.Lines {
		l.ID = newID()
		o.Lines = append(o.Lines, Line{Line: l})
	}
	return o, o.work(newID)
}

// work is what is to be done for o, which was just made: one fulfillment order over what ships, and one over the rest.
func (o Order) work(newID func() string) (work []FulfillmentOrder) {
	ship := FulfillmentOrder{Type: ShippingWork}
	manual := FulfillmentOrder{Type: ManualWork}
	for _, l := range o.Lines {
		to := &manual
		if l.RequiresShipping {
			to = &ship
		}
		to.Lines = append(to.Lines, Work{OrderLine: l.ID, Quantity: l.Quantity})
	}
	for _, f := range []FulfillmentOrder{ship, manual} {
		if len(f.Lines) > 0 {
			f.ID, f.Tenant, f.Environment, f.Order, f.Status = newID(), o.Tenant, o.Environment, o.ID, WorkOpen
			work = append(work, f)
		}
	}
	return work
}
