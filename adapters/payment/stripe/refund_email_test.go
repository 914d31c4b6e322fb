package stripe_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/ports"
)

// A konbini has no refunds: Stripe asks the buyer by e-mail where the money goes, and the refund waits for that.
func TestBuyersOfAKonbiniAreAskedByMail(t *testing.T) {
	t.Parallel()
	s := open(t)
	ref := s.paid(t)
	s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) {
		c.Method = "konbini"
		c.Form.Del("customer_email")
	})
	found, err := s.provider.Lookup(t.Context(), s.conn, ref)
	if err != nil || found.Method != "konbini" {
		t.Fatalf("%+v, %v", found, err)
	}
	r := refundOf(ref, 1999, 1999)
	r.Method = found.Method
	if _, err := s.send("key-unknown", 1, r); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("without an address: %v", err)
	}
	r.Buyer.Email = "kim@shop.example"
	if got, err := s.send("key-known", 1, r); err != nil || got.Status != "requires_action" {
		t.Errorf("with one: %+v, %v", got, err)
	}
	if sent := s.PostedRequests(); !strings.Contains(sent[len(sent)-1], "instructions_email=kim%40shop.example") {
		t.Errorf("sent %s", sent[len(sent)-1])
	}
	of := ports.RefundRef{PaymentRef: ref, Key: "key-known", Amount: r.Amount, RemainingBefore: r.Remaining}
	for _, want := range []ports.RefundState{ports.RefundPending, ports.RefundSucceeded} {
		if got, err := s.provider.LookupRefund(t.Context(), s.conn, of); err != nil || got.State != want {
			t.Errorf("%+v, %v, want %s", got, err, want)
		}
		s.FinishRefunds(ref.ProviderSessionID, true)
	}
}

func TestOtherRefundsNameNobody(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := refundOf(s.paid(t), 1999, 1999)
	r.Method, r.Buyer.Email = "card", "kim@shop.example"
	if body, err := s.provider.Build(s.conn, r); err != nil || strings.Contains(string(body), "kim") {
		t.Errorf("%s, %v", body, err)
	}
}
