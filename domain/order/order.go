package order

import (
	"cmp"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Source is how an order came about.
type Source string

// The sources. Contract 9.
const (
	FromCheckout Source = "checkout"
	Manual       Source = "manual"
	FromAPI      Source = "api"
)

// Line is one bought line. Total = Subtotal − Discount.
type Line struct {
	checkout.Line

	Fulfilled, Returned int64 // units

	// StockTaken says that the sale took the units from the shop's stock, to which they go back when they are canceled, or
	// returned to be sold again. It took none of a variant that was not tracked then, whatever it is by now. Of an order
	// that does not say it nothing goes back: fewer units than there are can be counted anew, more would be sold.
	StockTaken bool
}

// Order is what was bought.
type Order struct {
	ID           string
	Tenant       tenant.ID
	Environment  tenant.Environment
	Number       string // yymmdd and six digits
	Status       Status
	Source       Source
	Customer     string // id; "" for guests
	Contact      checkout.Contact
	Address      *checkout.Address
	Currency     money.Currency
	Lines        []Line
	Codes        []checkout.Code
	Subtotal     money.Money
	Discount     money.Money
	Shipping     money.Money
	Total        money.Money
	Paid         money.Money            // zero while it waits for its money
	Refunded     money.Money            // what is known to have gone back
	Returns      *checkout.ReturnPolicy // nil on legacy orders
	Checkout     string
	Draft        string
	Notes        string
	Metadata     collection.Tree
	PlacedAt     time.Time
	DeliveredAt  time.Time // when it was delivered, for the first time; zero before
	StatusNote   string    // what a person said when they last moved it by hand
	BeforeReturn Status    // status before the first open return, else ""
	CancelKey    string    // names the operation that cancels it, or canceled it; else ""
	CancelReason string
	ImportHash   string // of what another system told of it when it was imported; "" of our own
}

// PaymentStatus is derived from what was paid and what went back.
func (o Order) PaymentStatus() string {
	switch {
	case o.Status == Pending || o.Status == Failed, o.Paid.IsZero() && !o.Total.IsZero():
		return "unpaid"
	case o.Refunded.IsZero():
		return "paid"
	case o.Refunded.Minor < o.Paid.Minor:
		return "partially_refunded"
	}
	return "refunded"
}

// FulfillmentStatus is derived from the units fulfilled.
func (o Order) FulfillmentStatus() string {
	var units, done int64
	for _, l := range o.Lines {
		units += l.Quantity
		done += l.Fulfilled
	}
	switch done {
	case 0:
		return "none"
	case units:
		return "fulfilled"
	}
	return "partial"
}

// The types of work, and how far it may be. Contract 3.
const (
	ShippingWork = "shipping"
	ManualWork   = "manual"

	WorkOpen       = "open"
	WorkInProgress = "in_progress"
	WorkClosed     = "closed"
	WorkCanceled   = "canceled"
)

// FromDraft is o, just placed, as the order of a draft that has the id of what was placed.
func (o Order) FromDraft() Order {
	o.Source, o.Draft, o.Checkout = Manual, o.Checkout, ""
	return o
}

// Holder is under whose id discount uses of o are counted: its checkout's or its draft's; "" where none are.
func (o Order) Holder() string { return cmp.Or(o.Checkout, o.Draft) }

// FulfillmentOrder is the work of one kind that an order makes.
type FulfillmentOrder struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Order       string
	Type        string // ShippingWork or ManualWork
	Status      string // WorkOpen …
	Lines       []Work
}

// Work is units of one order line.
type Work struct {
	OrderLine      string
	Quantity, Done int64
}
