package payment

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// taxFreePart is part as the tax-free part of amount: never more than it, and the zero Money for none, or where the two
// are in different currencies.
func taxFreePart(part, amount money.Money) money.Money {
	if part.Minor <= 0 || amount.Minor <= 0 || part.Currency != amount.Currency {
		return money.Money{}
	}
	return part.Min(amount)
}

// TaxFree is the part of the payment t that is free of value added tax, as its provider was told when the session began;
// the zero Money for none. Money that differs from what was asked for has no larger part than itself.
func (t Transaction) TaxFree() money.Money { return taxFreePart(t.Session.TaxFree, t.Amount) }

// TellVAT returns s with the value added tax in the rest of its amount, if its provider p is told: that of the rates of its country
// among taxes, which the shop computed. Where it computes none, nil, the rest contains VATPercent of p, rounded half up.
// Rule payments-68.
func (s Session) TellVAT(p Provider, taxes *sale.Taxes) Session {
	switch {
	case p.VATCountry == "" || s.TaxFree.IsZero() || !slices.Contains(p.TaxFree, s.Kind):
	case taxes == nil:
		with := 100 + p.VATPercent
		s.VAT = money.Of((2*p.VATPercent*(s.Amount.Minor-s.TaxFree.Minor)+with)/(2*with), s.Amount.Currency)
	default:
		s.VAT = money.Of(taxes.Rates.Of(p.VATCountry), s.Amount.Currency)
	}
	return s
}

// TellVAT returns r, a refund of p that is not among its refunds yet, with the value added tax in it that the provider is told, where it
// was told whole in the payment: that of the rates of country in its taxes, or without such taxes in proportion. It is within the
// taxed part of r, and never more than the refunds that count left of whole, as they were told; the refund that takes the rest of the
// taxed part takes exactly that. Rule payments-69.
func (p RefundablePayment) TellVAT(r Refund, whole money.Money, country string) Refund {
	if whole.Currency == "" {
		return r
	}
	left := whole.Minor
	for _, other := range p.Refunds {
		if other.State.CountsAgainstPaid() {
			left -= other.VAT.Minor
		}
	}
	left = max(0, left)
	taxed, taxedLeft := r.Amount.Minor-r.TaxFree.Minor, r.RemainingBefore.Minor-r.RemainingTaxFree.Minor
	vat := tax.PortionOf(left, taxedLeft, 0, taxed)
	if len(r.Taxes) > 0 {
		vat = r.Taxes.Of(country)
	}
	r.VAT = money.Of(min(max(vat, left-(taxedLeft-taxed)), left, taxed), whole.Currency)
	return r
}

// TaxFreeLeft is the tax-free part of UnrefundedAmount, the zero Money for a payment without such a part. What the provider
// took back without a refund does not change it: such money keeps the parts that it has here until it is returned.
// Rule payments-69.
func (p RefundablePayment) TaxFreeLeft() money.Money {
	if p.TaxFree.IsZero() {
		return money.Money{}
	}
	left := p.TaxFree.Minus(p.taxFreeRefunded())
	return money.Of(max(0, min(left.Minor, p.UnrefundedAmount().Minor)), left.Currency)
}

// taxFreeRefunded is the tax-free part of all refunds that count.
func (p RefundablePayment) taxFreeRefunded() money.Money {
	all := money.Of(0, p.Paid.Currency)
	for _, r := range p.Refunds {
		if r.State.CountsAgainstPaid() {
			all.Minor += r.TaxFree.Minor
		}
	}
	return all
}

// TaxFreeExcess is how much more of the tax-free part of p was refunded than it has; zero for a payment in order.
func (p RefundablePayment) TaxFreeExcess() money.Money {
	return money.Of(max(0, p.taxFreeRefunded().Minor-p.TaxFree.Minor), p.Paid.Currency)
}

// TaxFreeShare is the tax-free part of a refund of amount: asked, or where that is nil in proportion to what is left of
// both parts, by largest remainder. It is never more than what is left of the tax-free part, nor than amount, and the rest
// of amount is never more than what is left of the taxed part: the last refund takes exactly what is left of both. It
// is the zero Money for a payment without a tax-free part. Rule payments-69.
func (p RefundablePayment) TaxFreeShare(amount money.Money, asked *money.Money) money.Money {
	taxFree, all := p.TaxFreeLeft(), p.UnrefundedAmount()
	if taxFree.Currency == "" {
		return money.Money{}
	}
	taxed := all.Minor - taxFree.Minor
	// A refund that was made elsewhere can exceed what is left here, while one of ours is not done.
	share := money.Allocate(min(amount.Minor, all.Minor), []int64{taxFree.Minor, taxed})[0]
	if asked != nil {
		share = asked.Minor
	}
	return money.Of(min(max(share, amount.Minor-taxed), amount.Minor, taxFree.Minor), taxFree.Currency)
}
