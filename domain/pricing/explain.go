package pricing

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// Explanation is how totals came about: which price each line has and why, what each code was held against and took,
// which policy and zone made the shipping. Its numbers add up to the totals.
type Explanation struct {
	Currency money.Currency
	Rounding money.Rounding
	Market   string // id; "": none
	At       time.Time
	Lines    []LineExplanation
	Codes    []CodeExplanation    // in list order
	Shipping *ShippingExplanation // nil until a postal code is known, when nothing ships, and when the fee is given
	Subtotal money.Money
	Discount money.Money
	Total    money.Money
}

// LineExplanation is how one line came to its totals: Price.Amount times Quantity, less the shares of the codes.
type LineExplanation struct {
	LineTotals

	ID, Variant      string
	Quantity         int64
	RequiresShipping bool // its total counts toward thresholds of shipping
	Price            catalog.PriceExplanation
}

// CodeExplanation is what became of one code.
type CodeExplanation struct {
	Code         string
	Discount     string // id; "": there is no such code
	Applied      bool
	Reason       string // why it is not applied
	Amount       money.Money
	FreeShipping bool
	How          discount.Explanation // checks only, unless applied
	Lines        []CodeLine           // the lines it may take from, when applied
}

// CodeLine is what a code does to one line.
type CodeLine struct {
	ID, Variant string
	Left        money.Money // what the line cost before this code
	Share       money.Money
}

// ShippingExplanation is how the shipping came about.
type ShippingExplanation struct {
	PostalCode string
	How        shipping.Explanation
	Quote      shipping.Quote
}

// Explain is Compute with the reasons for its answer. Errors: those of Compute, and those of catalog.ResolvePrice for
// price facts that resolve to nothing.
func Explain(in Input) (Totals, Explanation, error) {
	x := Explanation{Currency: in.Currency, Rounding: in.Rounding, Market: in.Market, At: in.Now}
	t, err := compute(in, &x)
	if err != nil {
		return Totals{}, Explanation{}, err
	}
	x.Subtotal, x.Discount, x.Total = t.Subtotal, t.Discount, t.Total
	for i, l := range in.Lines {
		line, err := ExplainLine(l, t.Lines[i])
		if err != nil {
			return Totals{}, Explanation{}, err
		}
		x.Lines = append(x.Lines, line)
	}
	return t, x, nil
}

// ExplainLine tells how l came to t. Errors: those of catalog.ResolvePrice.
func ExplainLine(l Line, t LineTotals) (LineExplanation, error) {
	x := LineExplanation{LineTotals: t, ID: l.ID, Variant: l.Variant, Quantity: l.Quantity, RequiresShipping: l.RequiresShipping}
	x.Price = catalog.PriceExplanation{Source: catalog.Kept, Amount: l.UnitPrice}
	if l.PriceFacts == nil {
		return x, nil
	}
	var err error
	_, x.Price, err = catalog.ExplainPrice(*l.PriceFacts)
	return x, err
}

// ExplainCode tells what became of a code by its result and explanation; lines stand beside how.Lines.
func ExplainCode(r CodeResult, how discount.Explanation, lines []Line) CodeExplanation {
	x := CodeExplanation{Code: r.Code, Applied: r.Applied, Reason: r.Reason, Amount: r.Amount, FreeShipping: r.FreeShipping, How: discount.Explanation{Checks: how.Checks}}
	if r.Discount != nil {
		x.Discount = r.Discount.ID
	}
	if !r.Applied {
		return x
	}
	x.How = how
	for i, p := range how.Lines {
		if p.Eligible {
			x.Lines = append(x.Lines, CodeLine{lines[i].ID, lines[i].Variant, p.Left, p.Share})
		}
	}
	return x
}

// judge is discount.Evaluate, or Explain where somebody asked.
func (x *Explanation) judge(c discount.Candidate, o discount.Order) (discount.Result, error) {
	if x == nil {
		return discount.Evaluate(c, o)
	}
	r, how, err := discount.Explain(c, o)
	x.Codes = append(x.Codes, CodeExplanation{How: how})
	return r, err
}

// beside looks whether d may stand with those applied before it. Errors: discount.ErrNotCombinable.
func (x *Explanation) beside(applied []*discount.Discount, d *discount.Discount) error {
	clash := clashes(applied, d)
	if x != nil {
		how := &x.Codes[len(x.Codes)-1].How
		how.Checks = append(how.Checks, discount.Check{Rule: discount.Combination, Passed: !clash})
	}
	if clash {
		return discount.ErrNotCombinable
	}
	return nil
}

// settle completes what judge began.
func (x *Explanation) settle(r CodeResult, lines []Line) {
	if x != nil {
		last := &x.Codes[len(x.Codes)-1]
		*last = ExplainCode(r, last.How, lines)
	}
}

// quote is shipping.Price, or Explain where somebody asked.
func (x *Explanation) quote(p shipping.Parcel) (shipping.Quote, error) {
	if x == nil {
		return shipping.Price(p)
	}
	q, how, err := shipping.Explain(p)
	x.Shipping = &ShippingExplanation{PostalCode: p.PostalCode, How: how, Quote: q}
	return q, err
}
