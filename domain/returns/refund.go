package returns

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// Sale is what was sold, and what came back of it before.
type Sale struct {
	Order    order.Order
	Others   []Request // the other return requests of the order; those that do not count are passed over
	Rounding money.Rounding
}

// Wish is what somebody wants to give back, and what they enter. Amounts are in the order's currency.
type Wish struct {
	Lines                 []Line // without LineRefund
	ReturnShippingFee     money.Money
	InitialShippingRefund money.Money
	ByPolicy              bool // both are those of the order's policy instead
	AuditNote             string
}

// Refund is what a return of what w names gives back. Spec 3.3 rule 3:
//
//	refundAmount = sum(lineRefund) + initialShippingRefundAmount - sum(restockingFee) - returnShippingFee
//
// lineRefund of k more units is round(line total × (returned + k) / quantity) − already refunded, from 0 to what is left of
// the line: all units together give the line's total exactly, however they are split. A restocking fee is at most its line's
// refund. Shipping is given back and charged only where something of the return was shipped (rule 8), and given back at most
// as much as the order paid for it over all returns (rule 6); without a policy only with an audit note (rule 7).
//
// Errors: fault.ErrValidation (no line, a line named twice, a negative amount), ErrLineNotInOrder, ErrQuantity,
// ErrRestockingFee, ErrNoShipping, ErrShippingCap, ErrAuditNote, ErrNegative, payment.ErrExceedsPaid.
func Refund(s Sale, w Wish) (Quote, error) {
	q, err := s.lines(w.Lines)
	if err != nil {
		return Quote{}, err
	}
	q.Suggested = s.suggest(q.Lines)
	q.ReturnShippingFee, q.InitialShippingRefund = w.ReturnShippingFee, w.InitialShippingRefund
	if w.ByPolicy {
		q.ReturnShippingFee, q.InitialShippingRefund = s.policyFee(q.Lines), q.Suggested
	}
	if err := s.checkShipping(q, w.AuditNote); err != nil {
		return Quote{}, err
	}
	q.RefundAmount = q.LineRefunds.Plus(q.InitialShippingRefund).Minus(q.RestockingFees).Minus(q.ReturnShippingFee)
	if q.RefundAmount.Minor < 0 {
		return Quote{}, ErrNegative.With("refundAmount", q.RefundAmount.Major())
	}
	if left := s.moneyLeft(); q.RefundAmount.Minor > left.Minor {
		return Quote{}, payment.ErrExceedsPaid.With("left", left.Major())
	}
	return q, nil
}

// lines works out what each line gives back.
func (s Sale) lines(wanted []Line) (q Quote, err error) {
	q.LineRefunds, q.RestockingFees = s.nothing(), s.nothing()
	if len(wanted) == 0 {
		return q, fault.Invalidf("lines", "Name at least one line.")
	}
	named := map[string]bool{}
	for i, w := range wanted {
		path := "lines." + strconv.Itoa(i) + "."
		switch {
		case named[w.OrderLine]:
			return q, fault.Invalidf(path+"orderLine", "This line is named twice.")
		case w.Quantity < 1:
			return q, fault.Invalidf(path+"quantity", "This field takes a whole number from 1.")
		case w.RestockingFee.Minor < 0:
			return q, fault.Invalidf(path+"restockingFee", notNegative)
		}
		named[w.OrderLine] = true
		sold, ok := line(s.Order, w.OrderLine)
		if !ok {
			return q, ErrLineNotInOrder.With("orderLine", w.OrderLine)
		}
		before := s.before(sold)
		if left := sold.Quantity - before.units; w.Quantity > left {
			return q, ErrQuantity.With("orderLine", w.OrderLine).With("requested", w.Quantity).With("remaining", max(0, left))
		}
		w.LineRefund = s.lineRefund(sold, before, w.Quantity)
		if w.RestockingFee.Minor > w.LineRefund.Minor {
			return q, ErrRestockingFee.With("orderLine", w.OrderLine).With("lineRefund", w.LineRefund.Major())
		}
		q.Lines = append(q.Lines, w)
		q.LineRefunds, q.RestockingFees = q.LineRefunds.Plus(w.LineRefund), q.RestockingFees.Plus(s.amount(w.RestockingFee))
	}
	return q, nil
}

const notNegative = "This field takes an amount from 0."

func (s Sale) nothing() money.Money { return money.Of(0, s.Order.Currency) }

// amount is m, of which the zero value is nothing.
func (s Sale) amount(m money.Money) money.Money { return money.Of(m.Minor, s.Order.Currency) }

// past is what came back of a line before.
type past struct {
	units    int64
	refunded money.Money
}

// before counts the units and amounts of requests that count, and units that another system took back.
func (s Sale) before(l order.Line) past {
	p, counted := past{refunded: s.nothing()}, int64(0)
	for _, r := range s.Others {
		for _, back := range r.Lines {
			if back.OrderLine != l.ID || !r.Status.Counts() {
				continue
			}
			p.units, p.refunded = p.units+back.Quantity, p.refunded.Plus(back.LineRefund)
			if r.CameBack() {
				counted += back.Quantity
			}
		}
	}
	if elsewhere := l.Returned - counted; elsewhere > 0 {
		p.refunded = p.refunded.Plus(s.share(l, elsewhere))
		p.units += elsewhere
	}
	return p
}

