package webhook_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

const (
	newSecret   = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	oldSecret   = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
	otherSecret = "whsec_KMPLSkzMDSUzZ2bZ7jU4rCJIqh2jGgmJ"
)

func TestSigner(t *testing.T) { portstest.WebhookSigner(t, webhook.Signer{}) }

// The library of the specification's authors verifies our signatures, and produces the same ones. Standard
// Webhooks 1.
func TestSignaturesAreThoseOfStandardWebhooks(t *testing.T) {
	t.Parallel()
	at, body := time.Now(), []byte(`{"collection":"orders","data":{"title":"청바지 <&> \u0000"}}`)
	got, err := webhook.Signer{}.Sign("evt_1", at, body, newSecret, oldSecret)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	for name, value := range got {
		header.Set(name, value)
	}
	for name, c := range map[string]struct {
		secret string
		body   []byte
		valid  bool
	}{
		"the new secret": {newSecret, body, true}, "the old secret during a rotation": {oldSecret, body, true},
		"another secret": {otherSecret, body, false}, "another body": {newSecret, append([]byte(" "), body...), false},
	} {
		hook, err := standardwebhooks.NewWebhook(c.secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := hook.Verify(c.body, header); (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
	hook, err := standardwebhooks.NewWebhook(newSecret)
	if err != nil {
		t.Fatal(err)
	}
	want, err := hook.Sign("evt_1", at, body)
	if first, _, _ := strings.Cut(got["webhook-signature"], " "); err != nil || first != want {
		t.Errorf("signed %q, the library %q (%v)", first, want, err)
	}
}
