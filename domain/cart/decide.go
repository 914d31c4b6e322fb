package cart

import (
	"fmt"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// Decide applies cmd to c at now. expected is the revision the caller last saw; 0 is any. Create needs the
// zero Cart. It returns the next state, or c itself and an error; it never changes c. Errors:
// fault.ErrValidation, the faults of this package, catalog.ErrVariantUnavailable, inventory.ErrOutOfStock,
// money.ErrOutOfRange, and for ApplyCode those of the discount package. Rule carts-16.
func Decide(c Cart, expected int64, cmd Command, now time.Time) (Cart, error) {
	if err := cmd.Check(); err != nil {
		return c, err
	}
	create, creating := cmd.(Create)
	switch {
	case creating != (c.Revision == 0):
		return c, fmt.Errorf("cart %q: Create needs the zero cart, every other command an existing one", c.ID)
	case creating:
		return applyCommand(c, create.newCart(now), cmd, now)
	case c.StatusAt(now) != Active:
		return c, ErrNotActive.WithData("currentRevision", c.Revision)
	case expected != 0 && expected != c.Revision:
		return c, ErrRevisionConflict.WithData("currentRevision", c.Revision)
	}
	next := c
	next.Lines = slices.Clone(c.Lines)
	return applyCommand(c, next, cmd, now)
}

func applyCommand(c, next Cart, cmd Command, now time.Time) (Cart, error) {
	if err := cmd.apply(&next); err != nil {
		return c, err
	}
	if facts := cmd.facts(); facts.Market != next.Market {
		return c, fmt.Errorf("cart %q: facts for market %q were given for %q", next.ID, facts.Market, next.Market)
	}
	totals, err := next.reprice(c, cmd.facts(), now)
	if err != nil {
		return c, err
	}
	if a, ok := cmd.(ApplyCode); ok {
		if err := a.checkApplied(totals); err != nil {
			return c, err
		}
	}
	if err := next.checkSize(c); err != nil {
		return c, err
	}
	next.bumpRevision(now)
	return next, nil
}

func (c Create) newCart(now time.Time) Cart {
	return Cart{
		ID: c.ID, Tenant: c.Tenant, Environment: c.Environment, Customer: c.Customer, TokenHash: c.TokenHash,
		Status: Active, Market: c.Market, Locale: c.Locale, CreatedAt: collection.TruncateTime(now),
	}
}

func (c Create) apply(next *Cart) error {
	next.Attributes = nilIfEmpty(c.Attributes)
	next.Codes = newCodes(c.Codes)
	for _, it := range c.Lines {
		if err := next.add(it, c.Facts); err != nil {
			return err
		}
	}
	return nil
}

func (c AddLine) apply(next *Cart) error {
	if c.Market != "" && next.Market != "" && c.Market != next.Market {
		return ErrMarketMismatch.WithData("currentRevision", next.Revision)
	}
	if next.Market == "" {
		next.Market = c.Market
	}
	return next.add(c.Line, c.Facts)
}

// add adds the input to the line of the same variant and attributes, or as a new line.
func (c *Cart) add(it LineInput, f Facts) error {
	offer, ok := f.Offers[it.Variant]
	if !ok || !offer.Sellable {
		return catalog.ErrVariantUnavailable.WithData("variantId", it.Variant)
	}
	if err := checkAdmissions(offer.Kind, it.Quantity, it.Admissions); err != nil {
		return err
	}
	attributes := nilIfEmpty(it.Attributes)
	i := c.findLine(it.Variant, attributes)
	if i < 0 {
		if len(c.Lines) >= MaxLines {
			return ErrLineLimit
		}
		i = len(c.Lines)
		c.Lines = append(c.Lines, Line{Line: sale.Line{ID: it.LineID, Variant: it.Variant, Attributes: attributes}})
	}
	l := &c.Lines[i]
	l.Quantity += it.Quantity
	l.Admissions = slices.Concat(l.Admissions, sale.CompleteAdmissions(it.Admissions, f.Home))
	return c.checkStock(*l, offer)
}

// checkAdmissions checks that an event has one admission per unit and anything else none.
func checkAdmissions(kind string, quantity int64, admissions []sale.Admission) error {
	want := int64(0)
	if kind == catalog.Event {
		want = quantity
	}
	if int64(len(admissions)) != want {
		return ErrAdmissionsMismatch.WithData("expected", want).WithData("given", int64(len(admissions)))
	}
	return nil
}

// checkStock refuses l if all lines of its variant together exceed the stock on hand.
func (c *Cart) checkStock(l Line, offer pricing.Offer) error {
	if err := l.checkQuantity(); err != nil {
		return err
	}
	if want := c.unitsByVariant()[l.Variant]; !offer.Stock.OnHandCovers(want) {
		return inventory.ErrOutOfStock.WithData("variantId", l.Variant).WithData("requested", want)
	}
	return nil
}

func (l Line) checkQuantity() error {
	if l.Quantity > MaxQuantity {
		return ErrQuantityLimit.WithData("variantId", l.Variant)
	}
	return nil
}

// unitsByVariant adds up the units per variant.
func (c *Cart) unitsByVariant() map[string]int64 {
	units := make(map[string]int64, len(c.Lines))
	for _, l := range c.Lines {
		units[l.Variant] += l.Quantity
	}
	return units
}

func (c UpdateLine) apply(next *Cart) error {
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
	if err := c.setQuantity(l, offer, known); err != nil {
		return err
	}
	if c.Attributes != nil {
		i = next.setAttributes(i, nilIfEmpty(*c.Attributes))
	}
	if c.Quantity != nil {
		return next.checkStock(next.Lines[i], offer)
	}
	return next.Lines[i].checkQuantity()
}

// setQuantity sets the quantity and admissions of l. A new quantity of an event must come with all its
// admissions.
func (c UpdateLine) setQuantity(l *Line, offer pricing.Offer, known bool) error {
	renewed := c.Quantity != nil && *c.Quantity != l.Quantity
	if c.Quantity != nil {
		if !known || !offer.Sellable {
			return catalog.ErrVariantUnavailable.WithData("variantId", l.Variant)
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
	var admissions []sale.Admission
	if c.Admissions != nil {
		admissions = sale.CompleteAdmissions(*c.Admissions, c.Facts.Home)
	}
	l.Admissions = admissions
	return checkAdmissions(kind, l.Quantity, admissions)
}

// setAttributes sets the attributes of line i. If another line of the variant has the same attributes, it is
// joined into line i. It returns the new index of the line.
func (c *Cart) setAttributes(i int, attributes map[string]string) int {
	twin := c.findLine(c.Lines[i].Variant, attributes)
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

func (c RemoveLine) apply(next *Cart) error {
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

// nilIfEmpty normalizes attributes, so that equal ones compare equal: no attributes are nil.
func nilIfEmpty(attributes map[string]string) map[string]string {
	if len(attributes) == 0 {
		return nil
	}
	return attributes
}
