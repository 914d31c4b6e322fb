package order

import (
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Record is o as its collection keeps it.
func (o Order) Record() collection.Record {
	r := collection.Record{
		"id": o.ID, "tenant": string(o.Tenant), "environment": string(o.Environment), "orderNumber": o.Number,
		"status": string(o.Status), "source": string(o.Source), "currency": string(o.Currency),
		"customerSnapshot": checkout.ContactRecord(o.Contact), "lines": lineRecords(o.Lines), "discountCodes": checkout.CodeRecords(o.Codes),
		"paymentStatus": o.PaymentStatus(), "fulfillmentStatus": o.FulfillmentStatus(), "subtotal": o.Subtotal,
		"discountAmount": o.Discount, "shippingAmount": o.Shipping, "totalAmount": o.Total, "paidAmount": o.Paid, "refundedAmount": o.Refunded,
		"placedAt": o.PlacedAt,
	}
	for name, v := range map[string]string{
		"email": o.Contact.Email, "customer": o.Customer, "checkout": o.Checkout, "draftOrder": o.Draft, "notes": o.Notes, "beforeReturn": string(o.BeforeReturn),
		"cancelKey": o.CancelKey, "cancelReason": o.CancelReason, "statusNote": o.StatusNote, "importHash": o.ImportHash,
	} {
		if v != "" {
			r[name] = v
		}
	}
	if !o.DeliveredAt.IsZero() {
		r["deliveredAt"] = o.DeliveredAt
	}
	if o.Address != nil {
		r["shippingAddress"] = checkout.AddressRecord(*o.Address)
	}
	if o.Metadata != nil {
		r["metadata"] = o.Metadata
	}
	if p := o.Returns; p != nil {
		r["returnShippingPolicy"] = collection.Record{
			"initialShippingRefund": string(p.InitialShippingRefund), "returnShippingFee": p.ReturnShippingFee,
		}
	}
	return r
}

func lineRecords(lines []Line) []collection.Record {
	out := make([]collection.Record, len(lines))
	for i, l := range lines {
		out[i] = checkout.LineRecord(l.Line)
		delete(out[i], "compareAtPrice") // a wish of the storefront, no fact of the sale
		out[i]["fulfilledQuantity"], out[i]["returnedQuantity"] = l.Fulfilled, l.Returned
		out[i]["stockTaken"] = l.StockTaken
	}
	return out
}

// FromRecord reads what Record wrote.
func FromRecord(r collection.Record) Order {
	o := Order{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Number: r.Text("orderNumber"), Status: Status(r.Text("status")), Source: Source(r.Text("source")), Customer: r.Text("customer"),
		Contact: checkout.ContactFrom(r.Group("customerSnapshot")), Address: checkout.AddressFrom(r.Group("shippingAddress")),
		Currency: money.Currency(r.Text("currency")), Codes: checkout.CodesFrom(r.Rows("discountCodes")), Checkout: r.Text("checkout"),
		Draft: r.Text("draftOrder"), Notes: r.Text("notes"), Metadata: r["metadata"], PlacedAt: r.Time("placedAt"),
		BeforeReturn: Status(r.Text("beforeReturn")), CancelKey: r.Text("cancelKey"), CancelReason: r.Text("cancelReason"),
		DeliveredAt: r.Time("deliveredAt"), StatusNote: r.Text("statusNote"), ImportHash: r.Text("importHash"),
	}
	o.Subtotal, _ = r.Money("subtotal")
	o.Discount, _ = r.Money("discountAmount")
	o.Shipping, _ = r.Money("shippingAmount")
	o.Total, _ = r.Money("totalAmount")
	o.Refunded, _ = r.Money("refundedAmount")
	o.Paid = paidFrom(r, o)
	for _, l := range r.Rows("lines") {
		o.Lines = append(o.Lines, Line{
			Line: checkout.LineFrom(l), Fulfilled: l.Int("fulfilledQuantity"), Returned: l.Int("returnedQuantity"), StockTaken: l.Bool("stockTaken"),
		})
	}
	if p := r.Group("returnShippingPolicy"); p != nil {
		fee, _ := p.Money("returnShippingFee")
		o.Returns = &checkout.ReturnPolicy{InitialShippingRefund: shipping.Refund(p.Text("initialShippingRefund")), ReturnShippingFee: fee}
	}
	return o
}

// paidFrom is what was paid for o. Orders of before this was kept, and those of other systems, say it by their status alone.
func paidFrom(r collection.Record, o Order) money.Money {
	if paid, told := r.Money("paidAmount"); told {
		return paid
	}
	return o.paidByStatus()
}

// paidByStatus is what was paid for an order of which nothing but its status and what went back is known.
func (o Order) paidByStatus() money.Money {
	if o.Status == Pending || o.Status == Failed || o.Status == Canceled && o.Refunded.IsZero() {
		return money.Of(0, o.Currency)
	}
	return o.Total
}

// Record is f as its collection keeps it.
func (f FulfillmentOrder) Record() collection.Record {
	lines := make([]collection.Record, len(f.Lines))
	for i, w := range f.Lines {
		lines[i] = collection.Record{"orderLine": w.OrderLine, "quantity": w.Quantity, "fulfilledQuantity": w.Done}
	}
	return collection.Record{
		"id": f.ID, "tenant": string(f.Tenant), "environment": string(f.Environment), "order": f.Order, "type": f.Type,
		"status": f.Status, "lines": lines,
	}
}

// FulfillmentOrderFrom reads what Record wrote.
func FulfillmentOrderFrom(r collection.Record) FulfillmentOrder {
	f := FulfillmentOrder{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), Order: r.Text("order"),
		Type: r.Text("type"), Status: r.Text("status"),
	}
	for _, l := range r.Rows("lines") {
		f.Lines = append(f.Lines, Work{OrderLine: l.Text("orderLine"), Quantity: l.Int("quantity"), Done: l.Int("fulfilledQuantity")})
	}
	return f
}
