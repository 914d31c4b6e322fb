// Package discount computes what discount codes take off an order.
//
// Rules that depend on an amount (fixed amounts, minimums, caps, tiers) apply only if the order's currency is
// known and is the discount's; otherwise the code is refused. A tier is reached by the amount that the code
// applies to: the total of the eligible lines, less what earlier codes took off.
package discount

import (
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Type is the kind of reduction a discount gives.
type Type string

// The types. Rule discounts-14.
const (
	Percentage   Type = "percentage"
	FixedAmount  Type = "fixed_amount"
	FreeShipping Type = "free_shipping"
	Tiered       Type = "tiered"
)

// Discount is a discount with its rules.
type Discount struct {
	ID               string
	Code             string // upper case
	Type             Type
	Value            money.Decimal  // percentage: 0–100; fixed amount: major units of Currency
	Currency         money.Currency // of Value, Tiers, MinOrder and MaxAmount
	Tiers            []Tier
	MinOrder         *money.Money // on the whole subtotal; nil: none
	MaxAmount        *money.Money // cap; nil: none
	StartsAt, EndsAt time.Time    // zero: no limit; EndsAt is exclusive
	UsageLimit       int64        // 0: none
	PerCustomerLimit int64        // 0: none
	Combinable       bool
	Active           bool
	Products         []string // together with Categories, what it applies to; both empty: everything
	Categories       []string
	Markets          []string // empty: in every market and without one
}

// Tier is one step of a tiered discount.
type Tier struct {
	From  money.Money
	Type  Type // Percentage or FixedAmount
	Value money.Decimal
}

// RequestedCode is one code of a list with the facts needed to evaluate it, or the reason why it can never
// apply.
type RequestedCode struct {
	Code         string // as the client sent it, in upper case
	Discount     *Discount
	Refusal      *fault.Error // set when Discount is nil: ErrNotFound
	Uses         int64        // placed and reserved so far
	CustomerUses int64        // of those, by this customer; 0 for an unknown customer
}

// The faults of this package. Rule api-14.
var (
	ErrNotFound      = fault.New(fault.Unprocessable, "discount_not_found", "There is no such discount code.")
	ErrInactive      = fault.New(fault.Unprocessable, "discount_inactive", "This discount code is not active.")
	ErrNotStarted    = fault.New(fault.Unprocessable, "discount_not_started", "This discount code is not valid yet.")
	ErrExpired       = fault.New(fault.Unprocessable, "discount_expired", "This discount code has expired.")
	ErrUsageLimit    = fault.New(fault.Unprocessable, "discount_usage_limit", "This discount code has been used as often as allowed.")
	ErrCustomerLimit = fault.New(fault.Unprocessable, "discount_customer_limit",
		"This discount code has been used as often as allowed for this customer.")
	ErrMinOrder      = fault.New(fault.Unprocessable, "discount_min_order", "The order is too small for this discount code.")
	ErrNotApplicable = fault.New(fault.Unprocessable, "discount_not_applicable",
		"This discount code does not apply to anything in this order.")
	ErrNotCombinable = fault.New(fault.Unprocessable, "discount_not_combinable",
		"This discount code cannot be combined with another one.")
	ErrContextRequired = fault.New(fault.Unprocessable, "discount_context_required",
		"This discount code can only be checked against an order in its own currency.")
)

// Refusals are the faults for which a code does not apply: all faults of this package.
var Refusals = []*fault.Error{
	ErrNotFound, ErrInactive, ErrNotStarted, ErrExpired, ErrUsageLimit, ErrCustomerLimit, ErrMinOrder, ErrNotApplicable, ErrNotCombinable,
	ErrContextRequired,
}

// Reasons are the reasons of Refusals, as options of a field.
var Reasons = fault.Reasons(Refusals...)

// NormalizeCode is the form in which codes are stored and compared: upper case, without surrounding spaces.
func NormalizeCode(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// NormalizeCodes normalizes codes, and drops empty codes and later duplicates. Rules discounts-8,
// discounts-9.
func NormalizeCodes(codes []string) []string {
	var out []string
	for _, c := range codes {
		if c = NormalizeCode(c); c != "" && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
