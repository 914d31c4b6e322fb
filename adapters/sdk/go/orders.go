package cartwright

import "context"

// OrderService starts orders the previous way and moves them on.
type OrderService struct{ core *core }

// Checkout starts a checkout from a cart, as the previous generation did. Order is nil until the payment is
// confirmed, unless the shop makes orders at once.
func (s *OrderService) Checkout(ctx context.Context, in OrderCheckoutInput, opts ...Option) (out OrderCheckoutResult, err error) {
	_, err = s.core.call(ctx, opOrderCheckout, in, &out, opts)
	return out, err
}

// Cancel cancels an order, refunds what was paid and puts its stock back.
func (s *OrderService) Cancel(ctx context.Context, in OrderCancelInput, opts ...Option) (Order, error) {
	return s.order(ctx, opOrderCancel, in, opts)
}

// PreviewCancel is what Cancel would do. It changes nothing.
func (s *OrderService) PreviewCancel(ctx context.Context, in OrderCancelInput, opts ...Option) (PreviewOutcome, error) {
	in.Preview = yes()
	return s.outcome(ctx, opOrderCancel, in, opts)
}

// Capture collects the authorized payment of an order, all of it unless in names an amount, once: the rest is released. Errors:
// ReasonPaymentNotAuthorized, ReasonCaptureExceedsAuthorized, ReasonCaptureInProgress.
func (s *OrderService) Capture(ctx context.Context, in OrderCaptureInput, opts ...Option) (out OrderCaptureResult, err error) {
	_, err = s.core.call(ctx, opOrderCapture, in, &out, opts)
	return out, err
}

// Transition moves an order to another status. Errors: ReasonOrderTransitionInvalid.
func (s *OrderService) Transition(ctx context.Context, in OrderTransitionInput, opts ...Option) (Order, error) {
	return s.order(ctx, opOrderTransition, in, opts)
}

// PreviewTransition is what Transition would do. It changes nothing.
func (s *OrderService) PreviewTransition(ctx context.Context, in OrderTransitionInput, opts ...Option) (PreviewOutcome, error) {
	in.Preview = yes()
	return s.outcome(ctx, opOrderTransition, in, opts)
}

func (s *OrderService) outcome(ctx context.Context, o operation, in any, opts []Option) (PreviewOutcome, error) {
	out := orderAnswer{Outcome: &PreviewOutcome{}}
	_, err := s.core.call(ctx, o, in, &out, opts)
	return *out.Outcome, err
}

func yes() *bool {
	preview := true
	return &preview
}

func (s *OrderService) order(ctx context.Context, o operation, in any, opts []Option) (Order, error) {
	var out orderAnswer
	_, err := s.core.call(ctx, o, in, &out, opts)
	return out.Order, err
}

// DraftOrderService makes orders by hand.
type DraftOrderService struct{ core *core }

// Create makes a draft.
func (s *DraftOrderService) Create(ctx context.Context, in DraftOrderCreate, opts ...Option) (DraftOrder, error) {
	out, err := s.drafts().Create(ctx, in, opts...)
	return out.Doc, err
}

// Update changes a draft. Errors: ReasonDraftNotEditable once it is finalized or discarded.
func (s *DraftOrderService) Update(ctx context.Context, draftOrderID string, in DraftOrderUpdate, opts ...Option) (DraftOrder, error) {
	out, err := s.drafts().Update(ctx, draftOrderID, in, opts...)
	return out.Doc, err
}

func (s *DraftOrderService) drafts() DraftOrdersCollection {
	var c DraftOrdersCollection
	c.at(s.core)
	return c
}

// Calculate says what a draft comes to, and what stands in its way. It changes nothing.
func (s *DraftOrderService) Calculate(
	ctx context.Context, in DraftOrderCalculateInput, opts ...Option,
) (out DraftOrderCalculateResult, err error) {
	_, err = s.core.call(ctx, opDraftOrderCalculate, in, &out, opts)
	return out, err
}

// Finalize makes the order.
func (s *DraftOrderService) Finalize(ctx context.Context, draftOrderID string, opts ...Option) (out DraftOrderFinalizeResult, err error) {
	_, err = s.core.call(ctx, opDraftOrderFinalize, byID{draftOrderID}, &out, opts)
	return out, err
}

// Discard gives a draft up.
func (s *DraftOrderService) Discard(ctx context.Context, draftOrderID string, opts ...Option) (DraftOrder, error) {
	var out draftOrderAnswer
	_, err := s.core.call(ctx, opDraftOrderDiscard, byID{draftOrderID}, &out, opts)
	return out.DraftOrder, err
}

// ReturnRequestService takes goods back and refunds them.
type ReturnRequestService struct{ core *core }

// Returnable is what can still be returned of an order, and what of the shipping may be refunded.
func (s *ReturnRequestService) Returnable(ctx context.Context, orderID string, opts ...Option) (out OrderReturnableResult, err error) {
	_, err = s.core.call(ctx, opOrderReturnable, byID{orderID}, &out, opts)
	return out, err
}

// Preview is what a request would come to. It changes nothing.
func (s *ReturnRequestService) Preview(
	ctx context.Context, in ReturnRequestPreviewInput, opts ...Option,
) (out ReturnRequestPreviewResult, err error) {
	_, err = s.core.call(ctx, opReturnRequestPreview, in, &out, opts)
	return out, err
}

// Create opens a request.
func (s *ReturnRequestService) Create(
	ctx context.Context, in ReturnRequestCreateInput, opts ...Option,
) (out ReturnRequestCreateResult, err error) {
	_, err = s.core.call(ctx, opReturnRequestCreate, in, &out, opts)
	return out, err
}

func (s *ReturnRequestService) move(ctx context.Context, o operation, in any, opts []Option) (out ReturnRequestResult, err error) {
	_, err = s.core.call(ctx, o, in, &out, opts)
	return out, err
}

// Approve accepts a request.
func (s *ReturnRequestService) Approve(ctx context.Context, returnRequestID string, opts ...Option) (ReturnRequestResult, error) {
	return s.move(ctx, opReturnRequestApprove, byID{returnRequestID}, opts)
}

// Reject refuses a request.
func (s *ReturnRequestService) Reject(ctx context.Context, in ReturnRequestRejectInput, opts ...Option) (ReturnRequestResult, error) {
	return s.move(ctx, opReturnRequestReject, in, opts)
}

// Receive records that the goods are back: all of them as new, but for what in.Lines says of how many came and in which
// condition.
func (s *ReturnRequestService) Receive(ctx context.Context, in ReturnRequestReceiveInput, opts ...Option) (ReturnRequestResult, error) {
	return s.move(ctx, opReturnRequestReceive, in, opts)
}

// Refund pays the money back. Errors: ReasonRefundAccountRequired where the buyer paid by virtual account: then the same
// with the buyer's account in in.RefundAccount.
func (s *ReturnRequestService) Refund(ctx context.Context, in ReturnRequestRefundInput, opts ...Option) (ReturnRequestResult, error) {
	return s.move(ctx, opReturnRequestRefund, in, opts)
}

// Cancel gives a request up.
func (s *ReturnRequestService) Cancel(ctx context.Context, in ReturnRequestCancelInput, opts ...Option) (ReturnRequestResult, error) {
	return s.move(ctx, opReturnRequestCancel, in, opts)
}
