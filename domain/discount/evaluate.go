package discount

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Order is what a code is judged against. Its amounts are in the currency of Subtotal.
type Order struct {
	Currency money.Currency // what amounts of a discount are compared in; "": not known
	Rounding money.Rounding
	Market   string      // id; "": none
	Subtotal money.Money // whole order before any discount
	Lines    []Line
	Now      time.Time
}

// Line is one line of an order.
type Line struct {
	Product    string
	Categories []string
	Left       money.Money // its total, less what earlier codes took
	Ships      bool
}

// Result is what a usable code gives. Shares stands beside Order.Lines and sums up to Amount; no share passes its line's Left.
type Result struct {
	Amount       money.Money
	Shares       []money.Money
	FreeShipping bool
}

// Evaluate judges c against o, whatever other codes there are. A percentage is computed once on the eligible lines,
// rounded once and spread by largest remainder. Errors: the faults of this package, money.ErrOutOfRange. Contract 6.
func Evaluate(c Candidate, o Order) (Result, error) { return evaluate(c, o, nil) }

// evaluate is Evaluate; x is told what is found on the way, unless it is nil.
func evaluate(c Candidate, o Order, x *Explanation) (Result, error) {
	d := c.Discount
	x.note(Check{Rule: Known, Passed: d != nil})
	if d == nil {
		if c.Refused != nil {
			return Result{}, c.Refused
		}
		return Result{}, ErrNotFound
	}
	if err := d.hold(c, o, x); err != nil {
		return Result{}, err
	}
	weights, base, some := d.eligible(o)
	x.note(Check{Rule: Target, Passed: some})
	if !some {
		return Result{}, ErrNotApplicable
	}
	s, err := d.step(base, o, x)
	if err != nil {
		return Result{}, err
	}
	x.tell(d, o, base, s)
	amount := s.rounded
	if d.MaxAmount != nil {
		amount = min(amount, d.MaxAmount.Minor)
	}
	amount = max(0, min(amount, base))
	r := Result{Amount: money.Of(amount, o.Subtotal.Currency), Shares: make([]money.Money, len(weights)), FreeShipping: d.Type == FreeShipping}
	for i, part := range money.Spread(amount, weights) {
		r.Shares[i] = money.Of(part, o.Subtotal.Currency)
	}
	x.split(d, o, r)
	return r, nil
}

// hold looks at every rule that d sets, up to the first that is not kept.
func (d *Discount) hold(c Candidate, o Order, x *Explanation) error {
	for i := range rules {
		r := &rules[i]
		if !r.set(d) {
			continue
		}
		passed := r.passed(d, c, o)
		if x != nil {
			got, wanted := r.tells(d, c, o)
			x.note(Check{r.name, passed, got, wanted})
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

// eligible weighs each line with what the code may take from it.
func (d *Discount) eligible(o Order) (weights []int64, base int64, some bool) {
	weights = make([]int64, len(o.Lines))
	for i, l := range o.Lines {
		if !d.covers(l) {
			continue
		}
		some = true
		weights[i] = l.Left.Minor
		base += l.Left.Minor
	}
	return weights, base, some
}

// covers reports whether the code is meant for l. A free-shipping code looks for lines that ship.
func (d *Discount) covers(l Line) bool {
	if d.Type == FreeShipping && !l.Ships {
		return false
	}
	if len(d.Products) == 0 && len(d.Categories) == 0 {
		return true
	}
	return slices.Contains(d.Products, l.Product) ||
		slices.ContainsFunc(l.Categories, func(c string) bool { return slices.Contains(d.Categories, c) })
}

// step is what counts of a discount: its own value, or that of the tier reached.
type step struct {
	kind    Type
	value   money.Decimal
	from    *money.Money // nil: there are no tiers
	rounded int64        // minor units, before caps
}

// step finds what d takes off base. Errors: ErrMinOrder when no tier is reached.
func (d *Discount) step(base int64, o Order, x *Explanation) (step, error) {
	s := step{kind: d.Type, value: d.Value}
	if d.Type == Tiered {
		best := d.tier(base)
		if x != nil {
			x.note(Check{Step, best != nil, money.Of(base, o.Subtotal.Currency).Major(), d.lowest()})
		}
		if best == nil {
			return s, ErrMinOrder
		}
		s.kind, s.value, s.from = best.Type, best.Value, &best.From
	}
	return s.of(base, d.Currency, o.Rounding)
}

// tier is the highest one that base reaches, nil when there is none.
func (d *Discount) tier(base int64) (best *Tier) {
	for i := range d.Tiers {
		if t := &d.Tiers[i]; base >= t.From.Minor && (best == nil || t.From.Minor > best.From.Minor) {
			best = t
		}
	}
	return best
}

// lowest is where the first tier begins, "" when there is none.
func (d *Discount) lowest() string {
	if len(d.Tiers) == 0 {
		return ""
	}
	first := slices.MinFunc(d.Tiers, func(a, b Tier) int { return cmp.Compare(a.From.Minor, b.From.Minor) })
	return first.From.Major()
}

// of computes s on base and rounds it. Errors: money.ErrOutOfRange, money.ErrTooManyDigits.
func (s step) of(base int64, c money.Currency, r money.Rounding) (_ step, err error) {
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
