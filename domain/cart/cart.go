// Package cart decides what may happen to a shopping cart. Contract 5, Spec 4.6.
//
// Decisions of our own, where the contract is silent: a price flag (priceChanged) tells about the latest mutation only;
// a line whose variant disappeared keeps its last price and counts in the totals until the shopper removes it; giving a
// line the attributes of another line of the same variant joins the two.
//
// Of merging: a cart never passes from one customer to another, and one that was a customer's makes the target theirs. A
// quantity above what a line may hold is lowered as one above the stock is; what sold out goes, with a warning that keeps
// 0, and what is not on sale stays, unavailable. Admissions beyond the kept units go, the source's first. More codes or
// attributes than one cart may have are refused rather than dropped. The source stays readable with its lines; a checkout
// made of it before goes on, since its lines are frozen.
package cart

import (
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of a cart. Contract 5; MaxCodes is ours.
const (
	MaxLines      = 200
	MaxQuantity   = 9999
	MaxCodes      = 20
	MaxAttributes = 50
	MaxAttribute  = 2048 // bytes of one attribute value
	Lifetime      = 30 * 24 * time.Hour
)

// Status says whether a cart can still be changed.
type Status string

// The states of a cart. Abandoned is never stored by a mutation: an active cart reads so once it expired.
const (
	Active    Status = "active"
	Completed Status = "completed" // its checkout became an order
	Merged    Status = "merged"    // its lines went to another cart
	Abandoned Status = "abandoned"
)

// Cart is the whole state of one cart. Every Money is in Currency.
type Cart struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Customer    string // id of the owner, or "" for a guest
	Status      Status
	Revision    int64  // 1 at create, +1 per applied mutation; 0 before the cart exists
	Market      string // id of the market the cart is locked to, or "" while it is not
	Currency    money.Currency
	Lines       []Line // in the order they were first added
	Codes       []Code // in the order they apply
	Attributes  map[string]string
	Totals      Totals
	TokenHash   string    // SHA-256 of the capability token; "" when there is none
	ExpiresAt   time.Time // Lifetime after the last change
	CreatedAt   time.Time
	UpdatedAt   time.Time
	Sequence    int64 // recordSequence
}

// Line is one variant with one set of attributes.
type Line struct {
	ID               string
	Product, Variant string // ids
	Title            string // of the product
	VariantTitle     string
	SKU, Image       string // "" when there is none; Image is a media id
	Quantity         int64  // 1..MaxQuantity
	UnitPrice        money.Money
	CompareAt        money.Money // the zero Money when there is none
	Subtotal         money.Money // UnitPrice × Quantity
	Discount         money.Money
	Total            money.Money // Subtotal − Discount
	RequiresShipping bool
	Kind             string            // physical, digital, service, event
	Admissions       []Admission       // events: exactly Quantity of them, else none
	Attributes       map[string]string // never nil entries; nil when there are none
	Available        bool              // can be sold in this quantity as far as the latest mutation saw
	PriceChanged     bool              // the latest mutation found another unit price than the one before
}

// Admission is one person who attends an event.
type Admission struct {
	Name, Email, Phone string // Email and Phone may be ""
	Attributes         map[string]string
}

// Code is one discount code of a cart, usable or not.
type Code struct {
	Code    string
	Applied bool
	Amount  money.Money // what it takes off; zero when not applied
	Reason  string      // why it is not applied: a reason of Contract 1.1
}

// Totals are the sums of a cart. Shipping is unknown until there is an address, so a cart has none.
type Totals struct{ Subtotal, Discount, Total money.Money }

// RequiresShipping reports whether any line is sent to an address. Spec 3.4.
func (c Cart) RequiresShipping() bool {
	return slices.ContainsFunc(c.Lines, func(l Line) bool { return l.RequiresShipping })
}

// StatusAt is the status a reader sees at now: an active cart is abandoned from ExpiresAt on.
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

// same finds the line of a variant with exactly these attributes, or -1.
func (c Cart) same(variant string, attributes map[string]string) int {
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

// CodeTexts lists the discount codes in order.
func (c Cart) CodeTexts() []string {
	var codes []string
	for _, x := range c.Codes {
		codes = append(codes, x.Code)
	}
	return codes
}
