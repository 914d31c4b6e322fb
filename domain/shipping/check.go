package shipping

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Complete fills what a policy leaves open: the tenant's currency and, on create (before nil), the starting zones. It
// refuses ranges that are no postal codes. next is left alone. Errors: fault.ErrValidation.
func Complete(before, next collection.Record, tenant money.Currency) (collection.Record, error) {
	next = next.Clone()
	if next.Text("currency") == "" {
		next["currency"] = string(tenant)
	}
	c := money.Currency(next.Text("currency"))
	if !c.Valid() {
		return nil, fault.Invalidf("currency", "This is no ISO 4217 currency.")
	}
	if before == nil && next["zones"] == nil {
		next["zones"] = NewZones(c)
	}
	var bad []fault.Field
	for i, z := range next.Rows("zones") {
		for j, r := range z.Rows("ranges") {
			at := "zones." + strconv.Itoa(i) + ".ranges." + strconv.Itoa(j) + "."
			from, to := ValidPostalCode(r.Text("from")), ValidPostalCode(r.Text("to"))
			if !from {
				bad = append(bad, fault.Field{Field: at + "from", Message: ErrPostalCode.Message})
			}
			if !to || from && r.Text("to") < r.Text("from") {
				bad = append(bad, fault.Field{Field: at + "to", Message: "The last code has five digits and is not before the first."})
			}
		}
	}
	if len(bad) > 0 {
		return nil, fault.ErrValidation.In(bad...)
	}
	return next, nil
}

// NewPolicy is the policy a new tenant starts with: 3 000 in won, nothing in other currencies until the shop says so.
func NewPolicy(id, tenant string, c money.Currency) collection.Record {
	fee := int64(3000)
	if c != "KRW" {
		fee = 0
	}
	return collection.Record{
		"id": id, "tenant": tenant, "title": "Standard", "baseFee": money.Of(fee, c), "currency": string(c),
		"zones": NewZones(c), "initialShippingRefund": string(RefundFullReturn), "isDefault": true,
	}
}
