package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// previousCartTotals are the members of a cart of the previous generation besides its fields.
var previousCartTotals = []collection.Field{
	{Name: "itemsTotal", Kind: collection.Money, Currency: "currency", Required: true, Doc: "Total of the lines before discounts."},
	{
		Name: "shippingFee", Kind: collection.Money, Currency: "currency",
		Doc: "Shipping fee; null until an address is known, 0 if no line requires shipping.",
	},
	{Name: "discountAmount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "Total of the discounts."},
	{Name: "totalAmount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "Total of the lines after discounts."},
}

var (
	previousCartMember = collection.Field{
		Name: "previousCart", Kind: collection.Relation, RelationTo: "carts", Required: true, Fields: previousCartTotals,
		Doc: "The cart as it is now, with flat totals.",
	}
	newPreviousCartMember = collection.Field{
		Name: "newPreviousCart", Kind: collection.Relation, RelationTo: "carts", Required: true,
		Fields: append(slices.Clone(previousCartTotals), cartToken), Doc: "The new cart with flat totals and its token.",
	}
	codeInput = collection.Field{Name: "discountCode", Kind: collection.Text, Required: true, Doc: "The discount code."}
)

// PreviousCarts are the operations of carts of the previous generation: on the same carts, with the cart
// itself as the answer, without revisions, and with an optional idempotency key. Rule carts-24.
func PreviousCarts(s *carts.Service) []Operation {
	list := append(previousCartQueries(s), previousLineOperations(s)...)
	list = append(list, previousCodeOperations(s)...)
	for i := range list {
		o := &list[i]
		o.Summary += " (previous generation)"
		o.Surfaces, o.ReturnsRevision, o.Unwrapped, o.Deprecated = Both, true, true, true
		if o.Output == nil {
			o.Output = []collection.Field{previousCartMember}
		}
		if o.Mutates {
			o.KeyPolicy = KeyOptional
		}
	}
	return list
}

func previousCartQueries(s *carts.Service) []Operation {
	return []Operation{
		{
			Name: "cart.create", GraphQL: "previousCartCreate", Summary: "Create a cart",
			Mutates: true, Method: "POST", Path: "/cart", Input: newCartInput, Output: []collection.Field{newPreviousCartMember},
			Results: []ports.ReceiptResult{ports.ReceiptCreated},
			Reasons: append([]*fault.Error{tenant.ErrFeatureDisabled, cart.ErrTooLarge}, addLineReasons...),
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				return createCart(ctx, s, call, in, carts.Flat)
			},
		},
		{
			Name: "cart.get", GraphQL: "previousCartGet", Summary: "Show a cart",
			Method: "GET", Path: "/cart/{id}", Capability: CartCapability, Params: []collection.Field{cartParam},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				return s.Retrieve(ctx, call, in.Param("id"), carts.Flat)
			},
		},
	}
}

func previousLineOperations(s *carts.Service) []Operation {
	return []Operation{
		Operation{
			Name: "cart.addItem", GraphQL: "previousCartAddItem", Summary: "Add an item to a cart",
			Method: "POST", Path: "/cart/{id}/items", Input: append([]collection.Field{marketInput}, cartLineInput...),
			Reasons: addLineReasons, Run: runPreviousCartChange(s, addLine),
		}.asPreviousCartChange(),
		Operation{
			Name: "cart.updateItem", GraphQL: "previousCartUpdateItem", Summary: "Change a line of a cart",
			Method: "PATCH", Path: "/cart/{id}/items/{line}", Input: updateLineInput,
			Reasons: append([]*fault.Error{cart.ErrLineNotFound}, addLineReasons...), Run: runPreviousCartChange(s, updateLine),
		}.asPreviousCartChange(),
		Operation{
			Name: "cart.removeItem", GraphQL: "previousCartRemoveItem", Summary: "Remove a line from a cart",
			Method: "DELETE", Path: "/cart/{id}/items/{line}", Reasons: []*fault.Error{cart.ErrLineNotFound},
			Run: runPreviousCartChange(s, removeLine),
		}.asPreviousCartChange(),
		Operation{
			Name: "cart.clear", GraphQL: "previousCartClear", Summary: "Empty a cart",
			Method: "POST", Path: "/cart/{id}/clear",
			Run: runPreviousCartChange(s, clearCart),
		}.asPreviousCartChange(),
	}
}

func previousCodeOperations(s *carts.Service) []Operation {
	reasons := []*fault.Error{catalog.ErrMarketNotFound}
	return []Operation{
		Operation{
			Name: "cart.updateDiscountCodes", GraphQL: "previousCartUpdateDiscountCodes", Summary: "Replace the discount codes of a cart",
			Method: "PUT", Path: "/cart/{id}/discount-codes", Input: []collection.Field{codesInput}, Reasons: reasons,
			Run: runPreviousCartChange(s, setCodes),
		}.asPreviousCartChange(),
		Operation{
			Name: "cart.applyDiscount", GraphQL: "previousCartApplyDiscount", Summary: "Apply a discount code to a cart",
			Doc:    "A code that cannot be used is rejected and changes nothing.",
			Method: "POST", Path: "/cart/{id}/apply-discount", Input: []collection.Field{codeInput},
			Reasons: append(reasons, discount.Refusals...), Run: runPreviousCartChange(s, applyCode),
		}.asPreviousCartChange(),
		Operation{
			Name: "cart.removeDiscount", GraphQL: "previousCartRemoveDiscount", Summary: "Remove a discount code from a cart",
			Doc:    "Removing a code that is not applied is not an error.",
			Method: "POST", Path: "/cart/{id}/remove-discount", Input: []collection.Field{codeInput},
			Run: runPreviousCartChange(s, removeCode),
		}.asPreviousCartChange(),
	}
}

// asPreviousCartChange is asCartChange for the previous generation, which has no revisions.
func (o Operation) asPreviousCartChange() Operation {
	o = o.asCartChange()
	o.Output = nil
	o.Reasons = slices.DeleteFunc(o.Reasons, func(f *fault.Error) bool {
		return f.Is(carts.ErrRevisionRequired) || f.Is(cart.ErrRevisionConflict)
	})
	return o
}
