package portone

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// tolerance is how far a webhook's time may be from ours, either way. Reference payments 1.5.
const tolerance = 5 * time.Minute

// Hint reads a webhook in the form of 2024-04-25 or 2024-01-01. Events that are about no payment of the connection's store
// are heard and lead to nothing, whatever their type. Reference payments 1.5.
func (p *Provider) Hint(conn ports.Connection, secrets []string, n ports.Notice) (ports.Hint, error) {
	id, err := verify(secrets, n)
	if err != nil {
		return ports.Hint{}, ports.ErrWebhookSignature.Because(err)
	}
	hint := ports.Hint{EventID: id}
	about, store, err := subject(n)
	if err != nil {
		return ports.Hint{}, err
	}
	if about != "" && (store == "" || store == conn.AccountKey) {
		hint.Payments = []ports.PaymentRef{{PaymentID: about}}
	}
	return hint, nil
}

// verify checks that one of the secrets signed the webhook not long ago, and gives its id. Each header must be there once:
// of two values it would be open which one was signed.
func verify(secrets []string, n ports.Notice) (id string, err error) {
	signed := http.Header{}
	for _, name := range []string{standardwebhooks.HeaderWebhookID, standardwebhooks.HeaderWebhookTimestamp, standardwebhooks.HeaderWebhookSignature} {
		var values []string
		for given, v := range n.Header {
			if strings.EqualFold(given, name) {
				values = append(values, v...)
			}
		}
		if len(values) != 1 || values[0] == "" {
			return "", errors.New("header " + name + " is not there exactly once")
		}
		signed.Set(name, values[0])
	}
	seconds, err := strconv.ParseInt(signed.Get(standardwebhooks.HeaderWebhookTimestamp), 10, 64)
	if err != nil {
		return "", errors.New("the timestamp is no number of seconds")
	}
	if off := n.At.Sub(time.Unix(seconds, 0)).Abs(); off > tolerance {
		return "", errors.New("the timestamp is too far from now")
	}
	for _, secret := range secrets {
		hook, err := standardwebhooks.NewWebhook(secret)
		if err != nil || strings.TrimSpace(strings.TrimPrefix(secret, "whsec_")) == "" {
			continue // a key of no bytes would be anybody's
		}
		if hook.VerifyIgnoringTimestamp(n.Body, signed) == nil {
			return signed.Get(standardwebhooks.HeaderWebhookID), nil
		}
	}
	return "", errors.New("no secret of the connection signed it")
}

// subject is the payment a webhook is about, "" if none, and its store where the webhook says it.
func subject(n ports.Notice) (paymentID, store string, err error) {
	body := bytes.TrimSpace(n.Body)
	if len(body) > 0 && body[0] == '{' {
		return told(body)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has("payment_id") {
		return "", "", fault.ErrMalformed.Because(errors.New("portone: webhook is neither JSON nor a form"))
	}
	return form.Get("payment_id"), "", nil
}

func told(body []byte) (paymentID, store string, err error) {
	var event struct {
		Type   string          `json:"type"`
		Data   json.RawMessage `json:"data"`
		Legacy string          `json:"payment_id"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return "", "", fault.ErrMalformed.Because(errors.New("portone: webhook is no JSON of the known shape"))
	}
	if !strings.HasPrefix(event.Type, "Transaction.") {
		return event.Legacy, "", nil // what other events hold is not ours to read
	}
	var data struct{ StoreID, PaymentID string }
	if err := json.Unmarshal(event.Data, &data); err != nil || data.PaymentID == "" {
		return "", "", fault.ErrMalformed.Because(errors.New("portone: webhook of a transaction names no payment"))
	}
	return data.PaymentID, data.StoreID, nil
}
