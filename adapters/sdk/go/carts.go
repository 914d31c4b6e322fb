package cartwright

import "context"

// CartService changes carts on behalf of shoppers. A server may leave ExpectedRevision out of any input;
// given, the change is refused with ReasonCartRevisionConflict when the cart has changed since, and never
// repeated by itself.
type CartService struct{ core *core }

// CartChange is the answer to a change of a cart.
type CartChange struct {
	Cart     Cart // the newest that this client has seen, which a replayed answer never replaces
	Receipt  Cart // as this very change left it
	Replayed bool // the change was made by an earlier call with the same key
}

// CartMerge is the answer to a merge.
type CartMerge struct {
	CartChange

	Warnings []CartMergeWarning // variants of which less could be kept than both carts asked for
}

func (s *CartService) change(ctx context.Context, o operation, in any, opts []Option) (CartChange, error) {
	var out cartAnswer
	a, err := s.core.call(ctx, o, in, &out, opts)
	if err != nil {
		return CartChange{}, err
	}
	return s.changed(out.Cart, a), nil
}

func (s *CartService) changed(cart Cart, a answer) CartChange {
	return CartChange{Cart: s.core.carts.see(cart, a.replayed()), Receipt: cart, Replayed: a.replayed()}
}

// Create makes a cart. The token in the answer lets its holder change the cart with a client key; no other
// call tells it.
func (s *CartService) Create(ctx context.Context, in CartCreateInput, opts ...Option) (out CartCreateResult, err error) {
	a, err := s.core.call(ctx, opCartCreate, in, &out, opts)
	if err == nil {
		s.core.carts.see(out.Cart, a.replayed())
	}
	return out, err
}

// Retrieve is a cart as it is now.
func (s *CartService) Retrieve(ctx context.Context, in CartRetrieveInput, opts ...Option) (out CartRetrieveResult, err error) {
	_, err = s.core.call(ctx, opCartRetrieve, in, &out, opts)
	if err == nil {
		s.core.carts.see(out.Cart, false)
	}
	return out, err
}

// Mine is the active cart of a customer; its Cart is nil if there is none.
func (s *CartService) Mine(ctx context.Context, in CartMineInput, opts ...Option) (out CartMineResult, err error) {
	_, err = s.core.call(ctx, opCartMine, in, &out, opts)
	if err == nil && out.Cart != nil {
		s.core.carts.see(*out.Cart, false)
	}
	return out, err
}

// Merge moves the lines and codes of one cart into another.
func (s *CartService) Merge(ctx context.Context, in CartMergeInput, opts ...Option) (CartMerge, error) {
	var out CartMergeResult
	a, err := s.core.call(ctx, opCartMerge, in, &out, opts)
	if err != nil {
		return CartMerge{}, err
	}
	if in.SourceCartID != out.Cart.ID {
		s.core.carts.forget(in.SourceCartID) // it is merged now
	}
	return CartMerge{s.changed(out.Cart, a), out.Warnings}, nil
}

// AddItem adds a line, or to the line of the same variant with equal attributes.
func (s *CartService) AddItem(ctx context.Context, in CartAddItemInput, opts ...Option) (CartChange, error) {
	return s.change(ctx, opCartAddItem, in, opts)
}

// UpdateItem changes a line; a quantity of 0 removes it.
func (s *CartService) UpdateItem(ctx context.Context, in CartUpdateItemInput, opts ...Option) (CartChange, error) {
	return s.change(ctx, opCartUpdateItem, in, opts)
}

// RemoveItem removes a line.
func (s *CartService) RemoveItem(ctx context.Context, in CartRemoveItemInput, opts ...Option) (CartChange, error) {
	return s.change(ctx, opCartRemoveItem, in, opts)
}

// UpdateDiscountCodes replaces the whole list of codes; an empty one clears it.
func (s *CartService) UpdateDiscountCodes(ctx context.Context, in CartUpdateDiscountCodesInput, opts ...Option) (CartChange, error) {
	return s.change(ctx, opCartUpdateDiscountCodes, in, opts)
}

// UpdateAttributes replaces all public attributes.
func (s *CartService) UpdateAttributes(ctx context.Context, in CartUpdateAttributesInput, opts ...Option) (CartChange, error) {
	return s.change(ctx, opCartUpdateAttributes, in, opts)
}

// Clear removes all lines and codes.
func (s *CartService) Clear(ctx context.Context, in CartClearInput, opts ...Option) (CartChange, error) {
	return s.change(ctx, opCartClear, in, opts)
}

// Cached is the newest of a cart that this client has seen, without asking; false if it has seen none lately.
func (s *CartService) Cached(cartID string) (Cart, bool) { return s.core.carts.get(cartID) }
