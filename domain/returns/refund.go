package returns

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// OrderReturns is an order with the return requests it has already.
type OrderReturns struct {
	Order         order.Order
	OtherRequests []Request // the other return requests of the order; rejected and canceled ones are ignored
	Rounding      money.Rounding
}

// Input is the content of a return request. Amounts are in the order's currency.
type Input struct {
	Lines                 []Line // without LineRefund
	ReturnShippingFee     money.Money
	InitialShippingRefund money.Money
	UsePolicy             bool // both amounts are those of the order's policy instead
	AuditNote             string
}

// ComputeQuote computes what a return of w.Lines refunds. Rule returns-3:
//
//	refundAmount = sum(lineRefund) + initialShippingRefundAmount - sum(restockingFee) - returnShippingFee
//
// lineRefund of k more units is round(line total with its taxes × (canceled + returned + k) / quantity) − already refunded, from 0 to
// what is left of the line; so all units together refund exactly the line's total, however they are split. It is 0
// while nothing was paid (rule 16). A
// restocking fee is at most the refund of its line. Shipping is refunded and charged only if part of the
// return was shipped (rule 8). All returns of an order together refund at most the shipping it paid (rule 6);
// without a policy a shipping refund needs an audit note (rule 7).
//
// Errors: fault.ErrValidation (no line, a line named twice, a negative amount), ErrLineNotInOrder,
// ErrQuantityExceeded, ErrRestockingFee, ErrShippingNotApplicable, ErrShippingCap, ErrAuditNoteRequired,
// ErrRefundNegative, payment.ErrExceedsPaid.
func ComputeQuote(s OrderReturns, w Input) (Quote, error) {
	q, err := s.quoteLines(w.Lines)
	if err != nil {
		return Quote{}, err
	}
	q.SuggestedShippingRefund = s.suggestShippingRefund(q.Lines)
	q.ReturnShippingFee, q.InitialShippingRefund = w.ReturnShippingFee, w.InitialShippingRefund
	if w.UsePolicy {
		q.ReturnShippingFee, q.InitialShippingRefund = s.policyFee(q.Lines), q.SuggestedShippingRefund
	}
	if err := s.checkShipping(q, w.AuditNote); err != nil {
		return Quote{}, err
	}
	q.RefundAmount = q.LineRefunds.Plus(q.InitialShippingRefund).Minus(q.RestockingFees).Minus(q.ReturnShippingFee)
	if q.RefundAmount.Minor < 0 {
		return Quote{}, ErrRefundNegative.WithData("refundAmount", collection.JSONNumber(q.RefundAmount.Major()))
	}
	if left := s.refundableLeft(); q.RefundAmount.Minor > left.Minor {
		return Quote{}, payment.ErrExceedsPaid.WithData("left", collection.JSONNumber(left.Major()))
	}
	return q, nil
}

// quoteLines computes the refund of each line.
func (s OrderReturns) quoteLines(wanted []Line) (q Quote, err error) {
	q.LineRefunds, q.RestockingFees = s.zero(), s.zero()
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
		sold, ok := findLine(s.Order, w.OrderLine)
		if !ok {
			return q, ErrLineNotInOrder.WithData("orderLine", w.OrderLine)
		}
		before := s.alreadyReturned(sold)
		if left := sold.Kept() - before.units; w.Quantity > left {
			return q,
				ErrQuantityExceeded.WithData("orderLine", w.OrderLine).WithData("requested", w.Quantity).WithData("remaining", max(0, left))
		}
		w.LineRefund = s.lineRefund(sold, before, w.Quantity)
		if w.RestockingFee.Minor > w.LineRefund.Minor {
			return q, ErrRestockingFee.WithData("orderLine", w.OrderLine).WithData("lineRefund", collection.JSONNumber(w.LineRefund.Major()))
		}
		q.Lines = append(q.Lines, w)
		q.LineRefunds, q.RestockingFees = q.LineRefunds.Plus(w.LineRefund), q.RestockingFees.Plus(s.amount(w.RestockingFee))
	}
	return q, nil
}

const notNegative = "This field takes an amount from 0."

func (s OrderReturns) zero() money.Money { return money.Of(0, s.Order.Currency) }

// amount is m in the order's currency; the zero Money is an amount of 0.
func (s OrderReturns) amount(m money.Money) money.Money { return money.Of(m.Minor, s.Order.Currency) }

// returned is what was returned of a line before.
type returned struct {
	units    int64
	refunded money.Money
}

