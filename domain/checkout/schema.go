package checkout

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

var read = []collection.Verb{collection.Read}

// CodeFields declares Code. Rule carts-9.
var CodeFields = sale.CodeFields.Described(sale.Docs{"amount": "What it takes off the lines."}).And(
	collection.Field{Name: "discount", Kind: collection.Text, VisibleTo: collection.ServerOnly, Doc: "Id of the discount."},
	collection.Field{
		Name: "freeShipping", Kind: collection.Boolean, VisibleTo: collection.ServerOnly,
		Doc: "Whether it waives the base fee of shipping.",
	},
)

// Schema is the checkouts collection: carts frozen for payment. Rules: features/checkouts/RULES.md.
var Schema = &collection.Schema{
	Slug: "checkouts", Singular: "Checkout", Plural: "Checkouts",
	Doc: "A cart whose lines and totals are frozen for payment.",
	Fields: []collection.Field{
		{
			Name: "status", Kind: collection.Select, NonNull: true, Options: statuses, Indexed: true,
			Transition: &collection.TimedTransition{From: string(Open), To: string(Expired), At: "expiresAt"},
			Doc:        "Status of the checkout.",
		},
		{Name: "cart", Kind: collection.Relation, RelationTo: "carts", Indexed: true, Doc: "The cart it was made from."},
		{
			Name: "draftOrder", Kind: collection.Relation, RelationTo: "draft-orders", VisibleTo: collection.Staff,
			Doc: "The draft order whose payment link it is; null for none.",
		},
		{Name: "email", Kind: collection.Email, Personal: true, Indexed: true, Doc: "The buyer's email."},
		{
			Name: "customer", Kind: collection.Relation, RelationTo: "customers", Indexed: true,
			Doc: "The buyer's account; null for a guest.",
		},
		{
			Name: "customerSnapshot", Kind: collection.Group, Fields: sale.ContactFields,
			Doc: "The buyer's contact details at the time of the checkout.",
		},
		address.Group(collection.Field{Name: "shippingAddress", Doc: "Where the goods go."}),
		{Name: "market", Kind: collection.Relation, RelationTo: "markets", Doc: "The market prices were taken from."},
		{Name: "locale", Kind: collection.Text, Doc: "Language of the buyer, in which the lines have their titles; null: the shop's default language."},
		{Name: "currency", Kind: collection.Text, NonNull: true, Doc: "ISO 4217 code of all amounts."},
		{Name: "lines", Kind: collection.Array, Fields: sale.LineFields, Doc: "The lines, at frozen prices."},
		{Name: "discountCodes", Kind: collection.Array, Fields: CodeFields, Doc: "The discount codes and their effect."},
		{Name: "totals", Kind: collection.Group, Fields: sale.TotalFields, Doc: "Frozen totals."},
		{Name: "requiresShipping", Kind: collection.Boolean, NonNull: true, Doc: "Whether any line ships."},
		{
			Name: "shippingMethod", Kind: collection.Text,
			Doc: "How it ships: the title of the shipping policy that an operator chose for its draft order; null where none was chosen.",
		},
		{Name: "paymentSlot", Kind: collection.Group, Doc: "The one payment under way.", Fields: []collection.Field{
			{Name: "held", Kind: collection.Boolean, NonNull: true, Doc: "Whether a session holds the slot."},
			{
				Name: "paymentSession", Kind: collection.Relation, RelationTo: "payment-sessions",
				Doc: "The session that holds it, or held it last.",
			},
		}},
		{Name: "expiresAt", Kind: collection.Date, NonNull: true, Doc: "When an unpaid checkout expires."},
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Doc: "The order, once placed."},
		{Name: "notes", Kind: collection.Textarea, Personal: true, Doc: "The buyer's notes."},
		{
			Name: "orderNumber", Kind: collection.Text, VisibleTo: collection.Staff,
			Doc: "The number that its order gets, unless another order has it by then.",
		},
		{Name: "paymentId", Kind: collection.Text, VisibleTo: collection.Staff, Doc: "An external payment, as named by the shop's server."},
		{Name: "supersededBy", Kind: collection.Relation, RelationTo: "checkouts", Doc: "The newer checkout of the same cart."},
		{Name: "reason", Kind: collection.Text, Doc: "Why it requires attention."},
		{
			Name: "suggestedAction", Kind: collection.Select, Options: AdviceOptions, VisibleTo: collection.Staff,
			Doc: "What an operator is advised to do while it requires attention: refund the payment, place the order once the goods are available, compare the amounts, or check with the provider.",
		},
		{
			Name: "attentionSession", Kind: collection.Relation, RelationTo: "payment-sessions", VisibleTo: collection.Staff,
			Doc: "The payment session that an operator resolves.",
		},
		{
			Name: "initialShippingRefund", Kind: collection.Text, VisibleTo: collection.ServerOnly,
			Doc: "Outbound shipping refund of the return policy, copied to the order.",
		},
		{
			Name: "returnShippingFee", Kind: collection.Money, Currency: "currency", VisibleTo: collection.ServerOnly,
			Doc: "Return fee of the return policy, copied to the order.",
		},
		{Name: "taxExempt", Kind: collection.Boolean, VisibleTo: collection.ServerOnly, Doc: "Whether its buyer pays no taxes."},
		{Name: "tokenHash", Kind: collection.Text, VisibleTo: collection.ServerOnly, Indexed: true, Doc: "SHA-256 of the checkout token."},
		{
			Name: "liveCart", Kind: collection.Text, VisibleTo: collection.ServerOnly, Unique: true,
			Doc: "The cart while this is its open checkout.",
		},
	},
	PerEnvironment: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read, OwnerField: "customer"},
}
