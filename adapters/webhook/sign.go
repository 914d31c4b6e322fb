package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// The headers of Standard Webhooks.
const (
	headerID        = "webhook-id"
	headerTimestamp = "webhook-timestamp"
	headerSignature = "webhook-signature"
)

// secretPrefix starts the text of a secret; base64 follows.
const secretPrefix = "whsec_"

// Sizes of a secret's key, in bytes.
const (
	minSecret = 24
	maxSecret = 64
)

// Both are safe to log: they do not quote the secret.
var (
	errSecret = errors.New("a webhook secret is " + secretPrefix + " and the base64 of 24 to 64 bytes")
	errID     = errors.New("the id of a webhook is a text without dots and spaces")
)

// Signer is a ports.WebhookSigner: symmetric signatures, version 1.
type Signer struct{}

var _ ports.WebhookSigner = Signer{}

// Sign implements ports.WebhookSigner. The signed content is the id, the seconds of at and the bytes of body,
// joined by dots; the header has one signature per secret, separated by spaces. Errors: no secret, an invalid
// secret, an id with a dot.
func (Signer) Sign(id string, at time.Time, body []byte, secrets ...string) (map[string]string, error) {
	if len(secrets) == 0 {
		return nil, errSecret
	}
	if id == "" || strings.ContainsAny(id, ". \r\n") {
		return nil, errID
	}
	seconds := strconv.FormatInt(at.Unix(), 10)
	signed := make([]string, len(secrets))
	for i, s := range secrets {
		text, marked := strings.CutPrefix(s, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(text)
		if !marked || err != nil || len(key) < minSecret || len(key) > maxSecret {
			return nil, errSecret
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + seconds + "."))
		mac.Write(body)
		signed[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return map[string]string{headerID: id, headerTimestamp: seconds, headerSignature: strings.Join(signed, " ")}, nil
}
