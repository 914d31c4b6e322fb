package cart

import (
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Record is c as a record of Schema. It shares no maps or slices with c.
func (c Cart) Record() collection.Record {
	lines := make([]collection.Record, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = l.Record()
	}
	codes := make([]collection.Record, len(c.Codes))
	for i, x := range c.Codes {
		codes[i] = collection.Record{"code": x.Code, "applied": x.Applied, "amount": x.Amount, "reason": collection.TextOrNull(x.Reason)}
	}
	requiresShipping := c.RequiresShipping()
	r := collection.Record{
		"id": c.ID, "tenant": string(c.Tenant), "environment": string(c.Environment), "customer": collection.TextOrNull(c.Customer),
		"status": string(c.Status), "revision": c.Revision, "market": collection.TextOrNull(c.Market), "marketLocked": c.Market != "",
		"locale":   collection.TextOrNull(c.Locale),
		"currency": string(c.Currency), "lines": lines, "discountCodes": codes, "attributes": sale.AttributesObject(c.Attributes),
		"requiresShipping": requiresShipping, "totals": c.Totals.Record(requiresShipping, c.TaxFree()), "tokenHash": collection.TextOrNull(c.TokenHash),
		"expiresAt": c.ExpiresAt, "createdAt": c.CreatedAt, "updatedAt": c.UpdatedAt,
	}
	return r.WithSequence(c.Sequence)
}

// Record is l as a record of lineFields.
func (l Line) Record() collection.Record {
	r := l.Line.Record()
	r["available"], r["priceChanged"] = l.Available, l.PriceChanged
	requireAttributes(r)
	for _, a := range r.Rows("admissions") {
		requireAttributes(a)
	}
	return r
}

// requireAttributes writes an empty object where r has no attributes, which are never null in carts.
func requireAttributes(r collection.Record) {
	if r["attributes"] == nil {
		r["attributes"] = map[string]any{}
	}
}

// FromRecord reads what Record wrote. It returns an error for a record that is not of a cart.
func FromRecord(r collection.Record) (Cart, error) {
	c := Cart{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Customer: r.Text("customer"), Status: Status(r.Text("status")), Revision: r.Int("revision"), Market: r.Text("market"), Locale: r.Text("locale"),
		Currency: money.Currency(r.Text("currency")), Attributes: nilIfEmpty(sale.AttributesFrom(r["attributes"])),
		TokenHash: r.Text("tokenHash"), Totals: sale.TotalsFrom(r.Group("totals")), ExpiresAt: r.Time("expiresAt"),
		CreatedAt: r.Time("createdAt"), UpdatedAt: r.Time("updatedAt"), Sequence: r.Sequence(),
	}
	for _, row := range r.Rows("lines") {
		c.Lines = append(c.Lines, lineFrom(row))
	}
	for _, row := range r.Rows("discountCodes") {
		amount, _ := row.Money("amount")
		c.Codes = append(c.Codes, Code{Code: row.Text("code"), Applied: row.Bool("applied"), Amount: amount, Reason: row.Text("reason")})
	}
	if c.Status == "" || c.Revision < 1 || !c.Currency.Valid() {
		return Cart{}, fmt.Errorf("cart %s: the stored record is not a cart", c.ID)
	}
	return c, nil
}

func lineFrom(r collection.Record) Line {
	l := Line{Line: sale.LineFrom(r), Available: r.Bool("available"), PriceChanged: r.Bool("priceChanged")}
	l.Attributes = nilIfEmpty(l.Attributes)
	for i := range l.Admissions {
		l.Admissions[i].Attributes = nilIfEmpty(l.Admissions[i].Attributes)
	}
	return l
}
