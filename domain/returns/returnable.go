package returns

import "github.com/cartwright-dev/cartwright/domain/money"

// Remaining is one order line as the operator sees it before a return. Spec 3.3 rule 2.
type Remaining struct {
	OrderLine                    string
	Ordered, Returned, Remaining int64       // units; Returned counts all requests that are not rejected or canceled
	UnitRefund                   money.Money // what one more unit gives back; 0 when none is left
	Shippable                    bool
}

// Overview is what may still come back of an order.
type Overview struct {
	Lines             []Remaining
	Suggested         money.Money // outbound shipping that the policy suggests for everything that remains
	Cap               money.Money // how much outbound shipping may still be given back at most
	AuditNoteRequired bool        // giving any back needs a note: the order has no policy
}

// Returnable is what may still come back of s.
func Returnable(s Sale) Overview {
	v := Overview{Cap: s.ShippingLeft(), AuditNoteRequired: s.Order.Returns == nil}
	var rest []Line
	for _, l := range s.Order.Lines {
		before := s.before(l)
		r := Remaining{
			OrderLine: l.ID, Ordered: l.Quantity, Returned: before.units, Remaining: max(0, l.Quantity-before.units),
			UnitRefund: s.nothing(), Shippable: l.RequiresShipping,
		}
		if r.Remaining > 0 {
			r.UnitRefund = s.lineRefund(l, before, 1)
			rest = append(rest, Line{OrderLine: l.ID, Quantity: r.Remaining})
		}
		v.Lines = append(v.Lines, r)
	}
	v.Suggested = s.suggest(rest)
	return v
}
