package pricing_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

func TestAFeeThatAnOperatorGives(t *testing.T) {
	t.Parallel()
	fee := krw(700)
	for name, c := range map[string]struct {
		change func(*pricing.Input)
		total  int64
		told   bool // shipping is known
	}{
		"stands in place of the policy":   {func(in *pricing.Input) { in.PostalCode = "06000" }, 1700, true},
		"needs no address":                {func(*pricing.Input) {}, 1700, true},
		"needs no policy":                 {func(in *pricing.Input) { in.Policy = nil }, 1700, true},
		"counts only where things ship":   {func(in *pricing.Input) { in.Lines[0].RequiresShipping = false }, 1000, false},
		"may be nothing":                  {func(in *pricing.Input) { none := krw(0); in.Fee = &none }, 1000, true},
		"is not asked for where it isn't": {func(in *pricing.Input) { in.Fee, in.PostalCode = nil, "06000" }, 4000, true},
	} {
		in := input(line("mug", 1, 1000))
		in.Fee = &fee
		c.change(&in)
		got, err := pricing.Compute(in)
		if err != nil || got.Total != krw(c.total) || (got.Shipping != nil) != c.told {
			t.Errorf("%s: %+v %v", name, got, err)
		}
		why, x, err := pricing.Explain(in)
		if err != nil || why.Total != got.Total || x.Total != got.Total || (x.Shipping != nil) != (got.Quote != nil) {
			t.Errorf("%s, explained: %+v %v", name, x, err)
		}
	}
	in := input(line("mug", 1, money.Max))
	in.Fee = &fee
	if _, err := pricing.Compute(in); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("too much: %v", err)
	}
}
