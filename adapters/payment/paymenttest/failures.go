package paymenttest

import (
	"errors"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func lostResponse(t *testing.T, s *suite) {
	req := s.request(amountKRW)
	s.interceptor.intercepting(s.interceptor.dropResponse, func() {
		if got, err := s.sendPrepare(t, "key-of-a-lost-answer", req); !errors.Is(err,
			ports.ErrProviderUnavailable) {
			t.Errorf("a lost answer to prepare: %v, %v", got, err)
		}
	})
	again, err := s.sendPrepare(t, "key-of-a-lost-answer", req)
	if err != nil {
		t.Fatalf("prepare again: %v", err)
	}
	p := s.purchaseOf(t, req, again.Prepared)
	key := s.Approve(t, p)
	if s.Kind == domain.Widget {
		s.interceptor.intercepting(s.interceptor.dropResponse, func() {
			calls := s.interceptor.count()
			if got, err := s.confirm(t, p, key); !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("a lost answer to confirm: %v, %v", got, err)
			}
			if n := s.interceptor.count() - calls; n != 1 {
				t.Errorf("%d calls were made for one in the provider call log", n)
			}
		})
		s.wantState(t, p, ports.ProviderPaid)
		first, err := s.confirm(t, p, key)
		if err != nil {
			t.Fatalf("confirm again: %v", err)
		}
		if second, err := s.confirm(t, p, key); err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("confirm says %v, then %v, %v", first, second, err)
		}
	}
	s.wantState(t, p, ports.ProviderPaid)
	if b := s.Ledger(t, p); b.Created != 1 || b.Captured != amountKRW {
		t.Errorf("the provider's ledger: %+v", b)
	}
}

// callsByKind has a call of each kind on a payment that the provider knows.
func (s *suite) callsByKind(t *testing.T) map[string]func() error {
	p, _ := s.pay(t, amountKRW)
	fresh := s.request(amountKRW)
	all := map[string]func() error{
		"prepare": func() error {
			_, err := s.sendPrepare(t, "key-in-trouble", fresh)
			return err
		},
		"lookup": func() error {
			_, err := s.lookup(t, p.Ref())
			return err
		},
	}
	if s.Kind == domain.Widget {
		all["confirm"] = func() error {
			_, err := s.send(t, "other-key-in-trouble",
				ports.ConfirmRequest{PaymentRequest: p.Request, PaymentKey: "key-of-the-approval"})
			return err
		}
	}
	return all
}

func providerRefusals(t *testing.T, s *suite) {
	for name, try := range s.callsByKind(t) {
		for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity} {
			s.interceptor.intercepting(respondWith(status, s.ErrorBody("REFUSED_FOR_TEST")), func() {
				wantCode(t, name, try(), "REFUSED_FOR_TEST")
			})
			for _, body := range []string{"", "<html>no</html>", "null", "[]", "{}", `"no"`} {
				s.interceptor.intercepting(respondWith(status, body), func() { wantCode(t, name+" answered "+body, try(), "") })
			}
		}
	}
}

// accept2xx: a success of the provider must never be read as a refusal.
func accept2xx(t *testing.T, s *suite) {
	s.interceptor.intercepting(s.interceptor.accept202, func() {
		g := s.paid(t)
		ref, err := s.requestRefund(t, g, "refund-key-accepted")
		if err != nil {
			t.Fatal(err)
		}
		s.wantRefund(t, "accepted", ref, ports.RefundSucceeded)
	})
}

// wantCode accepts any code when code is "".
func wantCode(t *testing.T, name string, err error, code string) {
	t.Helper()
	got, _ := fault.From(err).Data["providerCode"].(string)
	if !errors.Is(err, ports.ErrProviderRejected) || got == "" || code != "" && got != code {
		t.Errorf("%s: %v with code %q, want a refusal with %q", name, err, got, code)
	}
}

func unreliableResponses(t *testing.T, s *suite) {
	spoils := map[string]http.HandlerFunc{
		"408": respondWith(http.StatusRequestTimeout, s.ErrorBody("TOO_SLOW")),
		"429": respondWith(http.StatusTooManyRequests, s.ErrorBody("SLOW_DOWN")),
		"500": respondWith(http.StatusInternalServerError, s.ErrorBody("OUR_FAULT")),
		"502": respondWith(http.StatusBadGateway, "<html>"), "503": respondWith(http.StatusServiceUnavailable, ""),
		"a truncated answer": truncateResponse, "an oversized answer": respondWith(http.StatusOK, `"`+strings.Repeat("x", 2<<20)+`"`),
	}
	for _, body := range []string{"", "<html>hello</html>", "null", "[]", "{}", `{"id":`, `"PAID"`, "42"} {
		spoils["the success "+body] = respondWith(http.StatusOK, body)
	}
	for name, try := range s.callsByKind(t) {
		for what, spoil := range spoils {
			if s.EmptyPrepare && name == "prepare" && what == "the success {}" {
				continue
			}
			s.interceptor.intercepting(spoil, func() {
				if err := try(); !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Errorf("%s with %s: %v", name, what, err)
				}
			})
		}
	}
	s.useLimits(payment.Limits{CallTimeout: shortTimeout, LookupTimeout: shortTimeout})
	fresh := s.request(amountKRW)
	s.interceptor.intercepting(hang, func() {
		if _, err := s.sendPrepare(t, "key-of-a-hanging-call", fresh); !errors.Is(err,
			ports.ErrProviderUnavailable) {
			t.Errorf("a call that hangs: %v", err)
		}
		if _, err := s.lookup(t, ports.PaymentRef{PaymentID: fresh.PaymentID, ProviderSessionID: "ses_1"}); !errors.Is(err,
			ports.ErrProviderUnavailable) {
			t.Errorf("a look-up that hangs: %v", err)
		}
	})
	s.useLimits(payment.Limits{MaxFailures: 1, OpenFor: time.Hour})
	s.interceptor.intercepting(spoils["500"],
		func() { _, _ = s.lookup(t, ports.PaymentRef{PaymentID: fresh.PaymentID, ProviderSessionID: "ses_1"}) })
	calls := s.interceptor.count()
	if _, err := s.lookup(t, ports.PaymentRef{PaymentID: fresh.PaymentID, ProviderSessionID: "ses_1"}); !errors.Is(err, ports.ErrProviderUnavailable) ||
		s.interceptor.count() != calls {
		t.Errorf("behind an open circuit: %v, %d calls", err, s.interceptor.count()-calls)
	}
}

func badCredentials(t *testing.T, s *suite) {
	p, _ := s.pay(t, amountKRW)
	good := s.Connection
	none := maps.Clone(good.Credentials)
	bad := map[string]map[string]string{"none": none}
	for name, secret := range s.secrets() {
		for what, v := range map[string]string{
			"missing": "", "another": secret[:len(secret)-4] + "QQQQ", "with a line break": secret + "\r\nX-Evil: 1",
			"with a zero byte": secret + "\x00",
		} {
			bad[name+" "+what] = maps.Clone(good.Credentials)
			bad[name+" "+what][name] = v
		}
		delete(none, name)
	}
	for name, credentials := range bad {
		s.Connection.Credentials = credentials
		if _, err := s.lookup(t, p.Ref()); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("credentials %s: a look-up says %v", name, err)
		}
		if _, err := s.sendPrepare(t, "key-of-an-outsider", s.request(amountKRW)); !errors.Is(err,
			ports.ErrProviderRejected) {
			t.Errorf("credentials %s: prepare says %v", name, err)
		}
	}
}
