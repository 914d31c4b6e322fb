package linear

import "slices"

const (
	active  = "active"
	maxLine = 9999 // units of a line. Contract 5
)

// apply is the sequential rules of carts, written down a second time and independently of the product. A refused wish
// leaves f as it is, and gives its reason.
func (s Shop) apply(f family, w Wish) (next family, refusal string) {
	c := f[w.Cart]
	switch {
	case c.Status != active:
		return f, "cart_not_active"
	case w.Expected != 0 && w.Expected != c.Revision:
		return f, "cart_revision_conflict"
	}
	c.Lines = slices.Clone(c.Lines)
	switch w.Verb {
	case Add:
		refusal = s.add(&c, w.Variant, w.Quantity)
	case Update, Remove:
		refusal = s.change(&c, w)
	case Clear:
		c.Lines, c.Codes = nil, nil
	case Describe:
		c.Attributes = w.Attributes
	case Redeem:
		c.Codes = w.Codes
	default:
		panic("linear: no rule for " + w.Verb)
	}
	if refusal != "" {
		return f, refusal
	}
	return f.with(w.Cart, s.changed(c)), ""
}

// changed is c with what every change does to it.
func (s Shop) changed(c Cart) Cart {
	c.Revision++
	c.Total = 0
	for _, l := range c.Lines {
		c.Total += s.Offers[l.Variant].Price * l.Quantity
	}
	for _, code := range c.Codes {
		c.Total -= c.Total * s.Off[code] / 100
	}
	return c
}

func (s Shop) add(c *Cart, variant string, quantity int64) (refusal string) {
	i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.Variant == variant })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, Line{Variant: variant})
	}
	c.Lines[i].Quantity += quantity
	return s.holds(c.Lines[i])
}

func (s Shop) change(c *Cart, w Wish) (refusal string) {
	i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.ID == w.Line })
	switch {
	case i < 0:
		return "line_not_found"
	case w.Verb == Remove || w.Quantity == 0:
		c.Lines = slices.Delete(c.Lines, i, i+1)
		return ""
	}
	c.Lines[i].Quantity = w.Quantity
	return s.holds(c.Lines[i])
}

func (s Shop) holds(l Line) (refusal string) {
	switch {
	case l.Quantity > maxLine:
		return "quantity_limit"
	case l.Quantity > s.Offers[l.Variant].OnHand:
		return "out_of_stock"
	}
	return ""
}
