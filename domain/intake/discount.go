package intake

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

// Discount reads a row of a discount file as the input of a record, given the discount that is there, nil for none. The
// products, categories and markets in it are named by slugs and codes.
func (r Row) Discount(there collection.Record) (map[string]any, []Problem) {
	input := r.values(Discounts.of(whole))
	if input["tiers"] != nil {
		input["tiers"] = r.tiers()
	}
	if input["code"] != nil {
		input["code"] = r.Key()
	}
	rename(input, transfer.DiscountLinks)
	return r.finish(input, there), r.Problems
}

// rename gives members the names of the fields that their columns are of.
func rename(input map[string]any, fields map[string]string) {
	for column, field := range fields {
		if v, given := input[column]; given {
			delete(input, column)
			input[field] = v
		}
	}
}

// tiers reads the steps of a discount: the amount from which each counts, how its value is meant, and the value.
func (r *Row) tiers() []any {
	items := splitList(r.cell("tiers"))
	out := make([]any, len(items))
	ok := true
	for i, it := range items {
		words := strings.Fields(it)
		if len(words) != 3 { //nolint:mnd // said above
			ok = false
			continue
		}
		from, isAmount := readNumber(words[0])
		n, isNumber := readNumber(words[2])
		ok = ok && isAmount && isNumber
		out[i] = map[string]any{"minAmount": from, "discountType": words[1], "value": n}
	}
	if !ok {
		r.fail("tiers", CodeList, "The cell is not a list of steps such as 50000 percentage 10|100000 fixed_amount 20000.")
	}
	return out
}
