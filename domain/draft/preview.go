package draft

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Facts are the offers, codes and policies that the totals of a draft depend on. All prices are in its currency.
type Facts struct {
	Rounding money.Rounding
	Market   string                   // id; "": none
	Offers   map[string]pricing.Offer // by variant id; unknown variants are absent
	Codes    []discount.RequestedCode // of Codes
	Policy   *shipping.Policy         // the one that the draft names, else the shop's default; nil: none
	To       *shipping.Destination    // where the draft's address is; nil: not known yet

	Home      string     // the shop's country, where an address is that names none; "": unknown
	Taxes     *tax.Rules // of the market; nil: none are computed
	TaxExempt bool       // the buyer pays no taxes
}

// UnavailableLine is a line that cannot be sold in its quantity.
type UnavailableLine struct {
	sale.Line

	Reason               string // variant_unavailable, variant_not_priced or out_of_stock
	Requested, Available int64  // units of the variant: in all lines together, and in stock
}

// Refusal returns l as a fault.
func (l UnavailableLine) Refusal() *fault.Error {
	f := catalog.ErrVariantUnavailable
	switch l.Reason {
	case inventory.ErrOutOfStock.Reason:
		f = inventory.ErrOutOfStock
	case catalog.ErrVariantNotPriced.Reason:
		f = catalog.ErrVariantNotPriced
	default:
	}
	return f.WithData("lineId", l.ID).WithData("variantId", l.Variant).WithData("requested", l.Requested).WithData("available", l.Available)
}

// UnavailableLines lists the lines that cannot be sold, in line order: their variant is not on sale, or too
// few units of it are available.
func (d Draft) UnavailableLines(offers map[string]pricing.Offer) (lacks []UnavailableLine) {
	demand := d.unitsByVariant()
	for _, l := range d.Lines {
		o := offers[l.Variant].Under(l.Terms)
		lack := UnavailableLine{Line: l, Requested: demand[l.Variant]}
		switch {
		case !o.Sellable && o.Unpriced():
			lack.Reason = catalog.ErrVariantNotPriced.Reason
		case !o.Sellable:
			lack.Reason = catalog.ErrVariantUnavailable.Reason
		case !o.Stock.AvailableCovers(lack.Requested):
			lack.Reason, lack.Available = inventory.ErrOutOfStock.Reason, max(0, o.Stock.Available())
		default:
			continue
		}
		lacks = append(lacks, lack)
	}
	return lacks
}

// WithLine adds to a refusal for lack of stock the first line of its variant.
func (d Draft) WithLine(refusal *fault.Error) *fault.Error {
	variant, _ := refusal.Data["variantId"].(string)
	return refusal.WithData("lineId", d.line(variant).ID)
}

// PricedLine is a line at its price: the catalog's, or that of its terms.
type PricedLine struct {
	sale.Line // amounts are set only if Priced

	Priced bool   // false: it is not on sale and not in the totals
	Reason string // why it cannot be sold; "" when it can
}

// Preview is the totals of a draft as it would be sold now. Rule drafts-5.
type Preview struct {
	Market                    string // id of the market whose prices these are; "": none
	Lines                     []PricedLine
	Unavailable               []UnavailableLine
	Subtotal, Discount, Total money.Money
	Shipping                  *money.Money // nil while the address is unknown
	Taxes                     *sale.Taxes  // nil where none are computed
	Code                      *pricing.CodeResult
	Explanation               *pricing.Explanation // nil unless requested
}

// Preview computes the totals of d as it would be sold at now. Errors: shipping.ErrPostalCode,
// shipping.ErrUnavailable, money.ErrOutOfRange.
func (d Draft) Preview(f Facts, now time.Time, explain bool) (Preview, error) {
	in := pricing.Input{
		Currency: d.Currency, Rounding: f.Rounding, Market: f.Market, Codes: f.Codes, DefaultPolicy: f.Policy, ShippingFee: d.ShippingFee,
		Policy: d.ChosenPolicy(f.Policy), To: f.To, Taxes: f.Taxes, Place: sale.PlaceOf(d.Address, f.Home), TaxExempt: f.TaxExempt, Now: now,
	}
	for _, l := range d.Lines {
		if o := f.Offers[l.Variant].Under(l.Terms); o.Sellable {
			in.Lines = append(in.Lines, o.Line(l.ID, l.Quantity))
		}
	}
	totals, why, err := compute(in, explain)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{
		Market:      f.Market,
		Unavailable: d.UnavailableLines(f.Offers), Subtotal: totals.Subtotal, Discount: totals.Discount, Total: totals.Total,
		Shipping: totals.Shipping, Taxes: sale.TotalsOf(totals).Taxes, Explanation: why,
	}
	if !totals.RequiresShipping {
		zero := money.Of(0, d.Currency)
		p.Shipping = &zero
	}
	if len(totals.Codes) > 0 {
		p.Code = &totals.Codes[0]
	}
	p.Lines = d.pricedLines(in.Lines, totals, p.Unavailable)
	return p, nil
}

func compute(in pricing.Input, explain bool) (pricing.Totals, *pricing.Explanation, error) {
	if !explain {
		t, err := pricing.Compute(in)
		return t, nil, err
	}
	t, why, err := pricing.Explain(in)
	return t, &why, err
}

// pricedLines returns all lines of d; sold are those with a price, in the same order.
func (d Draft) pricedLines(sold []pricing.Line, totals pricing.Totals, lacks []UnavailableLine) []PricedLine {
	reasons := map[string]string{}
	for _, l := range lacks {
		reasons[l.ID] = l.Reason
	}
	list := make([]PricedLine, len(d.Lines))
	next := 0
	for i, l := range d.Lines {
		list[i] = PricedLine{Line: l, Reason: reasons[l.ID]}
		if next < len(sold) && sold[next].ID == l.ID {
			list[i].UnitPrice, list[i].Terms, list[i].Priced = sold[next].UnitPrice, sold[next].Terms, true
			list[i].SetTotals(totals.Lines[next])
			next++
		}
	}
	return list
}
