// Package discount is what a code takes off an order.
//
// Amount-dependent rules (fixed amounts, minimums, caps, tiers) fail closed: they need to know the currency, and it must
// be the discount's. A tier is reached by what the code works on: the eligible lines, less what earlier codes took.
package discount

import (
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Type is what a discount does.
type Type string

// The types. Contract 3.
const (
	Percentage   Type = "percentage"
	FixedAmount  Type = "fixed_amount"
	FreeShipping Type = "free_shipping"
	Tiered       Type = "tiered"
)

// Discount is one code with its rules.
type Discount struct {
	ID               string
	Code             string // upper case
	Type             Type
	Value            money.Decimal  // percentage: 0–100; fixed amount: major units of Currency
	Currency         money.Currency // of Value, Tiers, MinOrder and MaxAmount
	Tiers            []Tier
	MinOrder         *money.Money // on the whole subtotal; nil: none
	MaxAmount        *money.Money // cap; nil: none
	StartsAt, EndsAt time.Time    // zero: open; the end itself is over
	UsageLimit       int64        // 0: none
	PerCustomerLimit int64        // 0: none
	Combinable       bool
	Active           bool
	Products         []string // with Categories: what it applies to; both empty: everything
	Categories       []string
	Markets          []string // empty: every market, and none
}

// Tier is one step of a tiered discount.
type Tier struct {
	From  money.Money
	Type  Type // Percentage or FixedAmount
	Value money.Decimal
}

// Candidate is one code of a list with the facts to judge it, or the reason it cannot be used whatever the order.
type Candidate struct {
	Code     string // as the client wrote it, upper case
	Discount *Discount
	Refused  *fault.Error // set when Discount is nil: ErrNotFound
	Uses     int64        // placed and reserved so far
	OwnUses  int64        // of those, by this customer; 0 for a stranger
}

// The faults of this package. Contract 1.1.
var (
	ErrNotFound        = fault.New(fault.Unprocessable, "discount_not_found", "There is no such discount code.")
	ErrInactive        = fault.New(fault.Unprocessable, "discount_inactive", "This discount code is not active.")
	ErrNotStarted      = fault.New(fault.Unprocessable, "discount_not_started", "This discount code is not valid yet.")
	ErrExpired         = fault.New(fault.Unprocessable, "discount_expired", "This discount code has expired.")
	ErrUsageLimit      = fault.New(fault.Unprocessable, "discount_usage_limit", "This discount code has been used as often as allowed.")
	ErrCustomerLimit   = fault.New(fault.Unprocessable, "discount_customer_limit", "This discount code has been used as often as allowed for this customer.")
	ErrMinOrder        = fault.New(fault.Unprocessable, "discount_min_order", "The order is too small for this discount code.")
	ErrNotApplicable   = fault.New(fault.Unprocessable, "discount_not_applicable", "This discount code does not apply to anything in this order.")
	ErrNotCombinable   = fault.New(fault.Unprocessable, "discount_not_combinable", "This discount code cannot be combined with another one.")
	ErrContextRequired = fault.New(fault.Unprocessable, "discount_context_required", "This discount code can only be judged with an order in its own currency.")
)

// Refusals are why a code is of no use: all faults of this package.
var Refusals = []*fault.Error{
	ErrNotFound, ErrInactive, ErrNotStarted, ErrExpired, ErrUsageLimit, ErrCustomerLimit, ErrMinOrder, ErrNotApplicable, ErrNotCombinable, ErrContextRequired,
}

// Reasons are their reasons, as fields list them.
var Reasons = fault.Reasons(Refusals...)

// Normal is the form in which codes are kept and compared: upper case, no spaces around.
func Normal(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// NormalList puts codes in their normal form; later duplicates and empty ones fall away. Contract 6.
func NormalList(codes []string) []string {
	var out []string
	for _, c := range codes {
		if c = Normal(c); c != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
