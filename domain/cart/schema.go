package cart

import (
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// Schema declares carts: read through the collection, written through the operations of Contract 5 only.
var Schema = &collection.Schema{
	Slug: "carts", Singular: "Cart", Plural: "Carts",
	Doc:           "What a shopper means to buy.",
	Environmented: true, Operated: true, NoDelete: true, Hot: true,
	Access: collection.Access{
		Viewer: []collection.Verb{collection.Read}, Editor: []collection.Verb{collection.Read},
		Admin: []collection.Verb{collection.Read}, SecretKey: []collection.Verb{collection.Read}, Owner: "customer",
	},
	Fields: []collection.Field{
		{Name: "status", Kind: collection.Select, Sure: true, Options: []string{string(Active), string(Completed), string(Merged), string(Abandoned)}, Indexed: true, Lapses: &collection.Lapse{From: string(Active), To: string(Abandoned), At: "expiresAt"}, Doc: "Whether the cart can still be changed."},
		{Name: "customer", Kind: collection.Relation, To: "customers", Indexed: true, Doc: "The customer who owns the cart; null for guests."},
		{Name: "market", Kind: collection.Relation, To: "markets", Doc: "The market whose prices apply."},
		{Name: "marketLocked", Kind: collection.Boolean, Sure: true, Doc: "Whether the cart belongs to its market for good."},
		{Name: "currency", Kind: collection.Text, Sure: true, Doc: "ISO 4217 code of every amount in the cart."},
		{Name: "revision", Kind: collection.Integer, Sure: true, Doc: "Grows by one with every change."},
		{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "The lines, in the order they were added."},
		{Name: "discountCodes", Kind: collection.Array, Fields: codeFields, Doc: "The discount codes, in the order they apply."},
		{Name: "attributes", Kind: collection.JSON, Sure: true, Of: collection.Text, Doc: "Public attributes: text by name."},
		{Name: "requiresShipping", Kind: collection.Boolean, Sure: true, Doc: "Whether any line is sent to an address."},
		{Name: "totals", Kind: collection.Group, Fields: totalFields, Doc: "The sums of the lines."},
		{Name: "expiresAt", Kind: collection.Date, Sure: true, Doc: "When the cart is abandoned unless it changes before."},
		{Name: "tokenHash", Kind: collection.Text, Read: collection.Nobody, Doc: "SHA-256 of the cart token."},
	},
}

var lineFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Sure: true, Owned: true, Doc: "Identifier of the line."},
	{Name: "product", Kind: collection.Relation, To: "products", Doc: "The product."},
	{Name: "variant", Kind: collection.Relation, To: "product-variants", Doc: "The variant."},
	{Name: "title", Kind: collection.Text, Sure: true, Doc: "Name of the product."},
	{Name: "variantTitle", Kind: collection.Text, Doc: "Name of the variant."},
	{Name: "sku", Kind: collection.Text, Doc: "Stock keeping unit of the variant."},
	{Name: "image", Kind: collection.Upload, Doc: "First image of the variant, else of the product."},
	{Name: "quantity", Kind: collection.Integer, Sure: true, Doc: "Units, 1 to 9999."},
	{Name: "unitPrice", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Price of one unit."},
	{Name: "compareAtPrice", Kind: collection.Money, Currency: "currency", Doc: "Price before a reduction."},
	{Name: "subtotal", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "unitPrice times quantity."},
	{Name: "discount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "The line's share of the discounts."},
	{Name: "total", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "subtotal minus discount."},
	{Name: "requiresShipping", Kind: collection.Boolean, Sure: true, Doc: "Whether the line is sent to an address."},
	{Name: "kind", Kind: collection.Select, Sure: true, Options: catalog.Kinds, Doc: "What the variant is."},
	{Name: "admissions", Kind: collection.Array, Fields: pricing.AdmissionFields, Doc: "Who attends: one entry per unit of an event."},
	{Name: "attributes", Kind: collection.JSON, Sure: true, Of: collection.Text, Doc: "Attributes of the line: text by name."},
	{Name: "available", Kind: collection.Boolean, Sure: true, Doc: "Whether the line can be sold in this quantity."},
	{Name: "priceChanged", Kind: collection.Boolean, Sure: true, Doc: "Whether the latest change of the cart changed the unit price."},
}

var codeFields = []collection.Field{
	{Name: "code", Kind: collection.Text, Sure: true, Doc: "The code."},
	{Name: "applied", Kind: collection.Boolean, Sure: true, Doc: "Whether it takes effect."},
	{Name: "amount", Kind: collection.Money, Currency: "currency", Doc: "What it takes off."},
	{Name: "reason", Kind: collection.Select, Options: discount.Reasons, Doc: "Why it does not take effect."},
}

var totalFields = []collection.Field{
	{Name: "subtotal", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Sum of the lines before discounts."},
	{Name: "discount", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "Sum of the discounts."},
	{Name: "shipping", Kind: collection.Money, Currency: "currency", Sparse: true, Doc: "Null until an address is known; absent when nothing ships."},
	{Name: "total", Kind: collection.Money, Sure: true, Currency: "currency", Doc: "What the lines cost after discounts."},
}
