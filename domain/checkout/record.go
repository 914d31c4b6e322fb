package checkout

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Record is c as its collection keeps it.
func (c Checkout) Record() collection.Record {
	r := collection.Record{
		"id": c.ID, "tenant": string(c.Tenant), "environment": string(c.Environment), "status": string(c.Status), "cart": c.Cart,
		"email": c.Contact.Email, "customerSnapshot": ContactRecord(c.Contact), "currency": string(c.Currency),
		"lines": lineRecords(c.Lines), "discountCodes": CodeRecords(c.Codes), "totals": c.totals(),
		"requiresShipping": c.RequiresShipping(), "paymentSlot": collection.Record{"held": c.SlotHeld, "paymentSession": orNull(c.Session)},
		"expiresAt": c.ExpiresAt,
	}
	for name, v := range map[string]string{
		"customer": c.Customer, "market": c.Market, "order": c.Order, "notes": c.Notes, "supersededBy": c.SupersededBy,
		"orderNumber": c.OrderNumber, "paymentId": c.PaymentID,
		"reason": c.Case.Reason, "suggestedAction": string(c.Case.Advice), "attentionSession": c.Case.Session, "tokenHash": c.TokenHash, "initialShippingRefund": string(c.Returns.InitialShippingRefund),
	} {
		if v != "" {
			r[name] = v
		}
	}
	if c.Returns.InitialShippingRefund != "" {
		r["returnShippingFee"] = c.Returns.ReturnShippingFee
	}
	if c.Address != nil {
		r["shippingAddress"] = AddressRecord(*c.Address)
	}
	if c.Live() {
		r["liveCart"] = c.Cart
	}
	return r
}

func (c Checkout) totals() collection.Record {
	t := collection.Record{"subtotal": c.Totals.Subtotal, "discount": c.Totals.Discount, "total": c.Totals.Total}
	if !c.RequiresShipping() {
		return t
	}
	t["shipping"] = nil
	if c.Totals.Shipping != nil {
		t["shipping"] = *c.Totals.Shipping
	}
	return t
}

// AddressRecord is a as a record keeps it.
func AddressRecord(a Address) collection.Record {
	r := collection.Record{}
	for i, v := range [...]string{a.RecipientName, a.Phone, a.PostalCode, a.Address1, a.Address2, a.DeliveryMessage, a.Country} {
		r[AddressFields[i].Name] = orNull(v)
	}
	return r
}

// AddressFrom reads what AddressRecord wrote; nil for no address.
func AddressFrom(r collection.Record) *Address {
	if r == nil {
		return nil
	}
	return &Address{
		RecipientName: r.Text("recipientName"), Phone: r.Text("phone"), PostalCode: r.Text("postalCode"), Address1: r.Text("address1"),
		Address2: r.Text("address2"), DeliveryMessage: r.Text("deliveryMessage"), Country: r.Text("country"),
	}
}

// ContactRecord is c as a record keeps it.
func ContactRecord(c Contact) collection.Record {
	return collection.Record{"name": orNull(c.Name), "email": orNull(c.Email), "phone": orNull(c.Phone)}
}

