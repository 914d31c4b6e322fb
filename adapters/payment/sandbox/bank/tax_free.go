package bank

import (
	"math/big"
	"net/http"
)

// taxFreeShare is the tax-free part of a refund of amount, at most what is left: the one asked for, or in proportion to
// what is left, rounded half up. It refuses a part that is more than is left of that, or that leaves more taxed money to
// refund than is left of it.
func (p payment) taxFreeShare(amount int64, asked *int64) (int64, error) {
	left, taxFree := p.refundable(), p.TaxFree
	for _, r := range p.Refunds {
		if r.Status != refundFailed {
			taxFree -= r.TaxFree
		}
	}
	if asked == nil {
		share := new(big.Int).Mul(big.NewInt(2*amount), big.NewInt(taxFree))
		share.Add(share, big.NewInt(left))
		return share.Quo(share, big.NewInt(2*left)).Int64(), nil
	}
	if *asked < 0 || *asked > min(amount, taxFree) || amount-*asked > left-taxFree {
		return 0, refuse(http.StatusConflict, "TAX_FREE_EXCEEDS_REMAINING",
			"Of what is left, %d is tax-free and %d taxed: a refund of %d cannot have %d tax-free.", taxFree, left-taxFree, amount, *asked)
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
