package paymenttest

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// consoleAmount is refunded in the provider's console, besides the one item that the shop refunds.
const consoleAmount = 3000

// consoleRefunds: a payment look-up lists our refund and the console's by the ids under which each can be
// looked up; ours is not mistaken for the console's, and is not made when the console was faster.
func consoleRefunds(t *testing.T, s *suite) {
	g := s.paid(t)
	if p, err := s.lookup(t, g.ref); err != nil || len(p.Refunds) != 0 {
		t.Fatalf("before: %+v, %v", p, err)
	}
	ref, err := s.requestRefund(t, g, "refund-key-ours")
	if err != nil {
		t.Fatal(err)
	}
	ours := s.wantRefund(t, "ours", ref, ports.RefundSucceeded)
	s.ConsoleRefund(t, g.Purchase, consoleAmount)
	p, err := s.lookup(t, g.ref)
	if err != nil || len(p.Refunds) != 2 || p.Refunded != money.Of(itemPrice+consoleAmount, amountKRW.Currency) || p.Amount != amountKRW ||
		p.ProviderID != g.ref.ProviderPaymentID {
		t.Fatalf("after: %+v, %v", p, err)
	}
	at := slices.IndexFunc(p.Refunds, func(r ports.ProviderRefund) bool { return r.ProviderID == ours.ProviderID })
	if at < 0 || p.Refunds[at] != ours {
		t.Fatalf("ours is %+v, not among %+v", ours, p.Refunds)
	}
	theirs := p.Refunds[1-at]
	if !theirs.TaxFree.IsZero() {
		t.Errorf("%v of a taxed payment are refunded tax-free", theirs.TaxFree)
	}
	theirs.TaxFree, theirs.VAT, theirs.Settled = money.Money{}, money.Money{}, payment.Settled{} // told or not
	if want := (ports.ProviderRefund{
		State: ports.RefundSucceeded, ProviderID: theirs.ProviderID, Amount: money.Of(consoleAmount, amountKRW.Currency),
	}); theirs != want || theirs.ProviderID == "" {
		t.Errorf("that of the console is %+v", theirs)
	}
	ref = ports.RefundRef{PaymentRef: g.ref, Key: "any", ProviderID: theirs.ProviderID, Amount: theirs.Amount, RemainingBefore: amountKRW}
	s.wantRefund(t, "by its id", ref, ports.RefundSucceeded)
	g.left -= itemPrice // the console refunded before
	if _, err := s.requestRefund(t, g, "refund-key-late"); !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("a refund that names more than is left: %v", err)
	}
	if again, err := s.lookup(t, g.ref); err != nil || !reflect.DeepEqual(again, p) {
		t.Errorf("and then: %+v, %v", again, err)
	}
}

func refundWebhooks(t *testing.T, s *suite) {
	secret := ""
	if len(s.Secrets) > 0 {
		secret = s.Secrets[0]
	}
	g := s.paid(t)
	read := func(n ports.ProviderWebhook) ports.WebhookHint {
		h, err := s.provider.Hint(s.Connection, s.Secrets, n)
		if err != nil || len(h.Payments) == 0 {
			t.Fatalf("%+v, %v", h, err)
		}
		return h
	}
	if h := read(s.Webhook(t, g.Purchase, secret)); h.MayConcernBooked {
		t.Errorf("that it was paid: %+v", h)
	}
	s.ConsoleRefund(t, g.Purchase, consoleAmount)
	if h := read(s.RefundWebhook(t, g.Purchase, secret)); !h.MayConcernBooked {
		t.Errorf("that something went back: %+v", h)
	}
}
