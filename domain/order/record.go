package order

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Record is o as a record of Schema.
func (o Order) Record() collection.Record {
	r := collection.Record{
		"id": o.ID, "tenant": string(o.Tenant), "environment": string(o.Environment), "orderNumber": o.Number,
		"status": string(o.Status), "source": string(o.Source), "currency": string(o.Currency),
		"customerSnapshot": o.Contact.Record(), "lines": lineRecords(o.Lines), "discountCodes": checkout.CodeRecords(o.Codes),
		"paymentStatus": o.PaymentStatus(), "fulfillmentStatus": o.FulfillmentStatus(), "subtotal": o.Subtotal,
		"discountAmount": o.Discount, "shippingAmount": o.Shipping, "totalAmount": o.Total, "taxFreeAmount": o.TaxFree(), "paidAmount": o.Paid,
		"refundedAmount": o.Refunded, "placedAt": o.PlacedAt,
	}
	for name, v := range map[string]string{
		"email": o.Contact.Email, "customer": o.Customer, "checkout": o.Checkout, "draftOrder": o.Draft, "notes": o.Notes, "locale": o.Locale,
		"beforeReturn": string(o.StatusBeforeReturn), "cancelKey": o.CancelKey, "cancelReason": o.CancelReason, "statusNote": o.StatusNote,
		"importHash": o.ImportHash, "hold": o.Hold, "shippingMethod": o.ShippingMethod,
	} {
		if v != "" {
			r[name] = v
		}
	}
	o.Assignment.Put(r)
	if len(o.FormerEmails) > 0 {
		r["formerEmails"] = o.FormerEmails
	}
	if len(o.LineCancels) > 0 {
		r["canceledAmount"], r["lineCancels"] = o.CanceledAmount(), lineCancelRecords(o.LineCancels)
	}
	if o.CancelKey != "" {
		r["canceledBy"] = collection.ActorRecord(o.CanceledBy)
	}
	if !o.Reversed.IsZero() {
		r["reversedAmount"] = o.Reversed
	}
	if a := o.Authorization; a != nil {
		r["authorization"] = a.record()
	}
	if !o.DeliveredAt.IsZero() {
		r["deliveredAt"] = o.DeliveredAt
	}
	if o.Address != nil {
		r["shippingAddress"] = o.Address.Record()
	}
	if o.Taxes != nil {
		r["taxes"] = o.Taxes.Record()
	}
	if o.Metadata != nil {
		r["metadata"] = o.Metadata
	}
	if p := o.ReturnPolicy; p != nil {
		r["returnShippingPolicy"] = collection.Record{
			"initialShippingRefund": string(p.InitialShippingRefund), "returnShippingFee": p.ReturnShippingFee,
		}
	}
	return r
}

func (a Authorization) record() collection.Record {
	r := collection.Record{"paymentSession": a.Session, "amount": a.Amount, "capture": string(a.Capture)}
	if !a.Until.IsZero() {
		r["until"] = a.Until
	}
	return r
}

func authorizationFrom(r collection.Record) *Authorization {
	if r.Text("paymentSession") == "" {
		return nil
	}
	a := Authorization{Session: r.Text("paymentSession"), Capture: checkout.CaptureMode(r.Text("capture")), Until: r.Time("until")}
	a.Amount, _ = r.Money("amount")
	return &a
}

func lineRecords(lines []Line) []collection.Record {
	out := make([]collection.Record, len(lines))
	for i, l := range lines {
		out[i] = l.Record()
	}
	return out
}

// Record is l as a record of the lines of Schema.
func (l Line) Record() collection.Record {
	r := l.Line.Record()
	delete(r, "compareAtPrice") // shown in the storefront only, not part of the sale
	r["fulfilledQuantity"], r["returnedQuantity"], r["stockTaken"] = l.Fulfilled, l.Returned, l.StockTaken
	if l.Canceled > 0 {
		r["canceledQuantity"], r["canceledAmount"] = l.Canceled, l.CanceledAmount
	}
	return r
}

func lineFrom(r collection.Record) Line {
	l := Line{
		Line: sale.LineFrom(r), Fulfilled: r.Int("fulfilledQuantity"), Returned: r.Int("returnedQuantity"),
		Canceled: r.Int("canceledQuantity"), StockTaken: r.Bool("stockTaken"),
	}
	l.CanceledAmount, _ = r.Money("canceledAmount")
	return l
}

