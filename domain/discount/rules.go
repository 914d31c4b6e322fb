package discount

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Rule names one thing that a code is held against.
type Rule string

// The rules, in the order in which they are looked at. Contract 6.
const (
	Known         Rule = "known"              // there is such a code
	Switch        Rule = "active"             // it is switched on
	Start         Rule = "starts_at"          // it has begun
	End           Rule = "ends_at"            // it is not over
	Usage         Rule = "usage_limit"        // uses are left
	CustomerUsage Rule = "per_customer_limit" // uses of this customer are left
	Market        Rule = "markets"            // it is given out in the order's market
	Context       Rule = "currency"           // amounts can be compared: the order is in the discount's currency
	Minimum       Rule = "min_order_amount"   // the whole subtotal is large enough
	Target        Rule = "applicable"         // some line is what it applies to
	Step          Rule = "tiers"              // a tier is reached
	Combination   Rule = "combinable"         // it may stand beside the codes applied before it
)

// Check is one rule that a code was held against.
type Check struct {
	Rule   Rule
	Passed bool
	// Got is what the order has and Wanted what the rule asks for, as the wire writes them; "" where there is nothing to tell.
	Got, Wanted string
}

// rule is how a discount is held against an order, whatever its lines. One that is not set asks for nothing.
type rule struct {
	name    Rule
	set     func(*Discount) bool
	passed  func(*Discount, Candidate, Order) bool
	refusal *fault.Error
	tells   func(*Discount, Candidate, Order) (got, wanted string)
}

var rules = []rule{
	{
		Switch, func(*Discount) bool { return true },
		func(d *Discount, _ Candidate, _ Order) bool { return d.Active }, ErrInactive,
		func(*Discount, Candidate, Order) (string, string) { return "", "" },
	},
	{
		Start, func(d *Discount) bool { return !d.StartsAt.IsZero() },
		func(d *Discount, _ Candidate, o Order) bool { return !o.Now.Before(d.StartsAt) }, ErrNotStarted,
		func(d *Discount, _ Candidate, o Order) (string, string) { return instant(o.Now), instant(d.StartsAt) },
	},
	{
		End, func(d *Discount) bool { return !d.EndsAt.IsZero() },
		func(d *Discount, _ Candidate, o Order) bool { return o.Now.Before(d.EndsAt) }, ErrExpired,
		func(d *Discount, _ Candidate, o Order) (string, string) { return instant(o.Now), instant(d.EndsAt) },
	},
	{
		Usage, func(d *Discount) bool { return d.UsageLimit > 0 },
		func(d *Discount, c Candidate, _ Order) bool { return c.Uses < d.UsageLimit }, ErrUsageLimit,
		func(d *Discount, c Candidate, _ Order) (string, string) { return count(c.Uses), count(d.UsageLimit) },
	},
	{
		CustomerUsage, func(d *Discount) bool { return d.PerCustomerLimit > 0 },
		func(d *Discount, c Candidate, _ Order) bool { return c.OwnUses < d.PerCustomerLimit }, ErrCustomerLimit,
		func(d *Discount, c Candidate, _ Order) (string, string) {
			return count(c.OwnUses), count(d.PerCustomerLimit)
		},
	},
	{
		Market, func(d *Discount) bool { return len(d.Markets) > 0 },
		func(d *Discount, _ Candidate, o Order) bool { return slices.Contains(d.Markets, o.Market) }, ErrNotApplicable,
		func(d *Discount, _ Candidate, o Order) (string, string) {
			return o.Market, strings.Join(d.Markets, " ")
		},
	},
	{
		Context, (*Discount).dependsOnAmount,
		func(d *Discount, _ Candidate, o Order) bool { return o.Currency != "" && o.Currency == d.Currency }, ErrContextRequired,
		func(d *Discount, _ Candidate, o Order) (string, string) {
			return string(o.Currency), string(d.Currency)
		},
	},
	{
		Minimum, func(d *Discount) bool { return d.MinOrder != nil },
		func(d *Discount, _ Candidate, o Order) bool { return o.Subtotal.Minor >= d.MinOrder.Minor }, ErrMinOrder,
		func(d *Discount, _ Candidate, o Order) (string, string) {
			return o.Subtotal.Major(), d.MinOrder.Major()
		},
	},
}

func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func count(n int64) string { return strconv.FormatInt(n, 10) }
