package cart

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// price brings every line and the totals of c up to the facts; before is the cart the shopper saw last.
func (c *Cart) price(before Cart, f Facts, now time.Time) (pricing.Totals, error) {
	c.Currency = f.Currency
	units := c.demand()
	for i := range c.Lines {
		l := &c.Lines[i]
		offer, known := f.Offers[l.Variant]
		l.refresh(offer, known, f.Currency)
		was, existed := before.Line(l.ID)
		l.PriceChanged = existed && was.UnitPrice != l.UnitPrice
		admitted := l.Kind != catalog.Event && len(l.Admissions) == 0 || l.Kind == catalog.Event && int64(len(l.Admissions)) == l.Quantity
		l.Available = known && offer.Sellable && offer.Stock.Holds(units[l.Variant]) && admitted
	}
	totals, err := pricing.Compute(c.input(f, now))
	if err != nil {
		return totals, err
	}
	for i, t := range totals.Lines {
		c.Lines[i].Subtotal, c.Lines[i].Discount, c.Lines[i].Total = t.Subtotal, t.Discount, t.Total
	}
	codes := make([]Code, 0, len(totals.Codes))
	for _, x := range totals.Codes {
		codes = append(codes, Code{Code: x.Code, Applied: x.Applied, Amount: x.Amount, Reason: x.Reason})
	}
	if c.Codes = codes; len(codes) == 0 {
		c.Codes = nil
	}
	c.Totals = Totals{Subtotal: totals.Subtotal, Discount: totals.Discount, Total: totals.Total}
	return totals, nil
}

// refresh takes over what the offer says. A line that cannot be sold keeps its last price, unless that is in another currency.
func (l *Line) refresh(offer pricing.Offer, known bool, currency money.Currency) {
	if l.UnitPrice.Currency != currency {
		l.UnitPrice, l.CompareAt = money.Of(0, currency), money.Money{}
	}
	if !known {
		return
	}
	l.Product, l.Title, l.VariantTitle, l.SKU, l.Image = offer.Product, offer.Title, offer.VariantTitle, offer.SKU, offer.Image
	if offer.Sellable {
		l.UnitPrice, l.CompareAt = offer.UnitPrice, offer.CompareAt
	}
	l.Kind, l.RequiresShipping = offer.Kind, offer.RequiresShipping
}

func (c *Cart) input(f Facts, now time.Time) pricing.Input {
	in := pricing.Input{Currency: f.Currency, Rounding: f.Rounding, Market: c.Market, Now: now}
	for _, l := range c.Lines {
		offer := f.Offers[l.Variant]
		in.Lines = append(in.Lines, pricing.Line{
			ID: l.ID, Variant: l.Variant, Product: l.Product, Categories: offer.Categories, Quantity: l.Quantity,
			UnitPrice: l.UnitPrice, CompareAt: l.CompareAt, RequiresShipping: l.RequiresShipping, PriceFacts: offer.PriceFacts,
		})
	}
	for _, x := range c.Codes {
		candidate := discount.Candidate{Code: x.Code, Refused: discount.ErrNotFound}
		if i := slices.IndexFunc(f.Codes, func(d discount.Candidate) bool { return d.Code == x.Code }); i >= 0 {
			candidate = f.Codes[i]
		}
		in.Codes = append(in.Codes, candidate)
	}
	return in
}
