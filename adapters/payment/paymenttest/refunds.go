package paymenttest

import (
	"errors"
	"net/http"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// refundCase is a paid purchase that is refunded.
type refundCase struct {
	Purchase

	ref  ports.PaymentRef
	left int64
}

func (s *suite) paid(t *testing.T) *refundCase {
	t.Helper()
	p, _ := s.pay(t, amountKRW)
	g := &refundCase{Purchase: p, ref: p.Ref(), left: amountKRW.Minor}
	g.ref.ProviderPaymentID = s.wantState(t, p, ports.ProviderPaid).ProviderID
	return g
}

// itemPrice is what one of the items of won costs.
const itemPrice = 5000

// requestRefund sends a refund of one item and returns the reference to look it up by.
func (s *suite) requestRefund(t *testing.T, g *refundCase, key string) (ports.RefundRef, error) {
	t.Helper()
	return s.attemptRefund(t, g, key, 1)
}

// attemptRefund is the nth attempt of it.
func (s *suite) attemptRefund(t *testing.T, g *refundCase, key string, attempt int) (ports.RefundRef, error) {
	t.Helper()
	part, left := money.Of(itemPrice, amountKRW.Currency), money.Of(g.left, amountKRW.Currency)
	_, err := s.attempt(t, attempt, key+"-of-"+g.Request.PaymentID, ports.RefundRequest{
		PaymentRef: g.ref, Captured: amountKRW, Amount: part, Remaining: left, Reason: "one item returned",
	})
	return ports.RefundRef{PaymentRef: g.ref, Key: key + "-of-" + g.Request.PaymentID, Amount: part, RemainingBefore: left}, err
}

func (s *suite) wantRefund(t *testing.T, when string, ref ports.RefundRef, want ports.RefundState) ports.ProviderRefund {
	t.Helper()
	got, err := s.provider.LookupRefund(t.Context(), s.Connection, ref)
	s.checkNoSecret(t, got, err)
	if err != nil || got.State != want || want != ports.RefundAbsent && (got.Amount != ref.Amount || got.ProviderID == "") {
		t.Fatalf("%s: %+v, %v, want %s of %v", when, got, err, want, ref.Amount)
	}
	return got
}

func refundLookup(t *testing.T, s *suite) {
	g := s.paid(t)
	never := ports.RefundRef{
		PaymentRef: g.ref, Key: "a-key-that-was-never-sent", Amount: money.Of(itemPrice, "KRW"), RemainingBefore: amountKRW,
	}
	s.wantRefund(t, "before", never, ports.RefundAbsent)
	first, err := s.requestRefund(t, g, "refund-key-one")
	if err != nil {
		t.Fatal(err)
	}
	one := s.wantRefund(t, "the first", first, ports.RefundSucceeded)
	if p, err := s.lookup(t, g.ref); err != nil || p.Refunded != money.Of(itemPrice, "KRW") {
		t.Errorf("the payment lists %v, %v", p.Refunded, err)
	}
	g.left -= itemPrice
	never.Amount, never.RemainingBefore, never.OtherRefundIDs = money.Of(itemPrice, "KRW"), money.Of(10000, "KRW"), []string{one.ProviderID}
	s.wantRefund(t, "another of the same amount", never, ports.RefundAbsent)
	second, err := s.requestRefund(t, g, "refund-key-two")
	if err != nil {
		t.Fatal(err)
	}
	second.OtherRefundIDs = []string{one.ProviderID}
	two := s.wantRefund(t, "the second", second, ports.RefundSucceeded)
	if one.ProviderID == two.ProviderID {
		t.Error("both are one")
	}
	for ref, want := range map[*ports.RefundRef]string{&first: one.ProviderID, &second: two.ProviderID} {
		ref.ProviderID = want
		if got := s.wantRefund(t, "by its id", *ref, ports.RefundSucceeded); got.ProviderID != want {
			t.Errorf("by its id: %+v", got)
		}
	}
}

func lostRefundResponse(t *testing.T, s *suite) {
	g := s.paid(t)
	var ref ports.RefundRef
	s.interceptor.intercepting(s.interceptor.dropPostResponses, func() {
		var err error
		if ref, err = s.requestRefund(t, g, "refund-key-lost"); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("a lost answer: %v", err)
		}
	})
	s.wantRefund(t, "after the answer was lost", ref, ports.RefundSucceeded)
	if _, err := s.requestRefund(t, g, "refund-key-lost"); err != nil {
		t.Errorf("again: %v", err)
	}
	for n := range 3 { // without a look-up before: each finds the refund, or is refused
		if _, err := s.attemptRefund(t, g, "refund-key-lost", n+2); err != nil && !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("attempt %d: %v", n+2, err)
		}
	}
	s.wantRefund(t, "again", ref, ports.RefundSucceeded)
	if b := s.Ledger(t, g.Purchase); b.Refunded != money.Of(itemPrice, "KRW") {
		t.Errorf("the provider's ledger: %+v", b)
	}
}

func delayedRefund(t *testing.T, s *suite) {
	if s.DelayNextRefund == nil {
		return // refunds of this provider are immediate
	}
	for _, succeeds := range []bool{true, false} {
		g := s.paid(t)
		s.DelayNextRefund(t)
		ref, err := s.requestRefund(t, g, "refund-key-later")
		if err != nil {
			t.Fatal(err)
		}
		ref.ProviderID = s.wantRefund(t, "accepted", ref, ports.RefundPending).ProviderID
		want, back := ports.RefundSucceeded, money.Of(itemPrice, "KRW")
		if !succeeds {
			want, back = ports.RefundFailed, money.Of(0, "KRW")
		}
		s.FinishRefund(t, g.Purchase, succeeds)
		s.wantRefund(t, "at its end", ref, want)
		if b := s.Ledger(t, g.Purchase); b.Refunded != back {
			t.Errorf("the provider's ledger: %+v, want %v", b, back)
		}
	}
}

func refundLookupFailures(t *testing.T, s *suite) {
	g := s.paid(t)
	ref, err := s.requestRefund(t, g, "refund-key-trouble")
	if err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]http.HandlerFunc{
		"500": respondWith(http.StatusInternalServerError, s.ErrorBody("OUR_FAULT")), "a truncated answer": truncateResponse,
		"no JSON": respondWith(http.StatusOK, "<html>"), "nothing": respondWith(http.StatusOK, "{}"),
	} {
		s.interceptor.intercepting(spoil, func() {
			if got, err := s.provider.LookupRefund(t.Context(), s.Connection, ref); !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("%s: %+v, %v", what, got, err)
			}
		})
	}
	s.interceptor.intercepting(respondWith(http.StatusUnauthorized, s.ErrorBody("BAD_KEY")), func() {
		if got, err := s.provider.LookupRefund(t.Context(), s.Connection, ref); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("bad credentials: %+v, %v", got, err)
		}
	})
}