// FromRecord reads what Record wrote.
func FromRecord(r collection.Record) Order {
	o := Order{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Number: r.Text("orderNumber"), Status: Status(r.Text("status")), Source: Source(r.Text("source")), Customer: r.Text("customer"),
		Contact: sale.ContactFrom(r.Group("customerSnapshot")), Address: address.From(r.Group("shippingAddress")),
		Locale: r.Text("locale"), Currency: money.Currency(r.Text("currency")), Codes: checkout.CodesFrom(r.Rows("discountCodes")),
		Checkout: r.Text("checkout"),
		Draft:    r.Text("draftOrder"), Notes: r.Text("notes"), Metadata: r["metadata"], PlacedAt: r.Time("placedAt"),
		StatusBeforeReturn: Status(r.Text("beforeReturn")), CancelKey: r.Text("cancelKey"), CancelReason: r.Text("cancelReason"),
		CanceledBy:  collection.ActorFrom(r.Group("canceledBy")),
		DeliveredAt: r.Time("deliveredAt"), StatusNote: r.Text("statusNote"), ImportHash: r.Text("importHash"), Hold: r.Text("hold"),
		ShippingMethod: r.Text("shippingMethod"),
	}
	o.Subtotal, _ = r.Money("subtotal")
	o.Discount, _ = r.Money("discountAmount")
	o.Shipping, _ = r.Money("shippingAmount")
	o.Taxes = sale.TaxesFrom(r.Group("taxes"))
	o.Total, _ = r.Money("totalAmount")
	o.Refunded, _ = r.Money("refundedAmount")
	o.Reversed, _ = r.Money("reversedAmount")
	o.Paid = paidFrom(r, o)
	o.Authorization = authorizationFrom(r.Group("authorization"))
	for _, l := range r.Rows("lines") {
		o.Lines = append(o.Lines, lineFrom(l))
	}
	o.Assignment, o.FormerEmails = team.AssignmentFrom(r), r.Texts("formerEmails")
	o.LineCancels = lineCancelsFrom(r.Rows("lineCancels"))
	if p := r.Group("returnShippingPolicy"); p != nil {
		fee, _ := p.Money("returnShippingFee")
		o.ReturnPolicy = &checkout.ReturnPolicy{
			InitialShippingRefund: shipping.RefundRule(p.Text("initialShippingRefund")), ReturnShippingFee: fee,
		}
	}
	return o
}

// paidFrom is the paid amount of o. Older records and imported orders have none, so it is derived from their
// status.
func paidFrom(r collection.Record, o Order) money.Money {
	if paid, given := r.Money("paidAmount"); given {
		return paid
	}
	return o.paidByStatus()
}

// paidByStatus derives the paid amount of an order from its status and refunds.
func (o Order) paidByStatus() money.Money {
	if o.Status == Pending || o.Status == Failed || o.Status == Canceled && o.Refunded.IsZero() {
		return money.Of(0, o.Currency)
	}
	return o.Total
}

// Record is f as a record of FulfillmentOrders.
func (f FulfillmentOrder) Record() collection.Record {
	lines := make([]collection.Record, len(f.Lines))
	for i, w := range f.Lines {
		lines[i] = collection.Record{"orderLine": w.OrderLine, "quantity": w.Quantity, "fulfilledQuantity": w.Done}
	}
	r := collection.Record{
		"id": f.ID, "tenant": string(f.Tenant), "environment": string(f.Environment), "order": f.Order, "type": f.Type,
		"status": f.Status, "lines": lines,
	}
	if f.CarrierBatch != "" {
		r["carrierBatch"] = f.CarrierBatch
	}
	if len(f.ChangedSinceExport) > 0 {
		r["changedSinceExport"] = f.ChangedSinceExport
	}
	return r
}

// FulfillmentOrderFrom reads what Record wrote.
func FulfillmentOrderFrom(r collection.Record) FulfillmentOrder {
	f := FulfillmentOrder{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), Order: r.Text("order"),
		Type: r.Text("type"), Status: r.Text("status"), CarrierBatch: r.Text("carrierBatch"),
		ChangedSinceExport: r.Texts("changedSinceExport"),
	}
	for _, l := range r.Rows("lines") {
		f.Lines = append(f.Lines, FulfillmentOrderLine{
			OrderLine: l.Text("orderLine"), Quantity: l.Int("quantity"), Done: l.Int("fulfilledQuantity"),
		})
	}
	return f
}
