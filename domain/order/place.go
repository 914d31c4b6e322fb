package order

import (
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
)

const maxNumber = 64 // bytes of an order number chosen by the tenant

// CheckNumber accepts 1 to 64 printable ASCII characters without spaces, so that numbers can be read out over
// the phone. Errors: fault.ErrValidation.
func CheckNumber(number string) error {
	odd := strings.ContainsFunc(number, func(r rune) bool { return r <= ' ' || r > '~' })
	if number == "" || len(number) > maxNumber || odd {
		return fault.Invalidf("orderNumber", "An order number has 1 to %d visible characters, without spaces.", maxNumber)
	}
	return nil
}

// AwaitPayment returns o, just placed, as unpaid. An order that costs nothing is paid at once.
func (o Order) AwaitPayment() Order {
	if !o.Total.IsZero() {
		o.Status, o.Paid = Pending, money.Of(0, o.Currency)
	}
	return o
}

// WithStockTaken returns o, just placed, with the units that were taken from stock. If units of a variant
// were taken, they were taken for all its lines.
func (o Order) WithStockTaken(taken []inventory.Demand) Order {
	o.Lines = slices.Clone(o.Lines)
	for i := range o.Lines {
		l := &o.Lines[i]
		l.StockTaken = slices.ContainsFunc(taken, func(d inventory.Demand) bool { return d.Variant == l.Variant })
	}
	return o
}

// Place makes an order, with its fulfillment orders, of a checkout that is paid or free: one fulfillment
// order for the shipping lines and a manual one for the others. number comes from NumberFormat; newID returns
// ids. Rules orders-14, fulfillment-1.
func Place(c checkout.Checkout, number string, now time.Time, newID func() string) (Order, []FulfillmentOrder) {
	o := Order{
		ID: newID(), Tenant: c.Tenant, Environment: c.Environment, Number: number, Status: Paid, Source: FromCheckout,
		Customer: c.Customer, Contact: c.Contact, Address: c.Address, Locale: c.Locale, Currency: c.Currency, Codes: c.Codes,
		Subtotal: c.Totals.Subtotal, Discount: c.Totals.Discount, Shipping: money.Of(0, c.Currency), Total: c.Totals.Total,
		Taxes: c.Totals.Taxes, Paid: c.Totals.Total, Refunded: money.Of(0, c.Currency), Checkout: c.ID, Notes: c.Notes,
		ShippingMethod: c.ShippingMethod, PlacedAt: collection.TruncateTime(now),
	}
	returns := c.ReturnPolicy
	if returns.InitialShippingRefund == "" {
		returns = checkout.ReturnPolicy{InitialShippingRefund: "never", ReturnShippingFee: money.Of(0, c.Currency)} // nothing ships
	}
	o.ReturnPolicy = &returns
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
	return o, o.newFulfillmentOrders(newID)
}

// newFulfillmentOrders returns the fulfillment orders of o, just made: one for what ships and one for the
// rest.
func (o Order) newFulfillmentOrders(newID func() string) (work []FulfillmentOrder) {
	ship := FulfillmentOrder{Type: ShippingFulfillmentOrder}
	manual := FulfillmentOrder{Type: ManualFulfillmentOrder}
	for _, l := range o.Lines {
		to := &manual
		if l.RequiresShipping {
			to = &ship
		}
		to.Lines = append(to.Lines, FulfillmentOrderLine{OrderLine: l.ID, Quantity: l.Quantity})
	}
	for _, f := range []FulfillmentOrder{ship, manual} {
		if len(f.Lines) > 0 {
			f.ID, f.Tenant, f.Environment, f.Order, f.Status = newID(), o.Tenant, o.Environment, o.ID, FulfillmentOrderOpen
			work = append(work, f)
		}
	}
	return work
}
