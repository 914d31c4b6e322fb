package draft

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/team"
)

var (
	read  = []collection.Verb{collection.Read}
	write = []collection.Verb{collection.Read, collection.Create, collection.Update}
)

// amountField declares an amount in the currency of the draft.
func amountField(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Money, Currency: "currency", Doc: doc}
}

// Schema declares draft orders. Rules: features/drafts/RULES.md.
var Schema = &collection.Schema{
	Slug: "draft-orders", Singular: "DraftOrder", Plural: "DraftOrders",
	Doc: "An order that an operator puts together by hand. It reserves nothing and makes nothing until it is finalized.",
	Fields: append([]collection.Field{
		{
			Name: "status", Kind: collection.Select, Options: []string{string(Open), string(Awaiting), string(Finalized), string(Discarded)},
			Default: string(Open), ReadOnly: true, Indexed: true, Doc: "Where the draft is; only a draft can be edited.",
		},
		{Name: "lines", Kind: collection.Array, Doc: "What is ordered: at most 200 lines, at the catalog's prices or by own terms.", Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, ReadOnly: true, Doc: "Id of the line."},
			{Name: "variant", Kind: collection.Relation, RelationTo: "product-variants", Required: true, Doc: "The variant."},
			{
				Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1), Max: collection.Bound(MaxQuantity),
				Doc: "How many units.",
			},
			{
				Name: "terms", Kind: collection.Group, Fields: sale.TermFields,
				Doc: "What the operator agreed with the buyer for the line, with the reason; it takes the permission draft-orders:price. Null: the catalog and the code alone decide.",
			},
		}},
		{
			Name: "customer", Kind: collection.Relation, RelationTo: "customers", Indexed: true,
			Doc: "The buyer's account; null for a guest.",
		},
		{
			Name: "customerSnapshot", Kind: collection.Group, Doc: "Who buys. What is left out is the customer's own.",
			Fields: []collection.Field{
				{Name: "name", Kind: collection.Text, Personal: true, MaxLength: 200, Doc: "The buyer's name."},
				{
					Name: "email", Kind: collection.Text, Personal: true, MaxLength: 300,
					Doc: "The buyer's email. It may be missing or wrong until the draft is finalized.",
				},
				{Name: "phone", Kind: collection.Text, Personal: true, MaxLength: 50, Doc: "The buyer's phone number."},
				address.PhoneE164Field,
			},
		},
		address.Group(collection.Field{Name: "shippingAddress", Doc: "Where the goods go; needed at finalize when anything ships."}),
		{
			Name: "discountCode", Kind: collection.Text, Uppercase: true, MaxLength: 100,
			Doc: "A discount code of the shop; it has to apply when the draft is finalized.",
		},
		{
			Name: "shippingFee", Kind: collection.Money, Currency: "currency", Min: collection.Bound(0),
			Doc: "What delivery costs; null: what the shop's shipping policies say.",
		},
		{
			Name: "shippingPolicy", Kind: collection.Relation, RelationTo: "shipping-policies",
			Doc: "By which policy of the shop everything ships, whatever the products' own are; null: by those, else the default one.",
		},
		{Name: "operatorNotes", Kind: collection.Textarea, Personal: true, Doc: "Notes of operators, for themselves."},
		{Name: "customerNotes", Kind: collection.Textarea, Personal: true, Doc: "The customer's notes; the order takes them over."},
		{
			Name: "currency", Kind: collection.Text, Uppercase: true, MaxLength: 3,
			Doc: "ISO 4217 code of all amounts: the market's, or where the draft names none the shop's own unless it is given. " +
				"In another one the prices are those of the shop's market in it: the default one of several, else the oldest.",
		},
		{
			Name: "market", Kind: collection.Relation, RelationTo: "markets", Indexed: true,
			Doc: "The market whose prices the draft has, by its id or its code; null: that of the currency.",
		},
		{
			Name: "order", Kind: collection.Relation, RelationTo: "orders", ReadOnly: true, Indexed: true,
			Doc: "The order it became, once finalized.",
		},
		{
			Name: "paymentLink", Kind: collection.Group, ReadOnly: true,
			Doc: "By which the buyer pays; null where no link was made, or the last one was revoked.",
			Fields: []collection.Field{
				{
					Name: "checkout", Kind: collection.Relation, RelationTo: "checkouts",
					Doc: "The checkout that the buyer pays: its status says how far that is.",
				},
				{Name: "expiresAt", Kind: collection.Date, Doc: "From when on the link cannot be paid any more."},
				{
					Name: "tokenVersion", Kind: collection.Integer, VisibleTo: collection.ServerOnly,
					Doc: "Version of the secret that the token is derived with.",
				},
			},
		},
		{
			Name: "totals", Kind: collection.Group, ReadOnly: true,
			Doc: "What the order came to, once finalized, or comes to, while its payment link is out.",
			Fields: []collection.Field{
				amountField("subtotal", "Lines before discounts."),
				amountField("discount", "All discounts on lines."),
				amountField("shipping", "Shipping; 0 when nothing ships."),
				amountField("total", "What is to be paid."),
				amountField("taxFree", "The part of it that is free of value added tax."),
				sale.TaxField,
			},
		},
	}, team.AssignmentFields...),
	PerEnvironment: true, NoDelete: true, MaxBytes: 256 << 10,
	Access: collection.Access{Viewer: read, Editor: write, Admin: write, SecretKey: write},
}
