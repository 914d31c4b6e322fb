package intake

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

// ProblemsOf are the problems of a record of a kind that was refused: at the columns that wrote what is wrong. rows are the
// numbers of its rows; a part of the record, a variant or a line, has the row with its index.
func (k Kind) ProblemsOf(f *fault.Error, rows []int) []Problem {
	var out []Problem
	for _, x := range f.InvalidFields() {
		row, column := k.locate(x.Field, rows)
		message := x.Message
		if column == "" && x.Field != "" && x.Field != "body" {
			message = x.Field + ": " + message
		}
		out = append(out, Problem{row, column, f.Reason, message})
	}
	if out == nil {
		path, _ := f.Data["path"].(string)
		row, column := k.locate(path, rows)
		out = append(out, Problem{row, column, f.Reason, f.Message})
	}
	return out
}

// locate finds the row and the column that a path of a record comes from.
func (k Kind) locate(path string, rows []int) (row int, column string) {
	row = rows[0]
	parts := strings.Split(path, ".")
	part := ""
	if part = parts[0]; len(parts) > 1 && (part == "variants" || part == "lines") {
		if i, err := strconv.Atoi(parts[1]); err == nil && i < len(rows) {
			row = rows[i]
		}
		parts = parts[2:]
	}
	if len(parts) == 0 {
		return row, ""
	}
	return row, k.columnOf(part, parts[0], parts[len(parts)-1])
}

// columnOf is the column of a field, whose path in its part begins and ends with these names.
func (k Kind) columnOf(part, first, last string) string {
	switch {
	case part == "variants" && first == "prices":
		return "" // the message has the market
	case part == "variants":
		first = renamed(variantFields, first)
	case part == "lines":
		first = renamed(lineFields, first)
	case first == "options":
		return "optionValues"
	case k == Stock:
		first = "onHand"
	case k == Products && first == collection.SEOName:
		first = renamed(seoFields, last)
	case k == Products:
		first = renamed(productFields, first)
	case k == Discounts:
		first = renamed(transfer.DiscountLinks, first)
	case first == "customerSnapshot":
		first = renamed(contactColumns, last)
	case first == "shippingAddress":
		first = renamed(shipToColumns, last)
	case first == "taxes":
		first = renamed(taxColumns, last)
	case first == "addresses":
		for _, c := range addressColumns {
			if c.field == last {
				first = c.column
			}
		}
	}
	if slices.ContainsFunc(columns[k], func(c Column) bool { return c.Name == first }) {
		return first
	}
	return ""
}

// renamed is the column that stands for a field in names; the field itself if none does.
func renamed(names map[string]string, field string) string {
	for column, of := range names {
		if of == field {
			return column
		}
	}
	return field
}
