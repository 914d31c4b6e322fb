package stripe_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shop is an adapter with its own fake.
type shop struct {
	*stripefake.Stripe

	provider *stripe.Provider
	client   *payment.Client
	conn     ports.Connection
}

func open(t *testing.T) *shop {
	t.Helper()
	s := &shop{
		Stripe: stripefake.New(), conn: connection(), client: payment.NewClient(payment.Limits{MaxFailures: 2, OpenFor: time.Hour}, nil),
	}
	server := httptest.NewServer(s.Stripe)
	t.Cleanup(server.Close)
	s.provider = stripe.New(server.URL, s.client, s.Clock)
	return s
}

func request(m money.Money) ports.PaymentRequest {
	return ports.PaymentRequest{
		Session: "session-1", Kind: domain.Hosted, PaymentID: "Payment1", Amount: m, OrderName: "Linen shirt", Method: "CARD_INTERNATIONAL",
		SuccessURL: "https://shop.example/thanks?step=3", FailURL: "https://shop.example/sorry", Buyer: ports.Buyer{Email: "kim@shop.example"},
	}
}

func (s *shop) send(key string, attempt int, r ports.ProviderRequest) (ports.Outcome, error) {
	body, err := s.provider.Build(s.conn, r)
	if err != nil {
		return ports.Outcome{}, err
	}
	return s.provider.Do(context.Background(), s.conn, ports.ProviderCall{
		Operation: r.Operation(), ProviderKey: key, Request: body, Attempt: attempt,
	})
}

var (
	price  = money.Of(1999, "USD")
	hosted = ports.PrepareRequest{PaymentRequest: request(price)}
)

func (s *shop) prepare(t *testing.T) ports.PaymentRef {
	t.Helper()
	got, err := s.send("key-prepare", 1, hosted)
	if err != nil {
		t.Fatal(err)
	}
	return ports.PaymentRef{PaymentID: "Payment1", ProviderSessionID: got.Prepared.SessionID}
}

func (s *shop) paid(t *testing.T) ports.PaymentRef {
	t.Helper()
	ref := s.prepare(t)
	s.Buy(ref.ProviderSessionID, "paid")
	ref.ProviderPaymentID = s.want(t, ref, ports.ProviderPaid).ProviderID
	return ref
}

func (s *shop) want(t *testing.T, ref ports.PaymentRef, state ports.ProviderState) ports.ProviderPayment {
	t.Helper()
	got, err := s.provider.Lookup(t.Context(), s.conn, ref)
	if err != nil || got.State != state {
		t.Errorf("got %+v %v, want %s", got, err, state)
	}
	return got
}

func code(err error) string {
	said, _ := fault.From(err).Data["providerCode"].(string)
	if !errors.Is(err, ports.ErrProviderRejected) {
		return fmt.Sprint("no refusal: ", err)
	}
	return said
}

func TestSessionHasOneLine(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.prepare(t)
	form := s.Sessions[0].Form
	for name, want := range map[string]string{
		"mode": "payment", "client_reference_id": "session-1", "metadata[payment_id]": "Payment1",
		"payment_intent_data[metadata][payment_id]": "Payment1", "metadata[payment_session]": "session-1",
		"line_items[0][price_data][unit_amount]": "1999", "line_items[0][price_data][currency]": "usd",
		"line_items[0][price_data][product_data][name]": "Linen shirt", "line_items[0][quantity]": "1",
		"success_url": "https://shop.example/thanks?step=3", "cancel_url": "https://shop.example/sorry",
		"customer_email": "kim@shop.example", "payment_method_types[0]": "card", "adaptive_pricing[enabled]": "false",
	} {
		if got := form.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		form.Del(name)
	}
	form.Del("payment_intent_data[metadata][payment_session]")
	if len(form) > 0 {
		t.Errorf("additional parameters: %v", form)
	}
}

func TestMethodMapping(t *testing.T) {
	t.Parallel()
	s := open(t)
	req := hosted
	for method, want := range map[string]string{
		"": "", "KAKAO_PAY": "kakao_pay", "CARD_KR": "kr_card", "WE_CHAT_PAY": "wechat_pay", "UNION_PAY": "card",
	} {
		req.Method = method
		body, err := s.provider.Build(s.conn, req)
		_, text, _ := strings.Cut(string(body), "\n")
		form, err2 := url.ParseQuery(text)
		if err := errors.Join(err, err2); err != nil || form.Get("payment_method_types[0]") != want ||
			(form.Get("payment_method_options[wechat_pay][client]") == "web") != (method == "WE_CHAT_PAY") {
			t.Errorf("%s: %v %v", method, form, err)
		}
	}
	for _, method := range []string{"TOSS_PAY", "MERPAY", "BARTER"} {
		req.Method = method
		if body, err := s.provider.Build(s.conn, req); !errors.Is(err, domain.ErrMethodDisabled) || body != nil {
			t.Errorf("%s: %s %v", method, body, err)
		}
	}
}

