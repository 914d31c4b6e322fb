package discount

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Rule is one condition that a code is checked for.
type Rule string

// The rules, in the order in which they are checked. Rules discounts-1, discounts-3, discounts-6.
const (
	RuleExists        Rule = "known"              // the code exists
	RuleActive        Rule = "active"             // the discount is active
	RuleStart         Rule = "starts_at"          // startsAt has passed
	RuleEnd           Rule = "ends_at"            // endsAt has not passed
	RuleUsageLimit    Rule = "usage_limit"        // uses are left
	RuleCustomerLimit Rule = "per_customer_limit" // uses of this customer are left
	RuleMarket        Rule = "markets"            // the order's market is one of the discount's
	RuleCurrency      Rule = "currency"           // the order is in the discount's currency, so amounts can be compared
	RuleMinimum       Rule = "min_order_amount"   // the subtotal reaches the minimum
	RuleApplicable    Rule = "applicable"         // at least one line is eligible
	RuleTier          Rule = "tiers"              // a tier is reached
	RuleCombinable    Rule = "combinable"         // it can be combined with the codes applied before it
)

// Check is the result of one rule for a code.
type Check struct {
	Rule   Rule
	Passed bool
	// Got is the value of the order and Wanted the value that the rule requires, in wire format; "" for rules
	// without values.
	Got, Wanted string
}

// rule checks one condition that does not depend on the lines. A rule that a discount does not set is
// skipped.
type rule struct {
	name    Rule
	applies func(*Discount) bool
	passed  func(*Discount, RequestedCode, Order) bool
	refusal *fault.Error
	values  func(*Discount, RequestedCode, Order) (got, wanted string)
}

var rules = []rule{
	{
		RuleActive, func(*Discount) bool { return true },
		func(d *Discount, _ RequestedCode, _ Order) bool { return d.Active }, ErrInactive,
		func(*Discount, RequestedCode, Order) (string, string) { return "", "" },
	},
	{
		RuleStart, func(d *Discount) bool { return !d.StartsAt.IsZero() },
		func(d *Discount, _ RequestedCode, o Order) bool { return !o.Now.Before(d.StartsAt) }, ErrNotStarted,
		func(d *Discount, _ RequestedCode, o Order) (string, string) {
			return instant(o.Now), instant(d.StartsAt)
		},
	},
	{
		RuleEnd, func(d *Discount) bool { return !d.EndsAt.IsZero() },
		func(d *Discount, _ RequestedCode, o Order) bool { return o.Now.Before(d.EndsAt) }, ErrExpired,
		func(d *Discount, _ RequestedCode, o Order) (string, string) { return instant(o.Now), instant(d.EndsAt) },
	},
	{
		RuleUsageLimit, func(d *Discount) bool { return d.UsageLimit > 0 },
		func(d *Discount, c RequestedCode, _ Order) bool { return c.Uses < d.UsageLimit }, ErrUsageLimit,
		func(d *Discount, c RequestedCode, _ Order) (string, string) {
			return count(c.Uses), count(d.UsageLimit)
		},
	},
	{
		RuleCustomerLimit, func(d *Discount) bool { return d.PerCustomerLimit > 0 },
		func(d *Discount, c RequestedCode, _ Order) bool { return c.CustomerUses < d.PerCustomerLimit }, ErrCustomerLimit,
		func(d *Discount, c RequestedCode, _ Order) (string, string) {
			return count(c.CustomerUses), count(d.PerCustomerLimit)
		},
	},
	{
		RuleMarket, func(d *Discount) bool { return len(d.Markets) > 0 },
		func(d *Discount, _ RequestedCode, o Order) bool { return slices.Contains(d.Markets, o.Market) }, ErrNotApplicable,
		func(d *Discount, _ RequestedCode, o Order) (string, string) {
			return o.Market, strings.Join(d.Markets, " ")
		},
	},
	{
		RuleCurrency, (*Discount).dependsOnAmount,
		func(d *Discount, _ RequestedCode, o Order) bool { return o.Currency != "" && o.Currency == d.Currency }, ErrContextRequired,
		func(d *Discount, _ RequestedCode, o Order) (string, string) {
			return string(o.Currency), string(d.Currency)
		},
	},
	{
		RuleMinimum, func(d *Discount) bool { return d.MinOrder != nil },
		func(d *Discount, _ RequestedCode, o Order) bool { return o.Subtotal.Minor >= d.MinOrder.Minor }, ErrMinOrder,
		func(d *Discount, _ RequestedCode, o Order) (string, string) {
			return o.Subtotal.Major(), d.MinOrder.Major()
		},
	},
}

func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func count(n int64) string { return strconv.FormatInt(n, 10) }
