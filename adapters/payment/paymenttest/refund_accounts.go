package paymenttest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// RefundAccounts are accounts of a buyer, and those that the provider has refunded a payment to.
type RefundAccounts struct {
	Account    domain.RefundAccount // at a bank of the provider
	Unknown    domain.RefundAccount // at a bank that the provider does not have
	RefundedTo func(t *testing.T, p Purchase) []domain.RefundAccount
}

// refundAccounts: money that was paid to a virtual account is refunded to the account that the buyer names, and not
// without one. The look-up of such a payment has a method of which the adapter's description says so.
func refundAccounts(t *testing.T, s *suite) {
	v := s.RefundAccounts
	if needed := s.provider.Describe().RefundAccounts.Required; (v == nil) != (len(needed) == 0) {
		t.Fatalf("the adapter needs an account for refunds of %v: the harness must have RefundAccounts, and only then", needed)
	}
	if v == nil {
		return // refunds of this provider need no account
	}
	g := s.deposited(t)
	part, left := money.Of(itemPrice, amountKRW.Currency), amountKRW
	ask := func(key string, a *domain.RefundAccount) error {
		_, err := s.send(t, key+"-of-"+g.Request.PaymentID, ports.RefundRequest{
			PaymentRef: g.ref, Captured: amountKRW, Amount: part, Remaining: left, Reason: "one item returned", Account: a,
			Buyer: g.Request.Buyer,
		})
		return err
	}
	if err := ask("refund-key-without-account", nil); !errors.Is(err, ports.ErrProviderRejected) && !errors.Is(err, ports.ErrProviderUnavailable) {
		t.Errorf("without an account: %v", err)
	}
	if b := s.Ledger(t, g.Purchase); b.Refunded.Minor != 0 {
		t.Errorf("without an account: %+v", b)
	}
	for n := range int64(2) {
		if err := ask(fmt.Sprintf("refund-key-account-%d", n), &v.Account); err != nil {
			t.Fatalf("with an account: %v", err)
		}
		left.Minor -= itemPrice
	}
	if b := s.Ledger(t, g.Purchase); b.Refunded != money.Of(2*itemPrice, amountKRW.Currency) {
		t.Errorf("the provider's ledger: %+v", b)
	}
	got := v.RefundedTo(t, g.Purchase)
	if len(got) != 2 || got[0] != v.Account || got[1] != v.Account {
		t.Errorf("refunded to %d accounts, want twice the buyer's", len(got))
	}
	err := ask("refund-key-wrong-bank", &v.Unknown)
	if !errors.Is(err, ports.ErrProviderRejected) {
		t.Errorf("a bank that does not exist: %v", err)
	}
	if text := readableText(err); strings.Contains(text, v.Account.Account) || strings.Contains(text, v.Account.Holder) {
		t.Errorf("the refusal repeats the account: %s", text)
	}
}

// deposited is a purchase that was paid to a virtual account.
func (s *suite) deposited(t *testing.T) *refundCase {
	t.Helper()
	p := s.prepare(t, s.request(amountKRW))
	key := s.AwaitDeposit(t, p)
	if s.Kind == domain.Widget {
		if _, err := s.confirm(t, p, key); err != nil {
			t.Fatalf("confirm: %v", err)
		}
	}
	if waiting := s.wantState(t, p, ports.ProviderProcessing); waiting.Instructions == nil {
		t.Error("the buyer is not told where to pay")
	}
	s.Deposit(t, p)
	paid := s.wantState(t, p, ports.ProviderPaid)
	session := domain.Session{MethodUsed: paid.Method}
	if _, err := s.provider.Describe().RefundAccountOf(session, nil); !errors.Is(err, domain.ErrRefundAccountRequired) {
		t.Errorf("the description does not say that refunds of %q need an account: %v", paid.Method, err)
	}
	g := &refundCase{Purchase: p, ref: p.Ref(), left: amountKRW.Minor}
	g.ref.ProviderPaymentID = paid.ProviderID
	return g
}
