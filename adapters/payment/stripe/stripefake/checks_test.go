package stripefake_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/requestcheck"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
)

// account is a Stripe, and what a request to it is made of.
type account struct {
	*stripefake.Stripe

	serial int // of requests
}

// send sends a request with an idempotency key of its own, changed by how.
func (s *account) send(t *testing.T, method, path string, form url.Values, how ...func(*http.Request)) requestcheck.Answer {
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Authorization", "Bearer "+stripefake.Key)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	s.serial++
	r.Header.Set("Idempotency-Key", "key-"+strconv.Itoa(s.serial))
	for _, change := range how {
		change(r)
	}
	return requestcheck.Send(t, s.Stripe, r, "error.code", "error.type")
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

const sessions = "/v1/checkout/sessions"

// opened is an account with an open session of 15,000 won, cs_test_1; paid is one whose buyer has paid.
func opened(t *testing.T) *account {
	t.Helper()
	s := &account{Stripe: stripefake.New()}
	if got := s.send(t, "POST", sessions, stripefake.GoodSession()); got.Status != http.StatusOK {
		t.Fatalf("the session is %v", got)
	}
	return s
}

func paid(t *testing.T) *account {
	t.Helper()
	s := opened(t)
	s.Buy("cs_test_1", "paid")
	return s
}

// sends are cases of a request to an account whose buyer has paid; makes are those of a session that differs in one
// parameter.
func sends(method, path string, form url.Values, how ...func(*http.Request)) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer { return paid(t).send(t, method, path, form, how...) }
}

func makes(name, value string) requestcheck.Case {
	return sends("POST", sessions, stripefake.With(stripefake.GoodSession(), name, value))
}

// lives is the case of a session that may be paid for so long.
func lives(life time.Duration) requestcheck.Case {
	return makes("expires_at", strconv.FormatInt(stripefake.New().Now.Add(life).Unix(), 10))
}

func refunds(form url.Values) requestcheck.Case { return sends("POST", "/v1/refunds", form) }

const (
	intents = "/v1/payment_intents/"
	intent  = "pi_cs_test_1"
)

// capturesAfter is the case of a request about an authorized payment, after another one; "" is none.
func capturesAfter(before, path string, form url.Values) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer {
		s := &account{Stripe: stripefake.New()}
		s.send(t, "POST", sessions, stripefake.With(stripefake.GoodSession(), "payment_intent_data[capture_method]", "manual"))
		s.Buy("cs_test_1", "paid")
		if before != "" {
			if got := s.send(t, "POST", intents+intent+before, nil); got.Status != http.StatusOK {
				t.Fatalf("%s: %v", before, got)
			}
		}
		return s.send(t, "POST", intents+intent+path, form)
	}
}

