package payment

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/cartwright-dev/cartwright/ports"
)

// tolerance is how far a webhook's time may be from ours, either way. Reference payments 1.5.
const tolerance = 5 * time.Minute

// VerifyStandard checks that one of the secrets signed a webhook by the Standard Webhooks specification not long ago, and
// gives its id. Each header must be there once: of two values it would be open which one was signed.
func VerifyStandard(secrets []string, n ports.Notice) (id string, err error) {
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
