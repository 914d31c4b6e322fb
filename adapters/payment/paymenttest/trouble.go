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
	"github.com/cartwright-dev/cartwright/ports"
)

func lostAnswer(t *testing.T, s *shop) {
	req := s.request(won)
	s.tap.during(s.tap.drops, func() {
		if got, err := s.send(t, "prepare", "key-of-a-lost-answer", req, map[string]string{"kind": s.Kind}); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("a lost answer to prepare: %v, %v", got, err)
		}
	})
	again, err := s.send(t, "prepare", "key-of-a-lost-answer", req, map[string]string{"kind": s.Kind})
	if err != nil {
		t.Fatalf("prepare again: %v", err)
	}
	p := s.prepared(t, req, again)
	key := s.Approve(t, p)
	if s.Kind == "widget" {
		s.tap.during(s.tap.drops, func() {
			calls := s.tap.count()
			if got, err := s.confirm(t, p, key); !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("a lost answer to confirm: %v, %v", got, err)
			}
			if n := s.tap.count() - calls; n != 1 {
				t.Errorf("%d calls were made for one in the journal", n)
			}
		})
		s.want(t, p, ports.ProviderPaid)
		first, err := s.confirm(t, p, key)
		if err != nil {
			t.Fatalf("confirm again: %v", err)
		}
		if second, err := s.confirm(t, p, key); err != nil || !reflect.DeepEqual(first, second) {
			t.Errorf("confirm says %v, then %v, %v", first, second, err)
		}
	}
	s.want(t, p, ports.ProviderPaid)
	if b := s.Books(t, p); b.Made != 1 || b.Taken != won {
		t.Errorf("the provider's books: %+v", b)
	}
}

// attempts are a call of each sort on a payment that the provider knows.
func (s *shop) attempts(t *testing.T) map[string]func() error {
	p, _ := s.pay(t, won)
	fresh := s.request(won)
	all := map[string]func() error{
		"prepare": func() error {
			_, err := s.send(t, "prepare", "key-in-trouble", fresh, map[string]string{"kind": s.Kind})
			return err
		},
		"lookup": func() error {
			_, err := s.look(t, p.Ref())
			return err
		},
	}
	if s.Kind == "widget" {
		all["confirm"] = func() error {
			_, err := s.send(t, "confirm", "other-key-in-trouble", p.Request, map[string]string{"paymentKey": "key-of-the-approval"})
			return err
		}
	}
	return all
}

func refusals(t *testing.T, s *shop) {
	for name, try := range s.attempts(t) {
		for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity} {
			s.tap.during(says(status, s.Refusal("REFUSED_FOR_TEST")), func() {
				wantCode(t, name, try(), "REFUSED_FOR_TEST")
			})
			for _, body := range []string{"", "<html>no</html>", "null", "[]", "{}", `"no"`} {
				s.tap.during(says(status, body), func() { wantCode(t, name+" answered "+body, try(), "") })
			}
		}
	}
}

// successes: what a provider did must never be read as a refusal.
func successes(t *testing.T, s *shop) {
	s.tap.during(s.tap.accepts, func() {
		g := s.paid(t)
		ref, err := s.ask(t, g, "refund-key-accepted")
		if err != nil {
			t.Fatal(err)
		}
		s.wantRefund(t, "accepted", ref, ports.RefundSucceeded)
	})
}

// wantCode takes any code when it is "".
func wantCode(t *testing.T, name string, err error, code string) {
	t.Helper()
	got, _ := fault.From(err).Data["providerCode"].(string)
	if !errors.Is(err, ports.ErrProviderRejected) || got == "" || code != "" && got != code {
		t.Errorf("%s: %v with code %q, want a refusal with %q", name, err, got, code)
	}
}

func trouble(t *testing.T, s *shop) {
	spoils := map[string]http.HandlerFunc{
		"408": says(http.StatusRequestTimeout, s.Refusal("TOO_SLOW")), "429": says(http.StatusTooManyRequests, s.Refusal("SLOW_DOWN")), "500": says(http.StatusInternalServerError, s.Refusal("OUR_FAULT")),
		"502": says(http.StatusBadGateway, "<html>"), "503": says(http.StatusServiceUnavailable, ""),
		"an answer that breaks off": breaks, "too long an answer": says(http.StatusOK, `"`+strings.Repeat("x", 2<<20)+`"`),
	}
	for _, body := range []string{"", "<html>hello</html>", "null", "[]", "{}", `{"id":`, `"PAID"`, "42"} {
		spoils["the success "+body] = says(http.StatusOK, body)
	}
	for name, try := range s.attempts(t) {
		for what, spoil := range spoils {
			if s.Silent && name == "prepare" && what == "the success {}" {
				continue
			}
			s.tap.during(spoil, func() {
				if err := try(); !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Errorf("%s met %s: %v", name, what, err)
				}
			})
		}
	}
	s.limited(payment.Limits{CallTimeout: soon, LookupTimeout: soon})
	fresh := s.request(won)
	s.tap.during(hangs, func() {
		if _, err := s.send(t, "prepare", "key-of-a-hanging-call", fresh, map[string]string{"kind": s.Kind}); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("a call that hangs: %v", err)
		}
		if _, err := s.look(t, ports.PaymentRef{PaymentID: fresh.PaymentID, ProviderSessionID: "ses_1"}); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("a look-up that hangs: %v", err)
		}
	})
	s.limited(payment.Limits{Failures: 1, OpenFor: time.Hour})
	s.tap.during(spoils["500"], func() { _, _ = s.look(t, ports.PaymentRef{PaymentID: fresh.PaymentID, ProviderSessionID: "ses_1"}) })
	calls := s.tap.count()
	if _, err := s.look(t, ports.PaymentRef{PaymentID: fresh.PaymentID, ProviderSessionID: "ses_1"}); !errors.Is(err, ports.ErrProviderUnavailable) || s.tap.count() != calls {
		t.Errorf("behind an open circuit: %v, %d calls", err, s.tap.count()-calls)
	}
}

func badCredentials(t *testing.T, s *shop) {
	p, _ := s.pay(t, won)
	good := s.Connection
	none := maps.Clone(good.Credentials)
	bad := map[string]map[string]string{"none": none}
	for name, secret := range s.secrets() {
		for what, v := range map[string]string{"missing": "", "another": secret[:len(secret)-4] + "QQQQ", "with a line break": secret + "\r\nX-Evil: 1", "with a zero byte": secret + "\x00"} {
			bad[name+" "+what] = maps.Clone(good.Credentials)
			bad[name+" "+what][name] = v
		}
		delete(none, name)
	}
	for name, credentials := range bad {
		s.Connection.Credentials = credentials
		if _, err := s.look(t, p.Ref()); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("credentials %s: a look-up says %v", name, err)
		}
		if _, err := s.send(t, "prepare", "key-of-a-stranger", s.request(won), map[string]string{"kind": s.Kind}); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("credentials %s: prepare says %v", name, err)
		}
	}
}
