package estimating

import (
	"cmp"
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Try is a code with the order to try it on.
type Try struct {
	Code     string
	Amount   collection.Numeral // of the order, major units
	Currency money.Currency     // "": not stated
	Market   string             // id or code, "": none
	Items    []Item
	Customer string // whom the server asks for; a customer asks for themself
	Explain  bool
}

// Verdict is what a code is worth to an order.
type Verdict struct {
	Code        string
	Discount    *discount.Discount // nil: there is no such code
	Refusal     *fault.Error       // nil: it is valid
	Result      discount.Result    // zero when refused
	Currency    money.Currency     // of the order
	Explanation *pricing.Explanation
}

// trial is a Try put together for judgement. Lines stand beside order.Lines.
type trial struct {
	order  discount.Order
	lines  []pricing.Line
	totals []pricing.LineTotals // before the code
}

// Validate judges a code. One that cannot be used is a Verdict with its refusal, no error. Errors: those of admit,
// fault.ErrValidation, fault.ErrRateLimited, catalog.ErrMarketNotFound, catalog.ErrVariantUnavailable.
func (e *Estimates) Validate(ctx context.Context, call once.Call, t Try) (Verdict, error) {
	if err := admit(call); err != nil {
		return Verdict{}, err
	}
	if t.Code = discount.Normal(t.Code); t.Code == "" {
		return Verdict{}, fault.Invalidf("code", "This field is required.")
	}
	if err := cmp.Or(checkItems(t.Items), stated(t.Currency)); err != nil {
		return Verdict{}, err
	}
	if err := e.charge(ctx, call); err != nil {
		return Verdict{}, err
	}
	facts, err := e.facts(ctx, call, t)
	if err != nil {
		return Verdict{}, err
	}
	on, err := t.on(facts, e)
	if err != nil {
		return Verdict{}, err
	}
	return t.judge(facts, on)
}

// facts looks up what the judgement depends on.
func (e *Estimates) facts(ctx context.Context, call once.Call, t Try) (f quoting.Facts, err error) {
	p := call.Principal
	q := request(call, t.Items)
	q.Market, q.Codes, q.Customer, q.Explain = t.Market, []string{t.Code}, t.Customer, t.Explain
	if t.Market == "" {
		q.Currency = t.Currency
	}
	if p.Kind == tenant.Customer {
		q.Customer = p.ID
	}
	if q.Customer == "" {
		return quoting.Lookup(ctx, e.Store.Read(ports.For(p)), q)
	}
	err = e.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Records.Get(ctx, identity.Customers, q.Customer); errors.Is(err, ports.ErrAbsent) {
			return fault.Invalidf("customerId", "There is no such customer.")
		} else if err != nil {
			return err
		}
		q.Uses = tx.Uses
		f, err = quoting.Lookup(ctx, tx.Records, q)
		return err
	})
	return f, err
}

// on puts the order together.
func (t Try) on(f quoting.Facts, e *Estimates) (trial, error) {
	c := cmp.Or(t.Currency, f.Currency)
	amount, err := amountOf(t.Amount, c)
	if err != nil {
		return trial{}, err
	}
	on := trial{order: discount.Order{Rounding: f.Rounding, Market: f.MarketID(), Subtotal: amount, Now: e.Now()}}
	if c != f.Currency {
		on.rest(amount, true)
		return on, nil
	}
	if t.Currency != "" || t.Market != "" {
		on.order.Currency = c
	}
	if len(t.Items) == 0 {
		on.rest(amount, true)
		return on, nil
	}
	return on, on.hold(t.Items, f)
}

// hold puts items into the order and levels them with its amount. Errors: those of lines.
func (on *trial) hold(items []Item, f quoting.Facts) error {
	list, prices, err := lines(items, f)
	if err != nil {
		return err
	}
	sum, weights := int64(0), make([]int64, len(prices))
	for i, p := range prices {
		weights[i] = p.Minor
		sum += p.Minor
	}
	above := on.order.Subtotal.Minor - sum
	for i, off := range money.Spread(max(0, -above), weights) {
		on.add(list[i], prices[i], off)
	}
	if above > 0 {
		on.rest(money.Of(above, on.order.Subtotal.Currency), false)
	}
	return nil
}

// rest adds what no item accounts for.
func (on *trial) rest(amount money.Money, ships bool) {
	on.add(pricing.Line{Quantity: 1, UnitPrice: amount, RequiresShipping: ships}, amount, 0)
}

func (on *trial) add(l pricing.Line, price money.Money, off int64) {
	before := money.Of(off, price.Currency)
	left := price.Minus(before)
	on.lines = append(on.lines, l)
	on.totals = append(on.totals, pricing.LineTotals{Subtotal: price, Discount: before, Total: left})
	on.order.Lines = append(on.order.Lines, discount.Line{Product: l.Product, Categories: l.Categories, Left: left, Ships: l.RequiresShipping})
}

// judge holds the code against the order. Errors: catalog.ErrVariantUnavailable where an item without a price stands in
// the way of a code that could be used.
func (t Try) judge(f quoting.Facts, on trial) (Verdict, error) {
	candidate := f.Codes[0]
	v := Verdict{Code: t.Code, Discount: candidate.Discount, Currency: on.order.Subtotal.Currency}
	r, how, err := discount.Explain(candidate, on.order)
	if err == nil && v.Currency == f.Currency {
		err = sellable(t.Items, f)
	}
	refusal := fault.From(err)
	switch {
	case err == nil:
		v.Result = r
	case refusal.Kind != fault.Unprocessable || errors.Is(err, catalog.ErrVariantUnavailable):
		return Verdict{}, err
	default:
		v.Refusal = refusal
	}
	if t.Explain {
		v.Explanation, err = on.explain(v, how)
		return v, err
	}
	return v, nil
}

// explain tells how the verdict came about.
func (on trial) explain(v Verdict, how discount.Explanation) (*pricing.Explanation, error) {
	result := pricing.CodeResult{Code: v.Code, Applied: v.Refusal == nil, Amount: money.Of(0, v.Currency), Discount: v.Discount}
	if result.Applied {
		result.Amount, result.FreeShipping = v.Result.Amount, v.Result.FreeShipping
	} else {
		result.Reason = v.Refusal.Reason
	}
	o := on.order
	x := &pricing.Explanation{
		Currency: v.Currency, Rounding: o.Rounding, Market: o.Market, At: o.Now, Codes: []pricing.CodeExplanation{pricing.ExplainCode(result, how, on.lines)},
		Subtotal: money.Of(0, v.Currency), Discount: money.Of(0, v.Currency),
	}
	for i, l := range on.lines {
		t := on.totals[i]
		if result.Applied {
			t.Discount, t.Total = t.Discount.Plus(v.Result.Shares[i]), t.Total.Minus(v.Result.Shares[i])
		}
		line, err := pricing.ExplainLine(l, t)
		if err != nil {
			return nil, err
		}
		if l.Variant == "" {
			line.Price.Source = catalog.Stated
		}
		x.Lines = append(x.Lines, line)
		x.Subtotal, x.Discount = x.Subtotal.Plus(t.Subtotal), x.Discount.Plus(t.Discount)
	}
	x.Total = x.Subtotal.Minus(x.Discount)
	return x, nil
}
