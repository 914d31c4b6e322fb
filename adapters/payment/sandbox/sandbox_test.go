package sandbox_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestConfirmCapturesApproval(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, "widget")
	s.wantState(t, p, ports.ProviderOpen)
	bought := s.authorize(t, map[string]any{"orderId": p.PaymentID, "outcome": "approve"})
	s.wantState(t, p, ports.ProviderProcessing)
	if !strings.HasPrefix(bought.RedirectURL, "https://shop.example/thanks?") ||
		!strings.Contains(bought.RedirectURL, "paymentKey="+bought.PaymentKey) {
		t.Errorf("the buyer is sent to %q", bought.RedirectURL)
	}
	if _, err := s.confirm(p, "key-confirm-1", bought.PaymentKey); err != nil {
		t.Fatal(err)
	}
	got := s.wantState(t, p, ports.ProviderPaid)
	want := ports.ProviderPayment{
		State: ports.ProviderPaid, PaymentID: p.PaymentID, ProviderID: bought.PaymentKey, AccountKey: s.conn.AccountKey,
		Environment: tenant.Test, Amount: p.Amount, Refunded: money.Of(0, p.Amount.Currency), ReceiptURL: got.ReceiptURL,
		Settled: domain.Settled{Net: money.Of(14550, "KRW"), Fee: money.Of(450, "KRW")},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestDeclinedPaymentCanBeRetried(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, "widget")
	declined := s.authorize(t, map[string]any{"orderId": p.PaymentID, "outcome": "decline"})
	if !strings.HasPrefix(declined.RedirectURL, p.FailURL) || declined.PaymentKey != "" {
		t.Errorf("a decline answered %+v", declined)
	}
	s.wantState(t, p, ports.ProviderFailed)
	if _, err := s.confirm(p, "key-confirm-1", "sbx_guess"); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("confirming a declined payment: %v", err)
	}
	approved := s.authorize(t, map[string]any{"orderId": p.PaymentID, "outcome": "approve"})
	if _, err := s.confirm(p, "key-confirm-1", approved.PaymentKey); err != nil {
		t.Errorf("after a decline: %v", err)
	}
}

func TestAbandonedPageChangesNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, "hosted_v2")
	s.authorize(t, map[string]any{"sessionId": p.Session, "outcome": "abandon"})
	s.wantState(t, p, ports.ProviderOpen)
}

func TestHostedAndStandardPaymentsAreCapturedByTheBuyer(t *testing.T) {
	t.Parallel()
	s := open(t)
	for kind, handle := range map[domain.Kind]string{domain.Hosted: "sessionId", domain.Standard: "paymentId"} {
		p := s.register(t, kind)
		id := map[string]string{"sessionId": p.Session, "paymentId": p.PaymentID}[handle]
		bought := s.authorize(t, map[string]any{handle: id, "outcome": "approve"})
		if bought.PaymentKey != "" || strings.Contains(bought.RedirectURL, "sbx_") {
			t.Errorf("%s: the redirect carries proof of payment: %+v", kind, bought)
		}
		if got := s.wantState(t, p, ports.ProviderPaid); got.ProviderID != p.PaymentID {
			t.Errorf("%s: provider id %q", kind, got.ProviderID)
		}
	}
}

func TestConfirmingTwiceCapturesOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	var group sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		group.Go(func() { _, errs[i] = s.confirm(p, "key-confirm-"+string(rune('a'+i%4)), key) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if got := s.wantState(t, p, ports.ProviderPaid); got.Amount != p.Amount {
		t.Errorf("captured %v", got.Amount)
	}
	if hooks := s.webhooks(t, p); len(hooks) != 2 {
		t.Errorf("%d webhooks planned, want 2", len(hooks))
	}
}

func TestConfirmingAnotherAmountIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	other := p
	other.Amount = money.Of(p.Amount.Minor-1, p.Amount.Currency)
	_, err := s.confirm(other, "key-confirm-1", key)
	wantCode(t, err, "AMOUNT_MISMATCH")
	s.wantState(t, p, ports.ProviderProcessing)
	_, err = s.confirm(p, "key-confirm-2", "sbx_guess")
	wantCode(t, err, "PAYMENT_KEY_MISMATCH")
}

func TestKeyReuseIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, "widget") // with the key "key-" + payment id
	other := p
	other.PaymentID = "Another1"
	_, err := s.send(t.Context(), "key-"+p.PaymentID, other.prepare())
	wantCode(t, err, "IDEMPOTENCY_KEY_REUSED")
	again, err := s.send(t.Context(), "key-"+p.PaymentID, p.prepare())
	if err != nil || again.Prepared.SessionID != p.Session {
		t.Errorf("the same request again: %v %v", again, err)
	}
	again, err = s.send(t.Context(), "another-key", p.prepare())
	if err != nil || again.Prepared.SessionID != p.Session {
		t.Errorf("the same payment under another key: %v %v", again, err)
	}
	other = p
	other.OrderName = "Something else"
	_, err = s.send(t.Context(), "a-third-key", other.prepare())
	wantCode(t, err, "DUPLICATED_PAYMENT_ID")
}

func TestConcurrentRegistersMakeOneSession(t *testing.T) {
	t.Parallel()
	s := open(t)
	req := request("Parallel01")
	req.Kind = domain.Hosted
	sessions := make([]string, 8)
	var group sync.WaitGroup
	for i := range sessions {
		group.Go(func() {
			got, err := s.send(context.Background(), "key-"+string(rune('a'+i%2)), ports.PrepareRequest{PaymentRequest: req})
			if err != nil {
				t.Error(err)
			}
			sessions[i] = got.Prepared.SessionID
		})
	}
	group.Wait()
	for _, id := range sessions {
		if id == "" || id != sessions[0] {
			t.Errorf("sessions %v", sessions)
			break
		}
	}
}

func TestUnknownPaymentIsAbsent(t *testing.T) {
	t.Parallel()
	s := open(t)
	got, err := s.provider.Lookup(t.Context(), s.conn, ports.PaymentRef{PaymentID: "Nobody123"})
	if err != nil || got.State != ports.ProviderAbsent {
		t.Errorf("%+v %v", got, err)
	}
}

func TestAccountsSeeOnlyTheirOwnPayments(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, "widget")
	other := s.account("other-account")
	if got, err := s.provider.Lookup(t.Context(), other, ports.PaymentRef{PaymentID: p.PaymentID}); err != nil ||
		got.State != ports.ProviderAbsent {
		t.Errorf("%+v %v", got, err)
	}
	forged := s.conn
	forged.Credentials = map[string]string{
		"secretKey": strings.Replace(other.Credentials["secretKey"], "other-account", s.conn.AccountKey, 1),
	}
	_, err := s.provider.Lookup(t.Context(), forged, ports.PaymentRef{PaymentID: p.PaymentID})
	wantCode(t, err, "UNAUTHORIZED_KEY")
}

