package payment

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// RefundParts are the parts of a refund that its goods ask for, as far as they are left of the payment.
type RefundParts struct {
	TaxFree *money.Money // without value added tax; nil: in proportion to what is left
	Taxes   tax.Taxes    // of each rate; nil: in proportion to what is left, and empty for goods without taxes
}

// TaxesLeft are the taxes in UnrefundedAmount: those of the payment without those of all refunds that count. What else happens to
// the order does not change them. nil for a payment without taxes. Rule taxes-8.
func (p RefundablePayment) TaxesLeft() tax.Taxes {
	left := p.Taxes
	for _, r := range p.Refunds {
		if r.State.CountsAgainstPaid() {
			left = left.Minus(r.Taxes)
		}
	}
	return left
}

// TaxesShare are the taxes in a refund of amount: asked, as far as they are left, or where that is nil in proportion to what is
// left. The last refund takes exactly what is left of each rate. Rule taxes-8.
func (p RefundablePayment) TaxesShare(amount money.Money, asked tax.Taxes) tax.Taxes {
	return p.TaxesLeft().Share(p.UnrefundedAmount().Minor, amount.Minor, asked)
}

// RestoreTaxes returns those refunds of p that were made at the provider, and got less than their part of its taxes since they
// overlapped others, whose taxes are more now that another one failed. Rule taxes-8.
func (p RefundablePayment) RestoreTaxes() (changed []Refund) {
	var short []Refund
	rest := p
	rest.Refunds = nil
	for _, r := range p.Refunds {
		if r.State.CountsAgainstPaid() && r.Amount.Minor > r.RemainingBefore.Minor {
			short = append(short, r)
		} else {
			rest.Refunds = append(rest.Refunds, r)
		}
	}
	for _, r := range short {
		had := r.Taxes
		r.RemainingBefore, r.Taxes = rest.UnrefundedAmount(), rest.TaxesShare(r.Amount, nil)
		if r.Taxes.Since(had) != nil {
			changed = append(changed, r)
		}
		rest = rest.WithRefund(r)
	}
	return changed
}

// KeepTaxes returns the payments of an order with their taxes such that these are left of them all together, of each what its
// UnrefundedAmount is of theirs.
func KeepTaxes(all []RefundablePayment, kept tax.Taxes) []RefundablePayment {
	var amount int64
	for _, p := range all {
		amount += p.UnrefundedAmount().Minor
	}
	out := make([]RefundablePayment, len(all))
	for i, p := range all {
		p.Taxes = kept.Share(amount, p.UnrefundedAmount().Minor, nil)
		kept, amount = kept.Minus(p.Taxes), amount-p.UnrefundedAmount().Minor
		for _, r := range p.Refunds {
			if r.State.CountsAgainstPaid() {
				p.Taxes = p.Taxes.Plus(r.Taxes)
			}
		}
		out[i] = p
	}
	return out
}

// WithTaxes is the record of a payment that has these taxes in it.
func WithTaxes(paid collection.Record, taxes tax.Taxes) collection.Record {
	r := paid.Clone()
	putTaxes(r, taxes)
	return r
}

// RestateTaxes is the record of a payment after these are the taxes in it, with an entry of what that changed.
func RestateTaxes(paid collection.Record, taxes tax.Taxes) collection.Record {
	r := WithTaxes(paid, taxes)
	r[taxesBooked] = true
	return r
}

// AssignTo is the record of an unapplied payment after it became an order that has these taxes in it.
func AssignTo(paid collection.Record, orderID string, taxes tax.Taxes) collection.Record {
	r := RestateTaxes(paid, taxes)
	r["order"] = orderID
	return r
}

// putTaxes adds the taxes in the amount of a transaction to its record, if there are any.
func putTaxes(r collection.Record, t tax.Taxes) {
	if len(t) > 0 {
		r["taxes"] = t.Records()
	}
}
