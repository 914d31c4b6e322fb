package inventory

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
)

var read = []collection.Verb{collection.Read}

// Movements declares stock movements. Rule catalog-22.
var Movements = &collection.Schema{
	Slug: "stock-movements", Singular: "StockMovement", Plural: "StockMovements",
	Doc: "One change of the units on hand of a variant: who changed them, when and why.",
	Fields: []collection.Field{
		{Name: "variant", Kind: collection.Relation, RelationTo: "product-variants", Indexed: true, Doc: "The variant."},
		{Name: "product", Kind: collection.Relation, RelationTo: "products", Indexed: true, Doc: "Its product."},
		{Name: "kind", Kind: collection.Select, NonNull: true, Options: MovementKinds, Indexed: true, Doc: "What changed the count."},
		{Name: "delta", Kind: collection.Integer, NonNull: true, Doc: "Units added; negative: removed. 0 when a count found what was expected, and of a transfer."},
		{Name: "units", Kind: collection.Integer, Doc: "Units that a transfer moved; null for other kinds."},
		{Name: "stockBefore", Kind: collection.Integer, NonNull: true, Doc: "Units on hand before."},
		{Name: "stockAfter", Kind: collection.Integer, NonNull: true, Doc: "Units on hand after."},
		{Name: "reason", Kind: collection.Text, NonNull: true, MaxLength: MaxReason, Doc: "Why; the kind where nobody gave a reason."},
		{Name: "note", Kind: collection.Textarea, Personal: true, Doc: "A note of the operator."},
		{Name: "order", Kind: collection.Relation, RelationTo: "orders", Indexed: true, Doc: "The order that was placed, canceled or returned."},
		{Name: "returnRequest", Kind: collection.Relation, RelationTo: "return-requests", Doc: "The return whose goods arrived."},
		{
			Name: "location", Kind: collection.Relation, RelationTo: "stock-locations",
			Doc: "Where units were added, removed or counted, or moved to; null where nobody said, and for nowhere in particular.",
		},
		{
			Name: "from", Kind: collection.Relation, RelationTo: "stock-locations",
			Doc: "Where units were moved from; null for nowhere in particular.",
		},
		{Name: "actor", Kind: collection.Group, Doc: "Who changed the count.", Fields: collection.ActorFields(true)},
	},
	PerEnvironment: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read},
}
