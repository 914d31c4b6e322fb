package stripe_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Stripe tells of a charge and of its refunds what it settles for them, of a charge some time after it was captured, and in the
// currency in which the account is settled. Fact stripe-15.
func TestWhatIsSettledIsWhatStripeSays(t *testing.T) {
	s := open(t)
	ref := s.paid(t)
	if got := s.want(t, ref, ports.ProviderPaid); got.Settled.IsTold() || !got.SettledLater {
		t.Errorf("before Stripe told: %+v, later %t", got.Settled, got.SettledLater)
	}
	for currency, want := range map[string]domain.Settled{
		"usd": {Net: money.Of(1911, "USD"), Fee: money.Of(88, "USD")}, "eur": {Net: money.Of(1911, "EUR"), Fee: money.Of(88, "EUR")},
	} {
		s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) {
			c.Balance = &stripefake.Balance{Currency: currency, Amount: 1999, Fee: 88}
		})
		if got := s.want(t, ref, ports.ProviderPaid); got.Settled != want || got.SettledLater {
			t.Errorf("in %s: %+v, later %t", currency, got.Settled, got.SettledLater)
		}
	}
	s.ChangeSession(ref.ProviderSessionID, func(c *stripefake.Session) { c.Balance.Currency = "usd" })
	s.ConsoleRefund(ref.ProviderSessionID, 500)
	got := s.want(t, ref, ports.ProviderPaid)
	if len(got.Refunds) != 1 || got.Refunds[0].Settled != (domain.Settled{Net: money.Of(-500, "USD"), Fee: money.Of(0, "USD")}) {
		t.Errorf("of the refund: %+v", got.Refunds)
	}
	found, err := s.provider.LookupRefund(t.Context(), s.conn, ports.RefundRef{PaymentRef: ref, ProviderID: got.Refunds[0].ProviderID})
	if err != nil || found.Settled.Net.Minor != -500 {
		t.Errorf("the refund alone: %+v, %v", found, err)
	}
}
