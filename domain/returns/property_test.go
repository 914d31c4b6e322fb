package returns_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	. "github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// anySale generates an order of up to five lines.
func anySale(t *rapid.T) OrderReturns {
	g := returnCase{
		currency: rapid.SampledFrom([]money.Currency{"KRW", "USD", "KWD"}).Draw(t, "currency"),
		mode:     rapid.SampledFrom([]money.Rounding{money.HalfUp, money.HalfEven, money.Down}).Draw(t, "rounding"),
		policy:   rapid.SampledFrom([]shipping.RefundRule{"", "always", "full_return_only", "proportional", "never"}).Draw(t, "policy"),
		shipping: rapid.Int64Range(0, 10_000).Draw(t, "shipping"), policyFee: rapid.Int64Range(0, 3000).Draw(t, "policy's fee"),
	}
	for range rapid.IntRange(1, 5).Draw(t, "lines") {
		g.lines = append(g.lines, sold{
			units: rapid.Int64Range(1, 9).Draw(t, "units"), total: rapid.Int64Range(0, 100_000).Draw(t, "total"),
			digital: rapid.Bool().Draw(t, "digital"),
		})
	}
	return g.sale()
}

// parts are the units of an order in some order, split into returns of one or more.
func parts(t *rapid.T, s OrderReturns) (all []Line) {
	for _, l := range s.Order.Lines {
		for left := l.Quantity; left > 0; {
			n := rapid.Int64Range(1, left).Draw(t, "at once")
			all = append(all, Line{OrderLine: l.ID, Quantity: n, RestockingFee: money.Of(0, s.Order.Currency)})
			left -= n
		}
	}
	return rapid.Permutation(all).Draw(t, "order of returns")
}

func (s inputCase) of(l Line, shippingRefund, fee int64) Input {
	c := s.Order.Currency
	return Input{
		Lines: []Line{l}, InitialShippingRefund: money.Of(shippingRefund, c), ReturnShippingFee: money.Of(fee, c), AuditNote: "a note",
	}
}

type inputCase struct{ OrderReturns }

// taken is s after a return of q.
func taken(s OrderReturns, q Quote, status Status) OrderReturns {
	s.OtherRequests = append(slices.Clip(s.OtherRequests), Request{Quote: q, Status: status, Currency: s.Order.Currency})
	return s
}

// However the units are split and in whatever order they are returned, each line refunds exactly its total,
// and a proportional policy exactly the shipping of the shipped goods.
func TestPartialReturnsAddUpToFullRefund(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(t)
		perLine, suggested := map[string]int64{}, int64(0)
		for _, part := range parts(t, s) {
			offered, err := ComputeQuote(s, inputCase{s}.of(part, 0, 0))
			if err != nil {
				t.Fatal(err)
			}
			q, err := ComputeQuote(s, inputCase{s}.of(part, offered.SuggestedShippingRefund.Minor, 0))
			if err != nil {
				t.Fatal(err)
			}
			perLine[part.OrderLine] += q.Lines[0].LineRefund.Minor
			suggested += q.InitialShippingRefund.Minor
			s = taken(s, q, rapid.SampledFrom([]Status{Requested, Approved, Received, Refunded}).Draw(t, "status"))
		}
		ships := false
		for _, l := range s.Order.Lines {
			if ships = ships || l.RequiresShipping; perLine[l.ID] != l.Total.Minor {
				t.Fatalf("line %s cost %d and gave back %d", l.ID, l.Total.Minor, perLine[l.ID])
			}
		}
		want := s.Order.Shipping.Minor
		if p := s.Order.ReturnPolicy; p == nil || p.InitialShippingRefund == shipping.RefundNever || !ships {
			want = 0
		}
		if suggested != want {
			t.Fatalf("%d of shipping was suggested in all, want %d", suggested, want)
		}
	})
}

// For any requests, of which some are rejected: no refund is negative, no line refunds more than its total,
// all returns together refund no more shipping and no more money than was paid, and a refused request changes
// nothing.
func TestRefundCapsHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(t)
		s.Order.Paid = money.Of(rapid.Int64Range(0, s.Order.Total.Minor).Draw(t, "paid"), s.Order.Currency)
		for range rapid.IntRange(1, 12).Draw(t, "returns") {
			l := rapid.SampledFrom(s.Order.Lines).Draw(t, "line")
			part := Line{
				OrderLine: l.ID, Quantity: rapid.Int64Range(1, l.Quantity).Draw(t, "units"),
				RestockingFee: money.Of(rapid.Int64Range(0, 500).Draw(t, "restocking"), s.Order.Currency),
			}
			q, err := ComputeQuote(s,
				inputCase{s}.of(part, rapid.Int64Range(0, 4000).Draw(t, "shipping back"), rapid.Int64Range(0, 4000).Draw(t, "fee")))
			if err != nil {
				continue
			}
			if q.RefundAmount != q.LineRefunds.Plus(q.InitialShippingRefund).Minus(q.RestockingFees).Minus(q.ReturnShippingFee) ||
				q.RefundAmount.Minor < 0 {
				t.Fatalf("%+v", q)
			}
			s = taken(s, q, rapid.SampledFrom(Statuses).Draw(t, "becomes"))
			withinCaps(t, s)
		}
	})
}

