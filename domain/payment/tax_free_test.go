package payment_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
)

func TestTaxFreeShareOfARefund(t *testing.T) {
	t.Parallel()
	refunded := func(amount, taxFree int64, s RefundState) Refund {
		return Refund{ID: fmt.Sprint(amount, s), State: s, Amount: krw(amount), TaxFree: krw(taxFree)}
	}
	for name, c := range map[string]struct {
		taxFree int64
		refunds []Refund
		amount  int64
		asked   *money.Money
		want    int64
	}{
		"in proportion":                        {400, nil, 500, nil, 200},
		"by largest remainder":                 {400, nil, 3, nil, 1},
		"all of it":                            {400, nil, 1000, nil, 400},
		"as asked":                             {400, nil, 500, new(krw(400)), 400},
		"asked for none":                       {400, nil, 500, new(krw(0)), 0},
		"no more than is left of it":           {400, []Refund{refunded(300, 300, RefundSucceeded)}, 500, new(krw(400)), 100},
		"no more than the refund":              {400, nil, 100, new(krw(400)), 100},
		"no more taxed than is left of that":   {400, []Refund{refunded(500, 0, RefundPending)}, 300, new(krw(0)), 200},
		"the last refund takes what is left":   {400, []Refund{refunded(700, 111, RefundSucceeded)}, 300, new(krw(0)), 289},
		"in proportion to what is left":        {400, []Refund{refunded(400, 400, RefundSucceeded)}, 300, nil, 0},
		"a failed refund gives its part back":  {400, []Refund{refunded(400, 400, RefundFailed)}, 500, nil, 200},
		"a refused refund gives its part back": {400, []Refund{refunded(400, 400, RefundRefused)}, 500, nil, 200},
		"everything is tax-free":               {1000, nil, 300, new(krw(0)), 300},
		"more than is left, made elsewhere":    {400, []Refund{refunded(900, 300, RefundPending)}, 500, nil, 100},
	} {
		p := RefundablePayment{ID: "t1", Paid: krw(1000), TaxFree: krw(c.taxFree), Refunds: c.refunds}
		if got := p.TaxFreeShare(krw(c.amount), c.asked); got != krw(c.want) {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}

// The provider of a payment without a tax-free part is told nothing of it.
func TestPaymentWithoutTaxFreePart(t *testing.T) {
	t.Parallel()
	p := refundablePayment()
	r, err := p.BeginRefund(krw(300), RefundParts{TaxFree: new(krw(300))})
	if err != nil || r.TaxFree != (money.Money{}) || r.RemainingTaxFree != (money.Money{}) || p.TaxFreeLeft() != (money.Money{}) {
		t.Errorf("%+v %v", r, err)
	}
	if written := r.Record(); written["taxFreeAmount"] != nil || written["remainingTaxFree"] != nil {
		t.Errorf("%+v", written)
	}
	paid := Transaction{ID: "t1", Amount: krw(1000)}
	if written := paid.Record(); written["taxFreeAmount"] != nil {
		t.Errorf("%+v", written)
	}
}

func TestTaxFreePartNeverExceedsItsPayment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, asked, captured, inSession, inTransaction money.Money }{
		"none":                 {krw(0), krw(1000), krw(1000), money.Money{}, money.Money{}},
		"a part":               {krw(400), krw(1000), krw(1000), krw(400), krw(400)},
		"all":                  {krw(1000), krw(1000), krw(1000), krw(1000), krw(1000)},
		"too much":             {krw(1001), krw(1000), krw(1000), krw(1000), krw(1000)},
		"less is captured":     {krw(400), krw(1000), krw(300), krw(400), krw(300)},
		"more is captured":     {krw(400), krw(1000), krw(2000), krw(400), krw(400)},
		"another currency":     {krw(400), money.Of(1000, "USD"), money.Of(1000, "USD"), money.Money{}, money.Money{}},
		"captured in another":  {krw(400), krw(1000), money.Of(1000, "USD"), krw(400), money.Money{}},
		"no money is captured": {krw(400), krw(1000), krw(0), krw(400), money.Money{}},
	} {
		s := BeginSession(Session{Amount: c.asked, TaxFree: c.part})
		paid := Transaction{Session: s, Amount: c.captured}
		if s.TaxFree != c.inSession || paid.TaxFree() != c.inTransaction || SessionFrom(s.Record()).TaxFree != c.inSession {
			t.Errorf("%s: %v in the session, %v in the transaction", name, s.TaxFree, paid.TaxFree())
		}
	}
}

