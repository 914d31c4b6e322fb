package payment_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
)

func TestExternalRefundHasTheTaxFreePartThatIsTold(t *testing.T) {
	t.Parallel()
	p := RefundablePayment{ID: "t1", Paid: money.Of(15000, "KRW"), TaxFree: money.Of(10000, "KRW")}
	for name, c := range map[string]struct{ told, want money.Money }{
		"nothing is told": {money.Money{}, money.Of(3000, "KRW")}, "all taxed": {money.Of(0, "KRW"), money.Of(0, "KRW")},
		"all tax-free":           {money.Of(4500, "KRW"), money.Of(4500, "KRW")},
		"more than that is told": {money.Of(9000, "KRW"), money.Of(4500, "KRW")},
	} {
		r, ok, err := p.AdoptRefund(ProviderRefund{ProviderID: "re_1", State: RefundSucceeded, Amount: money.Of(4500, "KRW"), TaxFree: c.told})
		if err != nil || !ok || r.TaxFree != c.want {
			t.Errorf("%s: %v, %v", name, r.TaxFree, err)
		}
		if left := p.WithRefund(r).TaxFreeLeft(); left != p.TaxFree.Minus(c.want) {
			t.Errorf("%s: %v are left", name, left)
		}
	}
}