func withinCaps(t *rapid.T, s OrderReturns) {
	units, refunds := map[string]int64{}, map[string]int64{}
	var shippingRefund, amounts int64
	for _, r := range s.OtherRequests {
		if !r.Status.Counts() {
			continue
		}
		for _, l := range r.Lines {
			units[l.OrderLine] += l.Quantity
			refunds[l.OrderLine] += l.LineRefund.Minor
		}
		shippingRefund, amounts = shippingRefund+r.InitialShippingRefund.Minor, amounts+r.RefundAmount.Minor
	}
	for _, l := range s.Order.Lines {
		if units[l.ID] > l.Quantity || refunds[l.ID] > l.Total.Minor {
			t.Fatalf("line %s: %d of %d units, %d of %d", l.ID, units[l.ID], l.Quantity, refunds[l.ID], l.Total.Minor)
		}
	}
	if shippingRefund > s.Order.Shipping.Minor || amounts > s.Order.Paid.Minor {
		t.Fatalf("%d of %d shipping, %d of %d paid", shippingRefund, s.Order.Shipping.Minor, amounts, s.Order.Paid.Minor)
	}
}

// Returns of different lines give the same amounts in either order, and one return of both gives the same as
// two.
func TestLinesDoNotChangeEachOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(t)
		if len(s.Order.Lines) < 2 {
			return
		}
		some := func(l order.Line) Line {
			return Line{
				OrderLine: l.ID, Quantity: rapid.Int64Range(1, l.Quantity).Draw(t, "units"), RestockingFee: money.Of(0, s.Order.Currency),
			}
		}
		a, b := some(s.Order.Lines[0]), some(s.Order.Lines[1])
		alone := func(s OrderReturns, l Line) Quote {
			q, err := ComputeQuote(s, inputCase{s}.of(l, 0, 0))
			if err != nil {
				t.Fatal(err)
			}
			return q
		}
		first, then := alone(s, a), alone(s, b)
		if after := alone(taken(s, first, Requested), b); after.RefundAmount != then.RefundAmount {
			t.Fatalf("%v alone, %v after the other", then.RefundAmount, after.RefundAmount)
		}
		w := inputCase{s}.of(a, 0, 0)
		w.Lines = append(w.Lines, b)
		both, err := ComputeQuote(s, w)
		if err != nil || both.RefundAmount != first.RefundAmount.Plus(then.RefundAmount) {
			t.Fatalf("%+v %v", both, err)
		}
	})
}

// Returnable shows what ComputeQuote refunds then: unit by unit, and for everything that remains.
func TestReturnableMatchesQuotes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(t)
		for _, part := range parts(t, s)[:1] {
			q, err := ComputeQuote(s, inputCase{s}.of(part, 0, 0))
			if err != nil {
				t.Fatal(err)
			}
			s = taken(s, q, Requested)
		}
		v := Returnable(s)
		if v.ShippingRefundCap != s.ShippingLeft() || v.AuditNoteRequired != (s.Order.ReturnPolicy == nil) {
			t.Fatalf("%+v", v)
		}
		rest := Input{InitialShippingRefund: money.Of(0, s.Order.Currency), ReturnShippingFee: money.Of(0, s.Order.Currency)}
		for _, l := range v.Lines {
			if l.Returned+l.Remaining != l.Ordered {
				t.Fatalf("%+v", l)
			}
			one := Line{OrderLine: l.OrderLine, Quantity: 1, RestockingFee: money.Of(0, s.Order.Currency)}
			q, err := ComputeQuote(s, inputCase{s}.of(one, 0, 0))
			switch {
			case l.Remaining == 0:
				if !errors.Is(err, ErrQuantityExceeded) || !l.UnitRefund.IsZero() {
					t.Fatalf("%+v: %v", l, err)
				}
				continue
			case err != nil || q.Lines[0].LineRefund != l.UnitRefund:
				t.Fatalf("%+v: %+v %v", l, q, err)
			}
			one.Quantity = l.Remaining
			rest.Lines = append(rest.Lines, one)
		}
		if len(rest.Lines) == 0 {
			return
		}
		q, err := ComputeQuote(s, rest)
		if err != nil || q.SuggestedShippingRefund != v.SuggestedShippingRefund {
			t.Fatalf("%v suggested, %+v %v", v.SuggestedShippingRefund, q, err)
		}
	})
}
