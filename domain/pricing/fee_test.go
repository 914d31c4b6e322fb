package pricing_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

func TestOperatorShippingFee(t *testing.T) {
	t.Parallel()
	fee := krw(700)
	for name, c := range map[string]struct {
		change func(*pricing.Input)
		total  int64
		known  bool // shipping is known
	}{
		"replaces the policy's fee":     {func(in *pricing.Input) { in.To = to("06000") }, 1700, true},
		"needs no address":              {func(*pricing.Input) {}, 1700, true},
		"needs no policy":               {func(in *pricing.Input) { in.DefaultPolicy = nil }, 1700, true},
		"counts only where things ship": {func(in *pricing.Input) { in.Lines[0].RequiresShipping = false }, 1000, false},
		"may be zero":                   {func(in *pricing.Input) { none := krw(0); in.ShippingFee = &none }, 1000, true},
		"no fee of an operator":         {func(in *pricing.Input) { in.ShippingFee, in.To = nil, to("06000") }, 4000, true},
	} {
		in := input(line("mug", 1, 1000))
		in.ShippingFee = &fee
		c.change(&in)
		got, err := pricing.Compute(in)
		if err != nil || got.Total != krw(c.total) || (got.Shipping != nil) != c.known {
			t.Errorf("%s: %+v %v", name, got, err)
		}
		why, x, err := pricing.Explain(in)
		if err != nil || why.Total != got.Total || x.Total != got.Total || (x.Shipping != nil) != (got.Quote != nil) {
			t.Errorf("%s, explained: %+v %v", name, x, err)
		}
	}
	for name, chosen := range map[string]*shipping.Policy{"gone": {}, "in dollars": {ID: "usd", Currency: "USD"}} {
		in := input(line("mug", 1, 1000))
		in.ShippingFee, in.Policy = &fee, chosen
		if _, err := pricing.Compute(in); !errors.Is(err, shipping.ErrUnavailable) {
			t.Errorf("a fee for a policy that is %s: %v", name, err)
		}
	}
	in := input(line("mug", 1, money.Max))
	in.ShippingFee = &fee
	if _, err := pricing.Compute(in); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("too much: %v", err)
	}
}
