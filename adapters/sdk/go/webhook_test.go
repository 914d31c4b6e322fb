package cartwright

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const delivered = `{"collection": "orders", "operation": "update", "data": {"status": "shipped", "notes": "x", "lines": [1]},
	"doc": {"id": "o1", "status": "shipped", "totalAmount": 15000}, "previousDoc": {"id": "o1", "status": "paid", "notes": "x", "lines": [ 1 ]}}`

func newSecret(seed string) string {
	return "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat(seed, 24)))
}

// signedHeaders are made by the reference library of Standard Webhooks.
func signedHeaders(t *testing.T, secret, body string, at time.Time) http.Header {
	t.Helper()
	hook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := hook.Sign("msg_1", at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return http.Header{
		"Webhook-Id": {"msg_1"}, "Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)}, "Webhook-Signature": {signature},
		"Webhook-Sequence": {"3"},
	}
}

func TestDeliveriesAreVerifiedAsTheStandardSays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	secret, other := newSecret("a"), newSecret("b")
	good := signedHeaders(t, secret, delivered, now)
	with := func(name, value string) http.Header {
		h := good.Clone()
		h.Set(name, value)
		return h
	}
	rotated := with("Webhook-Signature", signedHeaders(t, other, delivered, now).Get("Webhook-Signature")+" "+good.Get("Webhook-Signature"))
	for name, c := range map[string]struct {
		body    string
		header  http.Header
		secrets []string
		want    error
	}{
		"as it was sent":              {delivered, good, []string{secret}, nil},
		"a new secret beside the old": {delivered, good, []string{other, secret}, nil},
		"two signatures":              {delivered, rotated, []string{secret}, nil},
		"a signature of another kind": {
			delivered, with("Webhook-Signature", "v1a,AAAA "+good.Get("Webhook-Signature")), []string{secret}, nil,
		},
		"another secret": {delivered, good, []string{other}, ErrWebhookSignature},
		"another body":   {delivered + " ", good, []string{secret}, ErrWebhookSignature},
		"another id":     {delivered, with("Webhook-Id", "msg_2"), []string{secret}, ErrWebhookSignature},
		"another time": {
			delivered, with("Webhook-Timestamp", strconv.FormatInt(now.Unix()+1, 10)), []string{secret}, ErrWebhookSignature,
		},
		"no id":        {delivered, with("Webhook-Id", ""), []string{secret}, ErrWebhookSignature},
		"no time":      {delivered, with("Webhook-Timestamp", ""), []string{secret}, ErrWebhookSignature},
		"no signature": {delivered, with("Webhook-Signature", ""), []string{secret}, ErrWebhookSignature},
		"half a signature": {
			delivered, with("Webhook-Signature", good.Get("Webhook-Signature")[:20]), []string{secret}, ErrWebhookSignature,
		},
		"an old one": {delivered, signedHeaders(t, secret, delivered, now.Add(-6*time.Minute)), []string{secret}, ErrWebhookTimestamp},
		"one of the future": {
			delivered, signedHeaders(t, secret, delivered, now.Add(6*time.Minute)), []string{secret}, ErrWebhookTimestamp,
		},
		"within the tolerance":  {delivered, signedHeaders(t, secret, delivered, now.Add(-4*time.Minute)), []string{secret}, nil},
		"no event":              {"[]", signedHeaders(t, secret, "[]", now), []string{secret}, ErrWebhookBody},
		"no secret":             {delivered, good, nil, ErrWebhookSecret},
		"a secret that is none": {delivered, good, []string{"whsec_?"}, ErrWebhookSecret},
		"an empty secret":       {delivered, good, []string{""}, ErrWebhookSecret},
	} {
		e, err := VerifyWebhook([]byte(c.body), c.header, c.secrets...)
		if !errors.Is(err, c.want) || (err == nil) != (e != nil) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestAnEventTellsWhatChanged(t *testing.T) {
	t.Parallel()
	secret := newSecret("a")
	header := signedHeaders(t, secret, delivered, time.Now())
	header.Set("Webhook-Test", "true")
	e, err := VerifyWebhook([]byte(delivered), header, secret)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID != "msg_1" || e.Sequence != 3 || !e.Test || e.Collection != "orders" || e.Operation != EventOperationUpdate ||
		time.Since(e.SentAt) > time.Minute {
		t.Errorf("%+v", *e)
	}
	changes := e.Changes()
	if len(changes) != 1 || string(changes["status"].From) != `"paid"` || string(changes["status"].To) != `"shipped"` ||
		!e.Changed("status") || e.Changed("notes") || e.Changed("lines") {
		t.Errorf("%v", changes)
	}
	order, err := Decode[Order](e.Doc)
	if err != nil || order.Status != OrderStatusShipped || order.TotalAmount != "15000" {
		t.Errorf("%v, %v", order.Status, err)
	}
	e.Operation = EventOperationCreate
	if len(e.Changes()) != 0 {
		t.Error("a create changes nothing")
	}
}

func TestTheHandlerAnswersWhatMakesDeliveriesComeAgain(t *testing.T) {
	t.Parallel()
	secret := newSecret("a")
	var failures []error
	var result error
	panics := false
	handled := 0
	handler := WebhookHandler(func(context.Context, *Event) error {
		handled++
		if panics {
			panic("boom")
		}
		return result
	}, func(_ *http.Request, err error) { failures = append(failures, err) }, secret)
	post := func(method, body string, header http.Header) (int, string) {
		r := httptest.NewRequest(method, "/hooks", strings.NewReader(body))
		r.Header = header
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		text, err := io.ReadAll(w.Result().Body)
		if err != nil {
			t.Fatal(err)
		}
		return w.Code, string(text)
	}
	good := signedHeaders(t, secret, delivered, time.Now())
	if code, body := post("POST", delivered, good); code != http.StatusOK || body != "" || handled != 1 || len(failures) != 0 {
		t.Error(code, body, handled, failures)
	}
	result = errors.New("the queue is full of kim@example.com")
	if code, body := post("POST", delivered, good); code != http.StatusInternalServerError || body != "" || len(failures) != 1 {
		t.Error(code, body, failures)
	}
	result, panics = nil, true
	if code, body := post("POST", delivered, good); code != http.StatusInternalServerError || body != "" ||
		!strings.Contains(failures[1].Error(), "boom") {
		t.Error(code, body, failures)
	}
	if code, body := post("POST", delivered+" ", good); code != http.StatusBadRequest || body != "" || handled != 3 {
		t.Error(code, body, handled)
	}
	if code, _ := post("GET", "", good); code != http.StatusMethodNotAllowed || handled != 3 {
		t.Error(code, handled)
	}
	if code, _ := post("POST", strings.Repeat("x", maxDelivery+1), good); code != http.StatusRequestEntityTooLarge {
		t.Error(code)
	}
	quiet := WebhookHandler(func(context.Context, *Event) error { return result }, nil, "whsec_?")
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(delivered))
	r.Header = good
	if quiet.ServeHTTP(w, r); w.Code != http.StatusInternalServerError {
		t.Error("a secret of the wrong form loses the delivery:", w.Code)
	}
}
