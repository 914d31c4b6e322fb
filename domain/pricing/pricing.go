// Package pricing computes the totals of an order: lines, discount codes in list order, shipping. Carts,
// checkouts and drafts share it, so that the same facts give the same totals everywhere. Everything here is a
// pure function of its input.
package pricing

import (
	"cmp"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Line is one line to price; the facts are looked up already.
type Line struct {
	ID               string // of the cart or draft line
	Variant, Product string
	Categories       []string // of the product, for discount rules
	Quantity         int64
	UnitPrice        money.Money
	CompareAt        money.Money // zero value: none
	RequiresShipping bool
	ShippingPolicy   *shipping.Policy // the product's own; nil: Input.DefaultPolicy
	TaxClass         tax.Class
	SKU              string // for tax services
	// PriceFacts is what UnitPrice was resolved from, for the explanation only; nil when the line kept an
	// earlier price.
	PriceFacts *catalog.PriceFacts
	Terms      *Terms // by which UnitPrice stands, with what they take off the line; nil: none
}

// Input is everything that totals depend on.
type Input struct {
	Currency      money.Currency
	Rounding      money.Rounding
	Market        string // id; "": none
	Lines         []Line
	Codes         []discount.RequestedCode // in list order, each code once
	DefaultPolicy *shipping.Policy         // the tenant's default; nil: none
	To            *shipping.Destination    // nil: not known yet, so the shipping is unknown too
	ShippingFee   *money.Money             // set by an operator in place of the policies' fee; nil: by the policies
	Policy        *shipping.Policy         // chosen by an operator for all that ships; nil: the lines' own
	Taxes         *tax.Rules               // of the market; nil: none are computed
	Place         tax.Place                // where it goes; empty: not known yet, so taxes are an estimate
	Home          tax.Place                // where the shop is, for tax services
	TaxBuyer      tax.Buyer                // who buys, for tax services
	TaxExempt     bool                     // the buyer pays no taxes
	Now           time.Time
}

// LineTotals are the totals of one line. Total = Subtotal − Discount; taxes are in it, or come on top.
type LineTotals struct {
	Subtotal, Discount, Total money.Money
	Agreed                    money.Money // what of Discount the line's terms take; the codes take the rest
	Tax                       money.Money // of all rates; the zero Money where no taxes are computed
	TaxIncluded               bool
	Taxes                     tax.Taxes // of each rate
}

// CodeResult is the result of one code.
type CodeResult struct {
	Code         string
	Applied      bool
	Amount       money.Money        // zero amount unless applied
	Reason       string             // why it is not applied, a reason of Rule api-14; "" when applied
	Refusal      *fault.Error       // the fault behind Reason; nil when applied
	FreeShipping bool               // applied, and waives the base fee
	Discount     *discount.Discount // nil when there is no such code
}

// Totals are the totals of an order. Lines and Codes correspond to the input's by index. Subtotal and
// Discount are the sums over Lines; Total = Subtotal − Discount + Shipping, never below 0, and the taxes if they are added.
type Totals struct {
	Subtotal, Discount money.Money
	RequiresShipping   bool            // a line requires shipping; false: leave shipping out altogether (Rule shipping-2)
	Shipping           *money.Money    // nil until a postal code is known unless the fee is given, and when nothing ships
	Quote              *shipping.Quote // how Shipping was computed; nil with it, and when the fee is given
	Total              money.Money
	Taxes              *tax.Result // nil where none are computed
	Lines              []LineTotals
	Codes              []CodeResult
}

// Compute computes the totals of in. Errors: shipping.ErrUnavailable and shipping.ErrPostalCode once a postal
// code is given, money.ErrOutOfRange. A code that cannot be used is no error: it is listed with its reason.
func Compute(in Input) (Totals, error) { return compute(in, nil) }

// compute is Compute; x, if not nil, records each step for the explanation.
func compute(in Input, x *Explanation) (Totals, error) {
	t := Totals{Subtotal: money.Of(0, in.Currency), Discount: money.Of(0, in.Currency)}
	for _, l := range in.Lines {
		if err := t.addLine(l, in.Rounding); err != nil {
			return Totals{}, err
		}
	}
	if err := t.applyCodes(in, x); err != nil {
		return Totals{}, err
	}
	t.Total = t.Subtotal.Minus(t.Discount)
	if err := t.addShipping(in, x); err != nil {
		return Totals{}, err
	}
	if in.Taxes == nil {
		return t, nil
	}
	if err := t.addTaxes(in, x); err != nil {
		return Totals{}, err
	}
	return t, nil
}

// addShipping adds the shipping fee, as far as it is known.
func (t *Totals) addShipping(in Input, x *Explanation) error {
	switch {
	case !t.RequiresShipping:
		return nil
	case in.ShippingFee != nil && in.Policy != nil && in.Policy.Currency != in.Currency:
		return shipping.ErrUnavailable // what was chosen is gone, or ships nothing in this currency, whatever it were to cost
	case in.ShippingFee != nil:
		t.Shipping = in.ShippingFee
		if t.Total = t.Total.Plus(*in.ShippingFee); t.Total.Minor > money.Max {
			return money.ErrOutOfRange
		}
		return nil
	case in.To == nil:
		return nil
	}
	quote, err := t.quoteShipping(in, x)
	if err != nil {
		return err
	}
	t.Quote, t.Shipping = &quote, &quote.Total
	t.Total = t.Total.Plus(quote.Total)
	return nil
}

// addTaxes computes the taxes of lines and shipping.
func (t *Totals) addTaxes(in Input, x *Explanation) error {
	s := tax.Sale{Currency: in.Currency, Shipping: t.Shipping, Place: in.Place, From: in.Home, Buyer: in.TaxBuyer, Exempt: in.TaxExempt, At: in.Now}
	for i, l := range in.Lines {
		s.Items = append(s.Items, tax.Item{Class: l.TaxClass, Amount: t.Lines[i].Total, Key: l.ID, SKU: l.SKU, Quantity: l.Quantity})
	}
	rules := in.Taxes.WithRounding(in.Rounding)
	r, err := rules.Compute(s)
	if err != nil {
		return err
	}
	t.Taxes = &r
	if t.Total = t.Total.Plus(r.Added()); t.Total.Minor > money.Max {
		return money.ErrOutOfRange
	}
	for i, taxes := range r.Lines {
		l := &t.Lines[i]
		l.Tax, l.TaxIncluded, l.Taxes = money.Of(taxes.Sum(), in.Currency), r.Included, taxes
	}
	if x != nil {
		x.Taxes = &TaxExplanation{Rules: *rules, Place: in.Place, Exempt: in.TaxExempt, Result: r}
	}
	return nil
}

// addLine adds what l costs before codes. Errors: money.ErrOutOfRange.
func (t *Totals) addLine(l Line, r money.Rounding) error {
	sub, err := l.UnitPrice.Times(l.Quantity)
	if err != nil {
		return err
	}
	off, err := l.Terms.off(sub, r)
	if err != nil {
		return err
	}
	if t.Subtotal = t.Subtotal.Plus(sub); t.Subtotal.Minor > money.Max {
		return money.ErrOutOfRange
	}
	t.Discount = t.Discount.Plus(off)
	t.Lines = append(t.Lines, LineTotals{Subtotal: sub, Discount: off, Agreed: off, Total: sub.Minus(off)})
	t.RequiresShipping = t.RequiresShipping || l.RequiresShipping
	return nil
}

// applyCodes applies the codes in list order, each to what is left after the ones before; beside an applied
// code only combinable ones apply.
func (t *Totals) applyCodes(in Input, x *Explanation) error {
	var applied []*discount.Discount
	for _, c := range in.Codes {
		res := CodeResult{Code: c.Code, Discount: c.Discount, Amount: money.Of(0, in.Currency)}
		r, err := x.evaluateCode(c, t.discountOrder(in))
		if err == nil && len(applied) > 0 {
			err = x.checkCombinable(applied, c.Discount)
		}
		if err == nil {
			applied = append(applied, c.Discount)
			res.Applied, res.Amount, res.FreeShipping = true, r.Amount, r.FreeShipping
			t.applyDiscount(r)
		} else if f := fault.From(err); f.Kind == fault.Unprocessable {
			res.Reason, res.Refusal = f.Reason, f
		} else {
			return err
		}
		x.finishCode(res, in.Lines)
		t.Codes = append(t.Codes, res)
	}
	return nil
}

func conflicts(applied []*discount.Discount, d *discount.Discount) bool {
	for _, a := range applied {
		if !a.Combinable || !d.Combinable {
			return true
		}
	}
	return false
}

// discountOrder is the order as discount rules see it.
func (t *Totals) discountOrder(in Input) discount.Order {
	o := discount.Order{Currency: in.Currency, Rounding: in.Rounding, Market: in.Market, Subtotal: t.Subtotal, Now: in.Now}
	for i, l := range in.Lines {
		o.Lines = append(o.Lines, discount.Line{
			Product: l.Product, Categories: l.Categories, Remaining: t.Lines[i].Total, RequiresShipping: l.RequiresShipping,
		})
	}
	return o
}

func (t *Totals) applyDiscount(r discount.Result) {
	t.Discount = t.Discount.Plus(r.Amount)
	for i, share := range r.Shares {
		t.Lines[i].Discount = t.Lines[i].Discount.Plus(share)
		t.Lines[i].Total = t.Lines[i].Total.Minus(share)
	}
}

// PolicyOf is by which policy l ships: the one that an operator chose, else the product's own, else the default one; nil for none.
func (in Input) PolicyOf(l Line) *shipping.Policy {
	return cmp.Or(in.Policy, l.ShippingPolicy, in.DefaultPolicy)
}

func (t *Totals) quoteShipping(in Input, x *Explanation) (shipping.Quote, error) {
	p := shipping.Shipment{Currency: in.Currency, Amount: money.Of(0, in.Currency), To: *in.To}
	for i, l := range in.Lines {
		if !l.RequiresShipping {
			continue
		}
		p.Amount = p.Amount.Plus(t.Lines[i].Total)
		p.Policies = append(p.Policies, in.PolicyOf(l))
	}
	for _, c := range t.Codes {
		p.BaseFeeWaived = p.BaseFeeWaived || c.FreeShipping
	}
	return x.quoteShipping(p)
}
