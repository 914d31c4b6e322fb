package draft

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// CheckTerms refuses terms of lines that set nothing, give no reason, take off both an amount and a percentage, or were set in
// another currency. Rule drafts-16. Errors: fault.ErrValidation.
func CheckTerms(next collection.Record) error {
	var bad []fault.Field
	currency := money.Currency(next.Text("currency"))
	for i, row := range next.Rows("lines") {
		if f := termsProblem(row.Group("terms"), currency); f.Message != "" {
			f.Field = fmt.Sprintf("lines.%d.terms.%s", i, f.Field)
			bad = append(bad, f)
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.WithFields(bad...)
	}
	return nil
}

// termsProblem is what is wrong with terms, and with which member; the zero Field for nothing.
func termsProblem(terms collection.Record, currency money.Currency) (_ fault.Field) {
	for _, name := range []string{"unitPrice", "discountAmount"} {
		if m, given := terms.Money(name); given && m.Currency != currency {
			return fault.Field{
				Field: name, Message: fmt.Sprintf("This amount was set in %s: with another currency it has to be given again, or null.", m.Currency),
			}
		}
	}
	_, amount := terms.Money("discountAmount")
	_, percent := terms.Decimal("discountPercent")
	_, price := terms.Money("unitPrice")
	reason := terms.Text("reason") != ""
	switch {
	case amount && percent:
		return fault.Field{Field: "discountPercent", Message: "A line has a discount in percent or of an amount, not both."}
	case (price || amount || percent) && !reason:
		return fault.Field{Field: "reason", Message: "Say why this line has a price or discount of its own."}
	case reason && !price && !amount && !percent:
		return fault.Field{Field: "unitPrice", Message: "Give a price or a discount with the reason, or leave all of it empty."}
	}
	return fault.Field{}
}

// HasNewTerms reports whether after has a line with terms that before, nil for a new draft, does not have just so: the same
// variant in the same quantity by the same terms. Whoever may not agree on prices may keep and remove such lines.
func HasNewTerms(before, after collection.Record) bool {
	was := FromRecord(before).Lines
	for _, l := range FromRecord(after).Lines {
		if l.Terms == nil {
			continue
		}
		i := slices.IndexFunc(was, func(b sale.Line) bool {
			return b.Terms != nil && b.Variant == l.Variant && b.Quantity == l.Quantity &&
				collection.Equal(sale.TermsRecord(*b.Terms), sale.TermsRecord(*l.Terms))
		})
		if i < 0 {
			return true
		}
		was = slices.Delete(was, i, i+1)
	}
	return false
}

// ChosenPolicy is the policy by which everything in d ships: found, if d names one and it is still there. One that is gone ships
// nothing; nil where d names none.
func (d Draft) ChosenPolicy(found *shipping.Policy) *shipping.Policy {
	if d.Policy == "" {
		return nil
	}
	return cmp.Or(found, &shipping.Policy{})
}
