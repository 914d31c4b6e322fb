package cartwright

import "context"

// PaymentSessionService pays checkouts. What a shopper's browser brings back is only ever a reason to look
// the payment up.
type PaymentSessionService struct {
	core *core

	// Custom is the bridge for a provider that the server has no adapter for.
	Custom *CustomPaymentService
}

func (s *PaymentSessionService) session(ctx context.Context, o operation, in any, opts []Option) (PaymentSession, error) {
	var out paymentSessionAnswer
	_, err := s.core.call(ctx, o, in, &out, opts)
	return out.PaymentSession, err
}

// Create opens a session with a provider's widget. The action in the answer is for the shopper's browser.
func (s *PaymentSessionService) Create(
	ctx context.Context, in PaymentSessionCreateInput, opts ...Option,
) (out PaymentSessionCreateResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionCreate, in, &out, opts)
	return out, err
}

// Retrieve is a session as it is known now; the provider is not asked.
func (s *PaymentSessionService) Retrieve(ctx context.Context, paymentSessionID string, opts ...Option) (PaymentSession, error) {
	return s.session(ctx, opPaymentSessionRetrieve, byID{paymentSessionID}, opts)
}

// Cancel gives a session up, if the provider confirms that it cannot be paid any more.
func (s *PaymentSessionService) Cancel(ctx context.Context, paymentSessionID string, opts ...Option) (PaymentSession, error) {
	return s.session(ctx, opPaymentSessionCancel, byID{paymentSessionID}, opts)
}

// Confirm takes the payment that the shopper approved in the widget, and places the order.
func (s *PaymentSessionService) Confirm(
	ctx context.Context, in PaymentSessionConfirmInput, opts ...Option,
) (out PaymentSessionConfirmResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionConfirm, in, &out, opts)
	return out, err
}

// Release frees the payment slot of a checkout by an operator's decision, who says why.
func (s *PaymentSessionService) Release(ctx context.Context, in PaymentSessionReleaseInput, opts ...Option) (PaymentSession, error) {
	return s.session(ctx, opPaymentSessionRelease, in, opts)
}

// AggregatorInput is one of two ways to pay at an aggregator: HostedV2 or StandardV2.
type AggregatorInput interface {
	aggregator() PaymentSessionCreateAggregatorInput
}

// HostedV2 asks for a page of the provider, with exactly one method.
type HostedV2 struct {
	CheckoutID   string
	Method       PaymentMethod
	RedirectURL  string
	Country      string // "": the checkout's
	ConnectionID string // "": the default connection that supports it
}

func (h HostedV2) aggregator() PaymentSessionCreateAggregatorInput {
	return PaymentSessionCreateAggregatorInput{
		CheckoutID: h.CheckoutID, Mode: "hosted_v2", Method: h.Method, RedirectURL: h.RedirectURL, Country: h.Country,
		ConnectionID: h.ConnectionID,
	}
}

// StandardV2 asks for an action of the provider's browser SDK, for cards.
type StandardV2 struct {
	CheckoutID   string
	RedirectURL  string
	ConnectionID string // "": the default connection that supports it
}

func (s StandardV2) aggregator() PaymentSessionCreateAggregatorInput {
	return PaymentSessionCreateAggregatorInput{
		CheckoutID: s.CheckoutID, Mode: "standard_v2", Channel: "card", RedirectURL: s.RedirectURL, ConnectionID: s.ConnectionID,
	}
}

// CreateAggregator opens a session at an aggregator. The answer holds a CheckoutURL for HostedV2, an Action
// for StandardV2.
func (s *PaymentSessionService) CreateAggregator(
	ctx context.Context, in AggregatorInput, opts ...Option,
) (out PaymentSessionCreateAggregatorResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionCreateAggregator, in.aggregator(), &out, opts)
	return out, err
}

// RetrieveAggregator looks a payment up at the provider and places the order if it is paid. The key needs the
// scope write.
func (s *PaymentSessionService) RetrieveAggregator(
	ctx context.Context, paymentSessionID string, opts ...Option,
) (out PaymentSessionRetrieveAggregatorResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionRetrieveAggregator, byID{paymentSessionID}, &out, opts)
	return out, err
}

// CancelAggregator is Cancel at an aggregator. Errors: ReasonPaymentSlotHeld if the action cannot be revoked.
func (s *PaymentSessionService) CancelAggregator(ctx context.Context, paymentSessionID string, opts ...Option) (PaymentSession, error) {
	return s.session(ctx, opPaymentSessionCancelAggregator, byID{paymentSessionID}, opts)
}

// FindAggregator finds a session by the provider's own id of the payment, in what is known here: the provider
// is not asked. That there is none is no error: Found is false.
func (s *PaymentSessionService) FindAggregator(
	ctx context.Context, in PaymentSessionFindAggregatorInput, opts ...Option,
) (out PaymentSessionFindAggregatorResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionFindAggregator, in, &out, opts)
	return out, err
}

// ReconcileAggregator looks a payment up by the provider's own id and settles it. For one that is not known
// here Found is false and RequiresAttention true: nothing is guessed.
func (s *PaymentSessionService) ReconcileAggregator(
	ctx context.Context, in PaymentSessionReconcileAggregatorInput, opts ...Option,
) (out PaymentSessionReconcileAggregatorResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionReconcileAggregator, in, &out, opts)
	return out, err
}

// CustomPaymentService records payments of a provider that the server has no adapter for. Whoever calls it
// has verified them: the server checks that they are told exactly, not that they are true.
type CustomPaymentService struct{ core *core }

// Create opens a session for a checkout under the provider's own id.
func (s *CustomPaymentService) Create(ctx context.Context, in PaymentSessionCustomCreateInput, opts ...Option) (PaymentSession, error) {
	var out paymentSessionAnswer
	_, err := s.core.call(ctx, opPaymentSessionCustomCreate, in, &out, opts)
	return out.PaymentSession, err
}

// Retrieve finds a session by exactly one of the provider's ids.
func (s *CustomPaymentService) Retrieve(
	ctx context.Context, in PaymentSessionCustomRetrieveInput, opts ...Option,
) (out PaymentSessionCustomRetrieveResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionCustomRetrieve, in, &out, opts)
	return out, err
}

// Confirm records a captured payment and places the order. Errors: ReasonPaymentAmountMismatch unless
// Captured is exactly the session's money.
func (s *CustomPaymentService) Confirm(
	ctx context.Context, in PaymentSessionCustomConfirmInput, opts ...Option,
) (out PaymentSessionCustomConfirmResult, err error) {
	_, err = s.core.call(ctx, opPaymentSessionCustomConfirm, in, &out, opts)
	return out, err
}
