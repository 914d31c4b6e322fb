package returns_test

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	. "github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// sold is an order line: units and their total in minor units.
type sold struct {
	units, total int64
	digital      bool
	returned     int64 // as stored in the order
}

// earlierReturn is an earlier return: units and refunds line by line.
type earlierReturn struct {
	units, refunds []int64
	shipping       int64
	amount         int64 // 0: the refunds and the shipping
	status         Status
}

// returnCase is an order and a requested return.
type returnCase struct {
	currency       money.Currency // "" is KRW
	mode           money.Rounding
	lines          []sold
	shipping       int64
	policy         shipping.RefundRule // "" is an order without a policy
	policyFee      int64
	paid, refunded *int64 // nil: everything, nothing
	before         []earlierReturn

	units, fees    []int64
	shippingRefund int64
	fee            int64
	note           string
	byPolicy       bool
	lineOverride   string // uses this line id instead of the first
}

func lineID(i int) string { return "line-" + strconv.Itoa(i) }

func (g returnCase) sale() OrderReturns {
	c := g.currency
	if c == "" {
		c = "KRW"
	}
	o := order.Order{Currency: c, Shipping: money.Of(g.shipping, c), Total: money.Of(g.shipping, c), Refunded: money.Of(0, c)}
	for i, l := range g.lines {
		o.Lines = append(o.Lines, order.Line{
			Line: sale.Line{
				ID: lineID(i), Variant: "v" + strconv.Itoa(i), Quantity: l.units, Total: money.Of(l.total, c), RequiresShipping: !l.digital,
			},
			Returned: l.returned,
		})
		o.Total = o.Total.Plus(money.Of(l.total, c))
	}
	if g.policy != "" {
		o.ReturnPolicy = &checkout.ReturnPolicy{InitialShippingRefund: g.policy, ReturnShippingFee: money.Of(g.policyFee, c)}
	}
	if o.Paid = o.Total; g.paid != nil {
		o.Paid = money.Of(*g.paid, c)
	}
	if g.refunded != nil {
		o.Refunded = money.Of(*g.refunded, c)
	}
	s := OrderReturns{Order: o, Rounding: g.mode}
	for _, b := range g.before {
		r := Request{Status: b.status, Currency: c}
		r.InitialShippingRefund, r.RefundAmount = money.Of(b.shipping, c), money.Of(b.shipping, c)
		for i, n := range b.units {
			r.Lines = append(r.Lines, Line{OrderLine: lineID(i), Quantity: n, LineRefund: money.Of(b.refunds[i], c)})
			r.RefundAmount = r.RefundAmount.Plus(money.Of(b.refunds[i], c))
		}
		if b.amount != 0 {
			r.RefundAmount = money.Of(b.amount, c)
		}
		s.OtherRequests = append(s.OtherRequests, r)
	}
	return s
}

func (g returnCase) wish() Input {
	c := g.sale().Order.Currency
	w := Input{
		ReturnShippingFee: money.Of(g.fee, c), InitialShippingRefund: money.Of(g.shippingRefund, c), AuditNote: g.note,
		UsePolicy: g.byPolicy,
	}
	for i, n := range g.units {
		if n == 0 {
			continue
		}
		l := Line{OrderLine: lineID(i), Quantity: n, RestockingFee: money.Of(0, c)}
		if len(g.fees) > i {
			l.RestockingFee = money.Of(g.fees[i], c)
		}
		if g.lineOverride != "" {
			l.OrderLine = g.lineOverride
		}
		w.Lines = append(w.Lines, l)
	}
	return w
}

// then is the result in minor units, or the refusal.
type then struct {
	refunds   []int64 // line by line of the return
	suggested int64
	amount    int64
	err       error
}

func (g returnCase) got() (then, error) {
	q, err := ComputeQuote(g.sale(), g.wish())
	t := then{suggested: q.SuggestedShippingRefund.Minor, amount: q.RefundAmount.Minor}
	for _, l := range q.Lines {
		t.refunds = append(t.refunds, l.LineRefund.Minor)
	}
	return t, err
}

var (
	shirts = []sold{{units: 3, total: 10000}}                                         // three for 10000 won
	mixed  = []sold{{units: 1, total: 9000}, {units: 1, total: 21000, digital: true}} // a shirt and a course
	dollar = []sold{{units: 3, total: 1999}}                                          // 19.99
	dinar  = []sold{{units: 2, total: 1005}}                                          // 1.005
	dinars = []sold{{units: 3, total: 10000}}                                         // 10.000
)
