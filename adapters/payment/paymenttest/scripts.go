package paymenttest

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Refusal is an answer of a provider that is no success and no refusal of what was asked for either.
type Refusal struct {
	Status int
	Body   string
	Header map[string]string // besides the type of the content; mostly nil
}

func (r Refusal) serve(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(r.Status)
	_, _ = w.Write([]byte(r.Body)) // a caller who left needs no answer
}

// againLater: a provider that is busy with the payment twice, and then does it, does it once.
func againLater(t *testing.T, s *suite) {
	busy := slices.Concat(s.AgainLater, []Refusal{
		{Status: http.StatusTooManyRequests, Body: s.ErrorBody("SLOW_DOWN")}, {Status: http.StatusServiceUnavailable},
	})
	for i, said := range busy {
		g, key := s.paid(t), "refund-key-busy-"+strconv.Itoa(i)
		for range 2 {
			s.interceptor.intercepting(s.interceptor.refusePosts(said), func() {
				if _, err := s.requestRefund(t, g, key); !errors.Is(err, ports.ErrProviderUnavailable) || errors.Is(err, ports.ErrNotSent) {
					t.Errorf("%d %s: %v", said.Status, said.Body, err)
				}
			})
		}
		ref, err := s.requestRefund(t, g, key)
		if err != nil {
			t.Fatalf("after %d %s: %v", said.Status, said.Body, err)
		}
		s.wantRefund(t, "then", ref, ports.RefundSucceeded)
		if b := s.Ledger(t, g.Purchase); b.Refunded != money.Of(itemPrice, amountKRW.Currency) {
			t.Errorf("after %d %s the provider's ledger is %+v", said.Status, said.Body, b)
		}
	}
	if s.Kind != domain.Widget {
		return
	}
	for _, said := range busy {
		p := s.prepare(t, s.request(amountKRW))
		key := s.Approve(t, p)
		for range 2 {
			s.interceptor.intercepting(s.interceptor.refusePosts(said), func() {
				if _, err := s.confirm(t, p, key); !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Errorf("confirm, %d %s: %v", said.Status, said.Body, err)
				}
			})
		}
		if _, err := s.confirm(t, p, key); err != nil {
			t.Errorf("confirm after %d %s: %v", said.Status, said.Body, err)
		}
		s.wantState(t, p, ports.ProviderPaid)
	}
}

// onePaymentFails: a failure that is about one payment, or its bank, keeps no other payment of the shop from working.
func onePaymentFails(t *testing.T, s *suite) {
	for _, said := range s.OnePaymentFails {
		s.useLimits(payment.Limits{MaxFailures: 3, OpenFor: time.Hour})
		g, other := s.paid(t), s.paid(t)
		for n := range 5 {
			s.interceptor.intercepting(s.interceptor.refusePosts(said), func() {
				if _, err := s.attemptRefund(t, g, "refund-key-failing", n+1); err == nil || errors.Is(err, ports.ErrNotSent) {
					t.Errorf("%d %s: %v", said.Status, said.Body, err)
				}
			})
		}
		if err := s.provider.Ready(s.Connection); err != nil {
			t.Errorf("%d %s opened the circuit of the shop: %v", said.Status, said.Body, err)
		}
		ref, err := s.requestRefund(t, other, "refund-key-of-another")
		if err != nil {
			t.Fatalf("another payment after %d %s: %v", said.Status, said.Body, err)
		}
		s.wantRefund(t, "another", ref, ports.RefundSucceeded)
		ref, err = s.attemptRefund(t, g, "refund-key-failing", 6)
		if err != nil {
			t.Fatalf("the payment itself after %d %s: %v", said.Status, said.Body, err)
		}
		s.wantRefund(t, "the payment itself", ref, ports.RefundSucceeded)
		if b := s.Ledger(t, g.Purchase); b.Refunded != money.Of(itemPrice, amountKRW.Currency) {
			t.Errorf("the provider's ledger: %+v", b)
		}
	}
}

