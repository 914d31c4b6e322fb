package returns_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	. "github.com/cartwright-dev/cartwright/domain/returns"
)

// refunds are computed by hand. Rules returns-2 to returns-8.
var refunds = map[string]struct {
	returnCase
	then
}{
	"one of three for 10000 won": {
		returnCase{lines: shirts, shipping: 3000, policy: "full_return_only", units: []int64{1}},
		then{refunds: []int64{3333}, amount: 3333},
	},
	"the second of three": {returnCase{
		lines: shirts, shipping: 3000, policy: "full_return_only", units: []int64{1},
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 0, 0, Requested}},
	}, then{refunds: []int64{3334}, amount: 3334}},
	"the last of three completes the return": {returnCase{
		lines: shirts, shipping: 3000, policy: "full_return_only", units: []int64{1},
		before: []earlierReturn{{[]int64{2}, []int64{6667}, 0, 0, Refunded}},
	}, then{refunds: []int64{3333}, suggested: 3000, amount: 3333}},
	"the last of three with its shipping": {returnCase{
		lines: shirts, shipping: 3000, policy: "full_return_only", units: []int64{1}, shippingRefund: 3000,
		before: []earlierReturn{{[]int64{2}, []int64{6667}, 0, 0, Received}},
	}, then{refunds: []int64{3333}, suggested: 3000, amount: 6333}},
	"two of three at once": {
		returnCase{lines: shirts, shipping: 3000, policy: "full_return_only", units: []int64{2}},
		then{refunds: []int64{6667}, amount: 6667},
	},
	"everything": {
		returnCase{lines: shirts, shipping: 3000, policy: "full_return_only", units: []int64{3}},
		then{refunds: []int64{10000}, suggested: 3000, amount: 10000},
	},
	"everything, with shipping and both fees": {
		returnCase{
			lines: shirts, shipping: 3000, policy: "full_return_only", units: []int64{3}, fees: []int64{1000}, shippingRefund: 3000,
			fee: 2500,
		},
		then{refunds: []int64{10000}, suggested: 3000, amount: 9500},
	},
	"a restocking fee as high as the refund": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, fees: []int64{3333}}, then{refunds: []int64{3333}},
	},
	"a restocking fee one above the refund": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, fees: []int64{3334}}, then{err: ErrRestockingFee},
	},
	"a restocking fee is limited by its own line": {
		returnCase{
			lines: []sold{{units: 1, total: 100}, {units: 1, total: 9000}}, policy: "never", units: []int64{1, 1}, fees: []int64{101, 0},
		},
		then{err: ErrRestockingFee},
	},
	"return shipping as high as the refund": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, fee: 3333}, then{refunds: []int64{3333}},
	},
	"return shipping one above the refund": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, fee: 3334}, then{err: ErrRefundNegative},
	},
	"both fees together above the refund": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, fees: []int64{3000}, fee: 334},
		then{err: ErrRefundNegative},
	},
	"a shipping refund covers return shipping": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, fees: []int64{3333}, fee: 3000, shippingRefund: 3000},
		then{refunds: []int64{3333}},
	},
	"four of three": {returnCase{lines: shirts, policy: "never", units: []int64{4}}, then{err: ErrQuantityExceeded}},
	"two more when one is left": {
		returnCase{lines: shirts, policy: "never", units: []int64{2}, before: []earlierReturn{{[]int64{2}, []int64{6667}, 0, 0, Approved}}},
		then{err: ErrQuantityExceeded},
	},
	"units of a rejected return are returnable": {
		returnCase{lines: shirts, policy: "never", units: []int64{3}, before: []earlierReturn{{[]int64{2}, []int64{6667}, 0, 0, Rejected}}},
		then{refunds: []int64{10000}, amount: 10000},
	},
	"units of a canceled return are returnable": {
		returnCase{lines: shirts, policy: "never", units: []int64{3}, before: []earlierReturn{{[]int64{2}, []int64{6667}, 0, 0, Canceled}}},
		then{refunds: []int64{10000}, amount: 10000},
	},
	"after the first of two returns was rejected": {returnCase{lines: shirts, policy: "never", units: []int64{1}, before: []earlierReturn{
		{[]int64{1}, []int64{3333}, 0, 0, Rejected}, {[]int64{1}, []int64{3334}, 0, 0, Requested},
	}}, then{refunds: []int64{3333}, amount: 3333}},
	"units returned in another system are not returnable": {
		returnCase{lines: []sold{{units: 3, total: 10000, returned: 1}}, policy: "never", units: []int64{3}},
		then{err: ErrQuantityExceeded},
	},
	"refunds of another system are not repeated": {
		returnCase{lines: []sold{{units: 3, total: 10000, returned: 1}}, policy: "never", units: []int64{2}},
		then{refunds: []int64{6667}, amount: 6667},
	},
	"one above the shipping that was paid": {
		returnCase{lines: shirts, shipping: 3000, policy: "always", units: []int64{3}, shippingRefund: 3001}, then{err: ErrShippingCap},
	},
	"the rest of the shipping": {returnCase{
		lines: shirts, shipping: 3000, policy: "always", units: []int64{1}, shippingRefund: 2000,
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 1000, 0, Refunded}},
	}, then{refunds: []int64{3334}, suggested: 2000, amount: 5334}},
	"one above the rest of the shipping": {returnCase{
		lines: shirts, shipping: 3000, policy: "always", units: []int64{1}, shippingRefund: 2001,
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 1000, 0, Requested}},
	}, then{err: ErrShippingCap}},
	"two refunds that fit one by one exceed the cap together": {returnCase{
		lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, shippingRefund: 1,
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 1500, 0, Approved}, {[]int64{1}, []int64{3334}, 1500, 0, Requested}},
	}, then{err: ErrShippingCap}},
	"shipping of a rejected return is refundable": {returnCase{
		lines: shirts, shipping: 3000, policy: "always", units: []int64{3}, shippingRefund: 3000,
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 3000, 0, Rejected}},
	}, then{refunds: []int64{10000}, suggested: 3000, amount: 13000}},
	"free shipping is not refunded": {
		returnCase{lines: shirts, policy: "always", units: []int64{3}, shippingRefund: 1}, then{err: ErrShippingCap},
	},
	"never suggests nothing, and the shop may refund it": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{3}, shippingRefund: 3000},
		then{refunds: []int64{10000}, amount: 13000},
	},
	"always suggests all of it for one unit": {
		returnCase{lines: shirts, shipping: 3000, policy: "always", units: []int64{1}},
		then{refunds: []int64{3333}, suggested: 3000, amount: 3333},
	},
	"always suggests what is left of it": {
		returnCase{
			lines: shirts, shipping: 3000, policy: "always", units: []int64{1},
			before: []earlierReturn{{[]int64{1}, []int64{3333}, 1000, 0, Requested}},
		},
		then{refunds: []int64{3334}, suggested: 2000, amount: 3334},
	},
	"proportional suggests a third for a third": {
		returnCase{lines: shirts, shipping: 3000, policy: "proportional", units: []int64{1}},
		then{refunds: []int64{3333}, suggested: 1000, amount: 3333},
	},
	"proportional subtracts earlier refunds": {returnCase{
		lines: shirts, shipping: 3000, policy: "proportional", units: []int64{1},
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 1000, 0, Requested}},
	}, then{refunds: []int64{3334}, suggested: 1000, amount: 3334}},
	"proportional includes what was not refunded before": {
		returnCase{
			lines: shirts, shipping: 3000, policy: "proportional", units: []int64{1},
			before: []earlierReturn{{[]int64{1}, []int64{3333}, 0, 0, Requested}},
		},
		then{refunds: []int64{3334}, suggested: 2000, amount: 3334},
	},
	"proportional suggests nothing after a larger refund": {returnCase{
		lines: shirts, shipping: 3000, policy: "proportional", units: []int64{1},
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 2500, 0, Requested}},
	}, then{refunds: []int64{3334}, amount: 3334}},
	"proportional goes by value, not by units": {
		returnCase{
			lines: []sold{{units: 2, total: 9000}, {units: 1, total: 1000}}, shipping: 3000, policy: "proportional", units: []int64{0, 1},
		},
		then{refunds: []int64{1000}, suggested: 300, amount: 1000},
	},
	"proportional excludes digital lines": {
		returnCase{lines: mixed, shipping: 3000, policy: "proportional", units: []int64{1}},
		then{refunds: []int64{9000}, suggested: 3000, amount: 9000},
	},
	"proportional is rounded once": {
		returnCase{lines: shirts, shipping: 2500, policy: "proportional", units: []int64{1}},
		then{refunds: []int64{3333}, suggested: 833, amount: 3333},
	},
	"proportional is rounded over everything": {returnCase{
		lines: shirts, shipping: 2500, policy: "proportional", units: []int64{1},
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 833, 0, Requested}},
	}, then{refunds: []int64{3334}, suggested: 834, amount: 3334}},
	"proportional of free goods goes by units": {
		returnCase{lines: []sold{{units: 2, total: 0}}, shipping: 3000, policy: "proportional", units: []int64{1}, shippingRefund: 1500},
		then{refunds: []int64{0}, suggested: 1500, amount: 1500},
	},
	"a full return covers all shipped units": {
		returnCase{lines: mixed, shipping: 3000, policy: "full_return_only", units: []int64{1}},
		then{refunds: []int64{9000}, suggested: 3000, amount: 9000},
	},
	"a course alone refunds no shipping": {
		returnCase{lines: mixed, shipping: 3000, policy: "always", units: []int64{0, 1}, shippingRefund: 1},
		then{err: ErrShippingNotApplicable},
	},
	"a course alone has no return shipping": {
		returnCase{lines: mixed, shipping: 3000, policy: "always", units: []int64{0, 1}, fee: 1}, then{err: ErrShippingNotApplicable},
	},
	"a course alone refunds its price": {
		returnCase{lines: mixed, shipping: 3000, policy: "always", units: []int64{0, 1}}, then{refunds: []int64{21000}, amount: 21000},
	},
	"a course beside a shirt": {
		returnCase{lines: mixed, shipping: 3000, policy: "always", units: []int64{1, 1}, shippingRefund: 3000, fee: 2500},
		then{refunds: []int64{9000, 21000}, suggested: 3000, amount: 30500},
	},
	"without a policy shipping needs a note": {
		returnCase{lines: shirts, shipping: 3000, units: []int64{3}, shippingRefund: 1}, then{err: ErrAuditNoteRequired},
	},
	"a blank note is not a note": {
		returnCase{lines: shirts, shipping: 3000, units: []int64{3}, shippingRefund: 1, note: " \n"}, then{err: ErrAuditNoteRequired},
	},
	"without a policy nothing is suggested": {
		returnCase{lines: shirts, shipping: 3000, units: []int64{3}, shippingRefund: 3000, note: "damaged"},
		then{refunds: []int64{10000}, amount: 13000},
	},
	"without a policy the shipping paid is the cap": {
		returnCase{lines: shirts, shipping: 3000, units: []int64{3}, shippingRefund: 3001, note: "damaged"}, then{err: ErrShippingCap},
	},
	"without policy and shipping refund no note is needed": {
		returnCase{lines: shirts, shipping: 3000, units: []int64{1}, fee: 2500}, then{refunds: []int64{3333}, amount: 833},
	},
	"with a policy no note is needed": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, shippingRefund: 1},
		then{refunds: []int64{3333}, amount: 3334},
	},
	"one of three for 19.99 dollars": {
		returnCase{currency: "USD", lines: dollar, policy: "never", units: []int64{1}}, then{refunds: []int64{666}, amount: 666},
	},
	"the second of three for 19.99": {
		returnCase{
			currency: "USD", lines: dollar, policy: "never", units: []int64{1},
			before: []earlierReturn{{[]int64{1}, []int64{666}, 0, 0, Requested}},
		},
		then{refunds: []int64{667}, amount: 667},
	},
	"the third of three for 19.99": {returnCase{currency: "USD", lines: dollar, policy: "never", units: []int64{1}, before: []earlierReturn{
		{[]int64{1}, []int64{666}, 0, 0, Requested}, {[]int64{1}, []int64{667}, 0, 0, Requested},
	}}, then{refunds: []int64{666}, amount: 666}},
	"half of 0.05 dollars, half up": {
		returnCase{currency: "USD", lines: []sold{{units: 2, total: 5}}, policy: "never", units: []int64{1}},
		then{refunds: []int64{3}, amount: 3},
	},
	"half of 0.05 dollars, half even": {
		returnCase{currency: "USD", mode: money.HalfEven, lines: []sold{{units: 2, total: 5}}, policy: "never", units: []int64{1}},
		then{refunds: []int64{2}, amount: 2},
	},
	"half of 0.05 dollars, down": {
		returnCase{currency: "USD", mode: money.Down, lines: []sold{{units: 2, total: 5}}, policy: "never", units: []int64{1}},
		then{refunds: []int64{2}, amount: 2},
	},
	"the other half of 0.05, rounded down before": {returnCase{
		currency: "USD", mode: money.Down, lines: []sold{{units: 2, total: 5}}, policy: "never", units: []int64{1},
		before: []earlierReturn{{[]int64{1}, []int64{2}, 0, 0, Refunded}},
	}, then{refunds: []int64{3}, amount: 3}},
	"9.99 of shipping, by a third of the value in dollars": {
		returnCase{currency: "USD", lines: dollar, shipping: 999, policy: "proportional", units: []int64{1}, shippingRefund: 333},
		then{refunds: []int64{666}, suggested: 333, amount: 999},
	},
	"one dollar restocking fee, two dollars return shipping": {
		returnCase{
			currency: "USD", lines: dollar, shipping: 999, policy: "always", units: []int64{3}, fees: []int64{100}, fee: 200,
			shippingRefund: 999,
		},
		then{refunds: []int64{1999}, suggested: 999, amount: 2698},
	},
	"half of 1.005 dinars, half up": {
		returnCase{currency: "KWD", lines: dinar, policy: "never", units: []int64{1}}, then{refunds: []int64{503}, amount: 503},
	},
	"half of 1.005 dinars, half even": {
		returnCase{currency: "KWD", mode: money.HalfEven, lines: dinar, policy: "never", units: []int64{1}},
		then{refunds: []int64{502}, amount: 502},
	},
	"half of 1.005 dinars, down": {
		returnCase{currency: "KWD", mode: money.Down, lines: dinar, policy: "never", units: []int64{1}},
		then{refunds: []int64{502}, amount: 502},
	},
	"a restocking fee of a thousandth of a dinar": {
		returnCase{currency: "KWD", lines: dinar, policy: "never", units: []int64{1}, fees: []int64{1}},
		then{refunds: []int64{503}, amount: 502},
	},
	"1.250 dinars of shipping by thirds, the first": {
		returnCase{currency: "KWD", lines: dinars, shipping: 1250, policy: "proportional", units: []int64{1}},
		then{refunds: []int64{3333}, suggested: 417, amount: 3333},
	},
	"1.250 dinars of shipping by thirds, the second": {returnCase{
		currency: "KWD", lines: dinars, shipping: 1250, policy: "proportional", units: []int64{1},
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 417, 0, Refunded}},
	}, then{refunds: []int64{3334}, suggested: 416, amount: 3334}},
	"1.250 dinars of shipping by thirds, the last": {returnCase{
		currency: "KWD", lines: dinars, shipping: 1250, policy: "proportional", units: []int64{1},
		before: []earlierReturn{{[]int64{2}, []int64{6667}, 833, 0, Refunded}},
	}, then{refunds: []int64{3333}, suggested: 417, amount: 3333}},
	"more than was paid": {
		returnCase{lines: shirts, policy: "never", paid: new(int64(5000)), units: []int64{3}}, then{err: payment.ErrExceedsPaid},
	},
	"nothing was paid": {
		returnCase{lines: shirts, shipping: 3000, policy: "always", policyFee: 2500, paid: new(int64(0)), units: []int64{2}, byPolicy: true},
		then{refunds: []int64{0}},
	},
	"nothing was paid, shipping by hand": {
		returnCase{lines: shirts, shipping: 3000, policy: "always", paid: new(int64(0)), units: []int64{1}, shippingRefund: 1}, then{err: ErrShippingCap},
	},
	"nothing was paid, a fee": {
		returnCase{lines: shirts, policy: "never", paid: new(int64(0)), units: []int64{1}, fee: 1}, then{err: ErrRefundNegative},
	},
	"paid after one came back for nothing": {returnCase{
		lines: shirts, policy: "never", units: []int64{2}, before: []earlierReturn{{[]int64{1}, []int64{0}, 0, 0, Refunded}},
	}, then{refunds: []int64{10_000}, amount: 10_000}},
	"as much as was paid": {
		returnCase{lines: shirts, policy: "never", paid: new(int64(3333)), units: []int64{1}}, then{refunds: []int64{3333}, amount: 3333},
	},
	"more than remains after other refunds": {
		returnCase{lines: shirts, policy: "never", refunded: new(int64(8000)), units: []int64{1}}, then{err: payment.ErrExceedsPaid},
	},
	"the refund of another open return is reserved": {returnCase{
		lines: shirts, policy: "never", paid: new(int64(8000)), units: []int64{1},
		before: []earlierReturn{{[]int64{2}, []int64{6667}, 0, 0, Requested}},
	}, then{err: payment.ErrExceedsPaid}},
	"the refund of a return counts once": {returnCase{
		lines: shirts, policy: "never", refunded: new(int64(3333)), units: []int64{2},
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 0, 0, Refunded}},
	}, then{refunds: []int64{6667}, amount: 6667}},
	"a pending refund counts too": {returnCase{
		lines: shirts, policy: "never", paid: new(int64(9999)), units: []int64{2},
		before: []earlierReturn{{[]int64{1}, []int64{3333}, 0, 0, Refunded}},
	}, then{err: payment.ErrExceedsPaid}},
	"a customer gets the policy's amounts": {
		returnCase{lines: shirts, shipping: 3000, policy: "full_return_only", policyFee: 2500, units: []int64{3}, byPolicy: true},
		then{refunds: []int64{10000}, suggested: 3000, amount: 10500},
	},
	"a customer's course has no return shipping": {
		returnCase{lines: mixed, shipping: 3000, policy: "always", policyFee: 2500, units: []int64{0, 1}, byPolicy: true},
		then{refunds: []int64{21000}, amount: 21000},
	},
	"a customer without a policy": {
		returnCase{lines: shirts, shipping: 3000, units: []int64{3}, byPolicy: true}, then{refunds: []int64{10000}, amount: 10000},
	},
	"a customer whose return shipping exceeds the refund": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", policyFee: 5000, units: []int64{1}, byPolicy: true},
		then{err: ErrRefundNegative},
	},
	"a line of another order": {
		returnCase{lines: shirts, policy: "never", units: []int64{1}, lineOverride: "line-9"}, then{err: ErrLineNotInOrder},
	},
	"a line named twice": {
		returnCase{lines: mixed, policy: "never", units: []int64{1, 1}, lineOverride: "line-0"}, then{err: fault.ErrValidation},
	},
	"no line":                    {returnCase{lines: shirts, policy: "never"}, then{err: fault.ErrValidation}},
	"a negative number of units": {returnCase{lines: shirts, policy: "never", units: []int64{-1}}, then{err: fault.ErrValidation}},
	"a negative restocking fee": {
		returnCase{lines: shirts, policy: "never", units: []int64{1}, fees: []int64{-1}}, then{err: fault.ErrValidation},
	},
	"negative return shipping": {returnCase{lines: shirts, policy: "never", units: []int64{1}, fee: -1}, then{err: fault.ErrValidation}},
	"a negative shipping refund": {
		returnCase{lines: shirts, shipping: 3000, policy: "never", units: []int64{1}, shippingRefund: -1}, then{err: fault.ErrValidation},
	},
}

