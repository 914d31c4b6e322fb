package cartwright

import "context"

// PreviousCartService is the previous generation of cart calls, which answer the cart itself. It is kept for
// programs that use it; new ones use Carts.
type PreviousCartService struct{ core *core }

func (s *PreviousCartService) change(ctx context.Context, o operation, in any, opts []Option) (out PreviousCart, err error) {
	_, err = s.core.call(ctx, o, in, &out, opts)
	return out, err
}

// Create makes a cart. Market locks it to the prices of that market.
func (s *PreviousCartService) Create(ctx context.Context, in PreviousCartCreateInput, opts ...Option) (out NewPreviousCart, err error) {
	_, err = s.core.call(ctx, opPreviousCartCreate, in, &out, opts)
	return out, err
}

// Get is a cart as it is now.
func (s *PreviousCartService) Get(ctx context.Context, cartID string, opts ...Option) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartGet, byID{cartID}, opts)
}

// AddItem adds a line.
func (s *PreviousCartService) AddItem(ctx context.Context, in PreviousCartAddItemInput, opts ...Option) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartAddItem, in, opts)
}

// UpdateItem changes a line; a quantity of 0 removes it.
func (s *PreviousCartService) UpdateItem(ctx context.Context, in PreviousCartUpdateItemInput, opts ...Option) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartUpdateItem, in, opts)
}

// RemoveItem removes a line.
func (s *PreviousCartService) RemoveItem(ctx context.Context, cartID, lineID string, opts ...Option) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartRemoveItem, lineByID{cartID, lineID}, opts)
}

// UpdateDiscountCodes replaces the whole list of codes; an empty one clears it.
func (s *PreviousCartService) UpdateDiscountCodes(
	ctx context.Context, in PreviousCartUpdateDiscountCodesInput, opts ...Option,
) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartUpdateDiscountCodes, in, opts)
}

// Clear removes all lines and codes.
func (s *PreviousCartService) Clear(ctx context.Context, cartID string, opts ...Option) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartClear, byID{cartID}, opts)
}

// ApplyDiscount adds a code. Errors: the code cannot be used.
func (s *PreviousCartService) ApplyDiscount(ctx context.Context, in PreviousCartApplyDiscountInput, opts ...Option) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartApplyDiscount, in, opts)
}

// RemoveDiscount takes a code away.
func (s *PreviousCartService) RemoveDiscount(
	ctx context.Context, in PreviousCartRemoveDiscountInput, opts ...Option,
) (PreviousCart, error) {
	return s.change(ctx, opPreviousCartRemoveDiscount, in, opts)
}

// lineByID is the input of operations that need no more than a line.
type lineByID struct {
	ID   string `json:"-" path:"id"`
	Line string `json:"-" path:"line"`
}
