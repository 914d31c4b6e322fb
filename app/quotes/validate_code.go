package quotes

import (
	"cmp"
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
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

// ValidationRequest is a code and the order to validate it for.
type ValidationRequest struct {
	Code     string
	Amount   collection.JSONNumber // of the order, major units
	Currency money.Currency        // "": not stated
	Market   string                // id or code, "": none
	Items    []Item
	Customer string // set by the tenant's server; customers validate for themselves
	Explain  bool
}

// Validation is the result of validating a code for an order.
type Validation struct {
	Code        string
	Discount    *discount.Discount // nil: there is no such code
	Refusal     *fault.Error       // nil: the code is valid
	Result      discount.Result    // zero if refused
	Currency    money.Currency     // of the order
	Explanation *pricing.Explanation
}

// trialOrder is the order of a ValidationRequest, for evaluation. lines correspond to order.Lines by index.
type trialOrder struct {
	order  discount.Order
	lines  []pricing.Line
	totals []pricing.LineTotals // before the code
}

// ValidateCode validates a code. One that cannot be used is a Validation with its refusal, no error. Errors:
// those of requireReader, fault.ErrValidation, fault.ErrRateLimited, catalog.ErrMarketNotFound,
// catalog.ErrVariantUnavailable.
func (e *Service) ValidateCode(ctx context.Context, call idempotency.Call, t ValidationRequest) (Validation, error) {
	if err := requireReader(call); err != nil {
		return Validation{}, err
	}
	if t.Code = discount.NormalizeCode(t.Code); t.Code == "" {
		return Validation{}, fault.Invalidf("code", "This field is required.")
	}
	if err := cmp.Or(checkItems(t.Items), checkCurrency(t.Currency)); err != nil {
		return Validation{}, err
	}
	if err := e.countAttempt(ctx, call); err != nil {
		return Validation{}, err
	}
	facts, err := e.facts(ctx, call, t)
	if err != nil {
		return Validation{}, err
	}
	on, err := t.buildOrder(facts, e)
	if err != nil {
		return Validation{}, err
	}
	return t.evaluate(facts, on)
}

// facts looks up what the validation depends on.
func (e *Service) facts(ctx context.Context, call idempotency.Call, t ValidationRequest) (f offers.Facts, err error) {
	p := call.Principal
	q := lookupRequest(call, t.Items)
	q.Market, q.Codes, q.Customer, q.Explain = t.Market, []string{t.Code}, t.Customer, t.Explain
	if t.Market == "" {
		q.Currency = t.Currency
	}
	if p.Kind == tenant.Customer {
		q.Customer = p.ID
	}
	if q.Customer == "" {
		return offers.Lookup(ctx, e.Store.Read(ports.ForPrincipal(p)), q)
	}
	err = e.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Records.Get(ctx, identity.Customers, q.Customer); errors.Is(err, ports.ErrNotFound) {
			return fault.Invalidf("customerId", "There is no such customer.")
		} else if err != nil {
			return err
		}
		q.Uses = tx.DiscountUses
		f, err = offers.Lookup(ctx, tx.Records, q)
		return err
	})
	return f, err
}

// buildOrder builds the order.
func (t ValidationRequest) buildOrder(f offers.Facts, e *Service) (trialOrder, error) {
	c := cmp.Or(t.Currency, f.Currency)
	amount, err := parseOrderAmount(t.Amount, c)
	if err != nil {
		return trialOrder{}, err
	}
	on := trialOrder{order: discount.Order{Rounding: f.Rounding, Market: f.MarketID(), Subtotal: amount, Now: e.Now()}}
	if c != f.Currency {
		on.addRemainder(amount, true)
		return on, nil
	}
	if t.Currency != "" || t.Market != "" {
		on.order.Currency = c
	}
	if len(t.Items) == 0 {
		on.addRemainder(amount, true)
		return on, nil
	}
	return on, on.addItems(t.Items, f)
}

// addItems adds items to the order and adjusts them to its amount. Errors: those of priceLines.
func (on *trialOrder) addItems(items []Item, f offers.Facts) error {
	list, prices, err := priceLines(items, f)
	if err != nil {
		return err
	}
	sum, weights := int64(0), make([]int64, len(prices))
	for i, p := range prices {
		weights[i] = p.Minor
		sum += p.Minor
	}
	above := on.order.Subtotal.Minor - sum
	for i, off := range money.Allocate(max(0, -above), weights) {
		on.addLine(list[i], prices[i], off)
	}
	if above > 0 {
		on.addRemainder(money.Of(above, on.order.Subtotal.Currency), false)
	}
	return nil
}

// addRemainder adds the part of the amount that belongs to no item.
func (on *trialOrder) addRemainder(amount money.Money, ships bool) {
	on.addLine(pricing.Line{Quantity: 1, UnitPrice: amount, RequiresShipping: ships}, amount, 0)
}

func (on *trialOrder) addLine(l pricing.Line, price money.Money, off int64) {
	before := money.Of(off, price.Currency)
	left := price.Minus(before)
	on.lines = append(on.lines, l)
	on.totals = append(on.totals, pricing.LineTotals{Subtotal: price, Discount: before, Total: left})
	on.order.Lines = append(on.order.Lines, discount.Line{
		Product: l.Product, Categories: l.Categories, Remaining: left, RequiresShipping: l.RequiresShipping,
	})
}

// evaluate applies the code to the order. Errors: catalog.ErrVariantUnavailable if an item without a price
// prevents an otherwise usable code.
func (t ValidationRequest) evaluate(f offers.Facts, on trialOrder) (Validation, error) {
	candidate := f.Codes[0]
	v := Validation{Code: t.Code, Discount: candidate.Discount, Currency: on.order.Subtotal.Currency}
	r, how, err := discount.Explain(candidate, on.order)
	if err == nil && v.Currency == f.Currency {
		err = checkSellable(t.Items, f)
	}
	refusal := fault.From(err)
	switch {
	case err == nil:
		v.Result = r
	case refusal.Kind != fault.Unprocessable || errors.Is(err, catalog.ErrVariantUnavailable):
		return Validation{}, err
	default:
		v.Refusal = refusal
	}
	if t.Explain {
		v.Explanation, err = on.explain(v, how)
		return v, err
	}
	return v, nil
}

// explain explains a validation.
func (on trialOrder) explain(v Validation, how discount.Explanation) (*pricing.Explanation, error) {
	result := pricing.CodeResult{Code: v.Code, Applied: v.Refusal == nil, Amount: money.Of(0, v.Currency), Discount: v.Discount}
	if result.Applied {
		result.Amount, result.FreeShipping = v.Result.Amount, v.Result.FreeShipping
	} else {
		result.Reason = v.Refusal.Reason
	}
	o := on.order
	x := &pricing.Explanation{
		Currency: v.Currency, Rounding: o.Rounding, Market: o.Market, At: o.Now,
		Codes:    []pricing.CodeExplanation{pricing.ExplainCode(result, how, on.lines)},
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
			line.Price.Source = catalog.PriceStated
		}
		x.Lines = append(x.Lines, line)
		x.Subtotal, x.Discount = x.Subtotal.Plus(t.Subtotal), x.Discount.Plus(t.Discount)
	}
	x.Total = x.Subtotal.Minus(x.Discount)
	return x, nil
}