// ContactFrom reads what ContactRecord wrote.
func ContactFrom(r collection.Record) Contact {
	return Contact{Name: r.Text("name"), Email: r.Text("email"), Phone: r.Text("phone")}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func lineRecords(lines []Line) []collection.Record {
	out := make([]collection.Record, len(lines))
	for i, l := range lines {
		out[i] = LineRecord(l)
	}
	return out
}

// LineRecord is l as a record keeps it.
func LineRecord(l Line) collection.Record {
	r := collection.Record{
		"id": l.ID, "product": orNull(l.Product), "variant": orNull(l.Variant), "title": l.Title, "variantTitle": orNull(l.VariantTitle),
		"sku": orNull(l.SKU), "image": orNull(l.Image), "quantity": l.Quantity, "unitPrice": l.UnitPrice,
		"subtotal": l.Subtotal, "discount": l.Discount, "total": l.Total, "requiresShipping": l.RequiresShipping,
		"kind": l.Kind, "admissions": AdmissionRecords(l.Admissions), "attributes": l.Attributes,
	}
	if l.CompareAt != (money.Money{}) {
		r["compareAtPrice"] = l.CompareAt
	}
	return r
}

// AdmissionRecords is admissions as a record keeps them.
func AdmissionRecords(admissions []Admission) []collection.Record {
	out := make([]collection.Record, len(admissions))
	for i, a := range admissions {
		out[i] = collection.Record{"name": a.Name, "email": orNull(a.Email), "phone": orNull(a.Phone), "attributes": a.Attributes}
	}
	return out
}

// AdmissionsFrom reads what AdmissionRecords wrote.
func AdmissionsFrom(rows []collection.Record) []Admission {
	var out []Admission
	for _, r := range rows {
		out = append(out, Admission{Name: r.Text("name"), Email: r.Text("email"), Phone: r.Text("phone"), Attributes: r["attributes"]})
	}
	return out
}

// CodeRecords is codes as a record keeps them.
func CodeRecords(codes []Code) []collection.Record {
	out := make([]collection.Record, len(codes))
	for i, c := range codes {
		out[i] = collection.Record{
			"code": c.Code, "applied": true, "amount": c.Amount, "discount": c.Discount,
			"usageLimit": c.UsageLimit, "perCustomerLimit": c.PerCustomerLimit, "freeShipping": c.FreeShipping,
		}
	}
	return out
}

// FromRecord reads what Record wrote.
func FromRecord(r collection.Record) Checkout {
	slot := r.Group("paymentSlot")
	c := Checkout{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Status: Status(r.Text("status")), Cart: r.Text("cart"), Customer: r.Text("customer"), Contact: ContactFrom(r.Group("customerSnapshot")),
		Address: AddressFrom(r.Group("shippingAddress")), Market: r.Text("market"), Currency: money.Currency(r.Text("currency")),
		Totals: totalsFrom(r.Group("totals")), SlotHeld: slot.Bool("held"), Session: slot.Text("paymentSession"),
		Order: r.Text("order"), Notes: r.Text("notes"), SupersededBy: r.Text("supersededBy"),
		Case:        Case{r.Text("reason"), Advice(r.Text("suggestedAction")), r.Text("attentionSession")},
		OrderNumber: r.Text("orderNumber"), PaymentID: r.Text("paymentId"),
		TokenHash: r.Text("tokenHash"), ExpiresAt: r.Time("expiresAt"),
	}
	c.Returns.InitialShippingRefund = shipping.Refund(r.Text("initialShippingRefund"))
	c.Returns.ReturnShippingFee, _ = r.Money("returnShippingFee")
	for _, l := range r.Rows("lines") {
		c.Lines = append(c.Lines, LineFrom(l))
	}
	c.Codes = CodesFrom(r.Rows("discountCodes"))
	return c
}

// CodesFrom reads what CodeRecords wrote.
func CodesFrom(rows []collection.Record) []Code {
	var out []Code
	for _, d := range rows {
		amount, _ := d.Money("amount")
		out = append(out, Code{d.Text("code"), amount, d.Text("discount"), d.Int("usageLimit"), d.Int("perCustomerLimit"), d.Bool("freeShipping")})
	}
	return out
}

func totalsFrom(r collection.Record) (t Totals) {
	t.Subtotal, _ = r.Money("subtotal")
	t.Discount, _ = r.Money("discount")
	t.Total, _ = r.Money("total")
	if s, ok := r.Money("shipping"); ok {
		t.Shipping = &s
	}
	return t
}

// LineFrom reads what LineRecord wrote.
func LineFrom(r collection.Record) Line {
	l := Line{
		ID: r.ID(), Product: r.Text("product"), Variant: r.Text("variant"), Title: r.Text("title"), VariantTitle: r.Text("variantTitle"),
		SKU: r.Text("sku"), Image: r.Text("image"), Quantity: r.Int("quantity"), RequiresShipping: r.Bool("requiresShipping"),
		Kind: r.Text("kind"), Admissions: AdmissionsFrom(r.Rows("admissions")), Attributes: r["attributes"],
	}
	l.UnitPrice, _ = r.Money("unitPrice")
	l.CompareAt, _ = r.Money("compareAtPrice")
	l.Subtotal, _ = r.Money("subtotal")
	l.Discount, _ = r.Money("discount")
	l.Total, _ = r.Money("total")
	return l
}