// partlyTaxFree is a payment of which any part is tax-free.
func partlyTaxFree(t *rapid.T) RefundablePayment {
	c := rapid.SampledFrom([]money.Currency{"KRW", "USD", "KWD"}).Draw(t, "currency")
	paid := rapid.Int64Range(1, 100_000).Draw(t, "paid")
	return RefundablePayment{ID: "t1", Paid: money.Of(paid, c), TaxFree: money.Of(rapid.Int64Range(1, paid).Draw(t, "tax-free"), c)}
}

// anyShare is what a refund of amount asks for: nothing, or any part, possible or not.
func anyShare(t *rapid.T, amount money.Money) *money.Money {
	if rapid.Bool().Draw(t, "in proportion") {
		return nil
	}
	return new(money.Of(rapid.Int64Range(0, 2*amount.Minor).Draw(t, "asked"), amount.Currency))
}

// checkShare is what holds of every refund: it takes no more of either part than is left.
func checkShare(t *rapid.T, p RefundablePayment, r Refund) {
	taxFree, left := p.TaxFreeLeft(), p.UnrefundedAmount()
	taxed := left.Minus(taxFree)
	if r.RemainingBefore != left || r.RemainingTaxFree != taxFree {
		t.Fatalf("%v of %v were left, the refund says %v of %v", taxFree, left, r.RemainingTaxFree, r.RemainingBefore)
	}
	if r.TaxFree.Minor < 0 || r.TaxFree.Minor > min(r.Amount.Minor, taxFree.Minor) || r.Amount.Minor-r.TaxFree.Minor > taxed.Minor {
		t.Fatalf("%v of %v, while %v and %v taxed are left", r.TaxFree, r.Amount, taxFree, taxed)
	}
	if p = p.WithRefund(r); p.TaxFreeLeft() != taxFree.Minus(r.TaxFree) || !p.TaxFreeExcess().IsZero() {
		t.Fatalf("%v are left of %v after %v", p.TaxFreeLeft(), taxFree, r.TaxFree)
	}
}

// However a payment is refunded, by how many refunds, made here or at the provider, with whatever parts asked for, and
// whichever of them fail: none takes more of either part than is left, and once everything is refunded both parts are.
func TestRefundsTakeExactlyBothParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := partlyTaxFree(t)
		for n := 0; !p.RefundableAmount().IsZero(); n++ {
			amount := p.RefundableAmount()
			if n < 20 {
				amount.Minor = rapid.Int64Range(1, amount.Minor).Draw(t, "amount")
			}
			r, err := p.BeginRefund(amount, RefundParts{TaxFree: anyShare(t, amount)})
			if rapid.IntRange(0, 4).Draw(t, "made") == 0 {
				r, _, err = p.AdoptRefund(ProviderRefund{ProviderID: fmt.Sprint("external ", n), Amount: amount, State: RefundSucceeded})
			}
			if err != nil {
				t.Fatal(err)
			}
			r.ID, r.State = fmt.Sprint(n), RefundPending
			checkShare(t, p, r)
			if r.State = rapid.SampledFrom([]RefundState{RefundPending, RefundSucceeded, RefundFailed, RefundRefused}).Draw(t, "state"); n >= 20 {
				r.State = RefundSucceeded
			}
			p = p.WithRefund(r)
		}
		var all, taxFree int64
		for _, r := range p.Refunds {
			if r.State.CountsAgainstPaid() {
				all, taxFree = all+r.Amount.Minor, taxFree+r.TaxFree.Minor
			}
		}
		if all != p.Paid.Minor || taxFree != p.TaxFree.Minor || !p.TaxFreeLeft().IsZero() {
			t.Fatalf("refunded %d of %v, of it tax-free %d of %v", all, p.Paid, taxFree, p.TaxFree)
		}
	})
}

