package cart

import (
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Record is c as a record of Schema. Nothing of it is shared with c but strings.
func (c Cart) Record() collection.Record {
	lines := make([]collection.Record, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = l.record()
	}
	codes := make([]collection.Record, len(c.Codes))
	for i, x := range c.Codes {
		codes[i] = collection.Record{"code": x.Code, "applied": x.Applied, "amount": x.Amount, "reason": orNull(x.Reason)}
	}
	totals := collection.Record{"subtotal": c.Totals.Subtotal, "discount": c.Totals.Discount, "total": c.Totals.Total}
	if c.RequiresShipping() {
		totals["shipping"] = nil
	}
	r := collection.Record{
		"id": c.ID, "tenant": string(c.Tenant), "environment": string(c.Environment), "customer": orNull(c.Customer),
		"status": string(c.Status), "revision": c.Revision, "market": orNull(c.Market), "marketLocked": c.Market != "",
		"currency": string(c.Currency), "lines": lines, "discountCodes": codes, "attributes": tree(c.Attributes),
		"requiresShipping": c.RequiresShipping(), "totals": totals, "tokenHash": orNull(c.TokenHash),
		"expiresAt": c.ExpiresAt, "createdAt": c.CreatedAt, "updatedAt": c.UpdatedAt,
	}
	return r.WithSequence(c.Sequence)
}

func (l Line) record() collection.Record {
	admissions := make([]collection.Record, len(l.Admissions))
	for i, a := range l.Admissions {
		admissions[i] = collection.Record{"name": a.Name, "email": orNull(a.Email), "phone": orNull(a.Phone), "attributes": tree(a.Attributes)}
	}
	r := collection.Record{
		"id": l.ID, "product": l.Product, "variant": l.Variant, "title": l.Title, "variantTitle": orNull(l.VariantTitle),
		"sku": orNull(l.SKU), "image": orNull(l.Image), "quantity": l.Quantity, "unitPrice": l.UnitPrice,
		"subtotal": l.Subtotal, "discount": l.Discount, "total": l.Total, "requiresShipping": l.RequiresShipping,
		"kind": l.Kind, "admissions": admissions, "attributes": tree(l.Attributes), "available": l.Available, "priceChanged": l.PriceChanged,
	}
	if l.CompareAt != (money.Money{}) {
		r["compareAtPrice"] = l.CompareAt
	}
	return r
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func tree(attributes map[string]string) collection.Tree {
	t := make(map[string]any, len(attributes))
	for k, v := range attributes {
		t[k] = v
	}
	return t
}

// FromRecord reads what Record wrote. It errors on a record that no cart could have made.
func FromRecord(r collection.Record) (Cart, error) {
	c := Cart{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Customer: r.Text("customer"), Status: Status(r.Text("status")), Revision: r.Int("revision"), Market: r.Text("market"),
		Currency: money.Currency(r.Text("currency")), Attributes: texts(r["attributes"]), TokenHash: r.Text("tokenHash"),
		ExpiresAt: r.Time("expiresAt"), CreatedAt: r.Time("createdAt"), UpdatedAt: r.Time("updatedAt"), Sequence: r.Sequence(),
	}
	for _, row := range r.Rows("lines") {
		c.Lines = append(c.Lines, lineFrom(row))
	}
	for _, row := range r.Rows("discountCodes") {
		amount, _ := row.Money("amount")
		c.Codes = append(c.Codes, Code{Code: row.Text("code"), Applied: row.Bool("applied"), Amount: amount, Reason: row.Text("reason")})
	}
	totals := r.Group("totals")
	c.Totals.Subtotal, _ = totals.Money("subtotal")
	c.Totals.Discount, _ = totals.Money("discount")
	c.Totals.Total, _ = totals.Money("total")
	if c.Status == "" || c.Revision < 1 || !c.Currency.Valid() {
		return Cart{}, fmt.Errorf("cart %s: the stored record is not a cart", c.ID)
	}
	return c, nil
}

func lineFrom(r collection.Record) Line {
	l := Line{
		ID: r.Text("id"), Product: r.Text("product"), Variant: r.Text("variant"), Title: r.Text("title"), VariantTitle: r.Text("variantTitle"),
		SKU: r.Text("sku"), Image: r.Text("image"), Quantity: r.Int("quantity"), RequiresShipping: r.Bool("requiresShipping"), Kind: r.Text("kind"),
		Attributes: texts(r["attributes"]), Available: r.Bool("available"), PriceChanged: r.Bool("priceChanged"),
	}
	l.UnitPrice, _ = r.Money("unitPrice")
	l.CompareAt, _ = r.Money("compareAtPrice")
	l.Subtotal, _ = r.Money("subtotal")
	l.Discount, _ = r.Money("discount")
	l.Total, _ = r.Money("total")
	for _, a := range r.Rows("admissions") {
		l.Admissions = append(l.Admissions, Admission{Name: a.Text("name"), Email: a.Text("email"), Phone: a.Text("phone"), Attributes: texts(a["attributes"])})
	}
	return l
}

// texts reads what tree wrote; nil for no attributes.
func texts(t collection.Tree) map[string]string {
	m, _ := t.(map[string]any)
	if len(m) == 0 {
		return nil
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k], _ = v.(string)
	}
	return out
}
