package order

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Fulfillments declares the parcels of orders. Rule fulfillment-16.
var Fulfillments = &collection.Schema{
	Slug: "fulfillments", Singular: "Fulfillment", Plural: "Fulfillments",
	Doc: "Units of one order that are shipped together: a parcel.",
	Fields: []collection.Field{
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Indexed: true, Doc: "The order."},
		{
			Name: "fulfillmentOrder", Kind: collection.Relation, RelationTo: "fulfillment-orders", Indexed: true,
			Doc: "The fulfillment order it belongs to.",
		},
		{Name: "status", Kind: collection.Select, Options: toStrings(FulfillmentStates), Indexed: true, Doc: "Status of the fulfillment."},
		{Name: "carrier", Kind: collection.Select, Options: toStrings(Carriers), Indexed: true, Doc: "The carrier; null if unknown."},
		{
			Name: "trackingNumber", Kind: collection.Text, Indexed: true, MaxLength: MaxTrackingNumber,
			Doc: "The carrier's number of the parcel; null while there is none.",
		},
		{Name: "items", Kind: collection.Array, Doc: "What is in it.", Fields: ItemFields},
		{Name: "shippedAt", Kind: collection.Date, Indexed: true, Doc: "When it was shipped; null before."},
		{Name: "deliveredAt", Kind: collection.Date, Doc: "When it arrived; null until then."},
	},
	PerEnvironment: true, KeepsHistory: true, CommandOnly: true, NoDelete: true,
	TimelineOf: "order",
	Access:     collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read},
}

// ItemFields declares Item.
var ItemFields = []collection.Field{
	{Name: "orderLine", Kind: collection.Text, Doc: "Id of the order's line."},
	{Name: "quantity", Kind: collection.Integer, Doc: "Units of it."},
}

// Record is f as a record of Fulfillments.
func (f Fulfillment) Record() collection.Record {
	items := make([]collection.Record, len(f.Items))
	for i, it := range f.Items {
		items[i] = collection.Record{"orderLine": it.OrderLine, "quantity": it.Quantity}
	}
	r := collection.Record{
		"id": f.ID, "tenant": string(f.Tenant), "environment": string(f.Environment), "order": f.Order,
		"fulfillmentOrder": f.FulfillmentOrder, "status": string(f.State), "items": items,
	}
	if f.Tracking.Carrier != "" {
		r["carrier"] = string(f.Tracking.Carrier)
	}
	if f.Tracking.Number != "" {
		r["trackingNumber"] = f.Tracking.Number
	}
	if !f.ShippedAt.IsZero() {
		r["shippedAt"] = f.ShippedAt
	}
	if !f.DeliveredAt.IsZero() {
		r["deliveredAt"] = f.DeliveredAt
	}
	return r
}

// FulfillmentFrom reads what Record wrote.
func FulfillmentFrom(r collection.Record) Fulfillment {
	f := Fulfillment{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), Order: r.Text("order"),
		FulfillmentOrder: r.Text("fulfillmentOrder"), State: FulfillmentState(r.Text("status")),
		Tracking:  Tracking{Carrier: Carrier(r.Text("carrier")), Number: r.Text("trackingNumber")},
		ShippedAt: r.Time("shippedAt"), DeliveredAt: r.Time("deliveredAt"),
	}
	for _, it := range r.Rows("items") {
		f.Items = append(f.Items, Item{OrderLine: it.Text("orderLine"), Quantity: it.Int("quantity")})
	}
	return f
}
