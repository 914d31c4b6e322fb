package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/shopping"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// flatTotals are what a cart of the previous generation has besides its fields.
var flatTotals = []collection.Field{
	{Name: "itemsTotal", Kind: collection.Money, Currency: "currency", Required: true, Doc: "What the lines cost before discounts."},
	{Name: "shippingFee", Kind: collection.Money, Currency: "currency", Doc: "Null until an address is known; 0 where nothing ships."},
	{Name: "discountAmount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "What the discounts take off."},
	{Name: "totalAmount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "What the lines cost after discounts."},
}

var (
	flatCart    = collection.Field{Name: "previousCart", Kind: collection.Relation, To: "carts", Required: true, Fields: flatTotals, Doc: "The cart as it is now, with flat totals."}
	newFlatCart = collection.Field{Name: "newPreviousCart", Kind: collection.Relation, To: "carts", Required: true, Fields: append(slices.Clone(flatTotals), cartToken), Doc: "The new cart with flat totals and its token."}
	codeInput   = collection.Field{Name: "discountCode", Kind: collection.Text, Required: true, Doc: "The discount code."}
)

// PreviousCarts is the operations of carts as the previous generation knew them: on the same carts, with the cart itself as
// the answer, without revisions, and with an idempotency key for those who want one. Contract 5.
func PreviousCarts(s *shopping.Carts) []Operation {
	list := append(previousReads(s), previousLines(s)...)
	list = append(list, previousCodes(s)...)
	for i := range list {
		o := &list[i]
		o.Summary += " (previous generation)"
		o.At, o.Revision, o.Bare, o.Deprecated = Both, true, true, true
		if o.Output == nil {
			o.Output = []collection.Field{flatCart}
		}
		if o.Changes {
			o.Key = KeyOptional
		}
	}
	return list
}

func previousReads(s *shopping.Carts) []Operation {
	return []Operation{
		{
			Name: "cart.create", GraphQL: "previousCartCreate", Summary: "Make a cart",
			Changes: true, Method: "POST", Path: "/cart", Input: newCartInput, Output: []collection.Field{newFlatCart},
			Results: []ports.Result{ports.Created}, Reasons: append([]*fault.Error{tenant.ErrFeatureDisabled}, fillReasons...),
			Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
				return create(ctx, s, call, in, shopping.Flat)
			},
		},
		{
			Name: "cart.get", GraphQL: "previousCartGet", Summary: "Show a cart",
			Method: "GET", Path: "/cart/{id}", Holder: CartHolder, Params: []collection.Field{cartParam},
			Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
				return s.Retrieve(ctx, call, in.Param("id"), shopping.Flat)
			},
		},
	}
}

func previousLines(s *shopping.Carts) []Operation {
	return []Operation{
		Operation{
			Name: "cart.addItem", GraphQL: "previousCartAddItem", Summary: "Add an item to a cart",
			Method: "POST", Path: "/cart/{id}/items", Input: append([]collection.Field{marketInput}, itemInput...), Reasons: fillReasons,
			Run: previous(s, addItem),
		}.ofPrevious(),
		Operation{
			Name: "cart.updateItem", GraphQL: "previousCartUpdateItem", Summary: "Change a line of a cart",
			Method: "PATCH", Path: "/cart/{id}/items/{line}", Input: updateInput, Reasons: append([]*fault.Error{cart.ErrLineNotFound}, fillReasons...),
			Run: previous(s, updateItem),
		}.ofPrevious(),
		Operation{
			Name: "cart.removeItem", GraphQL: "previousCartRemoveItem", Summary: "Take a line out of a cart",
			Method: "DELETE", Path: "/cart/{id}/items/{line}", Reasons: []*fault.Error{cart.ErrLineNotFound},
			Run: previous(s, removeItem),
		}.ofPrevious(),
		Operation{
			Name: "cart.clear", GraphQL: "previousCartClear", Summary: "Empty a cart",
			Method: "POST", Path: "/cart/{id}/clear",
			Run: previous(s, clearCart),
		}.ofPrevious(),
	}
}

func previousCodes(s *shopping.Carts) []Operation {
	closed := []*fault.Error{catalog.ErrMarketNotFound}
	return []Operation{
		Operation{
			Name: "cart.updateDiscountCodes", GraphQL: "previousCartUpdateDiscountCodes", Summary: "Replace the discount codes of a cart",
			Method: "PUT", Path: "/cart/{id}/discount-codes", Input: []collection.Field{codesInput}, Reasons: closed,
			Run: previous(s, setCodes),
		}.ofPrevious(),
		Operation{
			Name: "cart.applyDiscount", GraphQL: "previousCartApplyDiscount", Summary: "Apply a discount code to a cart",
			Doc:    "One that cannot be used is refused and changes nothing.",
			Method: "POST", Path: "/cart/{id}/apply-discount", Input: []collection.Field{codeInput}, Reasons: append(closed, discount.Refusals...),
			Run: previous(s, applyCode),
		}.ofPrevious(),
		Operation{
			Name: "cart.removeDiscount", GraphQL: "previousCartRemoveDiscount", Summary: "Take a discount code off a cart",
			Doc:    "One that is not there is no mistake.",
			Method: "POST", Path: "/cart/{id}/remove-discount", Input: []collection.Field{codeInput},
			Run: previous(s, removeCode),
		}.ofPrevious(),
	}
}

// ofPrevious is ofCart for the previous generation, which knows no revisions.
func (o Operation) ofPrevious() Operation {
	o = o.ofCart()
	o.Output = nil
	o.Reasons = slices.DeleteFunc(o.Reasons, func(f *fault.Error) bool {
		return f.Is(shopping.ErrRevisionRequired) || f.Is(cart.ErrRevisionConflict)
	})
	return o
}