// refundInParts: a payment is refunded item by item until nothing is left. Each refund is one of its own, and no more
// than all goes back.
func refundInParts(t *testing.T, s *suite) {
	g := s.paid(t)
	var ids []string
	for n := range amountKRW.Minor / itemPrice {
		key := "refund-key-item-" + strconv.FormatInt(n, 10)
		ref, err := s.requestRefund(t, g, key)
		if err != nil {
			t.Fatalf("item %d: %v", n, err)
		}
		ref.OtherRefundIDs = slices.Clone(ids)
		one := s.wantRefund(t, "item "+strconv.FormatInt(n, 10), ref, ports.RefundSucceeded)
		if slices.Contains(ids, one.ProviderID) {
			t.Errorf("item %d is another one's refund: %+v of %v", n, one, ids)
		}
		ids = append(ids, one.ProviderID)
		if _, err := s.requestRefund(t, g, key); err != nil {
			t.Errorf("item %d again under its key: %v", n, err)
		}
		g.left -= itemPrice
		got, err := s.lookup(t, g.ref)
		if err != nil || got.Amount != amountKRW || got.Refunded != money.Of(amountKRW.Minor-g.left, amountKRW.Currency) || len(got.Refunds) != len(ids) {
			t.Errorf("after item %d: %+v, %v", n, got, err)
		}
	}
	if _, err := s.send(t, "refund-key-too-much-of-"+g.Request.PaymentID, ports.RefundRequest{
		PaymentRef: g.ref, Captured: amountKRW, Amount: money.Of(itemPrice-1000, amountKRW.Currency), Remaining: money.Of(itemPrice, amountKRW.Currency),
		Reason: "as if one item were left",
	}); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("more than all: %v", err)
	}
	if b := s.Ledger(t, g.Purchase); b.Refunded != amountKRW {
		t.Errorf("the provider's ledger: %+v", b)
	}
}

// webhookTimes: a webhook may come before the answer to the call that caused it, thrice, after a later one, or never. A
// look-up finds the same each time.
func webhookTimes(t *testing.T, s *suite) {
	g := s.paid(t)
	secret := first(s.Secrets)
	paid := s.Webhook(t, g.Purchase, secret)
	var ref ports.RefundRef
	var early ports.ProviderPayment
	s.interceptor.intercepting(s.interceptor.beforeAnswers(func() {
		early = s.follow(t, g, s.RefundWebhook(t, g.Purchase, secret))
	}), func() {
		var err error
		if ref, err = s.requestRefund(t, g, "refund-key-overtaken"); err != nil {
			t.Fatal(err)
		}
	})
	one := s.wantRefund(t, "after the answer", ref, ports.RefundSucceeded)
	if len(early.Refunds) != 1 || early.Refunds[0] != one {
		t.Fatalf("before the answer the look-up found %+v, after it %+v", early.Refunds, one)
	}
	back := s.RefundWebhook(t, g.Purchase, secret)
	for name, order := range map[string][]ports.ProviderWebhook{
		"thrice": {back, back, back}, "in the wrong order": {back, paid}, "never": {},
	} {
		got := early
		for _, webhook := range order {
			got = s.follow(t, g, webhook)
		}
		if last, err := s.lookup(t, g.ref); err != nil || !reflect.DeepEqual(got, early) || !reflect.DeepEqual(last, early) {
			t.Errorf("%s: %+v, then %+v, %v, want %+v", name, got, last, err, early)
		}
	}
}

// follow looks up what a webhook about a payment names.
func (s *suite) follow(t *testing.T, g *refundCase, webhook ports.ProviderWebhook) (found ports.ProviderPayment) {
	t.Helper()
	hint, err := s.provider.Hint(s.Connection, s.Secrets, webhook)
	if err != nil || len(hint.Payments) == 0 {
		t.Fatalf("the webhook says %+v, %v", hint, err)
	}
	for _, ref := range hint.Payments {
		if found, err = s.lookup(t, ref); err != nil || found.PaymentID != g.Request.PaymentID {
			t.Fatalf("%+v leads to %+v, %v", ref, found, err)
		}
	}
	return found
}

// refusePosts answers what changes something with a refusal, without the provider, and passes look-ups.
func (l *interceptor) refusePosts(said Refusal) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			l.next.ServeHTTP(w, r)
			return
		}
		said.serve(w, r)
	}
}

// beforeAnswers lets the provider act on what changes something, and then does something else before it answers.
func (l *interceptor) beforeAnswers(do func()) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		kept := httptest.NewRecorder()
		l.next.ServeHTTP(kept, r)
		if r.Method == http.MethodPost {
			do()
		}
		w.WriteHeader(kept.Code)
		_, _ = w.Write(kept.Body.Bytes())
	}
}
