package cart

import (
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of a cart. Rules carts-5, carts-8, carts-19.
const (
	MaxLines      = 200
	MaxQuantity   = 9999
	MaxCodes      = 20
	MaxAttributes = 50
	MaxAttribute  = 2048 // bytes of one attribute value
	Lifetime      = 30 * 24 * time.Hour
)

// Status is the stage of a cart's life. Only an active cart can be changed.
type Status string

// The states of a cart. No command sets Abandoned: an active cart reads as abandoned once it has expired.
const (
	Active    Status = "active"
	Completed Status = "completed" // its checkout became an order
	Merged    Status = "merged"    // its lines were copied into another cart
	Abandoned Status = "abandoned"
)

// Cart is the whole state of one cart. Every Money is in Currency.
type Cart struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Customer    string // id of the owner, or "" for a guest
	Status      Status
	Revision    int64  // 1 at create, +1 per applied command; 0 before the cart exists
	Market      string // id of the market the cart is locked to, or "" while it is not
	Locale      string // language of the buyer, in which its lines have their titles; "": the shop's default one
	Currency    money.Currency
	Lines       []Line // in the order they were first added
	Codes       []Code // in the order they apply
	Attributes  map[string]string
	Totals      sale.Totals // Shipping is always nil: a cart has no address
	TokenHash   string      // SHA-256 of the capability token; "" when there is none
	ExpiresAt   time.Time   // Lifetime after the last change
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Sequence    int64 // recordSequence
}

// Line is a line of a cart. Quantity is 1 to MaxQuantity. A line of an event has one admission per unit, or
// none while it is unavailable.
type Line struct {
	sale.Line

	Available    bool // could be sold in this quantity at the latest change
	PriceChanged bool // the latest change of the cart changed the unit price
}

// Code is one discount code of a cart, usable or not.
type Code struct {
	Code    string
	Applied bool
	Amount  money.Money // what it takes off; zero when not applied
	Reason  string      // why it is not applied: a reason of Rule api-14
}

// RequiresShipping reports whether any line is sent to an address. Rule shipping-1.
func (c Cart) RequiresShipping() bool {
	return slices.ContainsFunc(c.Lines, func(l Line) bool { return l.RequiresShipping })
}

// TaxFree is the part of the total that is free of value added tax. Rule payments-68.
func (c Cart) TaxFree() money.Money {
	return sale.TaxFreeAmount(c.Currency, c.Lines, c.Totals.Taxes, func(l *Line) *sale.Line { return &l.Line })
}

// StatusAt is the status that readers see at now: an active cart is abandoned from ExpiresAt on.
func (c Cart) StatusAt(now time.Time) Status {
	if c.Status == Active && !now.Before(c.ExpiresAt) {
		return Abandoned
	}
	return c.Status
}

// Line finds a line by id.
func (c Cart) Line(id string) (Line, bool) {
	i := c.index(id)
	if i < 0 {
		return Line{}, false
	}
	return c.Lines[i], true
}

func (c Cart) index(id string) int {
	return slices.IndexFunc(c.Lines, func(l Line) bool { return l.ID == id })
}

// findLine finds the line of a variant with exactly these attributes, or -1.
func (c Cart) findLine(variant string, attributes map[string]string) int {
	return slices.IndexFunc(c.Lines, func(l Line) bool { return l.Variant == variant && maps.Equal(l.Attributes, attributes) })
}

// Variants lists the variants of the lines, each once, in line order.
func (c Cart) Variants() []string {
	var ids []string
	for _, l := range c.Lines {
		if !slices.Contains(ids, l.Variant) {
			ids = append(ids, l.Variant)
		}
	}
	return ids
}

// CodeList lists the discount codes in order.
func (c Cart) CodeList() []string {
	var codes []string
	for _, x := range c.Codes {
		codes = append(codes, x.Code)
	}
	return codes
}
