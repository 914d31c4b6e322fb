package order

import (
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

const (
	maxTitle = 500       // characters of a title
	maxUnits = 1_000_000 // units of one line
)

func amount(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Money, Currency: "currency", Min: collection.Bound(0), Doc: doc}
}

// ImportSchema declares an order of another system. It is not a collection: Import makes an order of it. Rule
// orders-10.
var ImportSchema = &collection.Schema{
	Slug: "incoming-orders", Singular: "IncomingOrder", Plural: "IncomingOrders",
	Doc: "An order of another system, whole.",
	Fields: []collection.Field{
		{Name: "orderNumber", Kind: collection.Text, Required: true, Doc: "Its number there, which names it here too: 1 to 64 visible characters without spaces."},
		{Name: "status", Kind: collection.Select, Options: toStrings(Statuses), Required: true, Doc: "Where it is. It says what was paid and sent: pending and failed orders nothing, paid and preparing ones their money, those from shipped on everything; of a canceled one only refundedAmount tells that it was paid."},
		{Name: "email", Kind: collection.Email, Doc: "The buyer's email; customerSnapshot's when left out."},
		{Name: "currency", Kind: collection.Text, Uppercase: true, Doc: "ISO 4217 code of all amounts; the shop's when left out."},
		{Name: "customer", Kind: collection.Relation, RelationTo: "customers", Doc: "The buyer's account here. An email never ties an order to an account."},
		{Name: "customerSnapshot", Kind: collection.Group, Fields: sale.ContactFields, Doc: "The buyer at the time of the order."},
		{Name: "shippingAddress", Kind: collection.Group, Fields: sale.AddressFields, Doc: "Where the goods go, or went."},
		{Name: "lines", Kind: collection.Array, Required: true, Fields: importLineFields, Doc: "What was bought: at least one line."},
		amount("subtotal", "Lines before discounts; has to be their sum."),
		amount("discountAmount", "All discounts on lines; has to be their sum. Where no line says its share it is spread by value."),
		amount("shippingAmount", "Shipping paid; 0 when left out."),
		collection.Required(amount("totalAmount", "What was to be paid: subtotal less discountAmount plus shippingAmount.")),
		amount("refundedAmount", "What went back there; 0 when left out."),
		{Name: "discountCodes", Kind: collection.Array, Doc: "Codes that were used.", Fields: []collection.Field{
			{Name: "code", Kind: collection.Text, Required: true, MaxLength: maxTitle, Doc: "The code."},
			amount("amount", "What it took off; 0 when left out."),
		}},
		{Name: "notes", Kind: collection.Textarea, Doc: "Notes of buyer and operators; a customer reads them too."},
		{Name: "metadata", Kind: collection.JSON, Doc: "Custom data of the shop."},
		{Name: "placedAt", Kind: collection.Date, Doc: "When it was placed; now when left out."},
		{Name: "deliveredAt", Kind: collection.Date, Doc: "When it was delivered; now when left out of one that was."},
	},
}

var importLineFields = []collection.Field{
	{Name: "variant", Kind: collection.Relation, RelationTo: "product-variants", Doc: "The variant here, if there is one."},
	{Name: "title", Kind: collection.Text, Required: true, MaxLength: maxTitle, Doc: "What it is called."},
	{Name: "variantTitle", Kind: collection.Text, MaxLength: maxTitle, Doc: "Which version it is."},
	{Name: "sku", Kind: collection.Text, MaxLength: maxTitle, Doc: "Stock keeping unit; the variant's when left out."},
	{Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1), Max: collection.Bound(maxUnits), Doc: "Units ordered."},
	collection.Required(amount("unitPrice", "Price of one unit.")),
	amount("subtotal", "Unit price × quantity, if it is told."),
	amount("discount", "The line's share of all discounts; 0 when left out."),
	amount("total", "Subtotal less discount, if it is told."),
	{Name: "kind", Kind: collection.Select, Options: catalog.Kinds, Doc: "What is delivered; the variant's when left out, else physical."},
	{Name: "requiresShipping", Kind: collection.Boolean, Doc: "Whether it is delivered by a carrier; the variant's when left out, else whether it is physical."},
	{Name: "returnedQuantity", Kind: collection.Integer, Min: collection.Bound(0), Max: collection.Bound(maxUnits), Doc: "Units that came back there; all of a returned order, else 0, when left out."},
	{Name: "attributes", Kind: collection.JSON, ValueKind: collection.Text, Doc: "The shopper's choices."},
}
