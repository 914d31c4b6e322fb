package pricing_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// Rule catalog-31.
func TestPricesAreAdjustedAndRoundedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		price int64
		by    pricing.Adjustment
		want  int64
	}{
		"ten percent more":            {15_000, pricing.Adjustment{BasisPoints: 1_000, Unit: 1}, 16_500},
		"a third less":                {10_000, pricing.Adjustment{BasisPoints: -3_333, Unit: 1}, 6_667},
		"to the nearest hundred":      {15_000, pricing.Adjustment{BasisPoints: 333, Unit: 100}, 15_500},
		"half is up":                  {1_000, pricing.Adjustment{BasisPoints: 500, Unit: 100}, 1_100},
		"up":                          {1_001, pricing.Adjustment{BasisPoints: 1_000, Unit: 100, Mode: pricing.Up}, 1_200},
		"up where it is even":         {1_000, pricing.Adjustment{BasisPoints: 1_000, Unit: 100, Mode: pricing.Up}, 1_100},
		"down":                        {1_099, pricing.Adjustment{BasisPoints: 1_000, Unit: 100, Mode: pricing.Down}, 1_200},
		"ending in 900":               {15_000, pricing.Adjustment{BasisPoints: 1_000, Unit: 1_000, Below: 100}, 16_900},
		"ending in 99":                {450, pricing.Adjustment{BasisPoints: 1_000, Unit: 100, Below: 1}, 499},
		"ending in 99, up":            {455, pricing.Adjustment{BasisPoints: 1_000, Unit: 100, Below: 1, Mode: pricing.Up}, 599},
		"rounded once":                {333, pricing.Adjustment{BasisPoints: 1, Unit: 1, Mode: pricing.Down}, 333},
		"not to nothing":              {40, pricing.Adjustment{BasisPoints: -1_000, Unit: 100, Mode: pricing.Down}, 100},
		"not to nothing, ending in 9": {2, pricing.Adjustment{BasisPoints: -9_000, Unit: 10, Below: 1}, 9},
		"free stays free":             {0, pricing.Adjustment{BasisPoints: 5_000, Unit: 100}, 0},
		"by nothing":                  {1_234, pricing.Adjustment{Unit: 1_000}, 1_234},
	} {
		got, err := c.by.Apply(money.Of(c.price, "KRW"))
		if err != nil || got != money.Of(c.want, "KRW") || c.by.Check() != nil {
			t.Errorf("%s: %v %v, want %d", name, got, err, c.want)
		}
	}
	if _, err := (pricing.Adjustment{BasisPoints: 100_000, Unit: 1}).Apply(money.Of(money.Max, "KRW")); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("too large: %v", err)
	}
	for name, a := range map[string]pricing.Adjustment{
		"basisPoints": {BasisPoints: -9_001, Unit: 1}, "more": {BasisPoints: 100_001, Unit: 1}, "unit": {}, "below": {Unit: 10, Below: 10},
		"negative": {Unit: 10, Below: -1},
	} {
		if a.Check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// Rule catalog-31.
func TestAdjustmentsAreMonotoneAndNeverNegative(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]int64{1, 10, 50, 100, 1_000, 10_000}).Draw(t, "unit")
		a := pricing.Adjustment{
			BasisPoints: rapid.Int64Range(pricing.MinBasisPoints, pricing.MaxBasisPoints).Draw(t, "basis points"), Unit: unit,
			Below: rapid.Int64Range(0, unit-1).Draw(t, "below"),
			Mode:  rapid.SampledFrom([]pricing.RoundingMode{pricing.ToNearest, pricing.Up, pricing.Down}).Draw(t, "mode"),
		}
		low := rapid.Int64Range(0, 1e12).Draw(t, "price")
		high := low + rapid.Int64Range(0, 1e12).Draw(t, "more")
		x, err := a.Apply(money.Of(low, "KRW"))
		y, again := a.Apply(money.Of(high, "KRW"))
		if err != nil || again != nil {
			t.Fatal(err, again)
		}
		if x.Minor < 0 || x.Minor == 0 != (low == 0) || x.Minor > y.Minor {
			t.Errorf("%d becomes %v, %d becomes %v", low, x, high, y)
		}
		if a.BasisPoints != 0 && low > 0 && (x.Minor+a.Below)%unit != 0 {
			t.Errorf("%v is not as rounded", x)
		}
		exact := float64(low) * float64(10_000+a.BasisPoints) / 10_000
		if d := float64(x.Minor) - exact; low > 0 && a.BasisPoints != 0 && (d >= float64(unit) && exact >= float64(unit) || d <= -float64(unit)) {
			t.Errorf("%v is further than a unit from %f", x, exact)
		}
	})
}
