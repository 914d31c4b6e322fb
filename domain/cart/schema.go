package cart

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// Schema declares carts, which are read through the collection and written only by their operations. Rule
// collections-17.
var Schema = &collection.Schema{
	Slug: "carts", Singular: "Cart", Plural: "Carts",
	Doc:            "The items a shopper intends to buy.",
	PerEnvironment: true, CommandOnly: true, NoDelete: true, FrequentlyUpdated: true,
	Access: collection.Access{
		Viewer: []collection.Verb{collection.Read}, Editor: []collection.Verb{collection.Read},
		Admin: []collection.Verb{collection.Read}, SecretKey: []collection.Verb{collection.Read}, OwnerField: "customer",
	},
	Fields: []collection.Field{
		{
			Name: "status", Kind: collection.Select, NonNull: true,
			Options: []string{string(Active), string(Completed), string(Merged), string(Abandoned)}, Indexed: true,
			Transition: &collection.TimedTransition{From: string(Active), To: string(Abandoned), At: "expiresAt"},
			Doc:        "Whether the cart can still be changed.",
		},
		{
			Name: "customer", Kind: collection.Relation, RelationTo: "customers", Indexed: true,
			Doc: "The customer who owns the cart; null for guests.",
		},
		{Name: "locale", Kind: collection.Text, Doc: "Language of the buyer, in which the lines have their titles; null: the shop's default language."},
		{Name: "market", Kind: collection.Relation, RelationTo: "markets", Doc: "The market whose prices apply."},
		{Name: "marketLocked", Kind: collection.Boolean, NonNull: true, Doc: "Whether the cart belongs to its market for good."},
		{Name: "currency", Kind: collection.Text, NonNull: true, Doc: "ISO 4217 code of every amount in the cart."},
		{Name: "revision", Kind: collection.Integer, NonNull: true, Doc: "Increases by one with every change."},
		{Name: "lines", Kind: collection.Array, Fields: lineFields, Doc: "The lines, in the order they were added."},
		{Name: "discountCodes", Kind: collection.Array, Fields: sale.CodeFields, Doc: "The discount codes, in the order they apply."},
		{Name: "attributes", Kind: collection.JSON, Personal: true, NonNull: true, ValueKind: collection.Text, Doc: "Public attributes: text by name."},
		{Name: "requiresShipping", Kind: collection.Boolean, NonNull: true, Doc: "Whether any line is sent to an address."},
		{Name: "totals", Kind: collection.Group, Fields: totalFields, Doc: "The sums of the lines."},
		{Name: "expiresAt", Kind: collection.Date, NonNull: true, Doc: "When the cart is abandoned unless it changes before."},
		{Name: "tokenHash", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "SHA-256 of the cart token."},
	},
}

var lineFields = sale.LineFields.Without("terms").NonNull("attributes").Described(sale.Docs{
	"id":               "Identifier of the line.",
	"title":            "Name of the product.",
	"variantTitle":     "Name of the variant.",
	"sku":              "Stock keeping unit of the variant.",
	"image":            "First image of the variant, else of the product.",
	"quantity":         "Units, 1 to 9999.",
	"compareAtPrice":   "Price before a reduction.",
	"subtotal":         "unitPrice times quantity.",
	"discount":         "The line's share of the discounts.",
	"total":            "subtotal minus discount.",
	"requiresShipping": "Whether the line is sent to an address.",
	"admissions":       "Attendees: one entry per unit of an event.",
	"attributes":       "Attributes of the line: text by name.",
}).And(
	collection.Field{Name: "available", Kind: collection.Boolean, NonNull: true, Doc: "Whether the line can be sold in this quantity."},
	collection.Field{
		Name: "priceChanged", Kind: collection.Boolean, NonNull: true, Doc: "Whether the latest change of the cart changed the unit price.",
	},
)

var totalFields = sale.TotalFields.Described(sale.Docs{
	"subtotal": "Sum of the lines before discounts.",
	"discount": "Sum of the discounts.",
	"total":    "What the lines cost after discounts.",
})
