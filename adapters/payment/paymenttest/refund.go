package paymenttest

import (
	"errors"
	"net/http"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// giving is a paid purchase of which money goes back.
type giving struct {
	Purchase

	ref  ports.PaymentRef
	left int64
}

func (s *shop) paid(t *testing.T) *giving {
	t.Helper()
	p, _ := s.pay(t, won)
	g := &giving{Purchase: p, ref: p.Ref(), left: won.Minor}
	g.ref.ProviderPaymentID = s.want(t, p, ports.ProviderPaid).ProviderID
	return g
}

// oneItem is what one of the items of won costs.
const oneItem = 5000

// ask sends a refund of one item and returns how it is looked up.
func (s *shop) ask(t *testing.T, g *giving, key string) (ports.RefundRef, error) {
	t.Helper()
	return s.askAgain(t, g, key, 1)
}

// askAgain is any attempt of it.
func (s *shop) askAgain(t *testing.T, g *giving, key string, attempt int) (ports.RefundRef, error) {
	t.Helper()
	_, err := s.attempt(t, attempt, "refund", key+"-of-"+g.Request.PaymentID, g.Request, map[string]string{
		"amount": strconv.Itoa(oneItem), "remaining": strconv.FormatInt(g.left, 10), "reason": "one item returned",
		"providerPaymentId": g.ref.ProviderPaymentID, "providerSessionId": g.ref.ProviderSessionID,
	})
	return ports.RefundRef{
		PaymentRef: g.ref, Key: key + "-of-" + g.Request.PaymentID, Amount: money.Of(oneItem, won.Currency), Remaining: money.Of(g.left, won.Currency),
	}, err
}

func (s *shop) wantRefund(t *testing.T, when string, ref ports.RefundRef, want ports.RefundState) ports.ProviderRefund {
	t.Helper()
	got, err := s.provider.LookupRefund(t.Context(), s.Connection, ref)
	s.clean(t, got, err)
	if err != nil || got.State != want || want != ports.RefundAbsent && (got.Amount != ref.Amount || got.ProviderID == "") {
		t.Fatalf("%s: %+v, %v, want %s of %v", when, got, err, want, ref.Amount)
	}
	return got
}

func refundIsFound(t *testing.T, s *shop) {
	g := s.paid(t)
	never := ports.RefundRef{PaymentRef: g.ref, Key: "a-key-that-was-never-sent", Amount: money.Of(oneItem, "KRW"), Remaining: won}
	s.wantRefund(t, "before", never, ports.RefundAbsent)
	first, err := s.ask(t, g, "refund-key-one")
	if err != nil {
		t.Fatal(err)
	}
	one := s.wantRefund(t, "the first", first, ports.RefundSucceeded)
	if p, err := s.look(t, g.ref); err != nil || p.Refunded != money.Of(oneItem, "KRW") {
		t.Errorf("the payment tells of %v, %v", p.Refunded, err)
	}
	g.left -= oneItem
	never.Amount, never.Remaining, never.Others = money.Of(oneItem, "KRW"), money.Of(10000, "KRW"), []string{one.ProviderID}
	s.wantRefund(t, "another of the same amount", never, ports.RefundAbsent)
	second, err := s.ask(t, g, "refund-key-two")
	if err != nil {
		t.Fatal(err)
	}
	second.Others = []string{one.ProviderID}
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

func lostRefund(t *testing.T, s *shop) {
	g := s.paid(t)
	var ref ports.RefundRef
	s.tap.during(s.tap.dropsPosts, func() {
		var err error
		if ref, err = s.ask(t, g, "refund-key-lost"); !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("a lost answer: %v", err)
		}
	})
	s.wantRefund(t, "after the answer was lost", ref, ports.RefundSucceeded)
	if _, err := s.ask(t, g, "refund-key-lost"); err != nil {
		t.Errorf("again: %v", err)
	}
	for n := range 3 { // nobody looked before: each finds what was done, or is refused
		if _, err := s.askAgain(t, g, "refund-key-lost", n+2); err != nil && !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("attempt %d: %v", n+2, err)
		}
	}
	s.wantRefund(t, "again", ref, ports.RefundSucceeded)
	if b := s.Books(t, g.Purchase); b.Returned != money.Of(oneItem, "KRW") {
		t.Errorf("the provider's books: %+v", b)
	}
}

func laterRefund(t *testing.T, s *shop) {
	if s.Later == nil {
		return // this provider does all of them at once
	}
	for _, succeeds := range []bool{true, false} {
		g := s.paid(t)
		s.Later(t)
		ref, err := s.ask(t, g, "refund-key-later")
		if err != nil {
			t.Fatal(err)
		}
		ref.ProviderID = s.wantRefund(t, "accepted", ref, ports.RefundPending).ProviderID
		want, back := ports.RefundSucceeded, money.Of(oneItem, "KRW")
		if !succeeds {
			want, back = ports.RefundFailed, money.Of(0, "KRW")
		}
		s.End(t, g.Purchase, succeeds)
		s.wantRefund(t, "at its end", ref, want)
		if b := s.Books(t, g.Purchase); b.Returned != back {
			t.Errorf("the provider's books: %+v, want %v", b, back)
		}
	}
}

func refundTrouble(t *testing.T, s *shop) {
	g := s.paid(t)
	ref, err := s.ask(t, g, "refund-key-trouble")
	if err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]http.HandlerFunc{
		"500": says(http.StatusInternalServerError, s.Refusal("OUR_FAULT")), "an answer that breaks off": breaks, "no JSON": says(http.StatusOK, "<html>"), "nothing": says(http.StatusOK, "{}"),
	} {
		s.tap.during(spoil, func() {
			if got, err := s.provider.LookupRefund(t.Context(), s.Connection, ref); !errors.Is(err, ports.ErrProviderUnavailable) {
				t.Errorf("%s: %+v, %v", what, got, err)
			}
		})
	}
	s.tap.during(says(http.StatusUnauthorized, s.Refusal("BAD_KEY")), func() {
		if got, err := s.provider.LookupRefund(t.Context(), s.Connection, ref); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("bad credentials: %+v, %v", got, err)
		}
	})
}
