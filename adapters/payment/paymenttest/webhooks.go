package paymenttest

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func browserAction(t *testing.T, s *suite) {
	p := s.prepare(t, s.request(amountKRW))
	act, ok := p.Action.(map[string]any)
	if !ok || len(act) == 0 {
		t.Fatalf("the action is %v", p.Action)
	}
	if s.Kind == domain.Hosted {
		if to, _ := act["checkoutUrl"].(string); len(act) != 1 || to != p.Prepared.CheckoutURL || !strings.HasPrefix(to, "http") {
			t.Errorf("a hosted action is {checkoutUrl}, got %v", act)
		}
	}
	calls := s.interceptor.count()
	again, err := s.provider.Action(s.Connection, p.Request, p.Prepared)
	if err != nil || !reflect.DeepEqual(again, p.Action) || s.interceptor.count() != calls {
		t.Errorf("the action is %v, then %v, %v", p.Action, again, err)
	}
	p.Request.Kind = "barter"
	if act, err := s.provider.Action(s.Connection, p.Request, p.Prepared); !errors.Is(err, fault.ErrInternal) {
		t.Errorf("an unknown kind: %v, %v", act, err)
	}
}

func (s *suite) notice(t *testing.T) (Purchase, ports.ProviderWebhook) {
	t.Helper()
	p, _ := s.pay(t, amountKRW)
	secret := ""
	if len(s.Secrets) > 0 {
		secret = s.Secrets[0]
	}
	n := s.Webhook(t, p, secret)
	return p, n
}

func webhookHints(t *testing.T, s *suite) {
	p, n := s.notice(t)
	for i := range max(1, len(s.Secrets)) { // signed by each secret in turn
		secrets := slices.Concat(s.Secrets[min(i, len(s.Secrets)):], s.Secrets[:min(i, len(s.Secrets))])
		hint, err := s.provider.Hint(s.Connection, secrets, n)
		if err != nil || (hint.EventID != "") != (len(s.Secrets) > 0) || len(hint.Payments) == 0 {
			t.Fatalf("got %+v, %v", hint, err)
		}
		again, err := s.provider.Hint(s.Connection, secrets, n)
		if err != nil || !reflect.DeepEqual(hint, again) {
			t.Errorf("delivered again: %+v, %v, want %+v", again, err, hint)
		}
		for _, ref := range hint.Payments {
			s.checkLeadsTo(t, ref, p)
		}
	}
	if other := s.Webhook(t, s.anotherPurchase(t), first(s.Secrets)); len(s.Secrets) > 0 && s.eventID(t, other) == s.eventID(t, n) {
		t.Error("two events have one id")
	}
}

func (s *suite) checkLeadsTo(t *testing.T, ref ports.PaymentRef, p Purchase) {
	t.Helper()
	if ref.PaymentID != "" && ref.PaymentID != p.Request.PaymentID || ref == (ports.PaymentRef{}) {
		t.Errorf("the webhook names %+v", ref)
	}
	if got, err := s.lookup(t, ref); err != nil || got.PaymentID != p.Request.PaymentID {
		t.Errorf("%+v leads to %+v, %v", ref, got, err)
	}
}

func (s *suite) anotherPurchase(t *testing.T) Purchase {
	p, _ := s.pay(t, amountKRW)
	return p
}

func (s *suite) eventID(t *testing.T, n ports.ProviderWebhook) string {
	t.Helper()
	hint, err := s.provider.Hint(s.Connection, s.Secrets, n)
	if err != nil {
		t.Errorf("hint: %v", err)
	}
	return hint.EventID
}

func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}

func forgedWebhooks(t *testing.T, s *suite) {
	_, n := s.notice(t)
	changed := func(change func(*ports.ProviderWebhook)) ports.ProviderWebhook {
		c := ports.ProviderWebhook{Header: map[string][]string{}, Body: bytes.Clone(n.Body), ReceivedAt: n.ReceivedAt}
		for name, values := range n.Header {
			c.Header[name] = append([]string{}, values...)
		}
		change(&c)
		return c
	}
	forged := map[string]ports.ProviderWebhook{
		"another body":      changed(func(c *ports.ProviderWebhook) { c.Body = append(c.Body, ' ') }),
		"no signature":      changed(func(c *ports.ProviderWebhook) { c.Header = nil }),
		"an hour late":      changed(func(c *ports.ProviderWebhook) { c.ReceivedAt = c.ReceivedAt.Add(time.Hour) }),
		"an hour too early": changed(func(c *ports.ProviderWebhook) { c.ReceivedAt = c.ReceivedAt.Add(-time.Hour) }),
	}
	for name := range n.Header {
		forged["without "+name] = changed(func(c *ports.ProviderWebhook) { delete(c.Header, name) })
		forged["with an empty "+name] = changed(func(c *ports.ProviderWebhook) { c.Header[name] = []string{""} })
	}
	for name, c := range forged {
		if hint, err := s.provider.Hint(s.Connection, s.Secrets, c); !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("%s: %+v, %v", name, hint, err)
		}
	}
	for name, secrets := range map[string][]string{"no secret": nil, "an empty secret": {""}, "other secrets": s.Secrets[1:]} {
		if hint, err := s.provider.Hint(s.Connection, secrets, n); !errors.Is(err, ports.ErrWebhookSignature) {
			t.Errorf("%s: %+v, %v", name, hint, err)
		}
	}
	for _, secret := range s.Secrets {
		if _, err := s.provider.Hint(s.Connection, s.Secrets[1:], n); err == nil || strings.Contains(readableText(err), secret) {
			t.Errorf("the error shows a secret: %v", err)
		}
	}
}

func malformedWebhooks(t *testing.T, s *suite) {
	_, n := s.notice(t)
	for _, body := range []string{"", "null", "[]", "{}", `{"id":`, `"text"`, "<xml/>", `{"type":7,"data":[]}`} {
		strange := ports.ProviderWebhook{Header: maps.Clone(n.Header), Body: []byte(body), ReceivedAt: n.ReceivedAt}
		hint, err := s.provider.Hint(s.Connection, s.Secrets, strange)
		switch {
		case err == nil && len(hint.Payments) > 0:
			t.Errorf("%s names %+v", body, hint.Payments)
		case err != nil && !errors.Is(err, fault.ErrMalformed) && !errors.Is(err, ports.ErrWebhookSignature):
			t.Errorf("%s: %v", body, err)
		}
	}
}
