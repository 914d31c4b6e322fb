package paymenttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

func buildIsPure(t *testing.T, s *suite) {
	req := s.request(amountKRW)
	for operation, args := range map[string]map[string]string{
		"prepare": {"kind": s.Kind}, "confirm": {"paymentKey": "key-of-the-approval"}, "close": {"providerSessionId": "ses_1"},
		"refund": {
			"amount": "5000", "remaining": "15000", "reason": "one returned", "providerSessionId": "ses_1", "providerPaymentId": "pay_1",
		},
	} {
		if operation == "confirm" && s.Kind != "widget" {
			continue
		}
		before := maps.Clone(args)
		first, err := s.provider.BuildRequest(s.Connection, operation, req, args)
		if err != nil || len(first) == 0 {
			t.Errorf("%s: %q, %v", operation, first, err)
		}
		again, err := s.Adapter("http://elsewhere.example", nil).BuildRequest(s.Connection, operation, req, args)
		if err != nil || !bytes.Equal(first, again) || !maps.Equal(args, before) {
			t.Errorf("%s gives %s, then %s, %v", operation, first, again, err)
		}
		s.checkNoSecret(t, first)
	}
	for operation, args := range map[string]map[string]string{
		"dance": {}, "prepare": {"kind": "barter"}, "refund": {"amount": "all", "remaining": "15000", "providerPaymentId": "pay_1"},
	} {
		if body, err := s.provider.BuildRequest(s.Connection, operation, req, args); !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%s %v: %s, %v, want ErrInternal", operation, args, body, err)
		}
	}
	if s.interceptor.count() != 0 {
		t.Error("a request was sent while it was built")
	}
}

func captureIsFound(t *testing.T, s *suite) {
	p := s.prepare(t, s.request(amountKRW))
	before, err := s.lookup(t, p.Ref())
	if err != nil || before.State != ports.ProviderOpen && before.State != ports.ProviderAbsent {
		t.Errorf("before the buyer decided: %+v, %v", before, err)
	}
	key := s.Approve(t, p)
	if s.Kind == "widget" {
		if key == "" {
			t.Fatal("the test's buyer brought no payment key")
		}
		if got := s.wantState(t, p, ports.ProviderProcessing); got.PaymentID != p.Request.PaymentID {
			t.Errorf("approved, not captured: %+v", got)
		}
		if _, err := s.confirm(t, p, key); err != nil {
			t.Fatal(err)
		}
	}
	got := s.wantState(t, p, ports.ProviderPaid)
	if got.PaymentID != p.Request.PaymentID || got.AccountKey != s.Connection.AccountKey || got.Environment != s.Connection.Environment ||
		got.Amount != amountKRW || got.ProviderID == "" {
		t.Errorf("got %+v", got)
	}
	known := p.Ref()
	known.ProviderPaymentID = got.ProviderID
	if again, err := s.lookup(t, known); err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("by every name: %+v, %v, want %+v", again, err, got)
	}
}

func declinedPayment(t *testing.T, s *suite) {
	p := s.prepare(t, s.request(amountKRW))
	s.Decline(t, p)
	got, err := s.lookup(t, p.Ref())
	if err != nil || got.State == ports.ProviderPaid || got.State == ports.ProviderUnknown || got.State == ports.ProviderProcessing {
		t.Errorf("after a decline: %+v, %v", got, err)
	}
	if s.Kind == "widget" {
		if _, err := s.confirm(t, p, "a-guessed-key"); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("a guessed key captures: %v", err)
		}
	}
	if b := s.Ledger(t, p); !b.Captured.IsZero() {
		t.Errorf("the provider took %v", b.Captured)
	}
}

