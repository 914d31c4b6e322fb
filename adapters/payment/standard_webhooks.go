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

// timestampTolerance is how far a webhook's timestamp may be from our clock, either way. Facts portone-16,
// stripe-6.
const timestampTolerance = 5 * time.Minute

// VerifyStandardWebhook checks that one of the secrets signed a recent webhook by the Standard Webhooks
// specification, and returns its id. Each header must be present exactly once: with two values it would be
// unclear which one was signed.
func VerifyStandardWebhook(secrets []string, n ports.ProviderWebhook) (id string, err error) {
	signed := http.Header{}
	for _, name := range []string{
		standardwebhooks.HeaderWebhookID, standardwebhooks.HeaderWebhookTimestamp, standardwebhooks.HeaderWebhookSignature,
	} {
		var values []string
		for given, v := range n.Header {
			if strings.EqualFold(given, name) {
				values = append(values, v...)
			}
		}
		if len(values) != 1 || values[0] == "" {
			return "", errors.New("header " + name + " must be present exactly once")
		}
		signed.Set(name, values[0])
	}
	seconds, err := strconv.ParseInt(signed.Get(standardwebhooks.HeaderWebhookTimestamp), 10, 64)
	if err != nil {
		return "", errors.New("the timestamp is not a number of seconds")
	}
	if off := n.ReceivedAt.Sub(time.Unix(seconds, 0)).Abs(); off > timestampTolerance {
		return "", errors.New("the timestamp is too far from now")
	}
	for _, secret := range secrets {
		hook, err := standardwebhooks.NewWebhook(secret)
		if err != nil || strings.TrimSpace(strings.TrimPrefix(secret, "whsec_")) == "" {
			continue // anyone could sign with an empty key
		}
		if hook.VerifyIgnoringTimestamp(n.Body, signed) == nil {
			return signed.Get(standardwebhooks.HeaderWebhookID), nil
		}
	}
	return "", errors.New("the signature matches no secret of the connection")
}
