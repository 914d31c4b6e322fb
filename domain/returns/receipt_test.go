package returns_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/returns"
)

// approved is a return of all lines of s, in the given units.
func approved(t interface{ Fatal(args ...any) }, s OrderReturns, shippingRefund, fee int64, units ...int64) Request {
	c := s.Order.Currency
	w := Input{InitialShippingRefund: money.Of(shippingRefund, c), ReturnShippingFee: money.Of(fee, c), AuditNote: "n"}
	for i, n := range units {
		if n > 0 {
			w.Lines = append(w.Lines, Line{OrderLine: s.Order.Lines[i].ID, Quantity: n, Restock: true, RestockingFee: money.Of(0, c)})
		}
	}
	q, err := ComputeQuote(s, w)
	if err != nil {
		t.Fatal(err)
	}
	return Request{Quote: q, Status: Approved, Currency: c}
}

func arrival(line string, units int64) Arrival { return Arrival{OrderLine: line, Quantity: &units} }

func TestFewerUnitsThanAskedForRefundLess(t *testing.T) {
	t.Parallel()
	s := returnCase{lines: []sold{{units: 3, total: 10000}, {units: 1, total: 500}}, shipping: 3000, policy: "full_return_only"}.sale()
	first, second := s.Order.Lines[0].ID, s.Order.Lines[1].ID
	for name, c := range map[string]struct {
		shipping, fee  int64
		arrived        []Arrival
		amount, kept   int64 // what is refunded, and the return shipping fee
		missing, units int64 // units of the first line: asked for where fewer came, and here
	}{
		"nobody counted":           {3000, 1000, nil, 12500, 1000, 0, 3},
		"all of it":                {3000, 1000, []Arrival{arrival(first, 3), arrival(second, 1)}, 12500, 1000, 0, 3},
		"one of three":             {3000, 1000, []Arrival{arrival(first, 1)}, 2833, 1000, 3, 1},
		"a shipping refund of own": {2000, 0, []Arrival{arrival(first, 1)}, 5833, 0, 3, 1},
		"none of one line":         {0, 1000, []Arrival{{OrderLine: first, Condition: Missing}}, 0, 500, 3, 0},
		"nothing at all":           {3000, 1000, []Arrival{arrival(first, 0), arrival(second, 0)}, 0, 0, 3, 0},
	} {
		r, err := approved(t, s, c.shipping, c.fee, 3, 1).ReceiveOnly(s, c.arrived, now)
		if err != nil || r.Status != Received || r.RefundAmount.Minor != c.amount || r.ReturnShippingFee.Minor != c.kept ||
			r.Lines[0].Requested != c.missing || r.Lines[0].Quantity != c.units {
			t.Errorf("%s: %+v, %v", name, r.Quote, err)
		}
	}
}

