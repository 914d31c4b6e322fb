package toss_test

import (
	"errors"
	"math/big"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/toss/tossfake"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// refund is an attempt of a logged refund of a third of a payment, so long after the first attempt.
func (s *shop) refund(age time.Duration, p *tossfake.Payment) (ports.Outcome, error) {
	s.Helper()
	won := request(p.OrderID).Amount
	first := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	return s.send(ports.RefundRequest{
		PaymentRef: ports.PaymentRef{PaymentID: p.OrderID, ProviderPaymentID: p.PaymentKey}, Captured: won,
		Amount: money.Of(5000, "KRW"), Remaining: won, Reason: "one returned",
	}, ports.ProviderCall{ProviderKey: "key-r", Attempt: 1 + int(age/time.Minute), FirstAttemptAt: first, StartedAt: first.Add(age)})
}

// wantInconclusive answers attempts of a refund of p, ten minutes apart, with these in turn: none says whether it worked.
func (s *shop) wantInconclusive(p *tossfake.Payment, answers ...tossfake.Response) {
	s.Helper()
	for i, said := range answers {
		s.fake.NextResponse = &said
		if _, err := s.refund(time.Duration(i)*10*time.Minute, p); !errors.Is(err, ports.ErrProviderUnavailable) {
			s.Errorf("%v: %v", said.Body, err)
		}
	}
}

func TestTransientRefundErrorIsRetried(t *testing.T) {
	s := open(t)
	p := s.buyer("Payment12345")
	s.fake.SetStatus(p, "DONE")
	s.wantInconclusive(p,
		tossfake.ErrorResponse(http.StatusBadRequest, "PROVIDER_ERROR"),
		tossfake.ErrorResponse(http.StatusConflict, "IDEMPOTENT_REQUEST_PROCESSING"),
		tossfake.ErrorResponse(http.StatusForbidden, "FORBIDDEN_CONSECUTIVE_REQUEST"),
		tossfake.ErrorResponse(http.StatusForbidden, "FORBIDDEN_CONSECUTIVE_REQUEST"),
	)
	s.fake.LoseResponses = 1
	if _, err := s.refund(40*time.Minute, p); !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("a lost answer: %v", err)
	}
	if _, err := s.refund(41*time.Minute, p); err != nil { // the first may still be running; under the same key it is the same refund
		t.Error(err)
	}
	if got, err := s.refund(50*time.Minute, p); err != nil || got.Status != "DONE" { // under another key it is found
		t.Errorf("later: %+v, %v", got, err)
	}
	if left := s.fake.PaymentsOf(p.OrderID)[0].Balance; left.Cmp(big.NewRat(10000, 1)) != 0 {
		t.Errorf("%s is left", left)
	}
}

// A bank's failure is about one payment: other payments of the shop go on.
func TestBankErrorKeepsCircuitClosed(t *testing.T) {
	s := open(t)
	p := s.buyer("Payment12345")
	s.fake.SetStatus(p, "DONE")
	s.wantInconclusive(p,
		tossfake.ErrorResponse(http.StatusInternalServerError, "FAILED_REFUND_PROCESS"),
		tossfake.ErrorResponse(http.StatusInternalServerError, "FAILED_PARTIAL_REFUND"),
		tossfake.ErrorResponse(http.StatusInternalServerError, "[ES12] 은행 시스템 점검"),
		tossfake.Response{Status: http.StatusInternalServerError, Body: map[string]string{"code": "COMMON_ERROR", "message": "[ES12] 은행 시스템 점검"}},
		tossfake.ErrorResponse(http.StatusInternalServerError, "FAILED_CARD_COMPANY_RESPONSE"),
		tossfake.ErrorResponse(http.StatusInternalServerError, "FAILED_METHOD_HANDLING_CANCEL"),
	)
	if s.client.CircuitOpen(s.conn.ID) {
		t.Error("failures of a bank opened the shop's circuit")
	}
	if _, err := s.refund(time.Hour, p); err != nil {
		t.Errorf("when the bank works again: %v", err)
	}
	for i := range 5 {
		said := tossfake.ErrorResponse(http.StatusInternalServerError, "FAILED_INTERNAL_SYSTEM_PROCESSING")
		s.fake.NextResponse = &said
		_, _ = s.attempt(i+1, s.buyer("Another12345"))
	}
	if !s.client.CircuitOpen(s.conn.ID) {
		t.Error("failures of Toss did not open it")
	}
}

