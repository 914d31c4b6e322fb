package catalog_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// currencies of each kind: no fraction digits, two, three.
var currencies = []money.Currency{"KRW", "JPY", "USD", "KWD"}

func TestComputedPriceUsesCurrencyDigits(t *testing.T) {
	t.Parallel()
	type key struct{ from, to money.Currency }
	// 12345 minor units at a rate of 0.3, plus 7 percent: 3962.745 minor units where the digits are the same.
	exact := map[key]string{
		{"KRW", "JPY"}: "3963", {"KRW", "USD"}: "3962.75", {"KRW", "KWD"}: "3962.745",
		{"USD", "KRW"}: "40", {"USD", "JPY"}: "40", {"USD", "KWD"}: "39.627", {"USD", "USD"}: "39.63",
		{"KWD", "KRW"}: "4", {"KWD", "JPY"}: "4", {"KWD", "USD"}: "3.96", {"KWD", "KWD"}: "3.963",
		{"JPY", "KRW"}: "3963", {"JPY", "USD"}: "3962.75", {"JPY", "KWD"}: "3962.745",
	}
	for k, want := range exact {
		m := &catalog.Market{ID: "m", Currency: k.to, Rate: dec("0.3"), Adjustment: dec("7")}
		got, err := catalog.ResolvePrice(catalog.PriceFacts{Base: catalog.Price{Amount: money.Of(12345, k.from)}, Market: m})
		if err != nil || got.Amount != amount(want, k.to) || got.Source != catalog.PriceComputed || got.MarketID != "m" {
			t.Errorf("%s to %s: %v %v, want %s", k.from, k.to, got, err, want)
		}
	}
}

func TestHalvesRoundByTenantMode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		base, discount string
		currency       money.Currency
		up, even, down string
	}{
		"without fraction digits, odd":  {"15", "50", "KRW", "8", "8", "7"},
		"without fraction digits, even": {"13", "50", "JPY", "7", "6", "6"},
		"two digits":                    {"0.05", "50", "USD", "0.03", "0.02", "0.02"},
		"three digits":                  {"0.005", "50", "KWD", "0.003", "0.002", "0.002"},
		"just above a half":             {"15", "49.99", "KRW", "8", "8", "7"},
		"just below a half":             {"15", "50.01", "KRW", "7", "7", "7"},
	} {
		for mode, want := range map[money.Rounding]string{money.HalfUp: c.up, money.HalfEven: c.even, money.Down: c.down, "": c.up} {
			f := catalog.PriceFacts{Base: catalog.Price{Amount: amount(c.base, c.currency)}, Discount: dec(c.discount), Rounding: mode}
			got, err := catalog.ResolvePrice(f)
			if err != nil || got.Amount != amount(want, c.currency) || got.CompareAt != f.Base.Amount {
				t.Errorf("%s, %s: %v %v, want %s", name, mode, got, err, want)
			}
		}
	}
}

// anyFacts generates facts of which each part may be missing.
func anyFacts(t *rapid.T) catalog.PriceFacts {
	from, to := rapid.SampledFrom(currencies).Draw(t, "from"), rapid.SampledFrom(currencies).Draw(t, "to")
	f := catalog.PriceFacts{
		Base:     catalog.Price{Amount: money.Of(rapid.Int64Range(0, 10_000_000).Draw(t, "base"), from)},
		Discount: money.DecimalFromE8(rapid.SampledFrom([]int64{0, 1, 50_00000000, 100_00000000}).Draw(t, "discount")),
		Rounding: rapid.SampledFrom([]money.Rounding{money.HalfUp, money.HalfEven, money.Down}).Draw(t, "rounding"),
	}
	if rapid.Bool().Draw(t, "reduced before") {
		f.Base.CompareAt = money.Of(rapid.Int64Range(0, 20_000_000).Draw(t, "was"), from)
	}
	if rapid.Bool().Draw(t, "in a market") {
		f.Market = &catalog.Market{
			ID: "m", Currency: to, Rate: money.DecimalFromE8(rapid.Int64Range(1, 20_00000000).Draw(t, "rate")),
			Adjustment: money.DecimalFromE8(rapid.Int64Range(-100_00000000, 100_00000000).Draw(t, "adjustment")),
			Increment:  dec(money.Of(rapid.Int64Range(0, 500).Draw(t, "step"), to).Major()),
		}
	}
	return f
}

// The compare-at price of a discounted price is the price without the discount, converted in the same way,
// and never below the amount.
func TestCompareAtIsUndiscountedPrice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		got, err := catalog.ResolvePrice(f)
		if err != nil {
			t.Fatal(err)
		}
		before := f.Base.CompareAt
		if f.Discount.Sign() > 0 {
			before = f.Base.Amount
		}
		if before.Currency == "" {
			before.Currency = f.Base.Amount.Currency
		}
		whole := catalog.PriceFacts{Base: catalog.Price{Amount: before}, Market: f.Market, Rounding: f.Rounding}
		want, err := catalog.ResolvePrice(whole)
		if err != nil {
			t.Fatal(err)
		}
		if want.Amount.Minor <= got.Amount.Minor {
			want.Amount = money.Money{}
		}
		if got.CompareAt != want.Amount {
			t.Fatalf("it was %v, want %v", got.CompareAt, want.Amount)
		}
	})
}

// A fixed price applies as it is, whatever the base price, its discount and the market's settings are.
func TestFixedPriceIgnoresDiscountAndRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		if f.Market == nil {
			f.Market = &catalog.Market{ID: "m", Currency: "JPY"}
		}
		row := catalog.Price{Amount: money.Of(rapid.Int64Range(0, 1000).Draw(t, "fixed"), f.Market.Currency)}
		if rapid.Bool().Draw(t, "fixed before") {
			row.CompareAt = money.Of(row.Amount.Minor+rapid.Int64Range(1, 1000).Draw(t, "above"), f.Market.Currency)
		}
		f.Fixed = &row
		got, err := catalog.ResolvePrice(f)
		if err != nil || got != (catalog.ResolvedPrice{Price: row, MarketID: "m", Source: catalog.PriceFixed}) {
			t.Fatalf("got %+v, %v, want %+v", got, err, row)
		}
	})
}
