package sale

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Record is l as a record of LineFields, to which the caller may add fields.
func (l Line) Record() collection.Record {
	r := collection.Record{
		"id": l.ID, "product": collection.TextOrNull(l.Product), "variant": collection.TextOrNull(l.Variant), "title": l.Title,
		"variantTitle": collection.TextOrNull(l.VariantTitle), "sku": collection.TextOrNull(l.SKU), "image": collection.TextOrNull(l.Image),
		"quantity": l.Quantity, "unitPrice": l.UnitPrice, "subtotal": l.Subtotal, "discount": l.Discount, "total": l.Total,
		"requiresShipping": l.RequiresShipping, "taxClass": collection.TextOrNull(string(l.TaxClass)), "kind": l.Kind,
		"admissions": admissionRecords(l.Admissions),
		"attributes": attributesValue(l.Attributes),
	}
	if l.CompareAt != (money.Money{}) {
		r["compareAtPrice"] = l.CompareAt
	}
	if l.Terms != nil {
		r["terms"] = TermsRecord(*l.Terms)
	}
	if l.Tax.Currency != "" {
		r["taxes"] = l.taxRecord()
	}
	return r
}

// LineFrom reads what Line.Record wrote; a missing field is its zero value.
func LineFrom(r collection.Record) Line {
	l := Line{
		ID: r.ID(), Product: r.Text("product"), Variant: r.Text("variant"), Title: r.Text("title"), VariantTitle: r.Text("variantTitle"),
		SKU: r.Text("sku"), Image: r.Text("image"), Quantity: r.Int("quantity"), RequiresShipping: r.Bool("requiresShipping"),
		TaxClass: tax.Class(r.Text("taxClass")), Kind: r.Text("kind"), Admissions: admissionsFrom(r.Rows("admissions")),
		Attributes: AttributesFrom(r["attributes"]), Terms: termsFrom(r.Group("terms")),
	}
	l.UnitPrice, _ = r.Money("unitPrice")
	l.CompareAt, _ = r.Money("compareAtPrice")
	l.Subtotal, _ = r.Money("subtotal")
	l.Discount, _ = r.Money("discount")
	l.Total, _ = r.Money("total")
	l.readTaxes(r.Group("taxes"))
	return l
}

// TermsRecord is t as a record of SoldTermFields.
func TermsRecord(t pricing.Terms) collection.Record {
	r := collection.Record{"reason": collection.TextOrNull(t.Reason)}
	for name, m := range map[string]*money.Money{"unitPrice": t.UnitPrice, "discountAmount": t.DiscountAmount, "catalogPrice": t.CatalogPrice} {
		if m != nil {
			r[name] = *m
		}
	}
	if !t.DiscountPercent.IsZero() {
		r["discountPercent"] = t.DiscountPercent
	}
	if t.Discount != (money.Money{}) {
		r["discount"] = t.Discount
	}
	return r
}

// termsFrom reads what TermsRecord wrote, or an operator entered: nil for what sets neither a price nor a discount.
func termsFrom(r collection.Record) *pricing.Terms {
	t := pricing.Terms{Reason: r.Text("reason")}
	for name, to := range map[string]**money.Money{
		"unitPrice": &t.UnitPrice, "discountAmount": &t.DiscountAmount, "catalogPrice": &t.CatalogPrice,
	} {
		if m, given := r.Money(name); given {
			*to = &m
		}
	}
	percent, given := r.Decimal("discountPercent")
	t.DiscountPercent = percent
	if t.UnitPrice == nil && t.DiscountAmount == nil && !given {
		return nil
	}
	t.Discount, _ = r.Money("discount")
	return &t
}

// LineRecords are the records of lines.
func LineRecords(lines []Line) []collection.Record {
	out := make([]collection.Record, len(lines))
	for i, l := range lines {
		out[i] = l.Record()
	}
	return out
}

// LinesFrom reads what LineRecords wrote; nil for no rows.
func LinesFrom(rows []collection.Record) []Line {
	var out []Line
	for _, r := range rows {
		out = append(out, LineFrom(r))
	}
	return out
}

func admissionRecords(admissions []Admission) []collection.Record {
	out := make([]collection.Record, len(admissions))
	for i, a := range admissions {
		out[i] = collection.Record{
			"name": a.Name, "email": collection.TextOrNull(a.Email), "phone": collection.TextOrNull(a.Phone),
			"phoneE164": collection.TextOrNull(a.PhoneE164), "attributes": attributesValue(a.Attributes),
		}
	}
	return out
}

func admissionsFrom(rows []collection.Record) []Admission {
	var out []Admission
	for _, r := range rows {
		out = append(out, Admission{
			Name: r.Text("name"), Email: r.Text("email"), Phone: r.Text("phone"), PhoneE164: r.Text("phoneE164"),
			Attributes: AttributesFrom(r["attributes"]),
		})
	}
	return out
}

// attributesValue is null for nil attributes, else an object.
func attributesValue(attributes map[string]string) collection.JSONValue {
	if attributes == nil {
		return nil
	}
	return AttributesObject(attributes)
}

// AttributesObject is attributes as an object, which is empty for nil.
func AttributesObject(attributes map[string]string) map[string]any {
	out := make(map[string]any, len(attributes))
	for name, value := range attributes {
		out[name] = value
	}
	return out
}

// noAttributes is shared by all empty objects that are read, which saves a map per line. Attributes are never
// changed in place.
var noAttributes = map[string]string{}

// AttributesFrom reads an object of texts: nil for null, an empty map that must not be written to for an
// empty object.
func AttributesFrom(v collection.JSONValue) map[string]string {
	object, ok := v.(map[string]any)
	switch {
	case !ok:
		return nil
	case len(object) == 0:
		return noAttributes
	}
	out := make(map[string]string, len(object))
	for name, value := range object {
		out[name], _ = value.(string)
	}
	return out
}

// Record is c as a record of ContactFields.
func (c Contact) Record() collection.Record {
	return collection.Record{
		"name": collection.TextOrNull(c.Name), "email": collection.TextOrNull(c.Email), "phone": collection.TextOrNull(c.Phone),
		"phoneE164": collection.TextOrNull(c.PhoneE164),
	}
}

// ContactFrom reads what Contact.Record wrote.
func ContactFrom(r collection.Record) Contact {
	return Contact{Name: r.Text("name"), Email: r.Text("email"), Phone: r.Text("phone"), PhoneE164: r.Text("phoneE164")}
}

// Record is t as a record of TotalFields, with the part of the total that TaxFreeAmount says of the lines. Shipping is
// absent unless requiresShipping, and null while the fee is unknown.
func (t Totals) Record(requiresShipping bool, taxFree money.Money) collection.Record {
	r := collection.Record{"subtotal": t.Subtotal, "discount": t.Discount, "total": t.Total, "taxFree": taxFree}
	if t.Taxes != nil {
		r["taxes"] = t.Taxes.Record()
	}
	if !requiresShipping {
		return r
	}
	r["shipping"] = nil
	if t.Shipping != nil {
		r["shipping"] = *t.Shipping
	}
	return r
}

// TotalsFrom reads what Totals.Record wrote; the tax-free part is worked out from the lines.
func TotalsFrom(r collection.Record) (t Totals) {
	t.Subtotal, _ = r.Money("subtotal")
	t.Discount, _ = r.Money("discount")
	t.Total, _ = r.Money("total")
	if fee, known := r.Money("shipping"); known {
		shipping := fee // a copy, so that only a known fee is allocated on the heap
		t.Shipping = &shipping
	}
	t.Taxes = TaxesFrom(r.Group("taxes"))
	return t
}
