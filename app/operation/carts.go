package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	cartParam = collection.Field{Name: "id", Alias: "cartId", Kind: collection.Relation, RelationTo: "carts", Doc: "The cart."}
	lineParam = collection.Field{Name: "line", Alias: "lineId", Kind: collection.Text, Doc: "The line of the cart."}

	cartMember = collection.Field{
		Name: "cart", Kind: collection.Relation, RelationTo: "carts", Required: true, Doc: "The cart as it is now.",
	}
	cartToken = collection.Field{
		Name: "cartToken", Kind: collection.Text, Required: true, Doc: "The cart token. Shown only once: store it.",
	}
	marketInput = collection.Field{Name: "market", Kind: collection.Text, Doc: "Id or code of the market whose prices apply."}

	expectedRevision = collection.Field{
		Name: "expectedRevision", Kind: collection.Integer, Min: collection.Bound(1),
		Doc: "The revision last read. Required with a cart token; optional for the shop's server and the customer.",
	}
	textAttributes = collection.Field{
		Name: "attributes", Kind: collection.JSON, ValueKind: collection.Text, Doc: "Texts by name: at most 50, of at most 2 KiB each.",
	}
	codesInput = collection.Field{
		Name: "discountCodes", Kind: collection.Texts, Required: true, Doc: "Discount codes, in the order they apply.",
	}
	admissionsInput = collection.Field{
		Name: "admissions", Kind: collection.Array, Doc: "Attendees of an event: one entry per unit.",
		Fields: withRequired(sale.AdmissionFields, "name"),
	}
)

// withRequired is a copy of fields in which the named ones are required.
func withRequired(fields []collection.Field, names ...string) []collection.Field {
	out := append([]collection.Field(nil), fields...)
	for i := range out {
		for _, name := range names {
			out[i].Required = out[i].Required || out[i].Name == name
		}
	}
	return out
}

var cartLineInput = []collection.Field{
	{Name: "variantId", Kind: collection.Relation, RelationTo: "product-variants", Required: true, Doc: "The variant."},
	{
		Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1), Max: collection.Bound(cart.MaxQuantity),
		Doc: "How many units.",
	},
	textAttributes,
	admissionsInput,
}

var updateLineInput = []collection.Field{
	{Name: "quantity", Kind: collection.Integer, Min: collection.Bound(0), Max: collection.Bound(cart.MaxQuantity), Doc: "How many units."},
	textAttributes, admissionsInput,
}

var newCartInput = []collection.Field{
	marketInput,
	{Name: "items", Kind: collection.Array, Fields: cartLineInput, Doc: "Lines of the new cart."},
	{Name: "discountCodes", Kind: collection.Texts, Doc: "Discount codes, in the order they apply."},
	textAttributes,
	{
		Name: "customerId", Kind: collection.Relation, RelationTo: "customers", VisibleTo: collection.Staff,
		Doc: "The customer who owns the cart.",
	},
}

// cartReasons are the refusals of any change of a cart.
var cartReasons = []*fault.Error{
	tenant.ErrFeatureDisabled, carts.ErrRevisionRequired, cart.ErrRevisionConflict, cart.ErrNotActive, cart.ErrTooLarge,
	mailbox.ErrBusy,
}

// addLineReasons are the refusals of adding lines to a cart.
var addLineReasons = []*fault.Error{
	cart.ErrLineLimit, cart.ErrQuantityLimit, cart.ErrAdmissionsMismatch, cart.ErrMarketMismatch, catalog.ErrMarketNotFound,
	catalog.ErrVariantUnavailable, inventory.ErrOutOfStock,
}