// Toss has deprecated its own comparison of the balance, so nothing may depend on it.
func TestRefundIsNotRepeatedThoughTossComparesNoBalance(t *testing.T) {
	s := open(t)
	p := s.buyer("Payment12345")
	s.fake.SetStatus(p, "DONE")
	for _, age := range []time.Duration{0, 15 * time.Minute, 24 * time.Hour, 30 * 24 * time.Hour} {
		if _, err := s.refund(age, p); err != nil {
			t.Errorf("after %s: %v", age, err)
		}
	}
	if left := s.fake.PaymentsOf(p.OrderID)[0].Balance; left.Cmp(big.NewRat(10000, 1)) != 0 {
		t.Errorf("%s is left", left)
	}
	other := s.buyer("Payment99999")
	s.fake.SetStatus(other, "DONE")
	s.fake.ConsoleCancel(other, "1000")
	_, err := s.refund(0, other)
	s.refused(err, "BALANCE_CHANGED")
	if left := s.fake.PaymentsOf(other.OrderID)[0].Balance; left.Cmp(big.NewRat(14000, 1)) != 0 {
		t.Errorf("refunded in the console: %s is left", left)
	}
}

func TestForeignPartialCancelNamesItsCurrency(t *testing.T) {
	s := open(t)
	for _, spelled := range []string{"USD", "MUSD"} { // Fact toss-13
		p := s.fake.Approve("tosspayments", "Payment"+spelled, "19.99", spelled)
		s.fake.SetStatus(p, "DONE")
		ref := ports.PaymentRef{PaymentID: p.OrderID, ProviderPaymentID: p.PaymentKey}
		paid, part := money.Of(1999, "USD"), money.Of(999, "USD")
		if got, err := s.provider.Lookup(t.Context(), s.conn, ref); err != nil || got.Amount != paid || got.State != ports.ProviderPaid {
			t.Errorf("%s: %+v, %v", spelled, got, err)
		}
		refund := ports.RefundRequest{PaymentRef: ref, Captured: paid, Amount: part, Remaining: paid, Reason: "one returned"}
		if _, err := s.send(refund, ports.ProviderCall{ProviderKey: "key-of-" + spelled}); err != nil {
			t.Errorf("%s: %v", spelled, err)
		}
		got, err := s.provider.LookupRefund(t.Context(), s.conn, ports.RefundRef{PaymentRef: ref, Amount: part, RemainingBefore: paid})
		if err != nil || got.State != ports.RefundSucceeded || got.Amount != part {
			t.Errorf("%s: %+v, %v", spelled, got, err)
		}
	}
}

// A part of a payment that can be canceled in full only is refused before Toss is asked to cancel, and with the same words
// where Toss alone knows it.
func TestPartialRefundOfAFullCancelPaymentIsRefused(t *testing.T) {
	s := open(t)
	said := tossfake.ErrorResponse(http.StatusForbidden, "NOT_ALLOWED_PARTIAL_REFUND")
	for name, known := range map[string]bool{"as Toss says": false, "as the payment says": true} {
		p := s.buyer("Payment1234" + strconv.FormatBool(known))
		s.fake.SetStatus(p, "DONE")
		s.fake.Locked(func() { p.FullCancelOnly, s.fake.NextResponse = known, &said })
		_, err := s.refund(0, p)
		if f := fault.From(err); !errors.Is(err, ports.ErrProviderRejected) || f.Message != "This payment can be refunded in full only." ||
			f.Data["providerCode"] != "NOT_ALLOWED_PARTIAL_REFUND" {
			t.Errorf("%s: %v", name, err)
		}
		if asked := s.fake.NextResponse == nil; asked == known {
			t.Errorf("%s: Toss was asked to cancel: %v", name, asked)
		}
		s.fake.NextResponse = nil
		won := request(p.OrderID).Amount
		if _, err := s.send(ports.RefundRequest{
			PaymentRef: ports.PaymentRef{PaymentID: p.OrderID, ProviderPaymentID: p.PaymentKey}, Captured: won,
			Amount: won, Remaining: won, Reason: "all returned",
		}, ports.ProviderCall{ProviderKey: "key-all", Attempt: 1}); err != nil {
			t.Errorf("%s, all of it: %v", name, err)
		}
	}
}
