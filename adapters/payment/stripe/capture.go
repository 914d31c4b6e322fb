package stripe

import (
	"context"
	"fmt"
	"net/url"
	"time"

	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// captureRequest captures a part of an authorized payment, or all of it: Stripe releases the rest. Fact stripe-14.
func captureRequest(r ports.CaptureRequest) ([]byte, error) {
	if r.ProviderPaymentID == "" || r.Amount.Minor > r.Authorized.Minor {
		return nil, fault.ErrInternal.WithCause(fmt.Errorf("stripe: capture of %q: %v of %v", r.ProviderPaymentID, r.Amount, r.Authorized))
	}
	units, err := toStripeUnits(r.Amount)
	if err != nil {
		return nil, err
	}
	return encodeRequest(intentPath(r.PaymentRef)+"/capture", &api.PaymentIntentCaptureParams{AmountToCapture: new(units)}), nil
}

// voidRequest releases an authorized payment.
func voidRequest(r ports.VoidRequest) ([]byte, error) {
	if r.ProviderPaymentID == "" {
		return nil, fault.ErrInternal.WithCause(fmt.Errorf("stripe: void of a payment without an intent: %q", r.PaymentID))
	}
	return encodeRequest(intentPath(r.PaymentRef)+"/cancel", nil), nil
}

func intentPath(ref ports.PaymentRef) string {
	return intentsPath + "/" + url.PathEscape(ref.ProviderPaymentID)
}

// decide captures or cancels an intent. Both happen once whatever the key, and Stripe would repeat an old failure under the
// same key: every attempt after the first has its own.
func (p *Provider) decide(ctx context.Context, conn ports.Connection, r postRequest) (ports.Outcome, error) {
	var got api.PaymentIntent
	if err := expect(p.post(ctx, conn, r, &got), got.Object == "payment_intent"); err != nil {
		return ports.Outcome{}, err
	}
	return ports.Outcome{Status: string(got.Status)}, nil
}

// isCapturedLater reports whether an intent, nil or expanded, was authorized before it is captured.
func isCapturedLater(i *api.PaymentIntent) bool {
	return i != nil && i.CaptureMethod == api.PaymentIntentCaptureMethodManual
}

// laterState is the state of an intent that is captured later, and whose session is complete.
func laterState(i *api.PaymentIntent) ports.ProviderState {
	switch i.Status {
	case api.PaymentIntentStatusRequiresCapture:
		return ports.ProviderAuthorized
	case api.PaymentIntentStatusSucceeded:
		return ports.ProviderPaid
	case api.PaymentIntentStatusCanceled:
		return ports.ProviderCanceled
	case api.PaymentIntentStatusRequiresPaymentMethod:
		return ports.ProviderFailed
	case api.PaymentIntentStatusProcessing, api.PaymentIntentStatusRequiresAction, api.PaymentIntentStatusRequiresConfirmation:
		return ports.ProviderProcessing
	}
	return ports.ProviderUnknown
}

// captureBefore is when Stripe releases an uncaptured charge; zero: it does not say.
func captureBefore(c *api.Charge) time.Time {
	if d := c.PaymentMethodDetails; d != nil && d.Card != nil && d.Card.CaptureBefore > 0 {
		return time.Unix(d.Card.CaptureBefore, 0).UTC()
	}
	return time.Time{}
}
