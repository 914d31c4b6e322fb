package stripe

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	api "github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hint reads an event about checkout sessions, or about refunds and disputes of their payments. The
// API version of the event does not matter, as only ids are read.
func (p *Provider) Hint(conn ports.Connection, secrets []string, n ports.ProviderWebhook) (ports.WebhookHint, error) {
	if err := verify(secrets, n); err != nil {
		return ports.WebhookHint{}, err
	}
	var e struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Account  string `json:"account"` // of a connected account, at an endpoint of its platform
		Livemode bool   `json:"livemode"`
		Data     struct {
			Object struct {
				Object        string             `json:"object"`
				ID            string             `json:"id"`
				PaymentIntent *api.PaymentIntent `json:"payment_intent"` // an id, or expanded
				Metadata      map[string]string  `json:"metadata"`
			} `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(n.Body, &e); err != nil || e.ID == "" {
		return ports.WebhookHint{}, fault.ErrMalformed.WithCause(fmt.Errorf("stripe: event %q: %w", e.ID, err))
	}
	hint, about := ports.WebhookHint{EventID: e.ID}, e.Data.Object
	for _, about := range []string{
		"refund", "dispute", "payment_intent.canceled", "payment_intent.succeeded", "charge.captured", "charge.updated", "charge.expired",
	} {
		hint.MayConcernBooked = hint.MayConcernBooked || strings.Contains(e.Type, about)
	}
	if environment(e.Livemode) != conn.Environment {
		return hint, nil // one endpoint of a Connect application receives both
	}
	if e.Account != "" && e.Account != conn.AccountKey {
		return hint, nil // and the events of all its connected accounts. Fact stripe-13
	}
	ref := ports.PaymentRef{PaymentID: about.Metadata[metaPaymentID]}
	if about.PaymentIntent != nil {
		ref.ProviderPaymentID = about.PaymentIntent.ID
	}
	switch about.Object {
	case "checkout.session":
		ref.ProviderSessionID = about.ID
	case "payment_intent":
		ref.ProviderPaymentID = about.ID
	case "charge", "refund", "dispute":
	default:
		return hint, nil
	}
	if ref != (ports.PaymentRef{}) {
		hint.Payments = []ports.PaymentRef{ref}
	}
	return hint, nil
}

// verify checks that one of secrets signed the event recently. It checks the time by the webhook's
// ReceivedAt; stripe-go would use the machine's clock, and accept the future.
func verify(secrets []string, n ports.ProviderWebhook) error {
	headers := n.Header["Stripe-Signature"]
	if len(headers) != 1 {
		return ports.ErrWebhookSignature.WithCause(fmt.Errorf("stripe: %d signatures", len(headers)))
	}
	at, err := signedAt(headers[0])
	if err != nil {
		return ports.ErrWebhookSignature.WithCause(err)
	}
	if away := n.ReceivedAt.Sub(at).Abs(); away > webhook.DefaultTolerance {
		return ports.ErrWebhookSignature.WithCause(fmt.Errorf("stripe: signed %s away", away))
	}
	for _, secret := range secrets {
		if secret != "" && webhook.ValidatePayloadIgnoringTolerance(n.Body, headers[0], secret) == nil {
			return nil
		}
	}
	return ports.ErrWebhookSignature
}

func signedAt(header string) (time.Time, error) {
	var at time.Time
	found := 0
	for part := range strings.SplitSeq(header, ",") {
		text, ok := strings.CutPrefix(part, "t=")
		if !ok {
			continue
		}
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return at, fmt.Errorf("stripe: signature: %w", err)
		}
		at = time.Unix(seconds, 0)
		found++
	}
	if found != 1 {
		return at, fmt.Errorf("stripe: signature with %d times", found)
	}
	return at, nil
}