func absentPayment(t *testing.T, s *suite) {
	for name, ref := range map[string]ports.PaymentRef{"our id": {PaymentID: "Nobody12345"}, "every name": {
		PaymentID: "Nobody12345", ProviderSessionID: "ses_nobody", ProviderPaymentID: "pay_nobody",
	}} {
		if got, err := s.lookup(t, ref); err != nil || got.State != ports.ProviderAbsent {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// sample is an amount whose digits reveal a wrong factor or a lost fraction.
func sample(c money.Currency) money.Money { return money.Of(1_234_567, c) }

func amounts(t *testing.T, s *suite) {
	tested := map[money.Currency]bool{}
	for _, c := range s.Currencies {
		want := sample(c)
		p, _ := s.pay(t, want)
		if b := s.Ledger(t, p); b.Requested != want || b.Captured != want {
			t.Errorf("the provider was asked for %v and took %v, want %v", b.Requested, b.Captured, want)
		}
		if got := s.wantState(t, p, ports.ProviderPaid); got.Amount != want {
			t.Errorf("reported %v, want %v", got.Amount, want)
		}
		tested[c] = true
	}
	if !tested["KRW"] || !tested["USD"] {
		t.Errorf("only %v were tested", s.Currencies)
	}
}

func unreadableAmounts(t *testing.T, s *suite) {
	p, _ := s.pay(t, amountKRW)
	wrong := money.Of(amountKRW.Minor+1, amountKRW.Currency)
	s.interceptor.rewriting(func(answer map[string]any) { s.SetAmount(answer, s.FormatAmount(wrong)) }, func() {
		if got, err := s.lookup(t, p.Ref()); err != nil || got.Amount != wrong || got.State != ports.ProviderPaid {
			t.Errorf("another amount: %+v, %v, want %v", got, err, wrong)
		}
	})
	for _, number := range []json.Number{"15000.5", "15000.00000000000001", "99999999999999999999"} {
		s.interceptor.rewriting(func(answer map[string]any) { s.SetAmount(answer, number) }, func() {
			got, err := s.lookup(t, p.Ref())
			if err == nil && got.State == ports.ProviderPaid || err != nil && !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("%s won: %+v, %v", number, got, err)
			}
		})
	}
}

func stateMapping(t *testing.T, s *suite) {
	p, _ := s.pay(t, amountKRW)
	seen := map[ports.ProviderState]bool{}
	for word, want := range s.States {
		s.interceptor.rewriting(func(answer map[string]any) { s.SetState(answer, word) }, func() {
			if got, err := s.lookup(t, p.Ref()); err != nil || got.State != want {
				t.Errorf("%s: %+v, %v, want %q", word, got, err, want)
			}
		})
		seen[want] = true
	}
	if !seen[ports.ProviderPaid] {
		t.Error("no word for paid was tested")
	}
	for _, word := range []string{"SOMETHING_NEW", "paid?", ""} {
		s.interceptor.rewriting(func(answer map[string]any) { s.SetState(answer, word) }, func() {
			if got, err := s.lookup(t, p.Ref()); err != nil || got.State != ports.ProviderUnknown {
				t.Errorf("the word %q: %+v, %v, want it unknown", word, got, err)
			}
		})
	}
}

func identity(t *testing.T, s *suite) {
	p, _ := s.pay(t, amountKRW)
	var want Identity
	s.interceptor.rewriting(func(answer map[string]any) { want = s.SetOtherIdentity(answer) }, func() {
		got, err := s.lookup(t, p.Ref())
		if reported := (Identity{got.PaymentID, got.ProviderID, got.AccountKey}); err != nil || reported != want {
			t.Errorf("reported %+v, %v, want %+v", reported, err, want)
		}
	})
	if want == (Identity{p.Request.PaymentID, want.ProviderID, s.Connection.AccountKey}) {
		t.Error("the harness's other identity is the same")
	}
}

func idempotentPrepare(t *testing.T, s *suite) {
	req := s.request(amountKRW)
	var first map[string]string
	for i := range 3 {
		got, err := s.send(t, "prepare", "one-key-for-one-thing", req, map[string]string{"kind": s.Kind})
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && !reflect.DeepEqual(got, first) {
			t.Errorf("again: %v, first %v", got, first)
		}
		first = got
	}
	p := s.purchaseOf(t, req, first)
	key := s.Approve(t, p)
	for range 3 {
		if s.Kind != "widget" {
			break
		}
		if _, err := s.confirm(t, p, key); err != nil {
			t.Fatal(err)
		}
	}
	if b := s.Ledger(t, p); b.Created != 1 || b.Captured != amountKRW {
		t.Errorf("the provider's ledger: %+v", b)
	}
}

func closePayment(t *testing.T, s *suite) {
	p := s.prepare(t, s.request(amountKRW))
	names := map[string]string{"providerSessionId": p.Prepared["providerSessionId"]}
	for range 2 {
		said, err := s.send(t, "close", "close-key-of-"+p.Request.PaymentID, p.Request, names)
		if errors.Is(err, ports.ErrProviderRejected) {
			return // a browser action cannot be closed
		}
		got, looked := s.lookup(t, p.Ref())
		if err != nil || looked != nil ||
			said["closed"] != "true" && got.State != ports.ProviderCanceled && got.State != ports.ProviderExpired {
			t.Errorf("close says %v, %v, then a look-up %+v, %v", said, err, got, looked)
		}
	}
	paid, _ := s.pay(t, amountKRW)
	names["providerSessionId"] = paid.Prepared["providerSessionId"]
	said, err := s.send(t, "close", "close-key-of-"+paid.Request.PaymentID, paid.Request, names)
	if !errors.Is(err, ports.ErrProviderRejected) && !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("a paid payment is closed: %v, %v", said, err)
	}
	s.wantState(t, paid, ports.ProviderPaid)
}

func refundOnce(t *testing.T, s *suite) {
	p, key := s.pay(t, amountKRW)
	paid := s.wantState(t, p, ports.ProviderPaid)
	part := map[string]string{
		"amount": "5000", "remaining": "15000", "reason": "one item returned", "providerPaymentId": paid.ProviderID,
		"providerSessionId": p.Prepared["providerSessionId"],
	}
	for range 2 {
		if _, err := s.send(t, "refund", "refund-key-1-of-"+p.Request.PaymentID, p.Request, part); err != nil {
			t.Fatalf("refund of a payment approved with %q: %v", key, err)
		}
	}
	if !s.IgnoresRemaining {
		if _, err := s.send(t, "refund", "refund-key-2-of-"+p.Request.PaymentID, p.Request, part); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("a refund that expects a higher balance: %v", err)
		}
	}
	part["amount"], part["remaining"] = "10001", "10000"
	if _, err := s.send(t, "refund", "refund-key-3-of-"+p.Request.PaymentID, p.Request, part); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("a refund above the balance: %v", err)
	}
	if b := s.Ledger(t, p); b.Refunded != money.Of(5000, "KRW") || b.Captured != amountKRW {
		t.Errorf("the provider's ledger: %+v", b)
	}
}
