package order

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
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
		{
			Name: "orderNumber", Kind: collection.Text, Required: true,
			Doc: "Order number in the other system, kept here: 1 to 64 visible characters without spaces.",
		},
		{
			Name: "status", Kind: collection.Select, Options: toStrings(ImportedStatuses), Required: true,
			Doc: "Status of the order. It decides what was paid and sent: pending and failed orders are unpaid and unsent, paid and preparing ones are paid, and from shipped on all units are sent as well; a canceled order was paid only if it has a refundedAmount.",
		},
		{
			Name: "paymentStatus", Kind: collection.Select, Options: importedPaymentStatuses,
			Doc: "What became of the payment, where the status does not say it: an order that is shipped before it is paid is unpaid, one that was canceled and not refunded is paid. It has to agree with status and refundedAmount.",
		},
		{Name: "email", Kind: collection.Email, Doc: "The buyer's email; defaults to that of customerSnapshot."},
		{Name: "currency", Kind: collection.Text, Uppercase: true, Doc: "ISO 4217 code of all amounts; defaults to the shop's currency."},
		{
			Name: "customer", Kind: collection.Relation, RelationTo: "customers",
			Doc: "The buyer's account in this shop. It is never derived from the email.",
		},
		{Name: "customerSnapshot", Kind: collection.Group, Fields: sale.ContactFields, Doc: "The buyer at the time of the order."},
		address.Group(collection.Field{Name: "shippingAddress", Doc: "Where the goods go, or went."}),
		{Name: "lines", Kind: collection.Array, Required: true, Fields: importLineFields, Doc: "What was bought: at least one line."},
		amount("subtotal", "Lines before discounts; has to be their sum."),
		amount("discountAmount", "All discounts on lines; has to be their sum. Where no line says its share it is spread by value."),
		amount("shippingAmount", "Shipping paid; 0 when left out."),
		importTaxField,
		collection.Required(amount("totalAmount", "What was to be paid: subtotal less discountAmount plus shippingAmount, and the taxes that are added.")),
		amount("refundedAmount", "What went back there; 0 when left out."),
		{Name: "discountCodes", Kind: collection.Array, Doc: "Codes that were used.", Fields: []collection.Field{
			{Name: "code", Kind: collection.Text, Required: true, MaxLength: maxTitle, Doc: "The code."},
			amount("amount", "What it took off; 0 when left out."),
		}},
		{Name: "notes", Kind: collection.Textarea, Doc: "Notes of buyer and operators; a customer reads them too."},
		{Name: "metadata", Kind: collection.JSON, Doc: "Custom data of the shop."},
		{Name: "placedAt", Kind: collection.Date, Doc: "When it was placed; defaults to now."},
		{Name: "deliveredAt", Kind: collection.Date, Doc: "When it was delivered; defaults to now for delivered orders."},
	},
}

var importLineFields = []collection.Field{
	{Name: "variant", Kind: collection.Relation, RelationTo: "product-variants", Doc: "The variant in this shop, if there is one."},
	{Name: "title", Kind: collection.Text, Required: true, MaxLength: maxTitle, Doc: "Title of the product."},
	{Name: "variantTitle", Kind: collection.Text, MaxLength: maxTitle, Doc: "Title of the variant."},
	{Name: "sku", Kind: collection.Text, MaxLength: maxTitle, Doc: "Stock keeping unit; defaults to the variant's."},
	{
		Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1), Max: collection.Bound(maxUnits),
		Doc: "Units ordered.",
	},
	collection.Required(amount("unitPrice", "Price of one unit.")),
	amount("subtotal", "Unit price × quantity, if known."),
	amount("discount", "The line's share of all discounts; 0 when left out."),
	amount("total", "Subtotal less discount, if known."),
	{Name: "kind", Kind: collection.Select, Options: catalog.Kinds, Doc: "Kind of product; defaults to the variant's, else physical."},
	{
		Name: "requiresShipping", Kind: collection.Boolean,
		Doc: "Whether a carrier delivers it; defaults to the variant's value, else to whether it is physical.",
	},
	{Name: "taxClass", Kind: collection.Select, Options: tax.Classes, Doc: "How it was taxed; standard when left out."},
	importLineTaxField,
	{
		Name: "returnedQuantity", Kind: collection.Integer, Min: collection.Bound(0), Max: collection.Bound(maxUnits),
		Doc: "Units already returned; defaults to all units of a returned order, else 0.",
	},
	{Name: "attributes", Kind: collection.JSON, ValueKind: collection.Text, Doc: "The shopper's choices."},
}
