// Package checkout holds the rules of checkouts. A checkout is a cart frozen for payment: its lines, prices
// and shipping address, and the payment session that holds its only payment slot. Rules:
// features/checkouts/RULES.md.
package checkout

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ID names a checkout.
type ID = string

// Status is the state of a checkout, by which the API's answer is discriminated.
type Status string

// The statuses. Rule checkouts-9.
const (
	Open              Status = "open"
	PaymentPending    Status = "payment_pending" // a payment session holds the slot
	Completed         Status = "completed"       // its order is placed
	Expired           Status = "expired"
	Canceled          Status = "canceled"           // superseded by a newer checkout of its cart
	RequiresAttention Status = "requires_attention" // money arrived that could not become an order
)

var statuses = []string{"open", "payment_pending", "completed", "expired", "canceled", "requires_attention"}

// Lifetime is how long a checkout can be paid.
const Lifetime = 24 * time.Hour

// MaxBytes is how many bytes of JSON a buyer may put into a checkout: see Checkout.Size.
const MaxBytes = 256 << 10

// Code is one applied discount code.
type Code struct {
	Code         string
	Amount       money.Money
	Discount     string // id; its limits and its switch are read when the code is used
	FreeShipping bool   // waives the base fee of shipping
}

// ReturnPolicy is the tenant's policy on shipping fees of returned goods at the time of the checkout. It is
// copied to the order. Rule returns-5.
type ReturnPolicy struct {
	InitialShippingRefund shipping.RefundRule // "": nothing ships, so there is no rule
	ReturnShippingFee     money.Money
}

// Checkout is a cart frozen for payment.
type Checkout struct {
	ID             ID
	Tenant         tenant.ID
	Environment    tenant.Environment
	Status         Status
	Cart           string
	Draft          string // the draft order that it was made from by a payment link; "" for none
	Customer       string // id; "" for guests
	Contact        sale.Contact
	Address        *address.Address
	Market         string
	Locale         string // language of the buyer; "": the shop's default one
	Currency       money.Currency
	Lines          []sale.Line
	Codes          []Code
	Totals         sale.Totals
	ReturnPolicy   ReturnPolicy
	SlotHeld       bool
	Session        string // the session that holds the slot, that held it last, or whose payment became the order
	Order          string
	Notes          string
	ShippingMethod string // title of the shipping policy that an operator chose; "": none was chosen
	OrderNumber    string // requested number of the order, used unless it is taken; "": any
	PaymentID      string // of an external payment, as the tenant's server names it
	SupersededBy   ID
	AttentionCase  AttentionCase // why it requires attention; the zero value when it does not
	TokenHash      string
	ExpiresAt      time.Time
	TaxExempt      bool // its buyer pays no taxes
}

// RequiresShipping reports whether any line is delivered. Rule shipping-1.
func (c Checkout) RequiresShipping() bool {
	return slices.ContainsFunc(c.Lines, func(l sale.Line) bool { return l.RequiresShipping })
}

// TaxFree is the part of the total that is free of value added tax. Rule payments-68.
func (c Checkout) TaxFree() money.Money {
	return sale.TaxFreeAmount(c.Currency, c.Lines, c.Totals.Taxes, func(l *sale.Line) *sale.Line { return l })
}

// StatusAt is the status that readers see at now: an open checkout is expired from ExpiresAt on; one whose
// slot is held stays payment_pending, since its money may still arrive.
func (c Checkout) StatusAt(now time.Time) Status {
	if c.Status == Open && !now.Before(c.ExpiresAt) {
		return Expired
	}
	return c.Status
}

// IsLive reports whether c is the current checkout of its cart: it is open, or a payment session holds its
// slot, whatever else happened to it. A cart has at most one, and so at most one slot that is held. Rule
// payments-38.
func (c Checkout) IsLive() bool { return c.Status == Open || c.SlotHeld }

// Demands returns how many units of each variant c buys, in variant order.
func (c Checkout) Demands() []inventory.Demand {
	demands := make([]inventory.Demand, len(c.Lines))
	for i, l := range c.Lines {
		demands[i] = inventory.Demand{Variant: l.Variant, Quantity: l.Quantity}
	}
	return inventory.Sum(demands)
}

// DiscountCustomer identifies the buyer whose discount uses are counted: the customer's id, or the email of a
// guest in lower case. Rule discounts-6.
func (c Checkout) DiscountCustomer() string {
	if c.Customer != "" {
		return c.Customer
	}
	return c.Contact.Email
}
