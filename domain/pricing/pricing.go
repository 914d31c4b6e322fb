// Package pricing computes the totals of an order: lines, discount codes in list order, shipping. Carts,
// checkouts and drafts share it, so that the same facts give the same totals everywhere. Everything here is a
// pure function of its input.
package pricing

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
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
	// PriceFacts is what UnitPrice was resolved from, for the explanation only; nil when the line kept an
	// earlier price.
	PriceFacts *catalog.PriceFacts
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
	Now           time.Time
}

// LineTotals are the totals of one line. Total = Subtotal − Discount.
type LineTotals struct{ Subtotal, Discount, Total money.Money }

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
// Discount are the sums over Lines; Total = Subtotal − Discount + Shipping, never below 0.
type Totals struct {
	Subtotal, Discount money.Money
	RequiresShipping   bool            // a line requires shipping; false: leave shipping out altogether (Rule shipping-2)
	Shipping           *money.Money    // nil until a postal code is known unless the fee is given, and when nothing ships
	Quote              *shipping.Quote // how Shipping was computed; nil with it, and when the fee is given
	Total              money.Money
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
		sub, err := l.UnitPrice.Times(l.Quantity)
		if err != nil {
			return Totals{}, err
		}
		if t.Subtotal = t.Subtotal.Plus(sub); t.Subtotal.Minor > money.Max {
			return Totals{}, money.ErrOutOfRange
		}
		t.Lines = append(t.Lines, LineTotals{Subtotal: sub, Discount: money.Of(0, in.Currency), Total: sub})
		t.RequiresShipping = t.RequiresShipping || l.RequiresShipping
	}
	if err := t.applyCodes(in, x); err != nil {
		return Totals{}, err
	}
	t.Total = t.Subtotal.Minus(t.Discount)
	switch {
	case !t.RequiresShipping:
		return t, nil
	case in.ShippingFee != nil:
		t.Shipping = in.ShippingFee
		if t.Total = t.Total.Plus(*in.ShippingFee); t.Total.Minor > money.Max {
			return Totals{}, money.ErrOutOfRange
		}
		return t, nil
	case in.To == nil:
		return t, nil
	}
	quote, err := t.quoteShipping(in, x)
	if err != nil {
		return Totals{}, err
	}
	t.Quote, t.Shipping = &quote, &quote.Total
	t.Total = t.Total.Plus(quote.Total)
	return t, nil
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

func (t *Totals) quoteShipping(in Input, x *Explanation) (shipping.Quote, error) {
	p := shipping.Shipment{Currency: in.Currency, Amount: money.Of(0, in.Currency), To: *in.To}
	for i, l := range in.Lines {
		if !l.RequiresShipping {
			continue
		}
		p.Amount = p.Amount.Plus(t.Lines[i].Total)
		policy := l.ShippingPolicy
		if policy == nil {
			policy = in.DefaultPolicy
		}
		p.Policies = append(p.Policies, policy)
	}
	for _, c := range t.Codes {
		p.BaseFeeWaived = p.BaseFeeWaived || c.FreeShipping
	}
	return x.quoteShipping(p)
}
