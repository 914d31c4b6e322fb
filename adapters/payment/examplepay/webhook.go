package examplepay

import (
	"encoding/json"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hint reads which payment a webhook is about, and never what became of it: Cartwright looks the payment up. So a
// webhook that is forged, late, repeated or out of order does no harm. FACTS.md, 12.
//
// Where a provider does not sign its webhooks, leave EventID empty: anybody could choose it.
func (p *Provider) Hint(_ ports.Connection, secrets []string, n ports.ProviderWebhook) (ports.WebhookHint, error) {
	id, err := payment.VerifyStandardWebhook(secrets, n)
	if err != nil {
		return ports.WebhookHint{}, ports.ErrWebhookSignature.WithCause(err)
	}
	var event struct {
		Type      string `json:"type"`
		Reference string `json:"reference"`
	}
	if err := json.Unmarshal(n.Body, &event); err != nil {
		return ports.WebhookHint{}, fault.ErrMalformed.WithCause(err)
	}
	hint := ports.WebhookHint{EventID: id, MayConcernBooked: strings.HasPrefix(event.Type, "refund.")}
	if event.Reference != "" {
		hint.Payments = []ports.PaymentRef{{PaymentID: event.Reference}}
	}
	return hint, nil
}