// Carts are the operations of carts. Rules: features/carts/RULES.md.
func Carts(s *carts.Service) []Operation {
	return append(append(cartQueries(s), mergeCarts(s)),
		Operation{
			Name: "carts.addItem", GraphQL: "cartAddItem", Summary: "Add an item to a cart",
			Doc:    "If a line has the same variant and attributes, the quantity is added to it.",
			Method: "POST", Path: "/carts/{id}/items",
			Input:   append([]collection.Field{marketInput, expectedRevision}, cartLineInput...),
			Reasons: addLineReasons,
			Run:     runCartChange(s, addLine),
		}.asCartChange(),
		Operation{
			Name: "carts.updateItem", GraphQL: "cartUpdateItem", Summary: "Change a line of a cart",
			Doc:    "Omitted fields keep their value. A quantity of 0 removes the line; an event line needs as many admissions as its quantity.",
			Method: "PATCH", Path: "/carts/{id}/items/{line}",
			Input:   append([]collection.Field{expectedRevision}, updateLineInput...),
			Reasons: append([]*fault.Error{cart.ErrLineNotFound}, addLineReasons...),
			Run:     runCartChange(s, updateLine),
		}.asCartChange(),
		Operation{
			Name: "carts.removeItem", GraphQL: "cartRemoveItem", Summary: "Remove a line from a cart",
			Method: "DELETE", Path: "/carts/{id}/items/{line}",
			Input:   []collection.Field{expectedRevision},
			Reasons: []*fault.Error{cart.ErrLineNotFound},
			Run:     runCartChange(s, removeLine),
		}.asCartChange(),
		Operation{
			Name: "carts.updateDiscountCodes", GraphQL: "cartUpdateDiscountCodes", Summary: "Replace the discount codes of a cart",
			Doc:    "The complete list, in the order the codes apply; an empty list clears it. A code that cannot be used stays listed with its reason.",
			Method: "PUT", Path: "/carts/{id}/discount-codes",
			Input:   []collection.Field{codesInput, expectedRevision},
			Reasons: []*fault.Error{catalog.ErrMarketNotFound},
			Run:     runCartChange(s, setCodes),
		}.asCartChange(),
		Operation{
			Name: "carts.updateAttributes", GraphQL: "cartUpdateAttributes", Summary: "Replace the attributes of a cart",
			Doc:    "All attributes; an empty object clears them. Everyone with access to the cart can read them.",
			Method: "PUT", Path: "/carts/{id}/attributes",
			Input:   []collection.Field{withRequired([]collection.Field{textAttributes}, "attributes")[0], expectedRevision},
			Reasons: []*fault.Error{catalog.ErrMarketNotFound},
			Run:     runCartChange(s, setAttributes),
		}.asCartChange(),
		Operation{
			Name: "carts.clear", GraphQL: "cartClear", Summary: "Empty a cart",
			Doc:    "Removes all lines and discount codes. The cart keeps its market.",
			Method: "POST", Path: "/carts/{id}/clear",
			Input: []collection.Field{expectedRevision},
			Run:   runCartChange(s, clearCart),
		}.asCartChange(),
	)
}

// cartQueries are the operations that create and read carts. carts.mine comes before carts.retrieve, whose path
// matches any word.
func cartQueries(s *carts.Service) []Operation {
	return []Operation{
		{
			Name: "carts.create", GraphQL: "cartCreate", Summary: "Create a cart",
			Doc:     "With a customer's token, the cart belongs to that customer. With a client key alone, an idempotency key must be ik_ followed by 32 letters or digits.",
			Mutates: true, Method: "POST", Path: "/carts", Surfaces: Both, Translated: true,
			Input:   newCartInput,
			Output:  []collection.Field{cartMember, cartToken},
			Results: []ports.ReceiptResult{ports.ReceiptCreated}, KeyPolicy: KeyOptional, ReturnsRevision: true,
			Reasons: append([]*fault.Error{tenant.ErrFeatureDisabled, cart.ErrTooLarge, identity.ErrErased}, addLineReasons...),
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				return createCart(ctx, s, call, in, carts.Wrapped)
			},
		},
		{
			Name: "carts.mine", GraphQL: "cartMine", Summary: "Show the customer's active cart",
			Doc:    "The most recently changed one; null if there is none. The shop's server sends customerId.",
			Method: "GET", Path: "/carts/mine", Surfaces: Both, AllowedKinds: []tenant.Kind{tenant.Customer, tenant.SecretKey},
			Input: []collection.Field{
				{
					Name: "customerId", Kind: collection.Relation, RelationTo: "customers", Required: true, VisibleTo: collection.Staff,
					Doc: "The customer.",
				},
			},
			Output:          []collection.Field{{Name: "cart", Kind: collection.Relation, RelationTo: "carts", Doc: "The cart, or null."}},
			ReturnsRevision: true,
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				customer := in.Text("customerId")
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				return s.Mine(ctx, call, customer)
			},
		},
		{
			Name: "carts.retrieve", GraphQL: "cartRetrieve", Summary: "Show a cart",
			Method: "GET", Path: "/carts/{id}", Surfaces: Both, Capability: CartCapability, Params: []collection.Field{cartParam},
			Input:  []collection.Field{explainInput},
			Output: []collection.Field{cartMember, explanationMember(cart.ExplanationFields)}, ReturnsRevision: true,
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				explain := in.Boolean(explainInput.Name)
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				if explain {
					return s.Explain(ctx, call, in.Param("id"))
				}
				return s.Retrieve(ctx, call, in.Param("id"), carts.Wrapped)
			},
		},
	}
}

