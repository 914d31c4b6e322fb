package checkout

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Record is c as a record of Schema.
func (c Checkout) Record() collection.Record {
	r := collection.Record{
		"id": c.ID, "tenant": string(c.Tenant), "environment": string(c.Environment), "status": string(c.Status), "cart": c.Cart,
		"email": c.Contact.Email, "customerSnapshot": c.Contact.Record(), "currency": string(c.Currency),
		"lines": sale.LineRecords(c.Lines), "discountCodes": CodeRecords(c.Codes), "totals": c.Totals.Record(c.RequiresShipping(), c.TaxFree()),
		"requiresShipping": c.RequiresShipping(), "paymentSlot": collection.Record{
			"held": c.SlotHeld, "paymentSession": collection.TextOrNull(c.Session),
		},
		"expiresAt": c.ExpiresAt,
	}
	for name, v := range map[string]string{
		"customer": c.Customer, "draftOrder": c.Draft, "market": c.Market, "order": c.Order, "notes": c.Notes, "supersededBy": c.SupersededBy,
		"locale":      c.Locale,
		"orderNumber": c.OrderNumber, "paymentId": c.PaymentID, "shippingMethod": c.ShippingMethod,
		"reason": c.AttentionCase.Reason, "suggestedAction": string(c.AttentionCase.Advice),
		"attentionSession": c.AttentionCase.PaymentSession, "tokenHash": c.TokenHash,
		"initialShippingRefund": string(c.ReturnPolicy.InitialShippingRefund),
	} {
		if v != "" {
			r[name] = v
		}
	}
	if c.ReturnPolicy.InitialShippingRefund != "" {
		r["returnShippingFee"] = c.ReturnPolicy.ReturnShippingFee
	}
	if c.TaxExempt {
		r["taxExempt"] = true
	}
	if c.Address != nil {
		r["shippingAddress"] = c.Address.Record()
	}
	if c.IsLive() {
		r["liveCart"] = c.Cart
	}
	return r
}

// CodeRecords are codes as records of CodeFields.
func CodeRecords(codes []Code) []collection.Record {
	out := make([]collection.Record, len(codes))
	for i, c := range codes {
		out[i] = collection.Record{
			"code": c.Code, "applied": true, "amount": c.Amount, "discount": c.Discount,
			"freeShipping": c.FreeShipping,
		}
	}
	return out
}

// FromRecord reads what Record wrote.
func FromRecord(r collection.Record) Checkout {
	slot := r.Group("paymentSlot")
	c := Checkout{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Status: Status(r.Text("status")), Cart: r.Text("cart"), Draft: r.Text("draftOrder"), Customer: r.Text("customer"),
		Contact: sale.ContactFrom(r.Group("customerSnapshot")), Address: address.From(r.Group("shippingAddress")),
		Market: r.Text("market"), Locale: r.Text("locale"), Currency: money.Currency(r.Text("currency")), Lines: sale.LinesFrom(r.Rows("lines")),
		Totals: sale.TotalsFrom(r.Group("totals")), SlotHeld: slot.Bool("held"), Session: slot.Text("paymentSession"),
		Order: r.Text("order"), Notes: r.Text("notes"), SupersededBy: r.Text("supersededBy"),
		AttentionCase: AttentionCase{r.Text("reason"), Advice(r.Text("suggestedAction")), r.Text("attentionSession")},
		OrderNumber:   r.Text("orderNumber"), PaymentID: r.Text("paymentId"), ShippingMethod: r.Text("shippingMethod"),
		TokenHash: r.Text("tokenHash"), ExpiresAt: r.Time("expiresAt"),
		TaxExempt: r.Bool("taxExempt"),
	}
	c.ReturnPolicy.InitialShippingRefund = shipping.RefundRule(r.Text("initialShippingRefund"))
	c.ReturnPolicy.ReturnShippingFee, _ = r.Money("returnShippingFee")
	c.Codes = CodesFrom(r.Rows("discountCodes"))
	return c
}

// CodesFrom reads what CodeRecords wrote.
func CodesFrom(rows []collection.Record) []Code {
	var out []Code
	for _, d := range rows {
		amount, _ := d.Money("amount")
		out = append(out, Code{
			d.Text("code"), amount, d.Text("discount"), d.Bool("freeShipping"),
		})
	}
	return out
}
