package discount

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Explanation is how the amount of a code was computed: every rule that was checked, then the arithmetic. The
// amount is the smallest of Rounded, Cap and Base, never below 0. A code that is refused has checks only, of
// which the last one failed.
type Explanation struct {
	Checks  []Check
	Base    money.Money   // total of the eligible lines
	Type    Type          // of Value; for a tiered discount, the tier's
	Value   money.Decimal // percent, or major units
	From    *money.Money  // where the tier begins; nil without tiers
	Exact   *big.Rat      // Value of Base in minor units, before rounding
	Rounded money.Money   // Exact, rounded once
	Cap     *money.Money  // nil: none
	Lines   []LineShare   // by the index of Order.Lines
}

// LineShare is the effect of a code on one line.
type LineShare struct {
	Eligible  bool
	Remaining money.Money // what the code may take off the line; 0 unless eligible
	Share     money.Money // what it takes off
}

// Explain is Evaluate with the reasons for its result. Errors: those of Evaluate; the explanation ends at the
// step that failed.
func Explain(c RequestedCode, o Order) (Result, Explanation, error) {
	var x Explanation
	r, err := evaluate(c, o, &x)
	return r, x, err
}

// addCheck records a check. It does nothing if x is nil.
func (x *Explanation) addCheck(c Check) {
	if x != nil {
		x.Checks = append(x.Checks, c)
	}
}

// addArithmetic records how an amount was computed.
func (x *Explanation) addArithmetic(d *Discount, o Order, base int64, s reduction) {
	if x == nil {
		return
	}
	c := o.Subtotal.Currency
	x.Base, x.Type, x.Value, x.From, x.Cap = money.Of(base, c), s.kind, s.value, s.from, d.MaxAmount
	x.Exact, x.Rounded = new(big.Rat).SetInt64(s.rounded), money.Of(s.rounded, c)
	if s.kind == Percentage {
		x.Exact = percentOf(x.Exact, base, s.value)
	}
}

// addShares records the shares of the lines.
func (x *Explanation) addShares(d *Discount, o Order, r Result) {
	if x == nil {
		return
	}
	for i, l := range o.Lines {
		p := LineShare{Eligible: d.covers(l), Remaining: money.Of(0, r.Amount.Currency), Share: r.Shares[i]}
		if p.Eligible {
			p.Remaining = l.Remaining
		}
		x.Lines = append(x.Lines, p)
	}
}
