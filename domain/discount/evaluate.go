package discount

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Order is the order that a code is applied to. Its amounts are in the currency of Subtotal.
type Order struct {
	Currency money.Currency // compared with the currency of a discount's amounts; "": unknown
	Rounding money.Rounding
	Market   string      // id; "": none
	Subtotal money.Money // whole order before any discount
	Lines    []Line
	Now      time.Time
}

// Line is one line of an order.
type Line struct {
	Product          string
	Categories       []string
	Remaining        money.Money // its total, less what earlier codes took off
	RequiresShipping bool
}

// Result is the effect of a code that applies. Shares correspond to Order.Lines by index and add up to
// Amount; no share exceeds Line.Remaining.
type Result struct {
	Amount       money.Money
	Shares       []money.Money
	FreeShipping bool
}

// Evaluate applies c to o without regard to other codes. A percentage is computed once on the eligible lines,
// rounded once and split by largest remainder. Errors: the faults of this package, money.ErrOutOfRange. Rules
// discounts-2, money-7.
func Evaluate(c RequestedCode, o Order) (Result, error) { return evaluate(c, o, nil) }

// evaluate is Evaluate; x, if not nil, records each step for the explanation.
func evaluate(c RequestedCode, o Order, x *Explanation) (Result, error) {
	d := c.Discount
	x.addCheck(Check{Rule: RuleExists, Passed: d != nil})
	if d == nil {
		if c.Refusal != nil {
			return Result{}, c.Refusal
		}
		return Result{}, ErrNotFound
	}
	if err := d.checkRules(c, o, x); err != nil {
		return Result{}, err
	}
	weights, base, some := d.eligible(o)
	x.addCheck(Check{Rule: RuleApplicable, Passed: some})
	if !some {
		return Result{}, ErrNotApplicable
	}
	s, err := d.reduction(base, o, x)
	if err != nil {
		return Result{}, err
	}
	x.addArithmetic(d, o, base, s)
	amount := s.rounded
	if d.MaxAmount != nil {
		amount = min(amount, d.MaxAmount.Minor)
	}
	amount = max(0, min(amount, base))
	r := Result{
		Amount: money.Of(amount, o.Subtotal.Currency), Shares: make([]money.Money, len(weights)), FreeShipping: d.Type == FreeShipping,
	}
	for i, part := range money.Allocate(amount, weights) {
		r.Shares[i] = money.Of(part, o.Subtotal.Currency)
	}
	x.addShares(d, o, r)
	return r, nil
}

// checkRules checks the rules that d sets, up to the first that fails.
func (d *Discount) checkRules(c RequestedCode, o Order, x *Explanation) error {
	for i := range rules {
		r := &rules[i]
		if !r.applies(d) {
			continue
		}
		passed := r.passed(d, c, o)
		if x != nil {
			got, wanted := r.values(d, c, o)
			x.addCheck(Check{r.name, passed, got, wanted})
		}
		if !passed {
			return r.refusal
		}
	}
	return nil
}

func (d *Discount) dependsOnAmount() bool {
	return d.Type == FixedAmount || d.Type == Tiered || d.MinOrder != nil || d.MaxAmount != nil
}

// eligible returns for each line what the code may take off it, their sum, and whether any line is eligible.
func (d *Discount) eligible(o Order) (weights []int64, base int64, some bool) {
	weights = make([]int64, len(o.Lines))
	for i, l := range o.Lines {
		if !d.covers(l) {
			continue
		}
		some = true
		weights[i] = l.Remaining.Minor
		base += l.Remaining.Minor
	}
	return weights, base, some
}

// covers reports whether the code applies to l. Free shipping applies only to lines that ship.
func (d *Discount) covers(l Line) bool {
	if d.Type == FreeShipping && !l.RequiresShipping {
		return false
	}
	if len(d.Products) == 0 && len(d.Categories) == 0 {
		return true
	}
	return slices.Contains(d.Products, l.Product) ||
		slices.ContainsFunc(l.Categories, func(c string) bool { return slices.Contains(d.Categories, c) })
}

// reduction is the value of a discount that applies: its own, or that of the tier reached.
type reduction struct {
	kind    Type
	value   money.Decimal
	from    *money.Money // nil: there are no tiers
	rounded int64        // minor units, before caps
}

// reduction computes what d takes off base. Errors: ErrMinOrder when no tier is reached.
func (d *Discount) reduction(base int64, o Order, x *Explanation) (reduction, error) {
	s := reduction{kind: d.Type, value: d.Value}
	if d.Type == Tiered {
		best := d.tier(base)
		if x != nil {
			x.addCheck(Check{RuleTier, best != nil, money.Of(base, o.Subtotal.Currency).Major(), d.lowestTier()})
		}
		if best == nil {
			return s, ErrMinOrder
		}
		s.kind, s.value, s.from = best.Type, best.Value, &best.From
	}
	return s.on(base, d.Currency, o.Rounding)
}

// tier is the highest tier that base reaches, or nil.
func (d *Discount) tier(base int64) (best *Tier) {
	for i := range d.Tiers {
		if t := &d.Tiers[i]; base >= t.From.Minor && (best == nil || t.From.Minor > best.From.Minor) {
			best = t
		}
	}
	return best
}

// lowestTier is the amount at which the first tier begins; "" without tiers.
func (d *Discount) lowestTier() string {
	if len(d.Tiers) == 0 {
		return ""
	}
	first := slices.MinFunc(d.Tiers, func(a, b Tier) int { return cmp.Compare(a.From.Minor, b.From.Minor) })
	return first.From.Major()
}

// on computes the amount of s for base and rounds it. Errors: money.ErrOutOfRange, money.ErrTooManyDigits.
func (s reduction) on(base int64, c money.Currency, r money.Rounding) (_ reduction, err error) {
	switch s.kind {
	case Percentage:
		s.rounded, err = r.Round(percentOf(new(big.Rat), base, s.value))
	case FixedAmount:
		var m money.Money
		m, err = money.Parse(s.value.String(), c)
		s.rounded = m.Minor
	default: // free shipping takes nothing off
	}
	return s, err
}

// percentOf sets x to value percent of base, exactly.
func percentOf(x *big.Rat, base int64, value money.Decimal) *big.Rat {
	return x.Mul(big.NewRat(base, 100), value.Rat())
}
