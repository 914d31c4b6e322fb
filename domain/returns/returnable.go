package returns

import "github.com/cartwright-dev/cartwright/domain/money"

// ReturnableLine is one order line with what can still be returned of it. Rule returns-2.
type ReturnableLine struct {
	OrderLine                    string
	Ordered, Returned, Remaining int64       // units; Returned counts all requests that are not rejected or canceled
	UnitRefund                   money.Money // refund of one more unit; 0 when none is left
	Shippable                    bool
}

// Overview is what can still be returned of an order.
type Overview struct {
	Lines                   []ReturnableLine
	SuggestedShippingRefund money.Money // outbound shipping that the policy refunds if everything that remains is returned
	ShippingRefundCap       money.Money // the most outbound shipping that can still be refunded
	AuditNoteRequired       bool        // a shipping refund needs a note: the order has no policy
}

// Returnable computes what can still be returned of s.
func Returnable(s OrderReturns) Overview {
	v := Overview{ShippingRefundCap: s.ShippingLeft(), AuditNoteRequired: s.Order.ReturnPolicy == nil}
	var rest []Line
	for _, l := range s.Order.Lines {
		before := s.alreadyReturned(l)
		r := ReturnableLine{
			OrderLine: l.ID, Ordered: l.Quantity, Returned: before.units, Remaining: max(0, l.Kept()-before.units),
			UnitRefund: s.zero(), Shippable: l.RequiresShipping,
		}
		if r.Remaining > 0 {
			r.UnitRefund = s.lineRefund(l, before, 1)
			rest = append(rest, Line{OrderLine: l.ID, Quantity: r.Remaining})
		}
		v.Lines = append(v.Lines, r)
	}
	v.SuggestedShippingRefund = s.suggestShippingRefund(rest)
	return v
}