// alreadyReturned adds up the units and amounts of other requests, and the units that another system had
// taken back.
func (s OrderReturns) alreadyReturned(l order.Line) returned {
	p, counted := returned{refunded: s.zero()}, int64(0)
	for _, r := range s.OtherRequests {
		for _, back := range r.Lines {
			if back.OrderLine != l.ID || !r.Status.Counts() {
				continue
			}
			p.units, p.refunded = p.units+back.Quantity, p.refunded.Plus(back.LineRefund)
			if r.UnitsReturned() {
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

// share is the value of a number of units of a line.
func (s OrderReturns) share(l order.Line, units int64) money.Money {
	worth, err := l.Charged().Scale(big.NewRat(min(units, l.Quantity), l.Quantity), s.Rounding)
	if err != nil {
		return l.Charged() // a part of an amount is never out of range
	}
	return worth
}

func (s OrderReturns) lineRefund(l order.Line, before returned, units int64) money.Money {
	if s.unpaid() {
		return s.zero()
	}
	given := before.refunded.Plus(s.amount(l.CanceledAmount))
	due := s.share(l, l.Canceled+before.units+units).Minus(given)
	return s.clamp(due, l.Charged().Minus(given))
}

// unpaid reports whether nothing was paid. Its goods come back for nothing, neither refund nor fee; once the payment is
// recorded, the next return of a line refunds these units with its own. Rule returns-16.
func (s OrderReturns) unpaid() bool { return s.Order.Paid.IsZero() }

// clamp limits m to the range from 0 to most.
func (s OrderReturns) clamp(m, most money.Money) money.Money {
	return money.Of(max(0, min(m.Minor, most.Minor)), s.Order.Currency)
}

// anyShipped reports whether a carrier delivered any of the lines. Rule returns-8.
func (s OrderReturns) anyShipped(lines []Line) bool {
	for _, l := range lines {
		if sold, _ := findLine(s.Order, l.OrderLine); sold.RequiresShipping {
			return true
		}
	}
	return false
}

// ShippingLeft is how much of the outbound shipping can still be refunded. Rule returns-6.
func (s OrderReturns) ShippingLeft() money.Money {
	left := s.Order.KeptShipping()
	if s.unpaid() {
		left = s.zero()
	}
	for _, r := range s.OtherRequests {
		if r.Status.Counts() {
			left = left.Minus(r.InitialShippingRefund)
		}
	}
	return s.clamp(left, s.Order.ShippingCharged())
}

// refundableLeft is how much of what was paid is neither refunded nor part of another open return.
func (s OrderReturns) refundableLeft() money.Money {
	reserved, refunded := s.zero(), s.zero()
	for _, r := range s.OtherRequests {
		if r.Status.Counts() {
			reserved = reserved.Plus(r.RefundAmount)
		}
		if r.Status == Refunded {
			refunded = refunded.Plus(r.RefundAmount)
		}
	}
	elsewhere := s.clamp(s.Order.Refunded.Minus(refunded), s.Order.Refunded)
	return s.clamp(s.Order.Paid.Minus(reserved).Minus(elsewhere), s.Order.Paid)
}

// checkShipping checks the shipping amounts of q against rules 6, 7 and 8.
func (s OrderReturns) checkShipping(q Quote, note string) error {
	back, fee := q.InitialShippingRefund.Minor, q.ReturnShippingFee.Minor
	left := s.ShippingLeft()
	switch {
	case fee < 0:
		return fault.Invalidf("returnShippingFee", notNegative)
	case back < 0:
		return fault.Invalidf("initialShippingRefundAmount", notNegative)
	case (back > 0 || fee > 0) && !s.anyShipped(q.Lines):
		return ErrShippingNotApplicable
	case back > left.Minor:
		return ErrShippingCap.WithData("cap", collection.JSONNumber(left.Major()))
	case back > 0 && s.Order.ReturnPolicy == nil && strings.TrimSpace(note) == "":
		return ErrAuditNoteRequired
	}
	return nil
}

// policyFee is the fee that the order's policy charges for a return of lines.
func (s OrderReturns) policyFee(lines []Line) money.Money {
	if p := s.Order.ReturnPolicy; p != nil && s.anyShipped(lines) && !s.unpaid() {
		return s.amount(p.ReturnShippingFee)
	}
	return s.zero()
}

// suggestShippingRefund is how much outbound shipping the order's policy refunds for a return of lines, less
// what was refunded before. Without a policy it is 0. Rule returns-5.
func (s OrderReturns) suggestShippingRefund(lines []Line) money.Money {
	p, left := s.Order.ReturnPolicy, s.ShippingLeft()
	if p == nil || !s.anyShipped(lines) {
		return s.zero()
	}
	switch p.InitialShippingRefund {
	case shipping.RefundAlways:
		return left
	case shipping.RefundFullReturn:
		if s.isFullReturn(lines) {
			return left
		}
	case shipping.RefundProportional:
		given := s.Order.KeptShipping().Minus(left)
		return s.clamp(s.proportionalShipping(lines).Minus(given), left)
	case shipping.RefundNever:
	}
	return s.zero()
}

// eachShippedLine calls fn for every line of which something was delivered, with its units that are returned once lines
// are.
func (s OrderReturns) eachShippedLine(lines []Line, fn func(sold order.Line, back int64)) {
	for _, sold := range s.Order.Lines {
		if !sold.RequiresShipping || sold.Kept() == 0 {
			continue
		}
		back := s.alreadyReturned(sold).units
		for _, l := range lines {
			if l.OrderLine == sold.ID {
				back += l.Quantity
			}
		}
		fn(sold, back)
	}
}

// isFullReturn reports whether every delivered unit is returned once lines are.
func (s OrderReturns) isFullReturn(lines []Line) bool {
	all := true
	s.eachShippedLine(lines, func(sold order.Line, back int64) { all = all && back >= sold.Kept() })
	return all
}

// proportionalShipping is the outbound shipping times the returned part of the delivered value, counting
// lines as returned. If the goods cost nothing, it goes by units.
func (s OrderReturns) proportionalShipping(lines []Line) money.Money {
	back, all, backUnits, allUnits := new(big.Rat), new(big.Rat), int64(0), int64(0)
	s.eachShippedLine(lines, func(sold order.Line, units int64) {
		value := new(big.Rat).SetInt64(sold.Charged().Minor - sold.CanceledAmount.Minor)
		all.Add(all, value)
		back.Add(back, new(big.Rat).Mul(value, big.NewRat(units, sold.Kept())))
		backUnits, allUnits = backUnits+units, allUnits+sold.Kept()
	})
	part := big.NewRat(backUnits, max(1, allUnits))
	if all.Sign() > 0 {
		part = back.Quo(back, all)
	}
	due, err := s.Order.ShippingCharged().Scale(part, s.Rounding)
	if err != nil {
		return s.Order.ShippingCharged() // a part of an amount is never out of range
	}
	return due
}
