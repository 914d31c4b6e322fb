package payment_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// The provider is told the tax of its own country that the shop computed, or that of its usual rate.
//
// Rule payments-68.
func TestVATOfAPaymentIsTold(t *testing.T) {
	t.Parallel()
	told := Provider{TaxFree: []Kind{Standard}, VATCountry: "KR", VATPercent: 10}
	taxes := &sale.Taxes{Rates: tax.Taxes{{Rate: "vat", Country: "KR", Amount: krw(55)}, {Rate: "jct", Country: "JP", Amount: krw(7)}}}
	begun := Session{Action: Action{Kind: Standard}, Amount: krw(1000), TaxFree: krw(400)}
	for name, c := range map[string]struct {
		session Session
		of      Provider
		taxes   *sale.Taxes
		want    money.Money
	}{
		"of its country":         {begun, told, taxes, krw(55)},
		"none of its country":    {begun, told, &sale.Taxes{}, krw(0)},
		"nothing is computed":    {begun, told, nil, krw(55)}, // 600 ÷ 11 = 54.5…
		"no tax-free part":       {Session{Action: begun.Action, Amount: krw(1000)}, told, taxes, money.Money{}},
		"on a page":              {Session{Action: Action{Kind: Hosted}, Amount: krw(1000), TaxFree: krw(400)}, told, taxes, money.Money{}},
		"a provider that is not": {begun, Provider{TaxFree: []Kind{Standard}}, taxes, money.Money{}},
	} {
		if got := c.session.TellVAT(c.of, c.taxes).VAT; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A refund is told with the VAT of its own taxes, as far as the refunds before it, as they were told, left it.
//
// Rule payments-69.
func TestVATOfARefundIsThatOfItsTaxes(t *testing.T) {
	t.Parallel()
	refunded := func(amount, vat int64, s RefundState) Refund {
		return Refund{ID: fmt.Sprint(amount, s), State: s, Amount: krw(amount), TaxFree: krw(0), VAT: krw(vat)}
	}
	ten := func(vat int64) tax.Taxes {
		return tax.Taxes{{Rate: "vat", Country: "KR", Base: krw(10 * vat), Amount: krw(vat)}}
	}
	for name, c := range map[string]struct {
		paid, taxFree, whole int64
		refunds              []Refund
		amount               int64
		taxes                tax.Taxes
		want                 int64
	}{
		"zero-rated goods":                    {700, 400, 10, nil, 190, ten(0), 0},
		"the console took all of it":          {700, 400, 10, []Refund{refunded(110, 10, RefundSucceeded)}, 190, ten(0), 0},
		"its own, not that of its place":      {700, 400, 10, []Refund{refunded(190, 0, RefundSucceeded)}, 110, ten(10), 10},
		"the last after one that failed":      {700, 400, 27, []Refund{refunded(11, 0, RefundFailed), refunded(1, 1, RefundSucceeded)}, 299, ten(27), 26},
		"the last takes what is left":         {700, 400, 27, []Refund{refunded(100, 0, RefundPending)}, 200, ten(18), 27},
		"no more than is left":                {700, 400, 27, []Refund{refunded(10, 20, RefundSucceeded)}, 200, ten(18), 7},
		"what its rest could not contain":     {700, 400, 27, []Refund{refunded(270, 0, RefundSucceeded)}, 20, ten(1), 17},
		"in proportion, no taxes are known":   {700, 400, 27, nil, 100, nil, 9},
		"of another country":                  {700, 400, 27, nil, 100, tax.Taxes{{Rate: "jct", Country: "JP", Amount: krw(9)}}, 0},
		"more than the console left room for": {700, 400, 27, []Refund{refunded(290, 0, RefundSucceeded)}, 10, ten(1), 10},
	} {
		p := RefundablePayment{ID: "t1", Paid: krw(c.paid), TaxFree: krw(c.taxFree), Refunds: c.refunds}
		r, err := p.BeginRefund(krw(c.amount), RefundParts{TaxFree: new(krw(0))})
		r.Taxes = c.taxes
		if got := p.TellVAT(r, krw(c.whole), "KR").VAT; err != nil || got != krw(c.want) {
			t.Errorf("%s: %v, want %d: %v", name, got, c.want, err)
		}
		if got := p.TellVAT(r, money.Money{}, "KR").VAT; got != (money.Money{}) {
			t.Errorf("%s: a provider that is not told is told %v", name, got)
		}
	}
}

// However a payment is refunded, here and in the provider's console, and whichever of the refunds fail, at once or later: none is told
// with more VAT than is left, and the VAT of all that count is exactly that of the payment.
//
// Rule payments-69.
func TestVATThatIsToldAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := partlyTaxFree(t)
		c := p.Paid.Currency
		whole := money.Of(rapid.Int64Range(0, p.Paid.Minor-p.TaxFree.Minor).Draw(t, "VAT"), c)
		if rapid.Bool().Draw(t, "taxes") {
			p.Taxes = tax.Taxes{{Rate: "vat", Country: "KR", Base: money.Of(p.Paid.Minor-whole.Minor, c), Amount: whole}}
		}
		toldLeft := func() (left, taxed int64) {
			left, taxed = whole.Minor, p.Paid.Minor-p.TaxFree.Minor
			for _, r := range p.Refunds {
				if r.State.CountsAgainstPaid() {
					left, taxed = left-r.VAT.Minor, taxed-(r.Amount.Minor-r.TaxFree.Minor)
				}
			}
			return left, taxed
		}
		for n := 0; n < 20 || !p.RefundableAmount().IsZero(); n++ {
			late := slices.IndexFunc(p.Refunds, func(r Refund) bool { return r.State == RefundPending })
			if late >= 0 && (n >= 20 || rapid.Bool().Draw(t, "late")) {
				r := p.Refunds[late]
				r.State = rapid.SampledFrom([]RefundState{RefundSucceeded, RefundFailed}).Draw(t, "became")
				p = p.WithRefund(r)
				continue
			}
			amount := p.RefundableAmount()
			if amount.IsZero() {
				break
			}
			if n < 20 {
				amount.Minor = rapid.Int64Range(1, amount.Minor).Draw(t, "amount")
			}
			left, taxed := toldLeft()
			r, err := p.BeginRefund(amount, RefundParts{TaxFree: anyShare(t, amount)})
			if n < 20 && rapid.IntRange(0, 3).Draw(t, "made") == 0 { // the console takes any VAT that leaves what the rest can contain
				of := r.Amount.Minor - r.TaxFree.Minor
				r, _, err = p.AdoptRefund(ProviderRefund{
					ProviderID: fmt.Sprint("external ", n), Amount: amount, TaxFree: r.TaxFree, State: RefundSucceeded,
					VAT: money.Of(rapid.Int64Range(max(0, left-(taxed-of)), min(left, of)).Draw(t, "told"), c),
				})
			} else {
				r = p.TellVAT(r, whole, "KR")
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.VAT.Minor < 0 || r.VAT.Minor > min(left, amount.Minor-r.TaxFree.Minor) {
				t.Fatalf("%v in %v, of it %v tax-free, while %d are left", r.VAT, amount, r.TaxFree, left)
			}
			r.ID = fmt.Sprint(n)
			if r.State = rapid.SampledFrom([]RefundState{RefundPending, RefundSucceeded, RefundFailed}).Draw(t, "state"); n >= 20 {
				r.State = RefundSucceeded
			}
			p = p.WithRefund(r)
		}
		if left, _ := toldLeft(); left != 0 && p.UnrefundedAmount().IsZero() {
			t.Fatalf("%d are left of %v", left, whole)
		}
	})
}
