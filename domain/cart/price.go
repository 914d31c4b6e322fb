package cart

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// reprice updates every line and the totals of c by f; before is the cart as the shopper last saw it.
func (c *Cart) reprice(before Cart, f Facts, now time.Time) (pricing.Totals, error) {
	c.Currency = f.Currency
	units := c.unitsByVariant()
	for i := range c.Lines {
		l := &c.Lines[i]
		offer, known := f.Offers[l.Variant]
		l.refresh(offer, known, f.Currency)
		was, existed := before.Line(l.ID)
		l.PriceChanged = existed && was.UnitPrice != l.UnitPrice
		l.Available = l.checkAvailable(f.Offers, units[l.Variant]) == nil
	}
	totals, err := pricing.Compute(c.input(f, now))
	if err != nil {
		return totals, err
	}
	for i, t := range totals.Lines {
		c.Lines[i].SetTotals(t)
	}
	codes := make([]Code, 0, len(totals.Codes))
	for _, x := range totals.Codes {
		codes = append(codes, Code{Code: x.Code, Applied: x.Applied, Amount: x.Amount, Reason: x.Reason})
	}
	if c.Codes = codes; len(codes) == 0 {
		c.Codes = nil
	}
	c.Totals = sale.TotalsOf(totals)
	return totals, nil
}

// refresh updates l from its offer. A line that cannot be sold keeps its last price, unless that is in another
// currency.
func (l *Line) refresh(offer pricing.Offer, known bool, currency money.Currency) {
	if l.UnitPrice.Currency != currency {
		l.UnitPrice, l.CompareAt = money.Of(0, currency), money.Money{}
	}
	if !known {
		return
	}
	l.SetOffer(offer)
	if offer.Sellable {
		l.SetPrice(offer)
	}
}

func (c *Cart) input(f Facts, now time.Time) pricing.Input {
	in := pricing.Input{
		Currency: f.Currency, Rounding: f.Rounding, Market: c.Market, Taxes: f.Taxes, TaxExempt: f.TaxExempt, Now: now,
	}
	for _, l := range c.Lines {
		offer := f.Offers[l.Variant]
		in.Lines = append(in.Lines, pricing.Line{
			ID: l.ID, Variant: l.Variant, Product: l.Product, Categories: offer.Categories, Quantity: l.Quantity,
			UnitPrice: l.UnitPrice, CompareAt: l.CompareAt, RequiresShipping: l.RequiresShipping, TaxClass: l.TaxClass,
			PriceFacts: offer.PriceFacts,
		})
	}
	for _, x := range c.Codes {
		candidate := discount.RequestedCode{Code: x.Code, Refusal: discount.ErrNotFound}
		if i := slices.IndexFunc(f.Codes, func(d discount.RequestedCode) bool { return d.Code == x.Code }); i >= 0 {
			candidate = f.Codes[i]
		}
		in.Codes = append(in.Codes, candidate)
	}
	return in
}
