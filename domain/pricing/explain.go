package pricing

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Explanation is how totals were computed: which price each line has and why, which conditions each code was
// checked for and what it took off, which policy and zone determined the shipping. Its numbers add up to the
// totals.
type Explanation struct {
	Currency money.Currency
	Rounding money.Rounding
	Market   string // id; "": none
	At       time.Time
	Lines    []LineExplanation
	Codes    []CodeExplanation    // in list order
	Shipping *ShippingExplanation // nil until a postal code is known, when nothing ships, and when the fee is given
	Taxes    *TaxExplanation      // nil where none are computed
	Subtotal money.Money
	Discount money.Money
	Total    money.Money
}

// TaxExplanation is how the taxes were computed.
type TaxExplanation struct {
	Rules  tax.Rules
	Place  tax.Place // as far as it is known
	Exempt bool      // the buyer pays no taxes
	Result tax.Result
}

// LineExplanation is how the totals of one line were computed: Price.Amount times Quantity, less what an operator agreed to take
// off (LineTotals.Agreed) and the shares of the codes.
type LineExplanation struct {
	LineTotals

	ID, Variant      string
	Quantity         int64
	RequiresShipping bool // its total counts toward free-shipping thresholds
	Price            catalog.PriceExplanation
}

// CodeExplanation is the result of one code with its reasons.
type CodeExplanation struct {
	Code         string
	Discount     string // id; "": there is no such code
	Applied      bool
	Reason       string // why it is not applied
	Amount       money.Money
	FreeShipping bool
	How          discount.Explanation // checks only, unless applied
	Lines        []CodeLine           // the eligible lines, when applied
}

// CodeLine is the effect of a code on one line.
type CodeLine struct {
	ID, Variant string
	Remaining   money.Money // what the line cost before this code
	Share       money.Money
}

// ShippingExplanation is how the shipping fee was computed.
type ShippingExplanation struct {
	To    shipping.Destination
	How   shipping.Explanation
	Quote shipping.Quote
}

// Explain is Compute with the reasons for its result. Errors: those of Compute, and those of
// catalog.ResolvePrice for price facts that resolve to no price.
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

// ExplainLine explains the totals t of l. Errors: those of catalog.ResolvePrice.
func ExplainLine(l Line, t LineTotals) (LineExplanation, error) {
	x := LineExplanation{LineTotals: t, ID: l.ID, Variant: l.Variant, Quantity: l.Quantity, RequiresShipping: l.RequiresShipping}
	x.Price = catalog.PriceExplanation{Source: catalog.PriceKept, Amount: l.UnitPrice}
	if l.Terms != nil && l.Terms.UnitPrice != nil {
		x.Price.Source = catalog.PriceAgreed
		return x, nil
	}
	if l.PriceFacts == nil {
		return x, nil
	}
	var err error
	_, x.Price, err = catalog.ExplainPrice(*l.PriceFacts)
	return x, err
}

// ExplainCode explains the result r of a code; lines correspond to how.Lines by index.
func ExplainCode(r CodeResult, how discount.Explanation, lines []Line) CodeExplanation {
	x := CodeExplanation{
		Code: r.Code, Applied: r.Applied, Reason: r.Reason, Amount: r.Amount, FreeShipping: r.FreeShipping,
		How: discount.Explanation{Checks: how.Checks},
	}
	if r.Discount != nil {
		x.Discount = r.Discount.ID
	}
	if !r.Applied {
		return x
	}
	x.How = how
	for i, p := range how.Lines {
		if p.Eligible {
			x.Lines = append(x.Lines, CodeLine{lines[i].ID, lines[i].Variant, p.Remaining, p.Share})
		}
	}
	return x
}

// evaluateCode is discount.Evaluate; with an explanation (x is not nil) it is discount.Explain.
func (x *Explanation) evaluateCode(c discount.RequestedCode, o discount.Order) (discount.Result, error) {
	if x == nil {
		return discount.Evaluate(c, o)
	}
	r, how, err := discount.Explain(c, o)
	x.Codes = append(x.Codes, CodeExplanation{How: how})
	return r, err
}

// checkCombinable checks that d can be combined with those applied before it. Errors:
// discount.ErrNotCombinable.
func (x *Explanation) checkCombinable(applied []*discount.Discount, d *discount.Discount) error {
	clash := conflicts(applied, d)
	if x != nil {
		how := &x.Codes[len(x.Codes)-1].How
		how.Checks = append(how.Checks, discount.Check{Rule: discount.RuleCombinable, Passed: !clash})
	}
	if clash {
		return discount.ErrNotCombinable
	}
	return nil
}

// finishCode completes the explanation that evaluateCode began.
func (x *Explanation) finishCode(r CodeResult, lines []Line) {
	if x != nil {
		last := &x.Codes[len(x.Codes)-1]
		*last = ExplainCode(r, last.How, lines)
	}
}

// quoteShipping is shipping.Price; with an explanation (x is not nil) it is shipping.Explain.
func (x *Explanation) quoteShipping(p shipping.Shipment) (shipping.Quote, error) {
	if x == nil {
		return shipping.Price(p)
	}
	q, how, err := shipping.Explain(p)
	x.Shipping = &ShippingExplanation{To: p.To, How: how, Quote: q}
	return q, err
}
