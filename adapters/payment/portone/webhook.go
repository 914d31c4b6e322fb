package portone

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// firstEvents are the events of a payment that is not paid before them. After any other, a paid one may be refunded, or
// wait for its deposit again. Fact portone-22.
var firstEvents = []string{"Transaction.Ready", "Transaction.PayPending", "Transaction.Paid", "Ready", "PayPending", "Paid"}

// Hint reads a webhook of version 2024-04-25 or 2024-01-01. Events that are not about a payment of
// the connection's store are accepted and lead to nothing. Fact portone-16.
func (p *Provider) Hint(conn ports.Connection, secrets []string, n ports.ProviderWebhook) (ports.WebhookHint, error) {
	id, err := payment.VerifyStandardWebhook(secrets, n)
	if err != nil {
		return ports.WebhookHint{}, ports.ErrWebhookSignature.WithCause(err)
	}
	hint := ports.WebhookHint{EventID: id}
	about, store, what, err := parseWebhook(n)
	if err != nil {
		return ports.WebhookHint{}, err
	}
	hint.MayConcernBooked = !slices.Contains(firstEvents, what)
	if about != "" && (store == "" || store == conn.AccountKey) {
		hint.Payments = []ports.PaymentRef{{PaymentID: about}}
	}
	return hint, nil
}

// parseWebhook is the payment of a webhook, "" if none, its store if the webhook has it, and what happened.
func parseWebhook(n ports.ProviderWebhook) (paymentID, store, what string, err error) {
	body := bytes.TrimSpace(n.Body)
	if len(body) > 0 && body[0] == '{' {
		return parseJSONWebhook(body)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has("payment_id") {
		return "", "", "", fault.ErrMalformed.WithCause(errors.New("portone: webhook is neither JSON nor a form"))
	}
	return form.Get("payment_id"), "", form.Get("status"), nil
}

func parseJSONWebhook(body []byte) (paymentID, store, what string, err error) {
	var event struct {
		Type   string          `json:"type"`
		Data   json.RawMessage `json:"data"`
		Legacy string          `json:"payment_id"`
		Status string          `json:"status"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return "", "", "", fault.ErrMalformed.WithCause(errors.New("portone: webhook does not have a known JSON shape"))
	}
	if !strings.HasPrefix(event.Type, "Transaction.") {
		return event.Legacy, "", event.Status, nil // other events are not read
	}
	var data struct {
		StoreID   string `json:"storeId"`
		PaymentID string `json:"paymentId"`
	}
	if err := json.Unmarshal(event.Data, &data); err != nil || data.PaymentID == "" {
		return "", "", "", fault.ErrMalformed.WithCause(errors.New("portone: webhook of a transaction has no payment"))
	}
	return data.PaymentID, data.StoreID, event.Type, nil
}
