package discount

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Complete fills a missing currency with the tenant's, trims the code, and refuses a discount that can never
// apply. next is not changed. Errors: fault.ErrValidation.
func Complete(next collection.Record, tenant money.Currency) (collection.Record, error) {
	next = next.Clone()
	if next.Text("currency") == "" {
		next["currency"] = string(tenant)
	}
	next["code"] = NormalizeCode(next.Text("code"))
	var p problems
	d := FromRecord(next, tenant)
	if !d.Currency.Valid() {
		p.add("currency", "Enter a valid ISO 4217 currency code.")
	}
	if d.Code == "" {
		p.add("code", "This field is required.")
	}
	if !d.StartsAt.IsZero() && !d.EndsAt.IsZero() && !d.StartsAt.Before(d.EndsAt) {
		p.add("endsAt", "The end must be after the start.")
	}
	switch d.Type {
	case Percentage, FixedAmount:
		if next["value"] == nil {
			p.add("value", "This field is required.")
			break
		}
		p.value("value", d.Type, d.Value, d.Currency)
	case Tiered:
		if len(d.Tiers) == 0 {
			p.add("tiers", "A tiered discount needs at least one step.")
		}
		for i, t := range d.Tiers {
			p.value("tiers."+strconv.Itoa(i)+".value", t.Type, t.Value, d.Currency)
		}
	default: // free shipping has no value
	}
	if len(p) > 0 {
		return nil, fault.ErrValidation.WithFields(p...)
	}
	return next, nil
}

type problems []fault.Field

func (p *problems) add(field, message string) {
	*p = append(*p, fault.Field{Field: field, Message: message})
}

// value checks the value of a percentage or of a fixed amount.
func (p *problems) value(field string, t Type, v money.Decimal, c money.Currency) {
	if t == Percentage {
		if v.Cmp(money.DecimalOf(100)) > 0 {
			p.add(field, "A percentage is at most 100.")
		}
		return
	}
	if _, err := money.Parse(v.String(), c); err != nil {
		p.add(field, fault.From(err).Message)
	}
}
