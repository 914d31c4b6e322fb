package checkout

import (
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

var read = []collection.Verb{collection.Read}

// AddressFields is the shape of a shipping address, shared by checkouts and orders. Contract 8.
var AddressFields = shipping.AddressFields

// ContactFields is who buys, as written down at the time. Contract 9.
var ContactFields = []collection.Field{
	{Name: "name", Kind: collection.Text, MaxLength: 200, Doc: "The buyer's name."},
	{Name: "email", Kind: collection.Email, Doc: "The buyer's email."},
	{Name: "phone", Kind: collection.Text, MaxLength: 50, Doc: "The buyer's phone number."},
}

// CodeFields is one discount code and what it did. Contract 5.
var CodeFields = []collection.Field{
	{Name: "code", Kind: collection.Text, Sure: true, Doc: "The code."},
	{Name: "applied", Kind: collection.Boolean, Sure: true, Doc: "Whether it takes effect."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "What it takes off the lines."},
	{Name: "reason", Kind: collection.Select, Options: discount.Reasons, Doc: "Why it does not take effect."},
	{Name: "discount", Kind: collection.Text, Read: collection.Nobody, Doc: "Id of the discount."},
	{Name: "usageLimit", Kind: collection.Integer, Read: collection.Nobody, Doc: "How often it may be used; 0 is any number."},
	{Name: "perCustomerLimit", Kind: collection.Integer, Read: collection.Nobody, Doc: "How often one customer may; 0 is any number."},
	{Name: "freeShipping", Kind: collection.Boolean, Read: collection.Nobody, Doc: "Whether it waives the base fee of shipping."},
}

// Schema is the checkouts collection: carts frozen for payment. Contract 8.
var Schema = &collection.Schema{
	Slug: "checkouts", Singular: "Checkout", Plural: "Checkouts",
	Doc: "A cart whose lines and totals are frozen for payment.",
	Fields: []collection.Field{
		{Name: "status", Kind: collection.Select, Sure: true, Options: statuses, Indexed: true, Lapses: &collection.Lapse{From: string(Open), To: string(Expired), At: "expiresAt"}, Doc: "Where the checkout is."},
		{Name: "cart", Kind: collection.Relation, To: "carts", Indexed: true, Doc: "The cart it was made from."},
		{Name: "email", Kind: collection.Email, Indexed: true, Doc: "The buyer's email."},
		{Name: "customer", Kind: collection.Relation, To: "customers", Indexed: true, Doc: "The buyer's account; null for a guest."},
		{Name: "customerSnapshot", Kind: collection.Group, Fields: ContactFields, Doc: "The buyer as written down now."},
		{Name: "shippingAddress", Kind: collection.Group, Fields: AddressFields, Doc: "Where the goods go."},
		{Name: "market", Kind: collection.Relation, To: "markets", Doc: "The market prices were taken from."},
		{Name: "currency", Kind: collection.Text, Sure: true, Doc: "ISO 4217 code of all amounts."},
		{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "What is bought, at frozen prices."},
		{Name: "discountCodes", Kind: collection.Array, Fields: CodeFields, Doc: "Codes and what they did."},
		{Name: "totals", Kind: collection.Group, Doc: "Frozen totals.", Fields: []collection.Field{
			{Name: "subtotal", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Lines before discounts."},
			{Name: "discount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "All discounts on lines."},
			{Name: "shipping", Kind: collection.Money, Currency: "currency", Sparse: true, Doc: "Null until an address is known; absent when nothing ships."},
			{Name: "total", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "What is paid."},
		}},
		{Name: "requiresShipping", Kind: collection.Boolean, Sure: true, Doc: "Whether any line ships."},
		{Name: "paymentSlot", Kind: collection.Group, Doc: "The one payment under way.", Fields: []collection.Field{
			{Name: "held", Kind: collection.Boolean, Sure: true, Doc: "Whether a session holds the slot."},
			{Name: "paymentSession", Kind: collection.Relation, To: "payment-sessions", Doc: "The session that holds it, or held it last."},
		}},
		{Name: "expiresAt", Kind: collection.Date, Sure: true, Doc: "When an unpaid checkout expires."},
		{Name: "order", Kind: collection.Relation, To: "orders", Doc: "The order, once placed."},
		{Name: "notes", Kind: collection.Textarea, Doc: "The buyer's notes."},
		{Name: "orderNumber", Kind: collection.Text, Read: collection.Staff, Doc: "The number that its order takes if it is free."},
		{Name: "paymentId", Kind: collection.Text, Read: collection.Staff, Doc: "A payment outside, as the shop's server named it."},
		{Name: "supersededBy", Kind: collection.Relation, To: "checkouts", Doc: "The newer checkout of the same cart."},
		{Name: "reason", Kind: collection.Text, Doc: "Why it requires attention."},
		{Name: "suggestedAction", Kind: collection.Select, Options: AllAdvice, Read: collection.Staff, Doc: "What an operator is advised to do while it requires attention: give the money back, place the order once the goods are there, compare the amounts, or look at the provider."},
		{Name: "attentionSession", Kind: collection.Relation, To: "payment-sessions", Read: collection.Staff, Doc: "The payment session that an operator resolves."},
		{Name: "initialShippingRefund", Kind: collection.Text, Read: collection.Nobody, Doc: "Return rule of that policy, for the order."},
		{Name: "returnShippingFee", Kind: collection.Money, Currency: "currency", Read: collection.Nobody, Doc: "Return fee of that policy, for the order."},
		{Name: "tokenHash", Kind: collection.Text, Read: collection.Nobody, Doc: "SHA-256 of the capability token."},
		{Name: "liveCart", Kind: collection.Text, Read: collection.Nobody, Unique: true, Doc: "The cart while this is its one live checkout."},
	},
	Environmented: true, Operated: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read, Owner: "customer"},
}

var lineFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Sure: true, Owned: true, Doc: "Id of the line, the cart line's."},
	{Name: "product", Kind: collection.Relation, To: "products", Doc: "The product."},
	{Name: "variant", Kind: collection.Relation, To: "product-variants", Doc: "The variant."},
	{Name: "title", Kind: collection.Text, Sure: true, Doc: "The product's name at the time."},
	{Name: "variantTitle", Kind: collection.Text, Doc: "The variant's title at the time."},
	{Name: "sku", Kind: collection.Text, Doc: "Stock keeping unit."},
	{Name: "image", Kind: collection.Upload, Doc: "The product's picture."},
	{Name: "quantity", Kind: collection.Integer, Sure: true, Doc: "Units."},
	{Name: "unitPrice", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Price of one unit."},
	{Name: "compareAtPrice", Kind: collection.Money, Currency: "currency", Doc: "Price before reduction."},
	{Name: "subtotal", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Unit price × quantity."},
	{Name: "discount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "The line's share of all discounts."},
	{Name: "total", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Subtotal − discount."},
	{Name: "requiresShipping", Kind: collection.Boolean, Sure: true, Doc: "Whether it is delivered."},
	{Name: "kind", Kind: collection.Select, Sure: true, Options: catalog.Kinds, Doc: "What the variant is."},
	{Name: "admissions", Kind: collection.Array, Fields: pricing.AdmissionFields, Doc: "One per unit of an event line."},
	{Name: "attributes", Kind: collection.JSON, Of: collection.Text, Doc: "The shopper's choices, text to text."},
}
