// Package order is what was bought and paid: an immutable record of lines and money, with states that fulfilment moves.
package order

import (
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

var (
	read  = []collection.Verb{collection.Read}
	patch = []collection.Verb{collection.Read, collection.Update}
)

func names[S ~string](values []S) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// Schema is the orders collection. Contract 9.
var Schema = &collection.Schema{
	Slug: "orders", Singular: "Order", Plural: "Orders",
	Doc: "Something bought: by checkout, by an operator, or in another system.",
	Fields: []collection.Field{
		{Name: "orderNumber", Kind: collection.Text, Sure: true, Unique: true, Indexed: true, Doc: "Date and six digits, for people; it authorises nothing."},
		{Name: "email", Kind: collection.Email, Indexed: true, Doc: "The buyer's email."},
		{Name: "status", Kind: collection.Select, Sure: true, Options: names(Statuses), Indexed: true, Doc: "Where the order is."},
		{Name: "source", Kind: collection.Select, Sure: true, Options: []string{"checkout", "manual", "api"}, Indexed: true, Doc: "How it was made."},
		{Name: "currency", Kind: collection.Text, Sure: true, Doc: "ISO 4217 code of all amounts."},
		{Name: "customer", Kind: collection.Relation, To: "customers", Indexed: true, Doc: "The buyer's account; null for a guest."},
		{Name: "customerSnapshot", Kind: collection.Group, Fields: checkout.ContactFields, Doc: "The buyer at the time of the order."},
		{Name: "shippingAddress", Kind: collection.Group, Fields: checkout.AddressFields, Doc: "Where the goods go."},
		{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "What was bought."},
		{Name: "paymentStatus", Kind: collection.Select, Sure: true, Options: []string{"unpaid", "paid", "partially_refunded", "refunded"}, Indexed: true, Doc: "Derived from what was paid and refunded."},
		{Name: "fulfillmentStatus", Kind: collection.Select, Sure: true, Options: []string{"none", "partial", "fulfilled"}, Indexed: true, Doc: "Derived from the units fulfilled."},
		{Name: "subtotal", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Lines before discounts."},
		{Name: "discountAmount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "All discounts on lines."},
		{Name: "discountCodes", Kind: collection.Array, Fields: checkout.CodeFields, Doc: "Codes and what they did."},
		{Name: "shippingAmount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Shipping paid."},
		{Name: "totalAmount", Kind: collection.Money, Sure: true, Currency: "currency", Indexed: true, Doc: "What was paid."},
		{Name: "refundedAmount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "What was given back."},
		{Name: "returnShippingPolicy", Kind: collection.Group, Sparse: true, Doc: "Return rules at the time of the order; absent on orders without such a snapshot.", Fields: []collection.Field{
			{Name: "initialShippingRefund", Kind: collection.Select, Sure: true, Options: []string{"always", "full_return_only", "proportional", "never"}, Doc: "How much outbound shipping a return gives back."},
			{Name: "returnShippingFee", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "What a return costs the customer."},
		}},
		{Name: "checkout", Kind: collection.Relation, To: "checkouts", Unique: true, Indexed: true, Doc: "The checkout it was placed from."},
		{Name: "draftOrder", Kind: collection.Relation, To: "draft-orders", Unique: true, Indexed: true, Doc: "The draft it was finalized from."},
		{Name: "notes", Kind: collection.Textarea, Free: true, Doc: "Notes of buyer and operators."},
		{Name: "metadata", Kind: collection.JSON, Free: true, Doc: "Facts of the shop's own."},
		{Name: "placedAt", Kind: collection.Date, Sure: true, Indexed: true, Doc: "When it was placed."},
		{Name: "deliveredAt", Kind: collection.Date, Doc: "When it was delivered; null before. Filter by it together with status."},
		{Name: "statusNote", Kind: collection.Textarea, Read: collection.Staff, Doc: "What a person said when they last moved the order by hand."},
		{Name: "cancelReason", Kind: collection.Textarea, Read: collection.Staff, Doc: "Why it was canceled."},
		{Name: "cancelKey", Kind: collection.Text, Read: collection.Nobody, Doc: "The operation that cancels it."},
		{Name: "paidAmount", Kind: collection.Money, Currency: "currency", Read: collection.Nobody, Doc: "What was paid."},
		{Name: "beforeReturn", Kind: collection.Text, Read: collection.Nobody, Doc: "Status before the first open return."},
		{Name: "importHash", Kind: collection.Text, Read: collection.Nobody, Doc: "SHA-256 of what another system told of the order when it was imported."},
	},
	Lists:         [][]string{{"status", "deliveredAt"}},
	Environmented: true, Operated: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: patch, Admin: patch, SecretKey: patch, Owner: "customer"},
}

var lineFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Sure: true, Owned: true, Doc: "Id of the order line."},
	{Name: "product", Kind: collection.Relation, To: "products", Doc: "The product."},
	{Name: "variant", Kind: collection.Relation, To: "product-variants", Doc: "The variant."},
	{Name: "title", Kind: collection.Text, Sure: true, Doc: "The product's name at the time."},
	{Name: "variantTitle", Kind: collection.Text, Doc: "The variant's title at the time."},
	{Name: "sku", Kind: collection.Text, Doc: "Stock keeping unit."},
	{Name: "image", Kind: collection.Upload, Doc: "The product's picture."},
	{Name: "quantity", Kind: collection.Integer, Sure: true, Doc: "Units ordered."},
	{Name: "unitPrice", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Price of one unit."},
	{Name: "subtotal", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Unit price × quantity."},
	{Name: "discount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "The line's share of all discounts."},
	{Name: "total", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "What the line cost."},
	{Name: "requiresShipping", Kind: collection.Boolean, Sure: true, Doc: "Whether it is delivered by a carrier."},
	{Name: "kind", Kind: collection.Select, Sure: true, Options: catalog.Kinds, Doc: "What the variant is."},
	{Name: "admissions", Kind: collection.Array, Fields: pricing.AdmissionFields, Doc: "One per unit of an event line."},
	{Name: "attributes", Kind: collection.JSON, Of: collection.Text, Doc: "The shopper's choices, text to text."},
	{Name: "fulfilledQuantity", Kind: collection.Integer, Sure: true, Doc: "Units shipped or completed."},
	{Name: "returnedQuantity", Kind: collection.Integer, Sure: true, Doc: "Units returned."},
	{Name: "stockTaken", Kind: collection.Boolean, Read: collection.Staff, Doc: "Whether the sale took its units from stock, to which a cancel or a return gives them back; false where the variant was not tracked then, and on orders of another system."},
}

// FulfillmentOrders is the work an order makes: one over what ships, one over what is completed by hand. Contract 9.
var FulfillmentOrders = &collection.Schema{
	Slug: "fulfillment-orders", Singular: "FulfillmentOrder", Plural: "FulfillmentOrders",
	Doc: "Units of one order to be shipped, or to be completed by hand.",
	Fields: []collection.Field{
		{Name: "order", Kind: collection.Relation, To: "orders", Indexed: true, Doc: "The order."},
		{Name: "type", Kind: collection.Select, Options: []string{ShippingWork, ManualWork}, Indexed: true, Doc: "Whether a carrier is needed."},
		{Name: "status", Kind: collection.Select, Options: []string{WorkOpen, WorkInProgress, WorkClosed, WorkCanceled}, Indexed: true, Doc: "How far the work is."},
		{Name: "lines", Kind: collection.Array, Doc: "What is to be done.", Fields: []collection.Field{
			{Name: "orderLine", Kind: collection.Text, Doc: "Id of the order's line."},
			{Name: "quantity", Kind: collection.Integer, Doc: "Units."},
			{Name: "fulfilledQuantity", Kind: collection.Integer, Doc: "Units done."},
		}},
	},
	Environmented: true, Operated: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read},
}
