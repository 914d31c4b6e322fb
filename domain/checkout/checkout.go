// Package checkout is a cart frozen for payment: what is bought, for how much, where it goes, and which payment holds its
// one slot. Contract 8.
package checkout

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ID names a checkout.
type ID = string

// Status is where a checkout is; answers are a union on it.
type Status string

// The statuses. Contract 8.
const (
	Open           Status = "open"
	PaymentPending Status = "payment_pending" // a payment session holds the slot
	Completed      Status = "completed"       // its order is placed
	Expired        Status = "expired"
	Canceled       Status = "canceled"           // superseded by a newer checkout of its cart
	Attention      Status = "requires_attention" // money arrived that could not become an order
)

var statuses = []string{"open", "payment_pending", "completed", "expired", "canceled", "requires_attention"}

// Lifetime is how long a checkout can be paid.
const Lifetime = 24 * time.Hour

// Address is where goods go. PostalCode is text.
type Address struct {
	RecipientName, Phone, PostalCode, Address1, Address2, DeliveryMessage, Country string
}

// Contact is who buys, as written down when the checkout was made.
type Contact struct{ Name, Email, Phone string }

// Admission is one person who attends an event.
type Admission struct {
	Name, Email, Phone string
	Attributes         collection.Tree
}

// Line is one line at frozen prices. Total = Subtotal − Discount.
type Line struct {
	ID, Product, Variant      string
	Title, VariantTitle       string
	SKU, Image                string
	Quantity                  int64
	UnitPrice, CompareAt      money.Money // CompareAt: zero value is none
	Subtotal, Discount, Total money.Money
	RequiresShipping          bool
	Kind                      string
	Admissions                []Admission
	Attributes                collection.Tree
}

// Code is one applied discount code.
type Code struct {
	Code                         string
	Amount                       money.Money
	Discount                     string // id
	UsageLimit, PerCustomerLimit int64  // 0: none
	FreeShipping                 bool   // it waives the base fee of shipping
}

// Totals is what is paid. Shipping is nil until an address is known, and when nothing ships.
type Totals struct {
	Subtotal, Discount, Total money.Money
	Shipping                  *money.Money
}

// ReturnPolicy is what the shop promises about shipping when goods come back; the order keeps it. Spec 3.3 rule 5.
type ReturnPolicy struct {
	InitialShippingRefund shipping.Refund // "": nothing ships, no promise
	ReturnShippingFee     money.Money
}

// Checkout is a cart frozen for payment.
type Checkout struct {
	ID           ID
	Tenant       tenant.ID
	Environment  tenant.Environment
	Status       Status
	Cart         string
	Customer     string // id; "" for guests
	Contact      Contact
	Address      *Address
	Market       string
	Currency     money.Currency
	Lines        []Line
	Codes        []Code
	Totals       Totals
	Returns      ReturnPolicy
	SlotHeld     bool
	Session      string // the session that holds the slot or held it last
	Order        string
	Notes        string
	OrderNumber  string // that its order takes if it is free; "" is any
	PaymentID    string // of a payment outside, as the shop's server names it
	SupersededBy ID
	Case         Case // why it requires attention; the zero value when it does not
	TokenHash    string
	ExpiresAt    time.Time
}

// RequiresShipping reports whether any line is delivered. Spec 3.4.
func (c Checkout) RequiresShipping() bool {
	return slices.ContainsFunc(c.Lines, func(l Line) bool { return l.RequiresShipping })
}

// StatusAt is the status as readers see it at now: an open checkout past its expiry is expired; one whose slot is held
// stays payment_pending, since its money may still arrive.
func (c Checkout) StatusAt(now time.Time) Status {
	if c.Status == Open && !now.Before(c.ExpiresAt) {
		return Expired
	}
	return c.Status
}

// Live reports whether c still is the one checkout of its cart.
func (c Checkout) Live() bool { return c.Status == Open || c.Status == PaymentPending }

// Demands is how many units of each variant c buys, in variant order.
func (c Checkout) Demands() []inventory.Demand {
	demands := make([]inventory.Demand, len(c.Lines))
	for i, l := range c.Lines {
		demands[i] = inventory.Demand{Variant: l.Variant, Quantity: l.Quantity}
	}
	return inventory.Sum(demands)
}

// Buyer is who discount uses are counted for: the customer, or the folded email of a guest. Contract 6.
func (c Checkout) Buyer() string {
	if c.Customer != "" {
		return c.Customer
	}
	return c.Contact.Email
}
