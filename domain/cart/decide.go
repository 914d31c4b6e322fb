package cart

import (
	"fmt"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// Decide applies cmd to c at now. expected is the revision the caller last saw; 0 is any. It returns the next state, or
// c itself and a refusal: fault.ErrValidation, the faults of this package, catalog.ErrVariantUnavailable, inventory.ErrOutOfStock,
// money.ErrOutOfRange, and for ApplyCode those of the discount package.
// It never changes c. Create starts from the zero Cart. Contract 5.
func Decide(c Cart, expected int64, cmd Command, now time.Time) (Cart, error) {
	if err := cmd.Check(); err != nil {
		return c, err
	}
	create, creating := cmd.(Create)
	switch {
	case creating != (c.Revision == 0):
		return c, fmt.Errorf("cart %q: create starts from nothing, everything else from a cart", c.ID)
	case creating:
		return decided(c, create.blank(now), cmd, now)
	case c.StatusAt(now) != Active:
		return c, ErrNotActive.With("currentRevision", c.Revision)
	case expected != 0 && expected != c.Revision:
		return c, ErrRevisionConflict.With("currentRevision", c.Revision)
	}
	next := c
	next.Lines = slices.Clone(c.Lines)
	return decided(c, next, cmd, now)
}

func decided(c, next Cart, cmd Command, now time.Time) (Cart, error) {
	if err := cmd.apply(&next); err != nil {
		return c, err
	}
	if facts := cmd.facts(); facts.Market != next.Market {
		return c, fmt.Errorf("cart %q: facts for market %q were given for %q", next.ID, facts.Market, next.Market)
	}
	totals, err := next.price(c, cmd.facts(), now)
	if err != nil {
		return c, err
	}
	if a, ok := cmd.(ApplyCode); ok {
		if err := a.usable(totals); err != nil {
			return c, err
		}
	}
	next.step(now)
	return next, nil
}

func (c Create) blank(now time.Time) Cart {
	return Cart{
		ID: c.ID, Tenant: c.Tenant, Environment: c.Environment, Customer: c.Customer, TokenHash: c.TokenHash,
		Status: Active, Market: c.Market, CreatedAt: collection.Instant(now),
	}
}

func (c Create) apply(next *Cart) error {
	next.Attributes = canonical(c.Attributes)
	next.Codes = listed(c.Codes)
	for _, it := range c.Items {
		if err := next.add(it, c.Facts); err != nil {
			return err
		}
	}
	return nil
}

func (c AddItem) apply(next *Cart) error {
	if c.Market != "" && next.Market != "" && c.Market != next.Market {
		return ErrMarketMismatch.With("currentRevision", next.Revision)
	}
	if next.Market == "" {
		next.Market = c.Market
	}
	return next.add(c.Item, c.Facts)
}

// add puts it into the line of the same variant and attributes, or into a new one.
func (c *Cart) add(it Item, f Facts) error {
	offer, ok := f.Offers[it.Variant]
	if !ok || !offer.Sellable {
		return catalog.ErrVariantUnavailable.With("variantId", it.Variant)
	}
	if err := admit(offer.Kind, it.Quantity, it.Admissions); err != nil {
		return err
	}
	attributes := canonical(it.Attributes)
	i := c.same(it.Variant, attributes)
	if i < 0 {
		if len(c.Lines) >= MaxLines {
			return ErrLineLimit
		}
		i = len(c.Lines)
		c.Lines = append(c.Lines, Line{ID: it.LineID, Variant: it.Variant, Attributes: attributes})
	}
	l := &c.Lines[i]
	l.Quantity += it.Quantity
	l.Admissions = slices.Concat(l.Admissions, it.Admissions)
	return c.holds(*l, offer)
}

// admit compares admissions with the quantity they are for.
func admit(kind string, quantity int64, admissions []Admission) error {
	want := int64(0)
	if kind == catalog.Event {
		want = quantity
	}
	if int64(len(admissions)) != want {
		return ErrAdmissionsMismatch.With("expected", want).With("given", int64(len(admissions)))
	}
	return nil
}

// holds refuses what stock can never fill: all lines of the variant together count.
func (c *Cart) holds(l Line, offer pricing.Offer) error {
	if err := l.bounded(); err != nil {
		return err
	}
	if want := c.demand()[l.Variant]; !offer.Stock.Holds(want) {
		return inventory.ErrOutOfStock.With("variantId", l.Variant).With("requested", want)
	}
	return nil
}

func (l Line) bounded() error {
	if l.Quantity > MaxQuantity {
		return ErrQuantityLimit.With("variantId", l.Variant)
	}
	return nil
}

// demand adds up the units per variant.
func (c *Cart) demand() map[string]int64 {
	units := make(map[string]int64, len(c.Lines))
	for _, l := range c.Lines {
		units[l.Variant] += l.Quantity
	}
	return units
}

func (c UpdateItem) apply(next *Cart) error {
	i := next.index(c.Line)
	switch {
	case i < 0:
		return ErrLineNotFound
	case c.Quantity != nil && *c.Quantity == 0:
		next.Lines = slices.Delete(next.Lines, i, i+1)
		return nil
	}
	l := &next.Lines[i]
	offer, known := c.Facts.Offers[l.Variant]
	if err := c.count(l, offer, known); err != nil {
		return err
	}
	if c.Attributes != nil {
		i = next.rename(i, canonical(*c.Attributes))
	}
	if c.Quantity != nil {
		return next.holds(next.Lines[i], offer)
	}
	return next.Lines[i].bounded()
}

// count sets quantity and admissions of l. A new quantity of an event needs all its admissions with it.
func (c UpdateItem) count(l *Line, offer pricing.Offer, known bool) error {
	renewed := c.Quantity != nil && *c.Quantity != l.Quantity
	if c.Quantity != nil {
		if !known || !offer.Sellable {
			return catalog.ErrVariantUnavailable.With("variantId", l.Variant)
		}
		l.Quantity = *c.Quantity
	}
	kind := l.Kind
	if known {
		kind = offer.Kind
	}
	if c.Admissions == nil && !(renewed && kind == catalog.Event) {
		return nil
	}
	var admissions []Admission
	if c.Admissions != nil {
		admissions = slices.Clone(*c.Admissions)
	}
	l.Admissions = admissions
	return admit(kind, l.Quantity, admissions)
}

// rename gives line i other attributes, and lets it take in the line of its variant that has them already. It returns
// where the line is now.
func (c *Cart) rename(i int, attributes map[string]string) int {
	twin := c.same(c.Lines[i].Variant, attributes)
	c.Lines[i].Attributes = attributes
	if twin < 0 || twin == i {
		return i
	}
	c.Lines[i].Quantity += c.Lines[twin].Quantity
	c.Lines[i].Admissions = slices.Concat(c.Lines[i].Admissions, c.Lines[twin].Admissions)
	c.Lines = slices.Delete(c.Lines, twin, twin+1)
	if twin < i {
		i--
	}
	return i
}

func (c RemoveItem) apply(next *Cart) error {
	i := next.index(c.Line)
	if i < 0 {
		return ErrLineNotFound
	}
	next.Lines = slices.Delete(next.Lines, i, i+1)
	return nil
}

func (Clear) apply(next *Cart) error { //nolint:unparam // one command of several
	next.Lines, next.Codes = nil, nil
	return nil
}

// canonical is the one form of equal attributes: none is nil.
func canonical(attributes map[string]string) map[string]string {
	if len(attributes) == 0 {
		return nil
	}
	return attributes
}
