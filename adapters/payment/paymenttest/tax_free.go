package paymenttest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// toldTaxFree reports whether the adapter says that the provider is told the tax-free part of such sessions.
func (s *suite) toldTaxFree() bool { return slices.Contains(s.provider.Describe().TaxFree, s.Kind) }

// taxFreeAmounts: a payment that is partly or wholly tax-free is refunded in three random parts until nothing is left. The
// provider knows what is tax-free of each, to the unit; one that is not told takes and refunds as ever.
func taxFreeAmounts(t *testing.T, s *suite) {
	random := rand.New(rand.NewPCG(21, 8)) //nolint:gosec // the same parts in every run
	for n := range 20 {
		total := 3 + random.Int64N(100_000)
		taxFree := 1 + random.Int64N(total)
		if n == 0 {
			taxFree = total
		}
		s.refundMixed(t, total, taxFree, func(most int64) int64 { return random.Int64N(most + 1) })
	}
}

// refundMixed pays total won, of which taxFree have no tax, and refunds them in three parts; part is some of an amount.
func (s *suite) refundMixed(t *testing.T, total, taxFree int64, part func(most int64) int64) {
	t.Helper()
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	r := s.request(won(total))
	r.TaxFree = won(taxFree)
	p, _ := s.payFor(t, r)
	ref := p.Ref()
	ref.ProviderPaymentID = s.wantState(t, p, ports.ProviderPaid).ProviderID
	left, leftTaxFree := total, taxFree
	for n := range 3 {
		backTaxFree, backTaxed := part(leftTaxFree), part(left-leftTaxFree)
		switch {
		case n == 2:
			backTaxFree, backTaxed = leftTaxFree, left-leftTaxFree
		case backTaxFree+backTaxed == left: // something is left for the next
			continue
		}
		back := backTaxFree + backTaxed
		if back == 0 {
			continue
		}
		if _, err := s.send(t, fmt.Sprintf("refund-key-tax-%d-of-%s", n, r.PaymentID), ports.RefundRequest{
			PaymentRef: ref, Captured: r.Amount, Amount: won(back), Remaining: won(left), TaxFree: won(backTaxFree), RemainingTaxFree: won(leftTaxFree),
			Reason: "goods returned",
		}); err != nil {
			t.Fatalf("%d of %d, %d of %d tax-free: %v", back, left, backTaxFree, leftTaxFree, err)
		}
		left, leftTaxFree = left-back, leftTaxFree-backTaxFree
		s.wantTaxFree(t, p, total-left, taxFree-leftTaxFree)
	}
}

// consoleTaxFree: what a refund in the provider's console took of the tax-free part is listed with it, so that the next
// refund of ours names what is left.
func consoleTaxFree(t *testing.T, s *suite) {
	if !s.toldTaxFree() {
		return
	}
	r := s.request(amountKRW)
	r.TaxFree = money.Of(10000, "KRW")
	p, _ := s.payFor(t, r)
	s.ConsoleRefund(t, p, 6000)
	got, err := s.lookup(t, p.Ref())
	ref := p.Ref()
	if ref.ProviderPaymentID = got.ProviderID; err == nil {
		got, err = s.lookup(t, ref)
	}
	if want := s.Ledger(t, p).RefundedTaxFree; err != nil || len(got.Refunds) != 1 || got.Refunds[0].TaxFree != want {
		t.Errorf("listed: %+v, %v; the provider refunded %v of the tax-free part", got.Refunds, err, want)
	}
}

// wantTaxFree asks the provider what of a payment is refunded, and what of that is tax-free.
func (s *suite) wantTaxFree(t *testing.T, p Purchase, refunded, refundedTaxFree int64) {
	t.Helper()
	taxFree := p.Request.TaxFree.Minor
	if !s.toldTaxFree() {
		taxFree, refundedTaxFree = 0, 0
	}
	b := s.Ledger(t, p)
	if b.Captured != p.Request.Amount || b.Refunded.Minor != refunded || b.TaxFree.Minor != taxFree || b.RefundedTaxFree.Minor != refundedTaxFree {
		t.Errorf("the provider's ledger: %+v, want %d tax-free, %d refunded, %d of it tax-free", b, taxFree, refunded, refundedTaxFree)
	}
}

// wrongTaxFreeAmounts: where the provider is told, no request is built of a tax-free part that is none, and no refund of more,
// taxed or tax-free, than is left.
func wrongTaxFreeAmounts(t *testing.T, s *suite) {
	if !s.toldTaxFree() {
		return // it is not told
	}
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	for _, taxFree := range []money.Money{won(-1), won(amountKRW.Minor + 1), money.Of(1, "USD")} {
		r := s.request(amountKRW)
		r.TaxFree = taxFree
		s.wantUnbuilt(t, ports.PrepareRequest{PaymentRequest: r})
		s.wantUnbuilt(t, ports.ConfirmRequest{PaymentRequest: r, PaymentKey: "key-of-the-approval"}) // other kinds have no confirm
		if _, err := s.provider.Action(s.Connection, r, Purchase{}.Prepared); !errors.Is(err, fault.ErrInternal) {
			t.Errorf("an action of %v tax-free: %v", taxFree, err)
		}
	}
	ref := ports.PaymentRef{PaymentID: s.request(amountKRW).PaymentID, ProviderPaymentID: "pay_1"}
	for _, c := range []struct{ back, backTaxFree, leftTaxFree money.Money }{
		{won(5000), won(4001), won(4000)},
		{won(3000), won(3001), won(4000)},
		{won(amountKRW.Minor - 4000 + 1), won(0), won(4000)},
		{won(5000), won(-1), won(4000)},
		{won(5000), money.Of(1, "USD"), won(4000)},
		{won(5000), won(0), won(amountKRW.Minor + 1)},
	} {
		s.wantUnbuilt(t, ports.RefundRequest{
			PaymentRef: ref, Captured: amountKRW, Amount: c.back, Remaining: amountKRW, TaxFree: c.backTaxFree, RemainingTaxFree: c.leftTaxFree,
			Reason: "goods returned",
		})
	}
}

func (s *suite) wantUnbuilt(t *testing.T, r ports.ProviderRequest) {
	t.Helper()
	if body, err := s.provider.Build(s.Connection, r); !errors.Is(err, fault.ErrInternal) {
		t.Errorf("%+v: %s, %v", r, body, err)
	}
}
