package returns

import (
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// refundPart is an amount that is refunded, in minor units: its tax-free part, the rest, and the taxes of the rest.
type refundPart struct {
	taxFree, taxed int64
	taxes          tax.Taxes
}

// reduce is p when only amount of it is refunded: both kinds of goods in proportion, by largest remainder.
func (p refundPart) reduce(amount int64) refundPart {
	split := money.Allocate(amount, []int64{p.taxFree, p.taxed})
	return refundPart{split[0], split[1], p.taxes.Portion(p.taxed, 0, split[1])}
}

// RefundParts are the parts of r.RefundAmount that its goods ask for: without value added tax, and the taxes of each rate. They are
// those of what r refunds of its lines, less their restocking fees, and of shipping. A return shipping fee reduces the refund of both
// kinds of lines, and then that of shipping. s has the order and its other return requests. The taxes are nil where the order has
// none, and empty for goods that have none. Rules returns-17, taxes-8.
func (s OrderReturns) RefundParts(r Request) payment.RefundParts {
	lines, shipping := s.refundOfLines(r), s.refundOfShipping(r)
	ofLines := max(0, min(r.RefundAmount.Minor-r.InitialShippingRefund.Minor, lines.taxFree+lines.taxed))
	lines, shipping = lines.reduce(ofLines), shipping.reduce(r.RefundAmount.Minor-ofLines)
	parts := payment.RefundParts{TaxFree: new(money.Of(lines.taxFree+shipping.taxFree, r.Currency))}
	if s.Order.Taxes != nil {
		parts.Taxes = lines.taxes.Plus(shipping.taxes)
	}
	return parts
}

func (s OrderReturns) refundOfLines(r Request) refundPart {
	p := refundPart{taxes: tax.Taxes{}}
	for _, l := range r.Lines {
		sold, _ := findLine(s.Order, l.OrderLine)
		refund := l.LineRefund.Minor - l.RestockingFee.Minor
		if sold.TaxFree() {
			p.taxFree += refund
			continue
		}
		p.taxed += refund
		before := s.refundedOf(l.OrderLine) + sold.CanceledAmount.Minor
		p.taxes = p.taxes.Plus(sold.Taxes.Portion(sold.Charged().Minor, before, refund))
	}
	return p
}

func (s OrderReturns) refundOfShipping(r Request) refundPart {
	charged, refund := s.Order.ShippingCharged().Minor, r.InitialShippingRefund.Minor
	given := charged - s.ShippingLeft().Minor
	p := refundPart{taxFree: s.Order.ExemptShippingIn(given, refund).Minor}
	p.taxed = refund - p.taxFree
	if s.Order.Taxes != nil {
		p.taxes = s.Order.Taxes.Shipping.Portion(charged, given, refund)
	}
	return p
}

// refundedOf is what the other requests refund of a line, in minor units.
func (s OrderReturns) refundedOf(line string) (sum int64) {
	for _, r := range s.OtherRequests {
		for _, l := range r.Lines {
			if l.OrderLine == line && r.Status.Counts() {
				sum += l.LineRefund.Minor - l.RestockingFee.Minor
			}
		}
	}
	return sum
}
