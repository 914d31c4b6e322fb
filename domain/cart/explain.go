package cart

import (
	"reflect"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// Explanation is how the totals of a cart are computed from the facts of a moment.
type Explanation struct {
	pricing.Explanation

	Current bool // the totals are those stored in the cart: nothing they depend on has changed since
}

// ExplanationFields declares an Explanation on the wire; Explanation.Record makes it.
var ExplanationFields = append([]collection.Field{{
	Name: "current", Kind: collection.Boolean, Required: true,
	Doc: "Whether these totals match the cart's; false if a price or code changed since the cart's last change, which the next change applies.",
}}, pricing.ExplanationFields...)

// Record is x as a record of ExplanationFields.
func (x Explanation) Record() collection.Record {
	r := x.Explanation.Record()
	r["current"] = x.Current
	return r
}

// Explain explains the totals of c by the facts of now, without changing c. Errors: money.ErrOutOfRange.
func (c Cart) Explain(f Facts, now time.Time) (Explanation, error) {
	next := c
	next.Lines = slices.Clone(c.Lines)
	if _, err := next.reprice(c, f, now); err != nil {
		return Explanation{}, err
	}
	_, x, err := pricing.Explain(next.input(f, now))
	return Explanation{x, c.sameAmounts(next)}, err
}

// sameAmounts reports whether o has the same amounts as c, line by line and code by code.
func (c Cart) sameAmounts(o Cart) bool {
	same := func(a, b Line) bool {
		return a.UnitPrice == b.UnitPrice && a.Subtotal == b.Subtotal && a.Discount == b.Discount && a.Total == b.Total
	}
	was, is := c.Totals, o.Totals
	was.Taxes, is.Taxes = nil, nil
	return was == is && reflect.DeepEqual(c.Totals.Taxes, o.Totals.Taxes) && slices.Equal(c.Codes, o.Codes) && slices.EqualFunc(c.Lines, o.Lines, same)
}
