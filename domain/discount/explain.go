package discount

import (
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Explanation is how a code came to its amount: every rule that was looked at, then the arithmetic. The amount is the
// least of Rounded, Cap and Base, never below 0. A code that is refused has checks only, the last of them missed.
type Explanation struct {
	Checks  []Check
	Base    money.Money   // what the code may take from its lines together
	Type    Type          // how Value is meant: of a tiered discount, the tier's
	Value   money.Decimal // percent, or major units
	From    *money.Money  // where the tier that counts begins; nil when there are no tiers
	Exact   *big.Rat      // Value of Base in minor units, before rounding
	Rounded money.Money   // Exact, rounded once
	Cap     *money.Money  // nil: none
	Lines   []Part        // beside Order.Lines
}

// Part is what a code does to one line.
type Part struct {
	Eligible bool
	Left     money.Money // what the code may take from the line; 0 unless eligible
	Share    money.Money // what it takes
}

// Explain is Evaluate with the reasons for its answer. Errors: those of Evaluate; then the explanation ends where they arose.
func Explain(c Candidate, o Order) (Result, Explanation, error) {
	var x Explanation
	r, err := evaluate(c, o, &x)
	return r, x, err
}

// note adds a check; where nobody asked, x is nil and nothing is written.
func (x *Explanation) note(c Check) {
	if x != nil {
		x.Checks = append(x.Checks, c)
	}
}

// tell takes down the arithmetic of an amount.
func (x *Explanation) tell(d *Discount, o Order, base int64, s step) {
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

// split takes down what the lines bear of r.
func (x *Explanation) split(d *Discount, o Order, r Result) {
	if x == nil {
		return
	}
	for i, l := range o.Lines {
		p := Part{Eligible: d.covers(l), Left: money.Of(0, r.Amount.Currency), Share: r.Shares[i]}
		if p.Eligible {
			p.Left = l.Left
		}
		x.Lines = append(x.Lines, p)
	}
}
