package returns_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/returns"
)

func TestReturnedUnitsCountOnce(t *testing.T) {
	t.Parallel()
	g := returnCase{
		lines: []sold{{units: 5, total: 10000, returned: 3}}, policy: "never",
		before: []earlierReturn{{[]int64{2}, []int64{4000}, 0, 0, Received}}, units: []int64{2},
	}
	s := g.sale()
	s.OtherRequests[0].ReturnedAt = now // two of three units; another system took one back
	q, err := ComputeQuote(s, g.wish())
	if err != nil || q.RefundAmount != money.Of(4000, "KRW") {
		t.Errorf("%+v %v", q, err)
	}
	want := ReturnableLine{OrderLine: "line-0", Ordered: 5, Returned: 3, Remaining: 2, UnitRefund: money.Of(2000, "KRW"), Shippable: true}
	if v := Returnable(s); !slices.Equal(v.Lines, []ReturnableLine{want}) {
		t.Errorf("%+v", v)
	}
}

func TestNoSuggestionWhenNothingRemains(t *testing.T) {
	t.Parallel()
	s := returnCase{
		lines: mixed, shipping: 3000, policy: "always", before: []earlierReturn{{[]int64{1, 0}, []int64{9000, 0}, 1000, 0, Refunded}},
	}.sale()
	v := Returnable(s)
	if !v.SuggestedShippingRefund.IsZero() || v.ShippingRefundCap != money.Of(2000, "KRW") || v.Lines[0].Remaining != 0 ||
		!v.Lines[0].UnitRefund.IsZero() || v.Lines[1].UnitRefund != money.Of(21000, "KRW") {
		t.Errorf("%+v", v)
	}
}
