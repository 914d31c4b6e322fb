package placing

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Lookup finds what x costs for buyer as this transaction sees it: prices, codes with their uses, stock and shipping policies.
// Errors: catalog.ErrMarketNotFound.
func Lookup(ctx context.Context, tx ports.Tx, t tenant.Facts, x cart.Cart, buyer string) (quoting.Facts, error) {
	return quoting.Lookup(ctx, tx.Records, quoting.Request{
		Tenant: t, Environment: x.Environment, Market: x.Market, Variants: x.Variants(), Codes: x.CodeTexts(), Customer: buyer,
		Shipping: true, Uses: tx.Uses,
	})
}

// Freeze writes down in d what x costs by facts. now says when, where the goods go and what an operator asks for delivery;
// the rest of it is looked up. A code that x shows as applied and that no longer is refuses the whole sale. Errors: the refusal of a code, shipping.ErrUnavailable.
func Freeze(x cart.Cart, facts quoting.Facts, d *checkout.Checkout, now pricing.Input) error {
	in := now
	in.Currency, in.Rounding, in.Market, in.Codes, in.Policy = facts.Currency, facts.Rounding, facts.MarketID(), facts.Codes, facts.Policy
	for _, l := range x.Lines {
		in.Lines = append(in.Lines, facts.Offers[l.Variant].Line(l.ID, l.Quantity))
	}
	totals, err := pricing.Compute(in)
	if err != nil {
		return err
	}
	d.Market, d.Currency = in.Market, in.Currency
	d.Lines = lines(x, facts, totals)
	d.Totals = checkout.Totals{Subtotal: totals.Subtotal, Discount: totals.Discount, Total: totals.Total, Shipping: totals.Shipping}
	d.Returns = Returns(in.Currency, policies(in))
	d.Codes, err = codes(x, totals)
	return err
}

// Available refuses lines that cannot be sold, and more units of a variant than are on hand.
// Errors: catalog.ErrVariantUnavailable, inventory.ErrOutOfStock.
func Available(x cart.Cart, facts quoting.Facts) error {
	var demands []inventory.Demand
	for _, l := range x.Lines {
		o, ok := facts.Offers[l.Variant]
		if !ok || !o.Sellable {
			return catalog.ErrVariantUnavailable.With("variantId", l.Variant).With("lineId", l.ID)
		}
		demands = append(demands, inventory.Demand{Variant: l.Variant, Quantity: l.Quantity})
	}
	for _, d := range inventory.Sum(demands) {
		if level := facts.Offers[d.Variant].Stock; !level.Holds(d.Quantity) {
			return inventory.Short(d, level.OnHand)
		}
	}
	return nil
}

func lines(x cart.Cart, facts quoting.Facts, totals pricing.Totals) []checkout.Line {
	out := make([]checkout.Line, len(x.Lines))
	for i, l := range x.Lines {
		o, t := facts.Offers[l.Variant], totals.Lines[i]
		out[i] = checkout.Line{
			ID: l.ID, Product: o.Product, Variant: o.Variant, Title: o.Title, VariantTitle: o.VariantTitle, SKU: o.SKU, Image: o.Image,
			Quantity: l.Quantity, UnitPrice: o.UnitPrice, CompareAt: o.CompareAt, Subtotal: t.Subtotal, Discount: t.Discount, Total: t.Total,
			RequiresShipping: o.RequiresShipping, Kind: o.Kind, Attributes: tree(l.Attributes),
		}
		for _, a := range l.Admissions {
			out[i].Admissions = append(out[i].Admissions, checkout.Admission{Name: a.Name, Email: a.Email, Phone: a.Phone, Attributes: tree(a.Attributes)})
		}
	}
	return out
}

func tree(texts map[string]string) collection.Tree {
	if texts == nil {
		return nil
	}
	out := make(map[string]any, len(texts))
	for k, v := range texts {
		out[k] = v
	}
	return out
}

// codes keeps the codes that apply. Errors: why one that the cart shows as applied does not any more.
func codes(x cart.Cart, totals pricing.Totals) ([]checkout.Code, error) {
	var out []checkout.Code
	for _, r := range totals.Codes {
		if r.Applied {
			out = append(out, checkout.Code{
				Code: r.Code, Amount: r.Amount, Discount: r.Discount.ID, UsageLimit: r.Discount.UsageLimit, PerCustomerLimit: r.Discount.PerCustomerLimit,
				FreeShipping: r.FreeShipping,
			})
			continue
		}
		for _, shown := range x.Codes {
			if shown.Applied && shown.Code == r.Code {
				return nil, r.Refusal.With("code", r.Code)
			}
		}
	}
	return out, nil
}

// policies are those that the lines which ship go by, nil for none.
func policies(in pricing.Input) (list []*shipping.Policy) {
	for _, l := range in.Lines {
		switch {
		case !l.RequiresShipping:
		case l.ShippingPolicy != nil:
			list = append(list, l.ShippingPolicy)
		default:
			list = append(list, in.Policy)
		}
	}
	return list
}

// Returns is the promise about return shipping: that of the dearest policy the goods ship by.
func Returns(currency money.Currency, policies []*shipping.Policy) checkout.ReturnPolicy {
	var dearest *shipping.Policy
	for _, p := range policies {
		if p != nil && (dearest == nil || p.BaseFee.Minor > dearest.BaseFee.Minor) {
			dearest = p
		}
	}
	if dearest == nil || dearest.RefundsInitial == "" {
		return checkout.ReturnPolicy{}
	}
	fee := dearest.ReturnFee
	if fee.Currency != currency {
		fee = money.Of(0, currency)
	}
	return checkout.ReturnPolicy{InitialShippingRefund: dearest.RefundsInitial, ReturnShippingFee: fee}
}

// Uses is the discount uses an order from c counts.
func Uses(c checkout.Checkout) []ports.Use {
	out := make([]ports.Use, len(c.Codes))
	for i, code := range c.Codes {
		out[i] = ports.Use{Code: code.Code, Discount: code.Discount, Customer: c.Buyer(), Limit: code.UsageLimit, PerCustomerLimit: code.PerCustomerLimit}
	}
	return out
}
