package linear

import (
	"maps"
	"slices"
)

const (
	active  = "active"
	maxLine = 9999 // units of a line. Rule carts-19
)

// refusal is why an operation is refused, "" if it is not, and the revision in the answer.
type refusal struct {
	reason   string
	revision int64
}

// apply is the sequential rules of carts, written independently of the product. A refused operation leaves f
// unchanged.
func (s Shop) apply(f cartSet, w Operation) (next cartSet, refused refusal) {
	c := f[w.Cart]
	switch {
	case w.Verb == Merge && f[w.Source].Status != active:
		return f, refusal{"cart_not_active", f[w.Source].Revision}
	case c.Status != active:
		return f, refusal{"cart_not_active", c.Revision}
	case w.Expected != 0 && w.Expected != c.Revision:
		return f, refusal{"cart_revision_conflict", c.Revision}
	case w.Verb == Merge:
		source := f[w.Source]
		c = s.mergeCarts(c, source)
		source.Status = "merged"
		source.Revision++
		return f.with(w.Source, source).with(w.Cart, s.afterChange(c)), refusal{}
	}
	c.Lines = slices.Clone(c.Lines)
	if reason := s.applyToCart(&c, w); reason != "" {
		return f, refusal{reason, c.Revision}
	}
	return f.with(w.Cart, s.afterChange(c)), refusal{}
}

// applyToCart applies the operation to c, whose lines are not shared.
func (s Shop) applyToCart(c *Cart, w Operation) (reason string) {
	switch w.Verb {
	case Add:
		return s.add(c, w.Variant, w.Quantity)
	case Update, Remove:
		return s.change(c, w)
	case Clear:
		c.Lines, c.Codes = nil, nil
	case SetAttributes:
		c.Attributes = w.Attributes
	case SetCodes:
		c.Codes = w.Codes
	default:
		panic("linear: no rule for " + w.Verb)
	}
	return ""
}

// mergeCarts is the target with the lines of the source, as far as there is stock.
func (s Shop) mergeCarts(target, source Cart) Cart {
	c := target
	c.Lines = nil
	for _, l := range slices.Concat(target.Lines, source.Lines) {
		if i := slices.IndexFunc(c.Lines, func(k Line) bool { return k.Variant == l.Variant }); i >= 0 {
			c.Lines[i].Quantity += l.Quantity
			continue
		}
		c.Lines = append(c.Lines, l)
	}
	for i, l := range c.Lines {
		c.Lines[i].Quantity = min(l.Quantity, maxLine, s.Offers[l.Variant].OnHand)
	}
	c.Codes = slices.Clone(target.Codes)
	for _, code := range source.Codes {
		if !slices.Contains(c.Codes, code) {
			c.Codes = append(c.Codes, code)
		}
	}
	c.Attributes = maps.Clone(source.Attributes)
	if c.Attributes == nil {
		c.Attributes = map[string]string{}
	}
	maps.Copy(c.Attributes, target.Attributes)
	return c
}

// afterChange is c with the effects of every change.
func (s Shop) afterChange(c Cart) Cart {
	c.Revision++
	c.Total = 0
	for _, l := range c.Lines {
		c.Total += s.Offers[l.Variant].Price * l.Quantity
	}
	for _, code := range c.Codes {
		c.Total -= c.Total * s.Discounts[code] / 100
	}
	return c
}

func (s Shop) add(c *Cart, variant string, quantity int64) (reason string) {
	i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.Variant == variant })
	if i < 0 {
		i = len(c.Lines)
		c.Lines = append(c.Lines, Line{Variant: variant})
	}
	c.Lines[i].Quantity += quantity
	return s.checkQuantity(c.Lines[i])
}

func (s Shop) change(c *Cart, w Operation) (reason string) {
	i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.ID == w.Line })
	switch {
	case i < 0:
		return "line_not_found"
	case w.Verb == Remove || w.Quantity == 0:
		c.Lines = slices.Delete(c.Lines, i, i+1)
		return ""
	}
	c.Lines[i].Quantity = w.Quantity
	return s.checkQuantity(c.Lines[i])
}

func (s Shop) checkQuantity(l Line) (reason string) {
	switch {
	case l.Quantity > maxLine:
		return "quantity_limit"
	case l.Quantity > s.Offers[l.Variant].OnHand:
		return "out_of_stock"
	}
	return ""
}
