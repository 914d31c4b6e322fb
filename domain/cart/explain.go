package cart

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// Explanation is how the totals of a cart come about by the facts of a moment.
type Explanation struct {
	pricing.Explanation

	Current bool // they are the cart's own: nothing they depend on has changed since its last change
}

// ExplanationFields is an Explanation on the wire; its Record makes it.
var ExplanationFields = append([]collection.Field{{
	Name: "current", Kind: collection.Boolean, Required: true,
	Doc: "Whether these are the totals of the cart; false: a price or a code has changed since its last change, and the next one brings it here.",
}}, pricing.ExplanationFields...)

// Record is x as ExplanationFields say.
func (x Explanation) Record() collection.Record {
	r := x.Explanation.Record()
	r["current"] = x.Current
	return r
}

// Explain tells how c comes to its totals by the facts of now. c stays as it is. Errors: money.ErrOutOfRange.
func (c Cart) Explain(f Facts, now time.Time) (Explanation, error) {
	next := c
	next.Lines = slices.Clone(c.Lines)
	if _, err := next.price(c, f, now); err != nil {
		return Explanation{}, err
	}
	_, x, err := pricing.Explain(next.input(f, now))
	return Explanation{x, c.costs(next)}, err
}

// costs reports whether o comes to what c does, line by line and code by code.
func (c Cart) costs(o Cart) bool {
	same := func(a, b Line) bool {
		return a.UnitPrice == b.UnitPrice && a.Subtotal == b.Subtotal && a.Discount == b.Discount && a.Total == b.Total
	}
	return c.Totals == o.Totals && slices.Equal(c.Codes, o.Codes) && slices.EqualFunc(c.Lines, o.Lines, same)
}