func TestAClosedPaymentTakesNoMoney(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	for range 2 {
		if _, err := s.send(t.Context(), "key-close", ports.CloseRequest{PaymentRef: p.ref()}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.confirm(p, "key-confirm-1", key)
	wantCode(t, err, "PAYMENT_NOT_OPEN")
	s.wantState(t, p, ports.ProviderCanceled)
	standard := s.register(t, "standard_v2")
	_, err = s.send(t.Context(), "key-close-2", ports.CloseRequest{PaymentRef: standard.ref()})
	wantCode(t, err, "NOT_CLOSABLE")
}

func TestRefundsNeverExceedTheCapture(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	if _, err := s.confirm(p, "key-confirm-1", key); err != nil {
		t.Fatal(err)
	}
	part := ports.RefundRequest{
		PaymentRef: p.ref(), Captured: p.Amount, Amount: money.Of(5000, "KRW"), Remaining: p.Amount, Reason: "one item returned",
	}
	for range 2 {
		if _, err := s.send(t.Context(), "key-refund-1", part); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.send(t.Context(), "key-refund-2", part)
	wantCode(t, err, "REMAINING_AMOUNT_CHANGED")
	part.Amount, part.Remaining = money.Of(10001, "KRW"), money.Of(10000, "KRW")
	_, err = s.send(t.Context(), "key-refund-3", part)
	wantCode(t, err, "REFUND_EXCEEDS_REMAINING")
}

func TestAnExpiredPaymentTakesNoMoney(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	s.clock.advance(61 * time.Minute)
	s.wantState(t, p, ports.ProviderExpired)
	_, err := s.confirm(p, "key-confirm-1", key)
	wantCode(t, err, "PAYMENT_NOT_OPEN")
}

func TestPaymentIDsHaveSixToFortyLettersAndDigits(t *testing.T) {
	s := open(t)
	for id, fine := range map[string]bool{
		"Abc12": false, "Abc123": true, strings.Repeat("x", 40): true, strings.Repeat("x", 41): false,
		"with-dash": false, "payment 1": false, "größe123": false, "": false,
	} {
		_, err := s.send(t.Context(), "key-"+strings.Repeat("k", len(id)), ports.PrepareRequest{PaymentRequest: request(id)})
		if (err == nil) != fine {
			t.Errorf("id %q: %v", id, err)
		}
	}
}

func TestWebhookPlans(t *testing.T) {
	for plan, want := range map[string][]string{
		"once": {"Transaction.Ready", "Transaction.Paid"}, "never": nil, "late": {"Transaction.Ready", "Transaction.Paid"},
		"twice":    {"Transaction.Ready", "Transaction.Ready", "Transaction.Paid", "Transaction.Paid"},
		"reversed": {"Transaction.Paid", "Transaction.Ready"},
	} {
		t.Run(plan, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			p := s.register(t, "hosted_v2")
			s.authorize(t, map[string]any{"sessionId": p.Session, "outcome": "approve", "webhooks": plan})
			hooks := s.webhooks(t, p)
			if len(hooks) != len(want) {
				t.Fatalf("got %+v", hooks)
			}
			for i, hook := range hooks {
				late := hook.DueAt.Sub(s.clock.now()) >= 5*time.Second
				if hook.Type != want[i] || late != (plan == "late") {
					t.Errorf("webhook %d: %+v", i, hook)
				}
			}
		})
	}
}

func TestTwoInstancesShareOneStore(t *testing.T) {
	t.Parallel()
	s := open(t)
	second := s.another(t)
	p, key := s.approved(t)
	if _, err := second.confirm(p, "key-confirm-1", key); err != nil {
		t.Fatal(err)
	}
	s.wantState(t, p, ports.ProviderPaid)
	if _, err := s.confirm(p, "key-confirm-1", key); err != nil {
		t.Errorf("the first instance does not know the key: %v", err)
	}
}

func TestRestartKeepsPayments(t *testing.T) {
	t.Parallel()
	s := open(t)
	p, key := s.approved(t)
	if _, err := s.confirm(p, "key-confirm-1", key); err != nil {
		t.Fatal(err)
	}
	s.stop(t)
	s.another(t).wantState(t, p, ports.ProviderPaid)
}

func TestTheActionHoldsWhatABrowserNeedsAndNoSecret(t *testing.T) {
	s := open(t)
	want := map[domain.Kind][]string{
		"widget":    {"type", "version", "provider", "clientKey", "customerKey", "orderId", "orderName", "amount", "successUrl", "failUrl"},
		"hosted_v2": {"checkoutUrl"},
		"standard_v2": {
			"type", "version", "storeId", "channelKey", "paymentId", "orderName", "totalAmount", "currency", "payMethod", "redirectUrl",
			"customer",
		},
	}
	for kind, fields := range want {
		p := s.register(t, kind)
		action, err := s.provider.Action(s.conn, p.PaymentRequest, domain.Prepared{CheckoutURL: p.URL})
		if err != nil {
			t.Fatal(err)
		}
		got := action.(map[string]any)
		for _, field := range fields {
			if got[field] == nil || got[field] == "" {
				t.Errorf("%s: no %s", kind, field)
			}
		}
		if len(got) != len(fields) {
			t.Errorf("%s: got %v", kind, got)
		}
	}
}

func TestUnknownFaultsAreRefused(t *testing.T) {
	s := open(t)
	for body, status := range map[string]int{
		`{"failNext":-1}`: http.StatusBadRequest, `{"latencyMs":60001}`: http.StatusBadRequest, `{"slow":1}`: http.StatusBadRequest,
		`{}`: http.StatusOK,
	} {
		if got := s.putFaults(t, body); got != status {
			t.Errorf("%s: %d", body, got)
		}
	}
}