func TestChecksOfStripe(t *testing.T) {
	t.Parallel()
	const line = "line_items[0][price_data]"
	noLine := url.Values{"mode": {"payment"}, "success_url": {"https://shop.example/thanks"}}
	krona := stripefake.With(stripefake.GoodSession(), line+"[currency]", "isk")
	tooMany := stripefake.GoodSession()
	for i := range 51 {
		tooMany.Set("metadata[key"+strconv.Itoa(i)+"]", "value")
	}
	all := map[string]requestcheck.Case{
		"no authentication":                    sends("GET", sessions+"/cs_test_1", nil, func(r *http.Request) { r.Header.Del("Authorization") }),
		"an account that is not connected":     sends("GET", sessions+"/cs_test_1", nil, header("Stripe-Account", "acct_elsewhere")),
		"a session of another account":         sends("GET", sessions+"/cs_test_1", nil, header("Stripe-Account", stripefake.ConnectedAccount)),
		"another secret key":                   sends("GET", sessions+"/cs_test_1", nil, header("Authorization", "Bearer sk_test_other")),
		"an address that there is not":         sends("GET", "/v1/checkout/session", nil),
		"another method":                       sends("PUT", sessions, stripefake.GoodSession()),
		"no idempotency key":                   sends("POST", sessions, stripefake.GoodSession(), header("Idempotency-Key", "")),
		"an idempotency key of 256 characters": sends("POST", sessions, stripefake.GoodSession(), header("Idempotency-Key", strings.Repeat("k", 256))),
		"a key that was used for something else": sends("POST", sessions, stripefake.With(stripefake.GoodSession(), "mode", "setup"),
			header("Idempotency-Key", "key-1")),
		"JSON instead of a form": sends("POST", sessions, nil, header("Content-Type", "application/json")),

		"session: no mode":                               makes("mode", ""),
		"session: no line":                               sends("POST", sessions, noLine),
		"session: a negative amount":                     makes(line+"[unit_amount]", "-5"),
		"session: a currency in capitals":                makes(line+"[currency]", "KRW"),
		"session: a fraction of a króna":                 sends("POST", sessions, stripefake.With(krona, line+"[unit_amount]", "550")),
		"session: no success address":                    makes("success_url", ""),
		"session: a success address without a scheme":    makes("success_url", "shop.example/thanks"),
		"session: an email without an at sign":           makes("customer_email", "kim"),
		"session: a reference of 201 characters":         makes("client_reference_id", strings.Repeat("r", 201)),
		"session: 51 keys of metadata":                   sends("POST", sessions, tooMany),
		"session: a value of metadata of 501 characters": makes("metadata[note]", strings.Repeat("v", 501)),
		"session: a life of 29 minutes":                  lives(29 * time.Minute),
		"session: a life of 25 hours":                    lives(25 * time.Hour),
		"a session that there is not":                    sends("GET", sessions+"/cs_test_2", nil),
		"expire: a session that there is not":            sends("POST", sessions+"/cs_test_2/expire", nil),
		"expire: a session that is complete":             sends("POST", sessions+"/cs_test_1/expire", nil),

		"capture: a payment that there is not":      sends("POST", intents+"pi_nobody/capture", nil),
		"capture: a payment that is not authorized": sends("POST", intents+intent+"/capture", nil),
		"capture: a payment that was captured":      capturesAfter("/capture", "/capture", nil),
		"capture: more than is authorized":          capturesAfter("", "/capture", url.Values{"amount_to_capture": {"15001"}}),
		"capture: an amount of zero":                capturesAfter("", "/capture", url.Values{"amount_to_capture": {"0"}}),
		"cancel: a payment that there is not":       sends("POST", intents+"pi_nobody/cancel", nil),
		"cancel: a payment that was captured":       capturesAfter("/capture", "/cancel", nil),

		"refund: a payment that there is not": refunds(url.Values{"payment_intent": {"pi_nobody"}}),
		"refund: no payment":                  refunds(url.Values{"amount": {"5000"}}),
		"refund: an amount of zero":           refunds(url.Values{"payment_intent": {intent}, "amount": {"0"}}),
		"refund: a konbini of a buyer without an address": func(t *testing.T) requestcheck.Answer {
			s := paid(t)
			s.ChangeSession("cs_test_1", func(c *stripefake.Session) {
				c.Method = "konbini"
				c.Form.Del("customer_email")
			})
			return s.send(t, "POST", "/v1/refunds", url.Values{"payment_intent": {intent}, "amount": {"5000"}})
		},
		"refund: more than what is left": refunds(url.Values{"payment_intent": {intent}, "amount": {"15001"}}),
		"refund: a payment that was refunded": func(t *testing.T) requestcheck.Answer {
			s := paid(t)
			if got := s.send(t, "POST", "/v1/refunds", url.Values{"payment_intent": {intent}}); got.Status != http.StatusOK {
				t.Fatalf("refund: %v", got)
			}
			return s.send(t, "POST", "/v1/refunds", url.Values{"payment_intent": {intent}, "amount": {"1"}})
		},
	}
	for check, bad := range stripefake.BadForms(intent, "cs_test_1") {
		all[check] = func(t *testing.T) requestcheck.Answer { return opened(t).send(t, "POST", bad.Path, bad.Form) }
	}
	requestcheck.CompareList(t, "CHECKS.md", all)
}

// The life of a page is what Stripe takes, to the second.
func TestPagesOfStripeLiveAsAskedFor(t *testing.T) {
	t.Parallel()
	for life, status := range map[time.Duration]int{
		30 * time.Minute: http.StatusOK, 24 * time.Hour: http.StatusOK,
		30*time.Minute - time.Second: http.StatusBadRequest, 24*time.Hour + time.Second: http.StatusBadRequest,
	} {
		if got := lives(life)(t); got.Status != status {
			t.Errorf("%s: %v", life, got)
		}
	}
}
