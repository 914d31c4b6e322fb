package portstest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// The secrets of the suites of webhooks: whsec_ and the base64 of 24 bytes.
const (
	newSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	oldSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
)

// WebhookSigner checks ports.WebhookSigner.
func WebhookSigner(t *testing.T, s ports.WebhookSigner) {
	bodies := map[string][]byte{
		"none": nil, "an object": []byte(`{"collection":"orders","data":{"title":"청바지 <&> \u0000"}}`),
		"bytes that are no text": {0, 255, '.', '\n'},
	}
	for name, body := range bodies {
		t.Run("each secret signs id, time and body, in the order given; body: "+name, func(t *testing.T) {
			at := noon.Add(987 * time.Millisecond)
			got, err := s.Sign("evt_1", at, body, newSecret, oldSecret)
			want := map[string]string{
				"webhook-id": "evt_1", "webhook-timestamp": strconv.FormatInt(at.Unix(), 10),
				"webhook-signature": standardSignature(t, newSecret, at, body) + " " + standardSignature(t, oldSecret, at, body),
			}
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("got %v, %v, want %v", got, err, want)
			}
		})
	}
	t.Run("the same input makes the same signature", func(t *testing.T) {
		first, err := s.Sign("evt_1", noon, []byte("x"), newSecret)
		if again, _ := s.Sign("evt_1", noon, []byte("x"), newSecret); err != nil || !maps.Equal(first, again) {
			t.Errorf("%v, then %v, %v", first, again, err)
		}
	})
	t.Run("what cannot be signed is refused, and no error shows a secret", func(t *testing.T) { unsignable(t, s) })
}

// standardSignature is the signature of a message "evt_1" as the specification of Standard Webhooks has it.
func standardSignature(t *testing.T, secret string, at time.Time, body []byte) string {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("evt_1." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func unsignable(t *testing.T, s ports.WebhookSigner) {
	for name, c := range map[string]struct {
		id      string
		secrets []string
	}{
		"no secret": {"evt_1", nil}, "an empty one": {"evt_1", []string{""}}, "a key of no bytes": {"evt_1", []string{"whsec_"}},
		"a short key": {"evt_1", []string{"whsec_c2hvcnQ="}}, "no prefix": {"evt_1", []string{strings.TrimPrefix(newSecret, "whsec_")}},
		"no base64": {"evt_1", []string{"whsec_???"}}, "one bad of two": {"evt_1", []string{newSecret, "whsec_???"}},
		"an id with a dot": {"evt.1", []string{newSecret}}, "an id with a line break": {"evt\n1", []string{newSecret}},
		"no id": {"", []string{newSecret}},
	} {
		_, err := s.Sign(c.id, noon, nil, c.secrets...)
		if err == nil {
			t.Errorf("%s: signed", name)
			continue
		}
		for _, secret := range c.secrets {
			if len(secret) > len("whsec_") && strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the error shows the secret: %v", name, err)
			}
		}
	}
}
