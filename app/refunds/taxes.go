package refunds

import (
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// taxesLeft are the taxes in what the order still comes to, and that, in minor units: what cancels of lines took off and what
// was refunded is not in it. Rule taxes-8.
func (x refundable) taxesLeft() (left tax.Taxes, all int64) {
	o := x.order
	if x.unapplied != nil || o.Taxes == nil {
		return nil, 0
	}
	left, all = o.Taxes.Rates, o.Total.Minor
	ofCancels := map[string]bool{} // these are counted with their cancel
	for _, c := range o.LineCancels {
		left, all, ofCancels[c.Key] = left.Minus(c.Taxes), all-c.Amount().Minor, true
	}
	for _, p := range x.payments {
		for _, r := range p.Refunds {
			if r.State.CountsAgainstPaid() && !ofCancels[r.Key] {
				left, all = left.Minus(r.Taxes), all-r.Amount.Minor
			}
		}
	}
	return left, all
}

// taxesIn are the taxes in amount minor units that are given back now: asked, as far as they are left, or where that is nil in
// proportion to what is left.
func (x refundable) taxesIn(amount int64, asked tax.Taxes) tax.Taxes {
	left, all := x.taxesLeft()
	return left.Share(all, amount, asked)
}