// share is what so many units of a line are worth.
func (s Sale) share(l order.Line, units int64) money.Money {
	worth, err := l.Total.Scale(big.NewRat(min(units, l.Quantity), l.Quantity), s.Rounding)
	if err != nil {
		return l.Total // a part of an amount is never out of range
	}
	return worth
}

func (s Sale) lineRefund(l order.Line, before past, units int64) money.Money {
	due := s.share(l, before.units+units).Minus(before.refunded)
	return s.clamp(due, l.Total.Minus(before.refunded))
}

// clamp is m, but from 0 to most.
func (s Sale) clamp(m, most money.Money) money.Money {
	return money.Of(max(0, min(m.Minor, most.Minor)), s.Order.Currency)
}

// ships reports whether anything of a return was delivered by a carrier. Spec 3.3 rule 8.
func (s Sale) ships(lines []Line) bool {
	for _, l := range lines {
		if sold, _ := line(s.Order, l.OrderLine); sold.RequiresShipping {
			return true
		}
	}
	return false
}

// ShippingLeft is how much of the outbound shipping may still be given back. Spec 3.3 rule 6.
func (s Sale) ShippingLeft() money.Money {
	left := s.Order.Shipping
	for _, r := range s.Others {
		if r.Status.Counts() {
			left = left.Minus(r.InitialShippingRefund)
		}
	}
	return s.clamp(left, s.Order.Shipping)
}

// moneyLeft is how much of what was paid is neither given back nor promised to another return.
func (s Sale) moneyLeft() money.Money {
	promised, told := s.nothing(), s.nothing()
	for _, r := range s.Others {
		if r.Status.Counts() {
			promised = promised.Plus(r.RefundAmount)
		}
		if r.Status == Refunded {
			told = told.Plus(r.RefundAmount)
		}
	}
	elsewhere := s.clamp(s.Order.Refunded.Minus(told), s.Order.Refunded)
	return s.clamp(s.Order.Paid.Minus(promised).Minus(elsewhere), s.Order.Paid)
}

// checkShipping holds what is entered about shipping against rules 6, 7 and 8.
func (s Sale) checkShipping(q Quote, note string) error {
	back, fee := q.InitialShippingRefund.Minor, q.ReturnShippingFee.Minor
	left := s.ShippingLeft()
	switch {
	case fee < 0:
		return fault.Invalidf("returnShippingFee", notNegative)
	case back < 0:
		return fault.Invalidf("initialShippingRefundAmount", notNegative)
	case (back > 0 || fee > 0) && !s.ships(q.Lines):
		return ErrNoShipping
	case back > left.Minor:
		return ErrShippingCap.With("cap", left.Major())
	case back > 0 && s.Order.Returns == nil && strings.TrimSpace(note) == "":
		return ErrAuditNote
	}
	return nil
}

// policyFee is what the order's policy charges for a return.
func (s Sale) policyFee(lines []Line) money.Money {
	if p := s.Order.Returns; p != nil && s.ships(lines) {
		return s.amount(p.ReturnShippingFee)
	}
	return s.nothing()
}

// suggest is how much outbound shipping the order's policy gives back for a return of lines, after what was given back
// before. Without a policy it suggests nothing. Spec 3.3 rule 5.
func (s Sale) suggest(lines []Line) money.Money {
	p, left := s.Order.Returns, s.ShippingLeft()
	if p == nil || !s.ships(lines) {
		return s.nothing()
	}
	switch p.InitialShippingRefund {
	case shipping.RefundAlways:
		return left
	case shipping.RefundFullReturn:
		if s.complete(lines) {
			return left
		}
	case shipping.RefundProportional:
		given := s.Order.Shipping.Minus(left)
		return s.clamp(s.proportion(lines).Minus(given), left)
	case shipping.RefundNever:
	}
	return s.nothing()
}

// shipped calls fn for every line that was delivered, with how many units of it came back once lines do.
func (s Sale) shipped(lines []Line, fn func(sold order.Line, back int64)) {
	for _, sold := range s.Order.Lines {
		if !sold.RequiresShipping {
			continue
		}
		back := s.before(sold).units
		for _, l := range lines {
			if l.OrderLine == sold.ID {
				back += l.Quantity
			}
		}
		fn(sold, back)
	}
}

// complete reports whether every unit that was delivered is back once lines are.
func (s Sale) complete(lines []Line) bool {
	all := true
	s.shipped(lines, func(sold order.Line, back int64) { all = all && back >= sold.Quantity })
	return all
}

// proportion is the outbound shipping times the part of the value that was delivered and is back once lines are; of goods
// that cost nothing, the part of the units.
func (s Sale) proportion(lines []Line) money.Money {
	back, all, backUnits, allUnits := new(big.Rat), new(big.Rat), int64(0), int64(0)
	s.shipped(lines, func(sold order.Line, units int64) {
		value := new(big.Rat).SetInt64(sold.Total.Minor)
		all.Add(all, value)
		back.Add(back, new(big.Rat).Mul(value, big.NewRat(units, sold.Quantity)))
		backUnits, allUnits = backUnits+units, allUnits+sold.Quantity
	})
	part := big.NewRat(backUnits, max(1, allUnits))
	if all.Sign() > 0 {
		part = back.Quo(back, all)
	}
	due, err := s.Order.Shipping.Scale(part, s.Rounding)
	if err != nil {
		return s.Order.Shipping // a part of an amount is never out of range
	}
	return due
}
