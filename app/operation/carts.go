package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/shopping"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	cartParam = collection.Field{Name: "id", Alias: "cartId", Kind: collection.Relation, To: "carts", Doc: "The cart."}
	lineParam = collection.Field{Name: "line", Alias: "lineId", Kind: collection.Text, Doc: "The line of the cart."}

	cartMember  = collection.Field{Name: "cart", Kind: collection.Relation, To: "carts", Required: true, Doc: "The cart as it is now."}
	cartToken   = collection.Field{Name: "cartToken", Kind: collection.Text, Required: true, Doc: "The right to use the cart. It is told once: keep it."}
	marketInput = collection.Field{Name: "market", Kind: collection.Text, Doc: "Id or code of the market whose prices apply."}

	expectedRevision = collection.Field{Name: "expectedRevision", Kind: collection.Integer, Min: collection.At(1), Doc: "The revision last seen. Required with a cart token; the shop's server and the customer may leave it out."}
	textAttributes   = collection.Field{Name: "attributes", Kind: collection.JSON, Of: collection.Text, Doc: "Text by name: at most 50 of at most 2 KiB."}
	codesInput       = collection.Field{Name: "discountCodes", Kind: collection.Texts, Required: true, Doc: "Discount codes, in the order they apply."}
	admissionsInput  = collection.Field{Name: "admissions", Kind: collection.Array, Doc: "Who attends an event: one entry per unit.", Fields: required(pricing.AdmissionFields, "name")}
)

// required is a copy of fields in which the named ones are required.
func required(fields []collection.Field, names ...string) []collection.Field {
	out := append([]collection.Field(nil), fields...)
	for i := range out {
		for _, name := range names {
			out[i].Required = out[i].Required || out[i].Name == name
		}
	}
	return out
}

var itemInput = []collection.Field{
	{Name: "variantId", Kind: collection.Relation, To: "product-variants", Required: true, Doc: "The variant."},
	{Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.At(1), Max: collection.At(cart.MaxQuantity), Doc: "How many units."},
	textAttributes,
	admissionsInput,
}

var updateInput = []collection.Field{
	{Name: "quantity", Kind: collection.Integer, Min: collection.At(0), Max: collection.At(cart.MaxQuantity), Doc: "How many units."},
	textAttributes, admissionsInput,
}

var newCartInput = []collection.Field{
	marketInput,
	{Name: "items", Kind: collection.Array, Fields: itemInput, Doc: "What it starts with."},
	{Name: "discountCodes", Kind: collection.Texts, Doc: "Discount codes, in the order they apply."},
	textAttributes,
	{Name: "customerId", Kind: collection.Relation, To: "customers", Read: collection.Staff, Doc: "Whose cart it is."},
}

// cartReasons is what any change of a cart may answer.
var cartReasons = []*fault.Error{
	tenant.ErrFeatureDisabled, shopping.ErrRevisionRequired, cart.ErrRevisionConflict, cart.ErrNotActive, mailbox.ErrBusy,
}

// fillReasons is what putting something into a cart may answer.
var fillReasons = []*fault.Error{
	cart.ErrLineLimit, cart.ErrQuantityLimit, cart.ErrAdmissionsMismatch, cart.ErrMarketMismatch, catalog.ErrMarketNotFound,
	catalog.ErrVariantUnavailable, inventory.ErrOutOfStock,
}

// Carts is the operations of carts. Contract 5.
func Carts(s *shopping.Carts) []Operation {
	return append(append(cartReads(s), mergeCarts(s)),
		Operation{
			Name: "carts.addItem", GraphQL: "cartAddItem", Summary: "Add an item to a cart",
			Doc:    "A line of the same variant with equal attributes takes the quantity.",
			Method: "POST", Path: "/carts/{id}/items",
			Input:   append([]collection.Field{marketInput, expectedRevision}, itemInput...),
			Reasons: fillReasons,
			Run:     change(s, addItem),
		}.ofCart(),
		Operation{
			Name: "carts.updateItem", GraphQL: "cartUpdateItem", Summary: "Change a line of a cart",
			Doc:    "What is left out stays. A quantity of 0 removes the line; a new quantity of an event needs as many admissions.",
			Method: "PATCH", Path: "/carts/{id}/items/{line}",
			Input:   append([]collection.Field{expectedRevision}, updateInput...),
			Reasons: append([]*fault.Error{cart.ErrLineNotFound}, fillReasons...),
			Run:     change(s, updateItem),
		}.ofCart(),
		Operation{
			Name: "carts.removeItem", GraphQL: "cartRemoveItem", Summary: "Take a line out of a cart",
			Method: "DELETE", Path: "/carts/{id}/items/{line}",
			Input:   []collection.Field{expectedRevision},
			Reasons: []*fault.Error{cart.ErrLineNotFound},
			Run:     change(s, removeItem),
		}.ofCart(),
		Operation{
			Name: "carts.updateDiscountCodes", GraphQL: "cartUpdateDiscountCodes", Summary: "Replace the discount codes of a cart",
			Doc:    "The whole list, in the order they apply; an empty one clears it. A code that cannot be used stays listed with its reason.",
			Method: "PUT", Path: "/carts/{id}/discount-codes",
			Input:   []collection.Field{codesInput, expectedRevision},
			Reasons: []*fault.Error{catalog.ErrMarketNotFound},
			Run:     change(s, setCodes),
		}.ofCart(),
		Operation{
			Name: "carts.updateAttributes", GraphQL: "cartUpdateAttributes", Summary: "Replace the attributes of a cart",
			Doc:    "All of them; an empty object clears them. Whoever may see the cart sees them.",
			Method: "PUT", Path: "/carts/{id}/attributes",
			Input:   []collection.Field{required([]collection.Field{textAttributes}, "attributes")[0], expectedRevision},
			Reasons: []*fault.Error{catalog.ErrMarketNotFound},
			Run:     change(s, setAttributes),
		}.ofCart(),
		Operation{
			Name: "carts.clear", GraphQL: "cartClear", Summary: "Empty a cart",
			Doc:    "Takes out all lines and discount codes. A cart that belongs to a market stays in it.",
			Method: "POST", Path: "/carts/{id}/clear",
			Input: []collection.Field{expectedRevision},
			Run:   change(s, clearCart),
		}.ofCart(),
	)
}