func TestWhatMayBeSaidOfArrivals(t *testing.T) {
	t.Parallel()
	s := returnCase{lines: shirts, policy: "never"}.sale()
	line, yes := s.Order.Lines[0].ID, true
	for name, c := range map[string]struct {
		arrived []Arrival
		field   string
	}{
		"more than were asked for":       {[]Arrival{arrival(line, 3)}, "lines.0.quantity"},
		"less than none":                 {[]Arrival{arrival(line, -1)}, "lines.0.quantity"},
		"a line of another order":        {[]Arrival{arrival("x", 1)}, "lines.0.orderLine"},
		"a line twice":                   {[]Arrival{arrival(line, 1), arrival(line, 1)}, "lines.1.orderLine"},
		"units that are missing":         {[]Arrival{{line, new(int64(1)), Missing, nil}}, "lines.0.condition"},
		"nothing, and it is damaged":     {[]Arrival{{line, new(int64(0)), Damaged, nil}}, "lines.0.condition"},
		"nothing, and it is restocked":   {[]Arrival{{line, new(int64(0)), "", &yes}}, "lines.0.restock"},
		"damaged, and sold all the same": {[]Arrival{{line, nil, Damaged, &yes}}, ""},
	} {
		_, err := approved(t, s, 0, 0, 2).ReceiveOnly(s, c.arrived, now)
		f, refused := errors.AsType[*fault.Error](err)
		if refused != (c.field != "") || refused && f.Fields[0].Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	refunded := approved(t, s, 0, 0, 2)
	refunded.ReturnedAt = now
	if _, err := refunded.ReceiveOnly(s, []Arrival{arrival(line, 1)}, now); !errors.Is(err, ErrTransition) {
		t.Errorf("counted already: %v", err)
	}
}

func TestWhatArrivedIsRestockedByItsCondition(t *testing.T) {
	t.Parallel()
	s := returnCase{lines: shirts, policy: "never"}.sale()
	s.Order.Lines[0].StockTaken, s.Order.Lines[0].Variant = true, "shirt"
	yes := true
	for name, c := range map[string]struct {
		arrived Arrival
		want    int64
	}{
		"as new": {Arrival{Condition: AsNew}, 2}, "two of three": {Arrival{Quantity: new(int64(1))}, 1}, "opened": {Arrival{Condition: Opened}, 0},
		"opened, to be sold": {Arrival{Condition: Opened, Restock: &yes}, 2}, "damaged": {Arrival{Condition: Damaged}, 0},
		"missing": {Arrival{Condition: Missing}, 0},
	} {
		c.arrived.OrderLine = s.Order.Lines[0].ID
		r, err := approved(t, s, 0, 0, 2).ReceiveOnly(s, []Arrival{c.arrived}, now)
		if err != nil {
			t.Fatal(err)
		}
		var back int64
		for _, d := range inventory.Sum(r.RestockUnits(s.Order)) {
			back += d.Quantity
		}
		if back != c.want {
			t.Errorf("%s: %d", name, back)
		}
	}
}

// Whatever arrives: the amounts add up, never more is refunded than was set aside, and what did not arrive can be returned again for
// exactly the rest of each line.
func TestAnyReceiptAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anySale(t)
		units := make([]int64, len(s.Order.Lines))
		var some bool
		for i, l := range s.Order.Lines {
			units[i] = rapid.Int64Range(0, l.Quantity).Draw(t, "asked for")
			some = some || units[i] > 0
		}
		if !some {
			units[0] = 1
		}
		asked := approved(t, s, 0, 0, units...)
		var arrived []Arrival
		for _, l := range asked.Lines {
			arrived = append(arrived, arrival(l.OrderLine, rapid.Int64Range(0, l.Quantity).Draw(t, "arrived")))
		}
		got, err := asked.ReceiveOnly(s, arrived, now)
		if err != nil {
			t.Fatal(err)
		}
		sum := got.LineRefunds.Plus(got.InitialShippingRefund).Minus(got.RestockingFees).Minus(got.ReturnShippingFee)
		if sum != got.RefundAmount || sum.Minor < 0 || sum.Minor > asked.RefundAmount.Minor {
			t.Fatalf("%+v of %+v", got.Quote, asked.Quote)
		}
		rest := taken(s, got.Quote, Received)
		for _, l := range s.Order.Lines {
			var back, refunded int64
			for _, r := range got.Lines {
				if r.OrderLine == l.ID {
					back, refunded = r.Quantity, r.LineRefund.Minor
				}
			}
			if left := l.Quantity - back; left > 0 {
				q, err := ComputeQuote(rest, inputCase{rest}.of(Line{OrderLine: l.ID, Quantity: left, RestockingFee: money.Of(0, s.Order.Currency)}, 0, 0))
				if err != nil || q.LineRefunds.Minor+refunded != l.Total.Minor {
					t.Fatalf("%d of %d, %v", q.LineRefunds.Minor+refunded, l.Total.Minor, err)
				}
			}
		}
	})
}
