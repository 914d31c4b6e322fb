package cart

import (
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// CheckAvailable reports why c cannot be checked out with these offers, by variant: the refusal of its first
// line that is not available. It decides what lines show as available too, so that a checkout takes exactly
// what the cart shows. Errors: catalog.ErrVariantUnavailable, inventory.ErrOutOfStock, ErrAdmissionsMismatch,
// with Data "lineId" and "variantId". Rule carts-30.
func (c Cart) CheckAvailable(offers map[string]pricing.Offer) error {
	units := c.unitsByVariant()
	for _, l := range c.Lines {
		if err := l.checkAvailable(offers, units[l.Variant]); err != nil {
			return err
		}
	}
	return nil
}

// WithAvailability is r, the stored record of c, with its lines available or not by these offers: r itself if they say
// what c does. The amounts of a cart are those of its last change, but whether it can be bought is a fact of now.
// Rule carts-30.
func (c Cart) WithAvailability(r collection.Record, offers map[string]pricing.Offer) collection.Record {
	units := c.unitsByVariant()
	var lines []collection.Record
	for i, l := range c.Lines {
		now := l.checkAvailable(offers, units[l.Variant]) == nil
		if now == l.Available {
			continue
		}
		if lines == nil {
			lines = slices.Clone(r.Rows("lines"))
		}
		lines[i] = lines[i].Clone()
		lines[i]["available"] = now
	}
	if lines == nil {
		return r
	}
	r = r.Clone()
	r["lines"] = lines
	return r
}

// checkAvailable reports why l cannot be sold; units is what all lines of its variant ask for.
func (l Line) checkAvailable(offers map[string]pricing.Offer, units int64) error {
	offer, known := offers[l.Variant]
	err := error(catalog.ErrVariantUnavailable)
	if known && offer.Sellable {
		err = checkAdmissions(offer.Kind, l.Quantity, l.Admissions)
		if !offer.Stock.OnHandCovers(units) {
			err = inventory.OutOfStock(inventory.Demand{Variant: l.Variant, Quantity: units}, offer.Stock.OnHand)
		}
	}
	if refusal, ok := errors.AsType[*fault.Error](err); ok {
		return refusal.WithData("variantId", l.Variant).WithData("lineId", l.ID)
	}
	return err
}