// cartReads is what makes and shows carts. Mine comes before retrieve, whose address takes any word.
func cartReads(s *shopping.Carts) []Operation {
	return []Operation{
		{
			Name: "carts.create", GraphQL: "cartCreate", Summary: "Make a cart",
			Doc:     "A customer's token makes it theirs. Under a client key alone only idempotency keys of the generator's form are taken: ik_ and 32 letters or digits.",
			Changes: true, Method: "POST", Path: "/carts", At: Both,
			Input:   newCartInput,
			Output:  []collection.Field{cartMember, cartToken},
			Results: []ports.Result{ports.Created}, Key: KeyOptional, Revision: true,
			Reasons: append([]*fault.Error{tenant.ErrFeatureDisabled}, fillReasons...),
			Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
				return create(ctx, s, call, in, shopping.Wrapped)
			},
		},
		{
			Name: "carts.mine", GraphQL: "cartMine", Summary: "Show the customer's active cart",
			Doc:    "Of several, the one that changed last; null when there is none. The shop's server names the customer.",
			Method: "GET", Path: "/carts/mine", At: Both, Who: []tenant.Kind{tenant.Customer, tenant.SecretKey},
			Input: []collection.Field{
				{Name: "customerId", Kind: collection.Relation, To: "customers", Required: true, Read: collection.Staff, Doc: "Whose cart is meant."},
			},
			Output:   []collection.Field{{Name: "cart", Kind: collection.Relation, To: "carts", Doc: "The cart, or null."}},
			Revision: true,
			Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
				customer := in.Text("customerId")
				if err := in.Done(); err != nil {
					return once.Answer{}, err
				}
				return s.Mine(ctx, call, customer)
			},
		},
		{
			Name: "carts.retrieve", GraphQL: "cartRetrieve", Summary: "Show a cart",
			Method: "GET", Path: "/carts/{id}", At: Both, Holder: CartHolder, Params: []collection.Field{cartParam},
			Input:  []collection.Field{explainInput},
			Output: []collection.Field{cartMember, explainedBy(cart.ExplanationFields)}, Revision: true,
			Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
				explain := in.Boolean(explainInput.Name)
				if err := in.Done(); err != nil {
					return once.Answer{}, err
				}
				if explain {
					return s.Explain(ctx, call, in.Param("id"))
				}
				return s.Retrieve(ctx, call, in.Param("id"), shopping.Wrapped)
			},
		},
	}
}

// ofCart is o with what all changes of a cart have in common.
func (o Operation) ofCart() Operation {
	o.Changes, o.At, o.Holder, o.Key, o.Revision = true, Both, CartHolder, KeyRequired, true
	o.Params = []collection.Field{cartParam}
	if strings.Contains(o.Path, "{line}") {
		o.Params = append(o.Params, lineParam)
	}
	o.Output = []collection.Field{cartMember}
	o.Reasons = append(append([]*fault.Error(nil), cartReasons...), o.Reasons...)
	return o
}

func mergeCarts(s *shopping.Carts) Operation {
	return Operation{
		Name: "carts.merge", GraphQL: "cartMerge", Summary: "Put a cart into another one",
		Doc: "Into the cart named as the target, else the customer's active cart; where there is no other, the source becomes the customer's. " +
			"Quantities add up as far as there is stock, codes unite, the target's attributes win, and the source is merged. Guests send the target's token in X-Cart-Token.",
		Changes: true, Method: "POST", Path: "/carts/merge", At: Both, Holder: CartHolder, Key: KeyRequired, Revision: true,
		Input: []collection.Field{
			{Name: "sourceCartId", Kind: collection.Relation, To: "carts", Required: true, Doc: "The cart whose lines move."},
			{Name: "sourceCartToken", Kind: collection.Text, Doc: "Its token, unless it is the customer's own."},
			{Name: "targetCartId", Kind: collection.Relation, To: "carts", Doc: "The cart that takes them."},
			{Name: "customerId", Kind: collection.Relation, To: "customers", Read: collection.Staff, Doc: "Whose active cart is meant, and whose a guest's cart becomes."},
		},
		Output: []collection.Field{
			cartMember,
			{Name: "warnings", Kind: collection.Array, Required: true, Doc: "What did not fit in.", Fields: []collection.Field{
				{Name: "variantId", Kind: collection.Text, Required: true, Doc: "The variant."},
				{Name: "requested", Kind: collection.Integer, Required: true, Doc: "Units of both carts."},
				{Name: "kept", Kind: collection.Integer, Required: true, Doc: "Units that the cart holds now."},
			}},
		},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, cart.ErrNotActive, cart.ErrMarketMismatch, cart.ErrCustomerMismatch, cart.ErrLineLimit,
			catalog.ErrMarketNotFound, mailbox.ErrBusy,
		},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			m := shopping.Merging{
				Source: in.Text("sourceCartId"), SourceToken: in.Text("sourceCartToken"), Target: in.Text("targetCartId"), Customer: in.Text("customerId"),
			}
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return s.Merge(ctx, call, m)
		},
	}
}
