package cartwright

import "context"

// CheckoutService turns carts into orders. A checkout is open until it is paid or expires; an order exists only after
// placement.
type CheckoutService struct{ core *core }

// Create opens a checkout of a cart. The token in the answer lets its holder see and pay the checkout with a
// client key; no other call tells it.
func (s *CheckoutService) Create(ctx context.Context, in CheckoutCreateInput, opts ...Option) (out CheckoutCreateResult, err error) {
	_, err = s.core.call(ctx, opCheckoutCreate, in, &out, opts)
	return out, err
}

// Retrieve is a checkout as it is now. Status says what else the answer holds: payment_pending the
// PaymentSession, completed the Order, requires_attention the Reason.
func (s *CheckoutService) Retrieve(ctx context.Context, checkoutID string, opts ...Option) (out CheckoutRetrieveResult, err error) {
	_, err = s.core.call(ctx, opCheckoutRetrieve, byID{checkoutID}, &out, opts)
	return out, err
}

// Update changes address or email as long as no payment is under way.
func (s *CheckoutService) Update(ctx context.Context, in CheckoutUpdateInput, opts ...Option) (Checkout, error) {
	var out checkoutAnswer
	_, err := s.core.call(ctx, opCheckoutUpdate, in, &out, opts)
	return out.Checkout, err
}

// Complete places the order of a checkout that costs nothing. Errors: ReasonPaymentRequired for others.
func (s *CheckoutService) Complete(ctx context.Context, checkoutID string, opts ...Option) (out CheckoutCompleteResult, err error) {
	_, err = s.core.call(ctx, opCheckoutComplete, byID{checkoutID}, &out, opts)
	return out, err
}

// Query is one page of the checkouts that q asks for.
func (s *CheckoutService) Query(ctx context.Context, q Query, opts ...Option) (out List[Checkout], err error) {
	_, err = s.core.call(ctx, opCheckoutQuery, q, &out, opts)
	return out, err
}