func TestComputeQuote(t *testing.T) {
	t.Parallel()
	for name, c := range refunds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := c.got()
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatalf("refused: %v, want %v", err, c.err)
			}
			if err == nil && (!slices.Equal(got.refunds, c.refunds) || got.suggested != c.suggested || got.amount != c.amount) {
				t.Errorf("got %+v, want %+v", got, c.then)
			}
		})
	}
}

func TestReturnRefusalsCarryData(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"two more when one is left":                     "map[orderLine:line-0 remaining:1 requested:2]",
		"a restocking fee one above the refund":         "map[lineRefund:3333 orderLine:line-0]",
		"one above the rest of the shipping":            "map[cap:2000]",
		"return shipping one above the refund":          "map[refundAmount:-1]",
		"the refund of another open return is reserved": "map[left:1333]",
		"a line of another order":                       "map[orderLine:line-9]",
	} {
		_, err := refunds[name].got()
		if f := fault.From(err); fmt.Sprint(f.Data) != want {
			t.Errorf("%s: %v", name, f.Data)
		}
	}
	_, err := refunds["a line named twice"].got()
	if f := fault.From(err); len(f.Fields) != 1 || f.Fields[0].Field != "lines.1.orderLine" {
		t.Errorf("%+v", f)
	}
}