// Refunds of lines, in whatever order and split, take exactly what these lines cost.
func TestRefundsOfLinesTakeTheirPartExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.Int64Range(1, 10_000), 1, 8).Draw(t, "lines")
		p := RefundablePayment{ID: "t1", Paid: krw(0), TaxFree: krw(0)}
		taxFree := func(i int) bool { return i%2 == 0 }
		for i, l := range lines {
			if p.Paid.Minor += l; taxFree(i) {
				p.TaxFree.Minor += l
			}
		}
		order := make([]int, len(lines))
		for i := range order {
			order[i] = i
		}
		for _, i := range rapid.Permutation(order).Draw(t, "order") {
			want := krw(0)
			if taxFree(i) {
				want.Minor = lines[i]
			}
			r, err := p.BeginRefund(krw(lines[i]), RefundParts{TaxFree: &want})
			if err != nil || r.TaxFree != want {
				t.Fatalf("%v of %d, want %v: %v", r.TaxFree, lines[i], want, err)
			}
			r.ID, r.State = fmt.Sprint(i), RefundSucceeded
			p = p.WithRefund(r)
		}
	})
}

// Money that the provider took back keeps its part: what is left to refund is refunded in proportion, and once the money is
// returned the last refund takes the rest of both.
func TestMoneyTakenBackKeepsItsTaxFreePart(t *testing.T) {
	t.Parallel()
	p := RefundablePayment{ID: "t1", Paid: krw(1000), TaxFree: krw(400)}
	gone := p.BeginReversal(MoneyGone{ProviderID: "dp_1", Amount: krw(500), Cause: CauseDispute})
	gone.ID = "v1"
	r, err := p.WithReversal(gone).BeginRefund(money.Money{}, RefundParts{})
	if err != nil || r.Amount != krw(500) || r.TaxFree != krw(200) || r.RemainingTaxFree != krw(400) {
		t.Fatalf("%+v %v", r, err)
	}
	r.ID, r.State = "r1", RefundSucceeded
	p = p.WithReversal(gone).WithRefund(r)
	if _, err := p.BeginRefund(money.Money{}, RefundParts{}); !errors.Is(err, ErrExceedsPaid) {
		t.Error(err)
	}
	gone.Returned = true
	if last, err := p.WithReversal(gone).BeginRefund(money.Money{}, RefundParts{}); err != nil || last.Amount != krw(500) || last.TaxFree != krw(200) {
		t.Errorf("%+v %v", last, err)
	}
}

func TestTaxFreePartIsReadWithItsPayment(t *testing.T) {
	t.Parallel()
	paid := Transaction{ID: "t1", Amount: krw(1000), Session: Session{TaxFree: krw(400)}}.Record()
	older := Transaction{ID: "t2", Amount: krw(1000)}.Record()
	got := RefundablePayments([]collection.Record{paid, older})
	if got[0].TaxFreeLeft() != krw(400) || got[1].TaxFreeLeft() != (money.Money{}) {
		t.Errorf("%+v", got)
	}
	over := got[0].WithRefund(Refund{ID: "r1", State: RefundSucceeded, Amount: krw(500), TaxFree: krw(401)})
	if over.TaxFreeExcess() != krw(1) || !got[0].TaxFreeExcess().IsZero() {
		t.Errorf("%v", over.TaxFreeExcess())
	}
}
