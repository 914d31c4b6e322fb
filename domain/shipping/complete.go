package shipping

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Complete fills in what a policy leaves out: the tenant's currency and, on create (before is nil), the
// default zones. It refuses ranges that are not postal codes. It does not change next. Errors:
// fault.ErrValidation.
func Complete(before, next collection.Record, tenant money.Currency) (collection.Record, error) {
	next = next.Clone()
	if next.Text("currency") == "" {
		next["currency"] = string(tenant)
	}
	c := money.Currency(next.Text("currency"))
	if !c.Valid() {
		return nil, fault.Invalidf("currency", "Enter a valid ISO 4217 currency code.")
	}
	if before == nil && next["zones"] == nil {
		next["zones"] = DefaultZones(c)
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
		return nil, fault.ErrValidation.WithFields(bad...)
	}
	return next, nil
}

// DefaultPolicy is the policy a new tenant starts with: a fee of 3 000 in won, 0 in other currencies until
// the shop sets one.
func DefaultPolicy(id, tenant string, c money.Currency) collection.Record {
	fee := int64(3000)
	if c != "KRW" {
		fee = 0
	}
	return collection.Record{
		"id": id, "tenant": tenant, "title": "Standard", "baseFee": money.Of(fee, c), "currency": string(c),
		"zones": DefaultZones(c), "initialShippingRefund": string(RefundFullReturn), "isDefault": true,
	}
}
