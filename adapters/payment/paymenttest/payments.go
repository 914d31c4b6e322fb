package paymenttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func buildIsPure(t *testing.T, s *suite) {
	req := s.request(amountKRW)
	ref := ports.PaymentRef{PaymentID: req.PaymentID, ProviderSessionID: "ses_1", ProviderPaymentID: "pay_1"}
	possible := []ports.ProviderRequest{
		ports.PrepareRequest{PaymentRequest: req}, ports.CloseRequest{PaymentRef: ref},
		ports.RefundRequest{PaymentRef: ref, Captured: amountKRW, Amount: money.Of(5000, "KRW"), Remaining: amountKRW, Reason: "one returned"},
	}
	unknown := req
	unknown.Kind = "barter"
	impossible := []ports.ProviderRequest{ports.PrepareRequest{PaymentRequest: unknown}}
	confirm := ports.ConfirmRequest{PaymentRequest: req, PaymentKey: "key-of-the-approval"}
	later := []ports.ProviderRequest{
		ports.CaptureRequest{PaymentRef: ref, Authorized: amountKRW, Amount: money.Of(5000, "KRW")}, ports.VoidRequest{PaymentRef: ref},
	}
	if s.provider.Describe().CapturesLater {
		possible = append(possible, later...)
	} else {
		impossible = append(impossible, later...)
	}
	if s.provider.Describe().Supports(domain.Widget) {
		possible = append(possible, confirm)
	} else {
		impossible = append(impossible, confirm)
	}
	for _, r := range possible {
		first, err := s.provider.Build(s.Connection, r)
		if err != nil || len(first) == 0 {
			t.Errorf("%T: %q, %v", r, first, err)
		}
		again, err := s.Adapter("http://elsewhere.example", nil).Build(s.Connection, r)
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("%T gives %s, then %s, %v", r, first, again, err)
		}
		s.checkNoSecret(t, first)
	}
	for _, r := range impossible {
		if body, err := s.provider.Build(s.Connection, r); !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%T: %s, %v, want ErrInternal", r, body, err)
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
	if s.Kind == domain.Widget {
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
	if s.Kind == domain.Widget {
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
	}, "the one that tests a connection": ports.NoPayment} {
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
	var first ports.Outcome
	for i := range 3 {
		got, err := s.sendPrepare(t, "one-key-for-one-thing", req)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && got != first {
			t.Errorf("again: %v, first %v", got, first)
		}
		first = got
	}
	p := s.purchaseOf(t, req, first.Prepared)
	key := s.Approve(t, p)
	for range 3 {
		if s.Kind != domain.Widget {
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
	for range 2 {
		said, err := s.send(t, "close-key-of-"+p.Request.PaymentID, ports.CloseRequest{PaymentRef: p.Ref()})
		if errors.Is(err, ports.ErrProviderRejected) {
			return // a browser action cannot be closed
		}
		got, looked := s.lookup(t, p.Ref())
		if err != nil || looked != nil || !said.Closed && got.State != ports.ProviderCanceled && got.State != ports.ProviderExpired {
			t.Errorf("close says %v, %v, then a look-up %+v, %v", said, err, got, looked)
		}
	}
	paid, _ := s.pay(t, amountKRW)
	said, err := s.send(t, "close-key-of-"+paid.Request.PaymentID, ports.CloseRequest{PaymentRef: paid.Ref()})
	if !errors.Is(err, ports.ErrProviderRejected) && !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("a paid payment is closed: %v, %v", said, err)
	}
	s.wantState(t, paid, ports.ProviderPaid)
}

func refundOnce(t *testing.T, s *suite) {
	p, key := s.pay(t, amountKRW)
	paid := s.wantState(t, p, ports.ProviderPaid)
	part := ports.RefundRequest{
		PaymentRef: p.Ref(), Captured: amountKRW, Amount: money.Of(5000, "KRW"), Remaining: amountKRW, Reason: "one item returned",
	}
	part.ProviderPaymentID = paid.ProviderID
	for range 2 {
		if _, err := s.send(t, "refund-key-1-of-"+p.Request.PaymentID, part); err != nil {
			t.Fatalf("refund of a payment approved with %q: %v", key, err)
		}
	}
	if _, err := s.send(t, "refund-key-2-of-"+p.Request.PaymentID, part); !errors.Is(err, ports.ErrProviderRejected) &&
		(err != nil || !s.RefundsByBalance) {
		t.Errorf("a refund that expects a higher balance: %v", err)
	}
	part.Amount = money.Of(4000, "KRW")
	if _, err := s.send(t, "refund-key-2b-of-"+p.Request.PaymentID, part); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("another refund that expects a higher balance: %v", err)
	}
	part.Amount, part.Remaining = money.Of(10001, "KRW"), money.Of(10000, "KRW")
	if _, err := s.send(t, "refund-key-3-of-"+p.Request.PaymentID, part); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("a refund above the balance: %v", err)
	}
	if b := s.Ledger(t, p); b.Refunded != money.Of(5000, "KRW") || b.Captured != amountKRW {
		t.Errorf("the provider's ledger: %+v", b)
	}
}
