package returns

import (
	"slices"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Condition is how the units of a line arrived.
type Condition string

// The conditions. Rule returns-18.
const (
	AsNew   Condition = "as_new"
	Opened  Condition = "opened"
	Damaged Condition = "damaged"
	Missing Condition = "missing" // none of the line arrived
)

// Conditions lists all conditions.
var Conditions = []string{string(AsNew), string(Opened), string(Damaged), string(Missing)}

// Arrival is what arrived of one line of a return.
type Arrival struct {
	OrderLine string
	Quantity  *int64    // 0 to the units of the return; nil: all of them, none where they are missing
	Condition Condition // "": as new, or missing where nothing arrived
	Restock   *bool     // nil: as the return says for what is as new, else no
}

// ReceiveOnly is Receive for goods of which arrived says what came; lines that it does not name came in full. Fewer units than were asked
// for refund less, and are free for another return. Rule returns-18:
//
//   - A line refunds what its units that arrived would refund now, at most what it was to refund, and a restocking fee at most that.
//   - A shipping refund that was the suggestion of the order's policy becomes the suggestion for what arrived; another one stays. Neither is
//     more than it was.
//   - A return shipping fee stays, but at most what is left to refund. Where nothing arrived that is shipped, neither is left.
//   - In sum never more is refunded than was set aside: the fee makes up for it.
//
// Errors: those of CheckTransition, fault.ErrValidation, ErrTransition for fewer units of a return that was refunded before.
func (r Request) ReceiveOnly(s OrderReturns, arrived []Arrival, now time.Time) (Request, error) {
	next, err := r.Receive(now)
	if err != nil {
		return r, err
	}
	if next.Lines, err = count(r.Lines, arrived); err != nil {
		return r, err
	}
	if slices.ContainsFunc(next.Lines, func(l Line) bool { return l.Requested > 0 }) {
		if r.UnitsReturned() {
			return r, ErrTransition.WithData("from", string(r.Status)).WithData("to", string(Received)).
				WithMessage("All units of this return counted as returned when it was refunded: it is received in full.")
		}
		next.Quote = s.requote(r.Quote, next.Lines)
	}
	return next, nil
}

// count returns lines with what arrived of each. Errors: fault.ErrValidation.
func count(lines []Line, arrived []Arrival) ([]Line, error) {
	lines = slices.Clone(lines)
	named := map[string]bool{}
	for i, a := range arrived {
		path := "lines." + strconv.Itoa(i) + "."
		at := slices.IndexFunc(lines, func(l Line) bool { return l.OrderLine == a.OrderLine })
		switch {
		case at < 0:
			return nil, fault.Invalidf(path+"orderLine", "This line is not part of the return.")
		case named[a.OrderLine]:
			return nil, fault.Invalidf(path+"orderLine", "This line is named twice.")
		}
		named[a.OrderLine] = true
		if f := lines[at].arrive(a); f.Message != "" {
			f.Field = path + f.Field
			return nil, fault.ErrValidation.WithFields(f)
		}
	}
	return lines, nil
}

// arrive sets what arrived of l, or says what is wrong with which member of a: the zero Field for nothing.
func (l *Line) arrive(a Arrival) (_ fault.Field) {
	units := l.Quantity
	switch {
	case a.Quantity != nil:
		units = *a.Quantity
	case a.Condition == Missing:
		units = 0
	}
	switch {
	case units < 0 || units > l.Quantity:
		return fault.Field{Field: "quantity", Message: "This field takes a whole number from 0 to the units of the return."}
	case units > 0 && a.Condition == Missing:
		return fault.Field{Field: "condition", Message: "Units that arrived are not missing."}
	case units == 0 && a.Condition != "" && a.Condition != Missing:
		return fault.Field{Field: "condition", Message: "Where nothing arrived, all of it is missing."}
	case units == 0 && a.Restock != nil && *a.Restock:
		return fault.Field{Field: "restock", Message: "Nothing arrived that could be put back into stock."}
	}
	l.Condition = a.Condition
	if l.Condition == "" {
		l.Condition = AsNew
		if units == 0 {
			l.Condition = Missing
		}
	}
	if a.Restock != nil {
		l.Restock = *a.Restock
	} else if l.Condition != AsNew {
		l.Restock = false
	}
	if units != l.Quantity {
		l.Requested, l.Quantity = l.Quantity, units
	}
	return fault.Field{}
}

// requote is what a return comes to that was to be was, once lines are what arrived.
func (s OrderReturns) requote(was Quote, lines []Line) Quote {
	q := Quote{Lines: lines, LineRefunds: s.zero(), RestockingFees: s.zero(), InitialShippingRefund: s.zero(), ReturnShippingFee: s.zero()}
	var here []Line
	for i := range q.Lines {
		l := &q.Lines[i]
		planned := l.LineRefund
		l.LineRefund = s.zero()
		if sold, ok := findLine(s.Order, l.OrderLine); ok && l.Quantity > 0 {
			l.LineRefund = planned
			if l.Requested > 0 {
				l.LineRefund = s.lineRefund(sold, s.alreadyReturned(sold), l.Quantity).Min(planned)
			}
			here = append(here, *l)
		}
		l.RestockingFee = s.amount(l.RestockingFee).Min(l.LineRefund)
		q.LineRefunds, q.RestockingFees = q.LineRefunds.Plus(l.LineRefund), q.RestockingFees.Plus(l.RestockingFee)
	}
	q.SuggestedShippingRefund = s.suggestShippingRefund(here)
	if s.anyShipped(here) {
		q.InitialShippingRefund = was.InitialShippingRefund
		if was.InitialShippingRefund == was.SuggestedShippingRefund {
			q.InitialShippingRefund = q.SuggestedShippingRefund.Min(was.InitialShippingRefund)
		}
		q.ReturnShippingFee = was.ReturnShippingFee
	}
	gross := q.LineRefunds.Plus(q.InitialShippingRefund).Minus(q.RestockingFees)
	over := gross.Minus(was.RefundAmount)
	q.ReturnShippingFee = money.Of(max(q.ReturnShippingFee.Minor, over.Minor, 0), s.Order.Currency).Min(gross)
	q.RefundAmount = gross.Minus(q.ReturnShippingFee)
	return q
}
