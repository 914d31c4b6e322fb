package paymenttest

import (
	"testing"

	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// signingSecret is the one that webhooks are signed with; "" where they are not.
func (s *suite) signingSecret() string {
	if len(s.Secrets) == 0 {
		return ""
	}
	return s.Secrets[0]
}

// depositTakenBack: while a deposit is awaited, the look-up tells where to pay; a deposit that the bank takes back is not
// paid any more, and may be paid again.
func depositTakenBack(t *testing.T, s *suite) {
	if s.AwaitDeposit == nil {
		return // no virtual accounts
	}
	p := s.prepare(t, s.request(amountKRW))
	if key := s.AwaitDeposit(t, p); key != "" {
		if _, err := s.confirm(t, p, key); err != nil {
			t.Fatal(err)
		}
	}
	awaited := func(when string) {
		t.Helper()
		got := s.wantState(t, p, ports.ProviderProcessing)
		if i := got.Instructions; i == nil || i.Account == "" || i.Amount != amountKRW || i.Bank+i.BankCode == "" || i.Due.IsZero() {
			t.Errorf("%s, the buyer is told %+v", when, i)
		}
		if got.Refunded.Minor != 0 || len(got.Refunds)+len(got.Gone) > 0 {
			t.Errorf("%s: %+v", when, got)
		}
	}
	awaited("at first")
	for range 2 {
		s.Deposit(t, p)
		if got := s.wantState(t, p, ports.ProviderPaid); got.Instructions != nil || got.Amount != amountKRW {
			t.Errorf("paid: %+v", got)
		}
		s.TakeBack(t, p)
		awaited("taken back")
	}
}

// disputes: a look-up lists the dispute of a payment with its reason and status until the end; where the provider takes the
// money for it, that is gone until the shop wins. Its webhook leads to a look-up of the booked payment.
func disputes(t *testing.T, s *suite) {
	if s.Dispute == nil {
		return // the provider tells of none
	}
	for _, end := range []domain.DisputeStatus{domain.DisputeWon, domain.DisputeLost} {
		g := s.paid(t)
		if got := s.wantState(t, g.Purchase, ports.ProviderPaid); len(got.Disputes)+len(got.Gone) > 0 {
			t.Errorf("before: %+v", got)
		}
		s.Dispute(t, g.Purchase, domain.DisputeNeedsResponse)
		opened := s.wantState(t, g.Purchase, ports.ProviderPaid)
		if len(opened.Disputes) != 1 || opened.Disputes[0].Status != domain.DisputeNeedsResponse || opened.Disputes[0].ProviderID == "" ||
			opened.Disputes[0].Reason == "" || opened.Disputes[0].OpenedAt.IsZero() {
			t.Fatalf("opened: %+v", opened.Disputes)
		}
		for _, m := range opened.Gone {
			if m.ProviderID != opened.Disputes[0].ProviderID || m.Amount != amountKRW || m.Cause != domain.CauseDispute || m.Returned {
				t.Errorf("gone: %+v", m)
			}
		}
		hint, err := s.provider.Hint(s.Connection, s.Secrets, s.DisputeWebhook(t, g.Purchase, s.signingSecret()))
		if err != nil || len(hint.Payments) != 1 || !hint.MayConcernBooked {
			t.Errorf("its webhook: %+v, %v", hint, err)
		}
		s.Dispute(t, g.Purchase, end)
		ended := s.wantState(t, g.Purchase, ports.ProviderPaid)
		if len(ended.Disputes) != 1 || ended.Disputes[0].Status.Open() || ended.Disputes[0].ProviderID != opened.Disputes[0].ProviderID ||
			len(ended.Gone) != len(opened.Gone) {
			t.Errorf("%s: %+v %+v", end, ended.Disputes, ended.Gone)
		}
		if told := ended.Disputes[0].Status; told != end && told != domain.DisputeClosed {
			t.Errorf("%s is told as %s", end, told)
		}
		for _, m := range ended.Gone {
			if m.Returned != (end == domain.DisputeWon) {
				t.Errorf("%s: %+v", end, m)
			}
		}
	}
}
