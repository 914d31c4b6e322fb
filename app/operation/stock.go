package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// maxStockNote is how many characters the note of a stock movement has at most.
const maxStockNote = 2000

var stockVariantParam = collection.Field{
	Name: "id", Alias: "variantId", Kind: collection.Relation, RelationTo: "product-variants", Doc: "The variant.",
}

// Stock are the operations on the units on hand. Rules catalog-22, catalog-36.
func Stock(s *stock.Service) []Operation {
	return []Operation{stockAdjust(s), stockMove(s), stockPlaces(s), locationStock(s)}
}

// stockChangeFields are the answer to a change of stock.
var stockChangeFields = []collection.Field{
	{Name: "movement", Kind: collection.Relation, RelationTo: "stock-movements", Required: true, Doc: "The change as it was recorded."},
	{Name: "stock", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Units on hand now."},
}

func stockAdjust(s *stock.Service) Operation {
	return Operation{
		Name: "productVariants.stock", GraphQL: "productVariantStock", Summary: "Adjust the stock of a variant",
		Doc: "Adds or removes units (delta), or sets the units on hand to what was counted (count), in the environment of the caller. With a location these are units there, and the units on hand change with them; without one, units are added nowhere in particular, and removed as a sale takes them. With expected, the change is refused as stock_changed if another number is on hand, which data.stock tells. " +
			"Every change is a stock movement with its reason. For admins, editors, and secret keys with write access. Without an idempotency key, a repeated call counts again.",
		Mutates: true, Method: "POST", Path: "/product-variants/{id}/stock", Surfaces: Root,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional,
		Params: []collection.Field{stockVariantParam},
		Input: []collection.Field{
			{Name: "delta", Kind: collection.Integer, Doc: "Units to add; negative: to remove. Either this or count."},
			{Name: "count", Kind: collection.Integer, Doc: "Units that were counted. Either this or delta."},
			{
				Name: "location", Kind: collection.Relation, RelationTo: "stock-locations",
				Doc: "Where units are added, removed or counted; missing: nowhere in particular.",
			},
			{Name: "expected", Kind: collection.Integer, Doc: "Units on hand that the change is based on, at all locations together."},
			{
				Name: "reason", Kind: collection.Text, Required: true, MaxLength: inventory.MaxReason,
				Doc: "Why, in a few words: received, damaged, recount.",
			},
			{Name: "note", Kind: collection.Textarea, MaxLength: maxStockNote, Doc: "Note to store with the movement."},
		},
		Output:  stockChangeFields,
		Reasons: []*fault.Error{inventory.ErrStockChanged, inventory.ErrOutOfStock, inventory.ErrNotAtLocation, tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			change := stock.Adjustment{
				Adjustment: inventory.Adjustment{Delta: in.Integer("delta"), Count: in.Integer("count"), Expected: in.Integer("expected")},
				Location:   in.Text("location"),
				Reason:     strings.TrimSpace(in.Text("reason")), Note: strings.TrimSpace(in.Text("note")),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Adjust(ctx, call, in.Param("id"), change)
		},
	}
}
