package portone_test

import (
	"errors"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

func hint(n ports.ProviderWebhook, secrets ...string) (ports.WebhookHint, error) {
	return portone.New("http://127.0.0.1", payment.NewClient(payment.Limits{}, nil)).Hint(connection(), secrets, n)
}

// The test vector of the Standard Webhooks reference implementations.
func TestReferenceSignature(t *testing.T) {
	t.Parallel()
	n := ports.ProviderWebhook{Body: []byte(`{"test": 2432232314}`), ReceivedAt: time.Unix(1614265330, 0), Header: map[string][]string{
		"Webhook-Id": {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, "Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
	}}
	for _, secret := range []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		if got, err := hint(n, secret); err != nil || got.EventID != "msg_p5jXN8AQM9LWM0D4loKWxJek" || got.Payments != nil {
			t.Errorf("%s: %+v, %v", secret, got, err)
		}
	}
}

func TestOneOfSeveralSignaturesIsEnough(t *testing.T) {
	t.Parallel()
	body := `{"type":"Transaction.Paid","data":{"paymentId":"Payment1"}}`
	for name, of := range map[string]struct {
		signatures func(good string) string
		fine       bool
	}{
		"the second of two":      {func(good string) string { return "v1,AAAA " + good }, true},
		"beside another version": {func(good string) string { return "v1a,c2lnbmF0dXJl " + good }, true},
		"another version alone":  {func(good string) string { return "v2" + good[2:] }, false},
		"no version":             {func(good string) string { return good[3:] }, false},
		"an empty one":           {func(string) string { return "v1," }, false},
		"a shortened one":        {func(good string) string { return good[:len(good)-2] }, false},
	} {
		n := signed("msg_1", noon, body, secrets[0])
		n.Header["Webhook-Signature"] = []string{of.signatures(n.Header["Webhook-Signature"][0])}
		if _, err := hint(n, secrets...); (err == nil) != of.fine || err != nil && !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWebhookTimestampTolerance(t *testing.T) {
	t.Parallel()
	for off, fine := range map[time.Duration]bool{
		0: true, 5 * time.Minute: true, -5 * time.Minute: true, 5*time.Minute + time.Second: false, -5*time.Minute - time.Second: false,
	} {
		n := signed("msg_1", noon, `{"type":"Transaction.Paid","data":{"paymentId":"Payment1"}}`, secrets[0])
		n.ReceivedAt = noon.Add(off)
		if _, err := hint(n, secrets...); (err == nil) != fine {
			t.Errorf("%v off: %v", off, err)
		}
	}
	for _, stamp := range []string{"", "soon", "1769860800.5", "9223372036854775807", "99999999999999999999", "-1"} {
		body := `{"type":"Transaction.Paid","data":{"paymentId":"Payment1"}}`
		n := signed("msg_1", noon, body, secrets[0])
		n.Header["Webhook-Timestamp"] = []string{stamp}
		n.Header["Webhook-Signature"] = []string{signature("msg_1", stamp, body, secrets[0])}
		if _, err := hint(n, secrets...); !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("timestamp %q: %v", stamp, err)
		}
	}
}

func TestDuplicateHeaderIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		n := signed("msg_1", noon, `{"type":"Transaction.Paid","data":{"paymentId":"Payment1"}}`, secrets[0])
		n.Header[name] = append(n.Header[name], n.Header[name][0])
		if _, err := hint(n, secrets...); !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("%s twice: %v", name, err)
		}
		n.Header[name] = n.Header[name][:1]
		n.Header["WEBHOOK-"+name[8:]] = []string{"other"}
		if _, err := hint(n, secrets...); !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("%s in two spellings: %v", name, err)
		}
	}
}

func TestEmptySecretIsRefused(t *testing.T) {
	t.Parallel()
	n := signed("msg_1", noon, `{"type":"Transaction.Paid","data":{"paymentId":"Payment1"}}`, "")
	for _, secret := range []string{"", "whsec_", "\n", "whsec_\r\n", "!"} {
		if _, err := hint(n, secret); !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("secret %q: %v", secret, err)
		}
	}
}

func TestWebhookPaymentReference(t *testing.T) {
	t.Parallel()
	about := func(kind string) string {
		return fmt.Sprintf(
			`{"type":%q,"timestamp":"2026-01-31T09:00:00Z","data":{"storeId":%q,"paymentId":"Payment1","transactionId":"tx"},"new":1}`,
			kind, portonefake.Store)
	}
	for body, want := range map[string]string{
		about("Transaction.Ready"): "Payment1", about("Transaction.Paid"): "Payment1", about("Transaction.CancelPending"): "Payment1",
		about("Transaction.DisputeCreated"): "Payment1", about("Transaction.SomethingNew"): "Payment1", about("Something.New"): "",
		`{"type":"BillingKey.Issued","data":{"billingKey":"b","storeId":"s"}}`: "", `{"type":"Something.New","data":[1,2]}`: "",
		`{"type":"Something.New"}`: "", `{"type":"Transaction.Paid","data":{"storeId":"store-of-somebody","paymentId":"Payment1"}}`: "",
		`{"payment_id":"Payment1","tx_id":"tx","status":"Paid"}`:                             "Payment1",
		url.Values{"payment_id": {"Payment1"}, "tx_id": {"tx"}, "status": {"Paid"}}.Encode(): "Payment1",
	} {
		got, err := hint(signed("msg_1", noon, body, secrets[1]), secrets...)
		ours := len(got.Payments) == 1 && got.Payments[0] == ports.PaymentRef{PaymentID: want}
		if err != nil || got.EventID != "msg_1" || want != "" && !ours || want == "" && got.Payments != nil {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
	for _, body := range []string{
		"", "null", "[]", `{"type":`, `{"type":7}`, `"text"`, "<xml/>", `{"type":"Transaction.Paid","data":[]}`,
		`{"type":"Transaction.Paid"}`, "status=Paid",
	} {
		if got, err := hint(signed("msg_1", noon, body, secrets[1]), secrets...); !errors.Is(err, fault.ErrMalformed) {
			t.Errorf("%s: %+v, %v", body, got, err)
		}
	}
}
