package draft

import (
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Editable refuses any change of a draft that is over. Spec 3.1. Errors: ErrNotEditable.
func Editable(r collection.Record) error {
	if s := r.Text("status"); s != string(Open) {
		return ErrNotEditable.With("status", s)
	}
	return nil
}

// priced are the names by which clients try to say what a line costs. Spec 4.4: it is the catalog that says it.
var priced = []string{
	"amount", "compareAtPrice", "customPrice", "discount", "discountAmount", "discountPercent", "discountPercentage", "price", "subtotal", "total",
	"totalPrice", "unitPrice",
}

// Unpriced refuses lines that bring a price or discount of their own. input is what a client sent.
// Errors: fault.ErrValidation.
func Unpriced(input map[string]any) error {
	rows, _ := input["lines"].([]any)
	var bad []fault.Field
	for i, row := range rows {
		line, _ := row.(map[string]any)
		for _, name := range priced {
			if _, given := line[name]; given {
				bad = append(bad, fault.Field{
					Field: "lines." + strconv.Itoa(i) + "." + name, Message: "The catalog prices the lines of a draft order: they take no prices and no discounts.",
				})
			}
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.In(bad...)
	}
	return nil
}

// CheckEdit refuses what a client made of a draft if it is more than a draft takes. Errors: fault.ErrValidation.
func CheckEdit(next collection.Record) error {
	if len(next.Rows("lines")) > MaxLines {
		return fault.Invalidf("lines", "A draft order has at most %d lines.", MaxLines)
	}
	return nil
}

// Totals is what an order came to.
type Totals struct{ Subtotal, Discount, Shipping, Total money.Money }

// Finalize is r as the draft of an order that exists now. Errors: ErrNotEditable.
func Finalize(r collection.Record, order string, t Totals) (collection.Record, error) {
	if err := Editable(r); err != nil {
		return nil, err
	}
	next := r.Clone()
	next["status"], next["order"] = string(Finalized), order
	next["totals"] = collection.Record{"subtotal": t.Subtotal, "discount": t.Discount, "shipping": t.Shipping, "total": t.Total}
	return next, nil
}

// Discard is r given up. Errors: ErrNotEditable.
func Discard(r collection.Record) (collection.Record, error) {
	if err := Editable(r); err != nil {
		return nil, err
	}
	next := r.Clone()
	next["status"] = string(Discarded)
	return next, nil
}

// line finds the first line of a variant.
func (d Draft) line(variant string) Line {
	if i := slices.IndexFunc(d.Lines, func(l Line) bool { return l.Variant == variant }); i >= 0 {
		return d.Lines[i]
	}
	return Line{}
}
