package returns

import (
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// TaxesOf are the taxes in r.RefundAmount, of each rate: those of what r refunds of its lines, less their restocking fees,
// and of shipping, less their part of a return shipping fee. s has the order and its other return requests. nil where the
// order has no taxes, and empty for goods that have none. Rule taxes-8.
func (s OrderReturns) TaxesOf(r Request) tax.Taxes {
	if s.Order.Taxes == nil {
		return nil
	}
	all, back := tax.Taxes{}, r.InitialShippingRefund.Minor
	for _, l := range r.Lines {
		sold, _ := findLine(s.Order, l.OrderLine)
		before := s.refundedOf(l.OrderLine) + sold.CanceledAmount.Minor
		net := l.LineRefund.Minor - l.RestockingFee.Minor
		all, back = all.Plus(sold.Taxes.Portion(sold.Charged().Minor, before, net)), back+net
	}
	charged := s.Order.ShippingCharged()
	given := charged.Minus(money.Of(s.ShippingLeft().Minor, charged.Currency)).Minor
	all = all.Plus(s.Order.Taxes.Shipping.Portion(charged.Minor, given, r.InitialShippingRefund.Minor))
	return all.Portion(back, 0, r.RefundAmount.Minor)
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
