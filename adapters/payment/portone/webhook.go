package portone

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hint reads a webhook in the form of 2024-04-25 or 2024-01-01. Events that are about no payment of the connection's store
// are heard and lead to nothing, whatever their type. Reference payments 1.5.
func (p *Provider) Hint(conn ports.Connection, secrets []string, n ports.Notice) (ports.Hint, error) {
	id, err := payment.VerifyStandard(secrets, n)
	if err != nil {
		return ports.Hint{}, ports.ErrWebhookSignature.Because(err)
	}
	hint := ports.Hint{EventID: id}
	about, store, what, err := subject(n)
	if err != nil {
		return ports.Hint{}, err
	}
	hint.Refunds = strings.Contains(what, "Cancel")
	if about != "" && (store == "" || store == conn.AccountKey) {
		hint.Payments = []ports.PaymentRef{{PaymentID: about}}
	}
	return hint, nil
}

// subject is the payment a webhook is about, "" if none, its store where the webhook says it, and what happened to it.
func subject(n ports.Notice) (paymentID, store, what string, err error) {
	body := bytes.TrimSpace(n.Body)
	if len(body) > 0 && body[0] == '{' {
		return told(body)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has("payment_id") {
		return "", "", "", fault.ErrMalformed.Because(errors.New("portone: webhook is neither JSON nor a form"))
	}
	return form.Get("payment_id"), "", form.Get("status"), nil
}

func told(body []byte) (paymentID, store, what string, err error) {
	var event struct {
		Type   string          `json:"type"`
		Data   json.RawMessage `json:"data"`
		Legacy string          `json:"payment_id"`
		Status string          `json:"status"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return "", "", "", fault.ErrMalformed.Because(errors.New("portone: webhook is no JSON of the known shape"))
	}
	if !strings.HasPrefix(event.Type, "Transaction.") {
		return event.Legacy, "", event.Status, nil // what other events hold is not ours to read
	}
	var data struct {
		StoreID   string `json:"storeId"`
		PaymentID string `json:"paymentId"`
	}
	if err := json.Unmarshal(event.Data, &data); err != nil || data.PaymentID == "" {
		return "", "", "", fault.ErrMalformed.Because(errors.New("portone: webhook of a transaction names no payment"))
	}
	return data.PaymentID, data.StoreID, event.Type, nil
}
