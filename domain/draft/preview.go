package draft

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// Facts is what the totals of a draft depend on; all prices are in KRW.
type Facts struct {
	Rounding money.Rounding
	Market   string                   // id; "": none
	Offers   map[string]pricing.Offer // by variant id; unknown variants are absent
	Codes    []discount.Candidate     // of Codes
	Policy   *shipping.Policy         // the shop's default; nil: none
}

// Lack is a line that cannot be sold as it stands.
type Lack struct {
	Line

	Reason               string // variant_unavailable or out_of_stock
	Requested, Available int64  // units: of all lines of the variant, and how many can be had
}

// Refusal is l as the fault that it is.
func (l Lack) Refusal() *fault.Error {
	f := catalog.ErrVariantUnavailable
	if l.Reason == inventory.ErrOutOfStock.Reason {
		f = inventory.ErrOutOfStock
	}
	return f.With("lineId", l.ID).With("variantId", l.Variant).With("requested", l.Requested).With("available", l.Available)
}

// Lacking lists the lines that cannot be sold: of variants that are not on sale, and of those of which too few are free,
// in line order.
func (d Draft) Lacking(offers map[string]pricing.Offer) (lacks []Lack) {
	demand := d.demand()
	for _, l := range d.Lines {
		o := offers[l.Variant]
		lack := Lack{Line: l, Requested: demand[l.Variant]}
		switch {
		case !o.Sellable:
			lack.Reason = catalog.ErrVariantUnavailable.Reason
		case !o.Stock.Spares(lack.Requested):
			lack.Reason, lack.Available = inventory.ErrOutOfStock.Reason, max(0, o.Stock.Free())
		default:
			continue
		}
		lacks = append(lacks, lack)
	}
	return lacks
}

// Short is the refusal of a sale that found too few units, with the line that asked for them.
func (d Draft) Short(refusal *fault.Error) *fault.Error {
	variant, _ := refusal.Data["variantId"].(string)
	return refusal.With("lineId", d.line(variant).ID)
}

// Quote is one line at the catalog's price.
type Quote struct {
	pricing.LineTotals
	Line

	UnitPrice money.Money
	Priced    bool // false: it is not on sale, and counts for nothing
	Reason    string
}

// Preview is what a draft comes to. Spec 4.4.
type Preview struct {
	Lines                     []Quote
	Lacks                     []Lack
	Subtotal, Discount, Total money.Money
	Shipping                  *money.Money // nil while it is not known
	Code                      *pricing.CodeResult
	Explanation               *pricing.Explanation // nil unless asked for
}

// Preview adds d up as it would be sold at now. Errors: shipping.ErrPostalCode, shipping.ErrUnavailable,
// money.ErrOutOfRange.
func (d Draft) Preview(f Facts, now time.Time, explain bool) (Preview, error) {
	in := pricing.Input{
		Currency: Currency, Rounding: f.Rounding, Market: f.Market, Codes: f.Codes, Policy: f.Policy, PostalCode: d.Address.Text("postalCode"), Fee: d.Fee,
		Now: now,
	}
	for _, l := range d.Lines {
		if o := f.Offers[l.Variant]; o.Sellable {
			in.Lines = append(in.Lines, o.Line(l.ID, l.Quantity))
		}
	}
	totals, why, err := compute(in, explain)
	if err != nil {
		return Preview{}, err
	}
	p := Preview{Lacks: d.Lacking(f.Offers), Subtotal: totals.Subtotal, Discount: totals.Discount, Total: totals.Total, Shipping: totals.Shipping, Explanation: why}
	if !totals.ShippingApplies {
		none := money.Of(0, Currency)
		p.Shipping = &none
	}
	if len(totals.Codes) > 0 {
		p.Code = &totals.Codes[0]
	}
	p.Lines = d.quotes(in.Lines, totals, p.Lacks)
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

// quotes are all lines; sold are those that have a price, in the same order.
func (d Draft) quotes(sold []pricing.Line, totals pricing.Totals, lacks []Lack) []Quote {
	reasons := map[string]string{}
	for _, l := range lacks {
		reasons[l.ID] = l.Reason
	}
	list := make([]Quote, len(d.Lines))
	next := 0
	for i, l := range d.Lines {
		list[i] = Quote{Line: l, Reason: reasons[l.ID]}
		if next < len(sold) && sold[next].ID == l.ID {
			list[i].UnitPrice, list[i].LineTotals, list[i].Priced = sold[next].UnitPrice, totals.Lines[next], true
			next++
		}
	}
	return list
}
