package placement

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Request asks for what x costs for buyer.
func Request(t tenant.Settings, x cart.Cart, buyer string) offers.Request {
	return offers.Request{
		Tenant: t, Environment: x.Environment, Market: x.Market, Variants: x.Variants(), Codes: x.CodeList(), Customer: buyer, Shipping: true,
		Locale: x.Locale,
	}
}

// Lookup finds what x costs for buyer as this transaction sees it: prices, codes with their uses, stock and
// shipping policies. What was foreseen is taken if it is still so; it may be nil. Errors: catalog.ErrMarketNotFound.
func Lookup(
	ctx context.Context, tx ports.Tx, t tenant.Settings, x cart.Cart, buyer string, foreseen *offers.Versioned,
) (offers.Facts, error) {
	q := Request(t, x, buyer)
	if f, ok, err := foreseen.Current(ctx, tx, q); err != nil || ok {
		return f, err
	}
	q.Uses = tx.DiscountUses
	return offers.Lookup(ctx, tx.Records, q)
}

// Freeze sets in d what x costs by facts. now has the time, the postal code, and an operator's shipping fee and policy;
// the rest of it is looked up, but for TaxBuyer. A code that x shows as applied and that no longer applies refuses the whole
// sale. Errors: the refusal of a code, shipping.ErrUnavailable, tax.ErrUnavailable caused by tax.Unanswered.
func Freeze(x cart.Cart, facts offers.Facts, d *checkout.Checkout, now pricing.Input) error {
	in := now
	in.Currency, in.Rounding, in.Market, in.Codes, in.DefaultPolicy = facts.Currency, facts.Rounding, facts.MarketID(), facts.Codes,
		facts.Policy
	in.Taxes, in.Place, in.TaxExempt = facts.Taxes(), sale.PlaceOf(d.Address, facts.Home), d.TaxExempt
	in.Home = sale.HomeOf(facts.Home)
	for _, l := range x.Lines {
		in.Lines = append(in.Lines, facts.Offers[l.Variant].Under(l.Terms).Line(l.ID, l.Quantity))
	}
	totals, err := pricing.Compute(in)
	if err != nil {
		return err
	}
	d.Market, d.Currency = in.Market, in.Currency
	d.Lines = checkoutLines(x, facts, totals)
	d.Totals = sale.TotalsOf(totals)
	d.ReturnPolicy = ReturnPolicy(in.Currency, shippingPolicies(in))
	d.Codes, err = appliedCodes(x, totals)
	return err
}

// checkoutLines are the lines of x as the shopper left them, with what facts say of their variants and what they cost.
func checkoutLines(x cart.Cart, facts offers.Facts, totals pricing.Totals) []sale.Line {
	out := make([]sale.Line, len(x.Lines))
	for i, l := range x.Lines {
		o := facts.Offers[l.Variant].Under(l.Terms)
		out[i] = l.Line
		out[i].SetOffer(o)
		out[i].SetPrice(o)
		out[i].SetTotals(totals.Lines[i])
	}
	return out
}

// appliedCodes is the codes that apply. Errors: why a code that the cart shows as applied no longer does.
func appliedCodes(x cart.Cart, totals pricing.Totals) ([]checkout.Code, error) {
	var out []checkout.Code
	for _, r := range totals.Codes {
		if r.Applied {
			out = append(out, checkout.Code{
				Code: r.Code, Amount: r.Amount, Discount: r.Discount.ID, FreeShipping: r.FreeShipping,
			})
			continue
		}
		for _, shown := range x.Codes {
			if shown.Applied && shown.Code == r.Code {
				return nil, r.Refusal.WithData("code", r.Code)
			}
		}
	}
	return out, nil
}

// shippingPolicies are the policies of the lines that ship, nil for none.
func shippingPolicies(in pricing.Input) (list []*shipping.Policy) {
	for _, l := range in.Lines {
		if l.RequiresShipping {
			list = append(list, in.PolicyOf(l))
		}
	}
	return list
}

// ReturnPolicy is the return policy of a sale: that of the most expensive policy that its lines ship by.
func ReturnPolicy(currency money.Currency, policies []*shipping.Policy) checkout.ReturnPolicy {
	var dearest *shipping.Policy
	for _, p := range policies {
		if p != nil && (dearest == nil || p.BaseFee.Minor > dearest.BaseFee.Minor) {
			dearest = p
		}
	}
	if dearest == nil || dearest.InitialShippingRefund == "" {
		return checkout.ReturnPolicy{}
	}
	fee := dearest.ReturnFee
	if fee.Currency != currency {
		fee = money.Of(0, currency)
	}
	return checkout.ReturnPolicy{InitialShippingRefund: dearest.InitialShippingRefund, ReturnShippingFee: fee}
}