func TestDelayedPaymentIsProcessing(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]ports.ProviderState{
		"succeeded": ports.ProviderPaid, "requires_payment_method": ports.ProviderFailed,
	} {
		s := open(t)
		ref := s.prepare(t)
		s.Buy(ref.ProviderSessionID, "later")
		s.want(t, ref, ports.ProviderProcessing)
		s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) {
			if c.IntentStatus = how; how == "succeeded" {
				c.PaymentStatus, c.Received = "paid", c.Total
			}
		})
		s.want(t, ref, want)
	}
}

func TestLookupByAnyReference(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.paid(t)
	got := s.want(t, ports.PaymentRef{ProviderPaymentID: ref.ProviderPaymentID}, ports.ProviderPaid)
	want := ports.ProviderPayment{
		State: ports.ProviderPaid, PaymentID: "Payment1", ProviderID: ref.ProviderPaymentID, AccountKey: stripefake.Account,
		Environment: tenant.Test, Amount: price, Refunded: money.Of(0, price.Currency), Method: "card",
		ReceiptURL: "https://pay.stripe.com/receipts/" + ref.ProviderPaymentID, SettledLater: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	s.want(t, ports.PaymentRef{ProviderPaymentID: "pi_elsewhere"}, ports.ProviderAbsent)
}

func TestCapturedAmountCounts(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.paid(t)
	s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) { c.Received = 1000 })
	if got := s.want(t, ref, ports.ProviderPaid); got.Amount != money.Of(1000, "USD") {
		t.Errorf("got %v", got.Amount)
	}
}

func TestOnlyOpenSessionsClose(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.prepare(t)
	session := ports.CloseRequest{PaymentRef: ref}
	if got, err := s.send("key-close", 1, session); err != nil || got.Status != "expired" {
		t.Errorf("%v %v", got, err)
	}
	s.want(t, ref, ports.ProviderCanceled)
	if got, err := s.send("another-key", 1, session); err != nil || !got.Closed {
		t.Errorf("closed twice: %v, %v", got, err)
	}
	s = open(t)
	ref = s.paid(t)
	if _, err := s.send("key-close", 1, session); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("closed after it was paid: %v", err)
	}
	s.want(t, ref, ports.ProviderPaid)
	posts := len(s.PostedRequests())
	if _, err := s.send("key", 1, ports.CloseRequest{}); code(err) != "session_not_prepared" || len(s.PostedRequests()) != posts {
		t.Errorf("closed before it was opened: %v", err)
	}
}

// An expired page cannot be paid on: it must not block its checkout just because Stripe has nothing to close.
func TestExpiredSessionCountsAsClosed(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.prepare(t)
	session := ports.CloseRequest{PaymentRef: ref}
	s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) { c.Status, s.Now = "expired", c.Expires })
	s.want(t, ref, ports.ProviderExpired)
	if got, err := s.send("key-close", 1, session); err != nil || !got.Closed {
		t.Errorf("%v %v", got, err)
	}
	for _, paid := range []string{"paid", "no_payment_required"} {
		s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) { c.PaymentStatus = paid })
		if got, err := s.send("key-close", 2, session); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("closed when %s: %v, %v", paid, got, err)
		}
	}
	session.ProviderSessionID = "cs_elsewhere"
	if got, err := s.send("key-close-elsewhere", 1, session); code(err) != "resource_missing" {
		t.Errorf("closed an unknown session: %v, %v", got, err)
	}
}

func TestSessionExpires(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.prepare(t)
	s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) { c.Status = "expired" })
	s.want(t, ref, ports.ProviderCanceled)
	s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) { s.Now = c.Expires })
	s.want(t, ref, ports.ProviderExpired)
}

// Stripe repeats a failure for a day; a shopper can pay before that.
func TestReplayedFailureOfPrepareIsNotFinal(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]bool{"nothing was done": false, "the session was created but its answer lost": true} {
		s := open(t)
		s.FailNext, s.FailNextAfterEffect = !late, late
		if _, err := s.send("key-prepare", 1, hosted); !errors.Is(err, ports.ErrProviderUnavailable) || errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("%s: %v", name, err)
		}
		for range 2 {
			if got, err := s.send("key-prepare", 2, hosted); err != nil || got.Prepared.CheckoutURL == "" {
				t.Errorf("%s, again: %+v, %v", name, got, err)
			}
		}
		if got := len(s.Sessions); got != map[bool]int{false: 1, true: 2}[late] {
			t.Errorf("%s: %d sessions", name, got)
		}
		if _, err := s.send("key-prepare", 1, hosted); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("%s, the first attempt again: %v", name, err)
		}
		if s.client.CircuitOpen(s.conn.ID) {
			t.Errorf("%s: old failures opened the circuit", name)
		}
	}
}

