package toss

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hint reads a webhook. Toss does not sign webhooks about payments, so all of it may be forged: for a
// payment named by our id the payment key is ignored, a deposit's secret is not read, and the status only
// says whether to look at booked payments. Deposit callbacks are flat, the others have data. No event id is used,
// since anyone could choose it.
func (p *Provider) Hint(_ ports.Connection, _ []string, n ports.ProviderWebhook) (ports.WebhookHint, error) {
	type named struct {
		OrderID    string `json:"orderId"`
		PaymentKey string `json:"paymentKey"`
		Status     string `json:"status"`
	}
	var event struct {
		named

		Type string `json:"eventType"`
		Data named  `json:"data"`
	}
	if err := json.Unmarshal(n.Body, &event); err != nil {
		return ports.WebhookHint{}, fault.ErrMalformed.WithCause(err)
	}
	about := event.Type + event.Status + event.Data.Status
	hint := ports.WebhookHint{MayConcernBooked: strings.Contains(about, "CANCEL") || strings.Contains(about, statusAwaitingDeposit)}
	ref := ports.PaymentRef{PaymentID: cmp.Or(event.OrderID, event.Data.OrderID)}
	if ref.PaymentID == "" {
		ref.ProviderPaymentID = cmp.Or(event.Data.PaymentKey, event.PaymentKey)
	}
	if ref != (ports.PaymentRef{}) {
		hint.Payments = []ports.PaymentRef{ref}
	}
	return hint, nil
}
