package bank

import (
	"math/big"
	"net/http"
)

// taxFreeShare is the tax-free part of a refund of amount, at most what is left: the one asked for, or in proportion to
// what is left, rounded half up. It refuses a part that is more than is left of that, or that leaves more taxed money to
// refund than is left of it.
func (p payment) taxFreeShare(amount int64, asked *int64) (int64, error) {
	left, taxFree := p.refundable(), min(p.TaxFree, p.Captured) // less may be captured than was asked for
	for _, r := range p.Refunds {
		if r.Status != refundFailed {
			taxFree -= r.TaxFree
		}
	}
	if asked == nil {
		return proportion(amount, taxFree, left), nil
	}
	if *asked < 0 || *asked > min(amount, taxFree) || amount-*asked > left-taxFree {
		return 0, refuse(http.StatusConflict, "TAX_FREE_EXCEEDS_REMAINING",
			"Of what is left, %d is tax-free and %d taxed: a refund of %d cannot have %d tax-free.", taxFree, left-taxFree, amount, *asked)
	}
	return *asked, nil
}

// proportion is amount × part ÷ whole, rounded half up.
func proportion(amount, part, whole int64) int64 {
	share := new(big.Int).Mul(big.NewInt(2*amount), big.NewInt(part))
	share.Add(share, big.NewInt(whole))
	return share.Quo(share, big.NewInt(2*whole)).Int64()
}

// capturedTaxFree is the tax-free part of a capture of amount: the one asked for, or in proportion to what is held.
func (p payment) capturedTaxFree(amount int64, asked *int64) (int64, error) {
	switch {
	case asked == nil:
		return proportion(amount, p.TaxFree, p.Held), nil
	case *asked < 0 || *asked > min(amount, p.TaxFree) || amount-*asked > p.Held-p.TaxFree:
		return 0, refuse(http.StatusConflict, "TAX_FREE_EXCEEDS_REMAINING",
			"Of what is held, %d is tax-free and %d taxed: a capture of %d cannot have %d tax-free.", p.TaxFree, p.Held-p.TaxFree, amount, *asked)
	}
	return *asked, nil
}

// taxFreeView is a tax-free part as the payment page shows it.
type taxFreeView struct{ Label, Amount string }

// taxFreeViews are the tax-free parts of p and of its refunds that did not fail; none if nothing of p is tax-free.
func (p payment) taxFreeViews() []taxFreeView {
	if p.TaxFree == 0 {
		return nil
	}
	views := []taxFreeView{{"Tax-free", displayAmount(p.TaxFree, p.Currency)}}
	for _, r := range p.Refunds {
		if r.Status != refundFailed {
			views = append(views, taxFreeView{"Tax-free in a refund", displayAmount(r.TaxFree, p.Currency)})
		}
	}
	return views
}
