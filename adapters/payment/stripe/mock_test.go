package stripe_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/ports"
)

// Stripe's own mock, which checks requests against its OpenAPI description and answers with examples. It runs
// as a separate program; nothing of it is linked into ours.
const mockModule = "github.com/stripe/stripe-mock@v0.203.0"

// startMock builds and runs the mock and returns its address.
func startMock(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "install", mockModule)
	build.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=", "CGO_ENABLED=0")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", mockModule, err, out)
	}
	ctx, stop := context.WithCancel(context.Background())
	// Without an address for HTTPS it listens on port 12112 as well, and the mock of a test beside this one ends at once.
	run := exec.CommandContext(ctx, filepath.Join(dir, "stripe-mock"), "-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0")
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints bytes.Buffer
	run.Stderr = &complaints
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := run.Wait(); t.Failed() { // the error of the kill above, unless the mock had ended before
			t.Logf("stripe-mock: %v\n%s", err, &complaints)
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "at address: "); found {
			go func() { _, _ = io.Copy(io.Discard, out) }() // else the pipe is closed with the garbage, and the mock dies of it
			return "http://" + strings.TrimSpace(address)
		}
	}
	t.Fatalf("the mock printed no address: %v", lines.Err())
	return ""
}

// seen records the status of each request.
type seen struct{ answers map[string]int }

func (s *seen) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := freshConnections.RoundTrip(r)
	if err == nil {
		s.answers[r.Method+" "+r.URL.Path] = res.StatusCode
	}
	return res, err
}

// freshConnections uses none twice: stripe-mock may close one just when it is used again.
var freshConnections = &http.Transport{DisableKeepAlives: true}

// What CHECKS.md marks with stripe-mock is refused by stripe-mock, which takes the same requests without the mistake.
func TestStripeMockRefusesWhatTheFakeRefuses(t *testing.T) {
	t.Parallel()
	base := startMock(t)
	post := func(path string, form url.Values, key string) int {
		for {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(form.Encode()))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Authorization", key)
			r.Close = true // stripe-mock may close a connection just when it is used again
			res, err := http.DefaultClient.Do(r)
			if errors.Is(err, syscall.ECONNRESET) {
				continue // it answered without reading the form, and its answer was lost; it keeps no state
			}
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close() // only its status counts
			return res.StatusCode
		}
	}
	const key = "Bearer sk_test_123"
	for path, form := range map[string]url.Values{
		"/v1/checkout/sessions": stripefake.GoodSession(), "/v1/checkout/sessions/cs_1/expire": nil,
		"/v1/payment_intents/pi_1/capture": {"amount_to_capture": {"5000"}}, "/v1/payment_intents/pi_1/cancel": nil,
		"/v1/refunds": {"payment_intent": {"pi_1"}, "amount": {"5000"}, "reason": {"duplicate"}},
	} {
		if got := post(path, form, key); got != http.StatusOK {
			t.Errorf("%s without a mistake: %d", path, got)
		}
	}
	for check, bad := range stripefake.BadForms("pi_1", "cs_1") {
		if got := post(bad.Path, bad.Form, key); got != http.StatusBadRequest {
			t.Errorf("%s: %d", check, got)
		}
	}
	if got := post("/v1/refunds", nil, ""); got != http.StatusUnauthorized {
		t.Errorf("no authentication: %d", got)
	}
	if got := post("/v1/refound", nil, key); got != http.StatusNotFound {
		t.Errorf("an address that there is not: %d", got)
	}
}

func TestRequestsMatchStripeOpenAPI(t *testing.T) {
	t.Parallel()
	address := startMock(t)
	notes := &seen{map[string]int{}}
	s := &shop{Stripe: stripefake.New(), conn: connection()}
	s.provider = stripe.New(address, payment.NewClient(payment.Limits{}, notes), s.Clock)
	// Every example of an account has another id; the adapter looks it up once.
	example, err := s.provider.Lookup(t.Context(), s.conn, ports.PaymentRef{ProviderSessionID: "cs_1"})
	if err != nil {
		t.Fatal(err)
	}
	s.conn.AccountKey = example.AccountKey
	for _, method := range []string{"", "WE_CHAT_PAY", "KAKAO_PAY", "CONVENIENCE_STORE_JP"} {
		req := hosted
		req.Method, req.ExpiresAt = method, s.Clock()
		body, err := s.provider.Build(s.conn, req)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.provider.Do(t.Context(), s.conn, ports.ProviderCall{
			Operation: "prepare", ProviderKey: "key-" + method, Request: body,
		}); err != nil ||
			got.Prepared.CheckoutURL == "" {
			t.Errorf("prepare %s: %v %v", method, got, err)
		}
	}
	for name, ref := range map[string]ports.PaymentRef{"session": {ProviderSessionID: "cs_1"}, "intent": {ProviderPaymentID: "pi_1"}} {
		if got, err := s.provider.Lookup(t.Context(), s.conn, ref); err != nil || got.State == ports.ProviderAbsent ||
			got.AccountKey != s.conn.AccountKey {
			t.Errorf("look up by %s: %+v %v", name, got, err)
		}
	}
	if _, err := s.send("key-close", 1, ports.CloseRequest{PaymentRef: ports.PaymentRef{ProviderSessionID: "cs_1"}}); err != nil {
		t.Errorf("close: %v", err)
	}
	// The example list holds one refund of 100.
	asked := refundOf(ports.PaymentRef{ProviderPaymentID: "pi_1"}, 100, 1899)
	asked.Method, asked.Buyer.Email = "konbini", "kim@shop.example"
	if _, err := s.send("key-refund", 1, asked); err != nil {
		t.Errorf("refund: %v", err)
	}
	for _, request := range []string{
		"POST /v1/checkout/sessions", "POST /v1/checkout/sessions/cs_1/expire", "POST /v1/refunds", "GET /v1/refunds", "GET /v1/account",
		"GET /v1/checkout/sessions", "GET /v1/checkout/sessions/cs_1",
	} {
		if notes.answers[request] != http.StatusOK {
			t.Errorf("%s: %d", request, notes.answers[request])
		}
	}
	unknown := ports.ProviderCall{Operation: "prepare", ProviderKey: "key", Request: []byte("/v1/checkout/sessions\nmode=payment&who=me")}
	if got, err := s.provider.Do(t.Context(), s.conn, unknown); err == nil || !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("the mock accepted an invalid request: %v %v", got, err)
	}
}