func TestCloseRetriesUnderNewKey(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.prepare(t)
	s.FailNext = true
	session := ports.CloseRequest{PaymentRef: ref}
	if _, err := s.send("key-close", 1, session); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("a failure: %v", err)
	}
	if _, err := s.send("key-close", 2, session); err != nil {
		t.Errorf("the second attempt: %v", err)
	}
	s.want(t, ref, ports.ProviderCanceled)
}

func TestKeyReuseIsInternalError(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.prepare(t)
	if _, err := s.send("key-prepare", 2, ports.PrepareRequest{PaymentRequest: request(money.Of(2000, "USD"))}); !errors.Is(err, fault.ErrInternal) {
		t.Errorf("got %v", err)
	}
	if len(s.Sessions) != 1 {
		t.Errorf("%d sessions", len(s.Sessions))
	}
}

func TestConflictIsUnavailable(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Mux = http.NewServeMux()
	s.Mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusConflict)
		_, _ = w.Write([]byte(`{"error":{"type":"idempotency_error","code":"idempotency_key_in_use"}}`))
	})
	if _, err := s.send("key-prepare", 1, hosted); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("got %v", err)
	}
}

func refundOf(ref ports.PaymentRef, amount, remaining int64) ports.RefundRequest {
	return ports.RefundRequest{
		PaymentRef: ref, Captured: price, Amount: money.Of(amount, "USD"), Remaining: money.Of(remaining, "USD"), Reason: "returned",
	}
}

func TestRefundOnceAfterKeyExpiry(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.paid(t)
	for i, left := range []int64{1999, 1599, 1199, 799} { // more than one page
		if got, err := s.send(fmt.Sprint("key-", left), 1, refundOf(ref, 400, left)); err != nil || got.Status != "succeeded" {
			t.Fatalf("refund %d: %v %v", i, got, err)
		}
	}
	s.ForgetKeys()
	got, err := s.send("key-1999", 2, refundOf(ref, 400, 1999))
	if err != nil || got.Status != "succeeded" || len(s.Refunds) != 4 {
		t.Errorf("the first one again: %v %v, %d refunds", got, err, len(s.Refunds))
	}
	_, err = s.send("another", 1, refundOf(ref, 100, 1999))
	if code(err) != "remaining_amount_changed" || len(s.Refunds) != 4 {
		t.Errorf("a refund that expects none before it: %v, %d refunds", err, len(s.Refunds))
	}
}

func TestFailedRefundFreesAmount(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.paid(t)
	if _, err := s.send("key-1", 1, refundOf(ref, 1999, 1999)); err != nil {
		t.Fatal(err)
	}
	s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) { s.Refunds[0]["status"], c.Refunded = "failed", 0 })
	if got, err := s.send("key-1", 2, refundOf(ref, 1999, 1999)); err != nil || got.Status != "failed" {
		t.Errorf("its state: %v %v", got, err)
	}
	if got, err := s.send("key-2", 1, refundOf(ref, 1999, 1999)); err != nil || got.Status != "succeeded" {
		t.Errorf("a new refund: %v %v", got, err)
	}
}

func TestKeysMatchAccountAndEnvironment(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.prepare(t)
	s.conn.AccountKey = "acct_another"
	if _, err := s.send("key-2", 1, hosted); code(err) != "account_mismatch" || len(s.Sessions) != 1 {
		t.Errorf("a key of another account: %v", err)
	}
	if got := s.want(t, ref, ports.ProviderOpen); got.AccountKey != stripefake.Account {
		t.Errorf("the account is %q", got.AccountKey)
	}
	s.conn = connection()
	s.conn.Environment = tenant.Live
	if _, err := s.send("key-3", 1, hosted); code(err) != "livemode_mismatch" || len(s.Sessions) != 1 {
		t.Errorf("a test key at a live connection: %v", err)
	}
	s.conn.Environment, s.Live = tenant.Test, true
	if got := s.want(t, ref, ports.ProviderOpen); got.Environment != tenant.Live {
		t.Errorf("the environment is %q", got.Environment)
	}
}

func TestOnlyHostedSessionsCanBeOpened(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, kind := range []domain.Kind{domain.Widget, domain.Standard, domain.Custom, ""} {
		req := hosted
		req.Kind = kind
		if body, err := s.provider.Build(s.conn, req); !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%s: %s %v", kind, body, err)
		}
	}
}