// asCartChange is o with what all changes of a cart have in common.
func (o Operation) asCartChange() Operation {
	o.Mutates, o.Surfaces, o.Capability, o.KeyPolicy, o.ReturnsRevision = true, Both, CartCapability, KeyRequired, true
	o.Params = []collection.Field{cartParam}
	if strings.Contains(o.Path, "{line}") {
		o.Params = append(o.Params, lineParam)
	}
	o.Output = []collection.Field{cartMember}
	o.Reasons = append(append([]*fault.Error(nil), cartReasons...), o.Reasons...)
	return o
}

func mergeCarts(s *carts.Service) Operation {
	return Operation{
		Name: "carts.merge", GraphQL: "cartMerge", Summary: "Merge a cart into another",
		Doc: "Merges into the target cart if named, otherwise into the customer's active cart; without one, the source becomes the customer's cart. " +
			"Quantities are added as far as stock allows, codes are combined, the target's attributes win, and the source becomes merged. Guests send the target's token in X-Cart-Token.",
		Mutates: true, Method: "POST", Path: "/carts/merge", Surfaces: Both, Capability: CartCapability, KeyPolicy: KeyRequired,
		ReturnsRevision: true,
		Input: []collection.Field{
			{Name: "sourceCartId", Kind: collection.Relation, RelationTo: "carts", Required: true, Doc: "The cart whose lines move."},
			{Name: "sourceCartToken", Kind: collection.Text, Doc: "Its token, unless it is the customer's own."},
			{Name: "targetCartId", Kind: collection.Relation, RelationTo: "carts", Doc: "The cart that receives them."},
			{
				Name: "customerId", Kind: collection.Relation, RelationTo: "customers", VisibleTo: collection.Staff,
				Doc: "The customer whose active cart is the target, or who becomes the owner of the guest's cart.",
			},
		},
		Output: []collection.Field{
			cartMember,
			{Name: "warnings", Kind: collection.Array, Required: true, Doc: "Quantities that were reduced.", Fields: []collection.Field{
				{Name: "variantId", Kind: collection.Text, Required: true, Doc: "The variant."},
				{Name: "requested", Kind: collection.Integer, Required: true, Doc: "Units of both carts."},
				{Name: "kept", Kind: collection.Integer, Required: true, Doc: "Units in the cart now."},
			}},
		},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, cart.ErrNotActive, cart.ErrMarketMismatch, cart.ErrCustomerMismatch, cart.ErrLineLimit,
			cart.ErrTooLarge, catalog.ErrMarketNotFound, mailbox.ErrBusy, payment.ErrSlotHeld, ports.ErrProviderUnavailable,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			m := carts.MergeInput{
				Source: in.Text("sourceCartId"), SourceToken: in.Text("sourceCartToken"), Target: in.Text("targetCartId"),
				Customer: in.Text("customerId"),
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Merge(ctx, call, m)
		},
	}
}
