package catalog_test

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

func amount(text string, c money.Currency) money.Money {
	m, err := money.Parse(text, c)
	if err != nil {
		panic(err)
	}
	return m
}

func TestResolvePrice(t *testing.T) {
	t.Parallel()
	market := func(c money.Currency, rate, percent, step string) *catalog.Market {
		return &catalog.Market{ID: "m", Code: "x", Currency: c, Rate: dec(rate), Adjustment: dec(percent), Increment: dec(step)}
	}
	type price struct {
		currency          money.Currency
		amount, compareAt string // "": none
		market            string
		source            catalog.PriceSource
	}
	for name, c := range map[string]struct {
		currency           money.Currency
		base, was          string // was is the variant's compare-at price
		discount           string
		market             *catalog.Market
		fixed, fixedBefore string
		rounding           money.Rounding
		want               price
	}{
		"without a market the base price applies": {
			currency: "KRW", base: "10000", want: price{"KRW", "10000", "", "", catalog.PriceFixed},
		},
		"a discount gives the compare-at price": {
			currency: "KRW", base: "10000", discount: "20", want: price{"KRW", "8000", "10000", "", catalog.PriceFixed},
		},
		"a discount beats the variant's compare-at price": {
			currency: "KRW", base: "10000", was: "15000", discount: "20", want: price{"KRW", "8000", "10000", "", catalog.PriceFixed},
		},
		"a discount of 100 is free": {
			currency: "USD", base: "9.99", discount: "100", want: price{"USD", "0", "9.99", "", catalog.PriceFixed},
		},
		"a discounted price rounds half up": {
			currency: "KRW", base: "5", discount: "10", want: price{"KRW", "5", "", "", catalog.PriceFixed},
		},
		"a discounted price rounds by the tenant's mode": {
			currency: "KRW", base: "5", discount: "10", rounding: money.Down, want: price{"KRW", "4", "5", "", catalog.PriceFixed},
		},
		"a higher compare-at price is shown": {
			currency: "KRW", base: "10000", was: "12000", want: price{"KRW", "10000", "12000", "", catalog.PriceFixed},
		},
		"a compare-at price that is not higher is dropped": {
			currency: "KRW", base: "10000", was: "10000", want: price{"KRW", "10000", "", "", catalog.PriceFixed},
		},
		"a market converts": {
			currency: "KRW", base: "10000", market: market("JPY", "0.11", "0", "0"),
			want: price{"JPY", "1100", "", "m", catalog.PriceComputed},
		},
		"a market converts between exponents": {
			currency: "KRW", base: "10000", market: market("USD", "0.00075", "0", "0"),
			want: price{"USD", "7.5", "", "m", catalog.PriceComputed},
		},
		"a market converts to thousandths": {
			currency: "USD", base: "10", market: market("KWD", "0.3075", "0", "0"),
			want: price{"KWD", "3.075", "", "m", catalog.PriceComputed},
		},
		"a market adds its percentage": {
			currency: "KRW", base: "10000", market: market("JPY", "0.11", "5", "0"),
			want: price{"JPY", "1155", "", "m", catalog.PriceComputed},
		},
		"a market may subtract a percentage": {
			currency: "KRW", base: "10000", market: market("JPY", "0.11", "-10", "0"),
			want: price{"JPY", "990", "", "m", catalog.PriceComputed},
		},
		"a market rounds to its step": {
			currency: "KRW", base: "10000", market: market("JPY", "0.1155", "0", "100"),
			want: price{"JPY", "1200", "", "m", catalog.PriceComputed},
		},
		"a market rounds to its step by the mode": {
			currency: "KRW", base: "10000", market: market("JPY", "0.1155", "0", "100"), rounding: money.Down,
			want: price{"JPY", "1100", "", "m", catalog.PriceComputed},
		},
		"half a step goes up": {
			currency: "KRW", base: "10000", market: market("JPY", "0.115", "0", "100"),
			want: price{"JPY", "1200", "", "m", catalog.PriceComputed},
		},
		"half a step goes to the even one": {
			currency: "KRW", base: "10000", market: market("JPY", "0.125", "0", "100"), rounding: money.HalfEven,
			want: price{"JPY", "1200", "", "m", catalog.PriceComputed},
		},
		"a step below the currency's unit is the unit": {
			currency: "KRW", base: "10000", market: market("JPY", "0.11005", "0", "0.5"),
			want: price{"JPY", "1101", "", "m", catalog.PriceComputed},
		},
		"a step in fractions": {
			currency: "KRW", base: "10000", market: market("USD", "0.00077", "0", "0.25"),
			want: price{"USD", "7.75", "", "m", catalog.PriceComputed},
		},
		"discount, rate and percentage round once": {currency: "KRW", base: "999", discount: "50", market: market("USD",
			"0.0101", "1", "0"), want: price{"USD", "5.1", "10.19", "m", catalog.PriceComputed}}, // 509.5399…, 1019.0799… cents
		"a compare-at price is converted in the same way": {
			currency: "KRW", base: "10000", was: "20000", market: market("JPY", "0.11", "5", "100"),
			want: price{"JPY", "1200", "2300", "m", catalog.PriceComputed},
		},
		"a market in the tenant's currency needs no rate": {
			currency: "KRW", base: "10000", market: market("KRW", "0", "10", "0"),
			want: price{"KRW", "11000", "", "m", catalog.PriceComputed},
		},
		"a fixed price applies as it is": {
			currency: "KRW", base: "10000", discount: "20", market: market("JPY", "0.11", "5", "100"), fixed: "987", fixedBefore: "1000",
			want: price{"JPY", "987", "1000", "m", catalog.PriceFixed},
		},
		"a fixed price needs no rate": {
			currency: "KRW", base: "10000", market: market("JPY", "0", "0", "0"), fixed: "987",
			want: price{"JPY", "987", "", "m", catalog.PriceFixed},
		},
		"a fixed price drops a compare-at price that is not higher": {
			currency: "KRW", base: "10000", market: market("JPY", "0", "0", "0"), fixed: "987", fixedBefore: "900",
			want: price{"JPY", "987", "", "m", catalog.PriceFixed},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := catalog.PriceFacts{Base: catalog.Price{Amount: amount(c.base, c.currency)}, Market: c.market, Rounding: c.rounding}
			if c.was != "" {
				f.Base.CompareAt = amount(c.was, c.currency)
			}
			if c.discount != "" {
				f.Discount = dec(c.discount)
			}
			if c.fixed != "" {
				f.Fixed = &catalog.Price{Amount: amount(c.fixed, c.market.Currency)}
				if c.fixedBefore != "" {
					f.Fixed.CompareAt = amount(c.fixedBefore, c.market.Currency)
				}
			}
			want := catalog.ResolvedPrice{
				MarketID: c.want.market, Source: c.want.source, Price: catalog.Price{Amount: amount(c.want.amount, c.want.currency)},
			}
			if c.want.compareAt != "" {
				want.CompareAt = amount(c.want.compareAt, c.want.currency)
			}
			got, err := catalog.ResolvePrice(f)
			if err != nil || got != want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, want)
			}
			explained, x, err := catalog.ExplainPrice(f)
			if err != nil || explained != got || x.Source != got.Source || x.Amount != got.Amount || (x.Exact == nil) != (f.Fixed != nil) {
				t.Errorf("explained as %+v by %+v, %v", explained, x, err)
			}
			if err := checkExplanation(x, f.Rounding); err != nil {
				t.Errorf("%v: %+v", err, x)
			}
		})
	}
}

// checkExplanation recomputes the amount from its explanation.
func checkExplanation(x catalog.PriceExplanation, r money.Rounding) error {
	if x.Exact == nil {
		if x.Base != (money.Money{}) || x.Increment != (money.Money{}) || !x.Discount.IsZero() || !x.Rate.IsZero() ||
			!x.Adjustment.IsZero() {
			return errors.New("a price that was not computed has no steps")
		}
		return nil
	}
	exact := new(big.Rat).SetFrac64(x.Base.Minor, minorUnitsPerMajor(x.Base.Currency))
	factors := []*big.Rat{plus1(new(big.Rat).Neg(x.Discount.Rat())), new(big.Rat).SetInt64(minorUnitsPerMajor(x.Amount.Currency))}
	if x.Source == catalog.PriceComputed {
		factors = append(factors, x.Rate.Rat(), plus1(x.Adjustment.Rat()))
	} else if !x.Rate.IsZero() || !x.Adjustment.IsZero() {
		return errors.New("a rate without a market")
	}
	for _, factor := range factors {
		exact.Mul(exact, factor)
	}
	n, err := r.Round(new(big.Rat).Quo(exact, new(big.Rat).SetInt64(x.Increment.Minor)))
	switch {
	case err != nil:
		return err
	case exact.Cmp(x.Exact) != 0:
		return fmt.Errorf("Exact is %v, but the factors give %v", x.Exact, exact)
	case x.Increment.Currency != x.Amount.Currency || n*x.Increment.Minor != x.Amount.Minor:
		return fmt.Errorf("%d steps of %v are not %v", n, x.Increment, x.Amount)
	}
	return nil
}

func TestUnpricedVariantIsUnavailable(t *testing.T) {
	t.Parallel()
	base := catalog.Price{Amount: money.Of(money.Max, "KRW")}
	rateless := &catalog.Market{ID: "m", Currency: "JPY"}
	if _, err := catalog.ResolvePrice(catalog.PriceFacts{Base: base, Market: rateless}); !errors.Is(err, catalog.ErrVariantUnavailable) {
		t.Errorf("a foreign currency without a rate: %v", err)
	}
	if _, x, err := catalog.ExplainPrice(catalog.PriceFacts{Base: base, Market: rateless}); !errors.Is(err, catalog.ErrVariantUnavailable) ||
		x != (catalog.PriceExplanation{}) {
		t.Errorf("explained: %+v, %v", x, err)
	}
	if _, err := catalog.ResolvePrice(catalog.PriceFacts{
		Base: base, Market: &catalog.Market{Currency: "JPY", Rate: dec("2")},
	}); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("an amount out of range: %v", err)
	}
	small := catalog.Price{Amount: money.Of(1, "KRW"), CompareAt: money.Of(money.Max, "KRW")}
	if _, err := catalog.ResolvePrice(catalog.PriceFacts{
		Base: small, Market: &catalog.Market{Currency: "JPY", Rate: dec("2")},
	}); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("a compare-at price out of range: %v", err)
	}
}

// A computed price differs from the exact amount by less than one increment, and is a multiple of the
// increment.
func TestComputedPriceIsRoundedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom([]money.Currency{"KRW", "USD", "KWD"}).Draw(t, "from")
		to := rapid.SampledFrom([]money.Currency{"JPY", "EUR", "BHD"}).Draw(t, "to")
		step := rapid.Int64Range(1, 500).Draw(t, "step")
		m := &catalog.Market{ID: "m", Currency: to, Rate: money.DecimalFromE8(rapid.Int64Range(1, 20_00000000).Draw(t, "rate")),
			Adjustment: money.DecimalFromE8(rapid.Int64Range(-100_00000000, 100_00000000).Draw(t, "adjustment")),
			Increment:  dec(money.Of(step, to).Major())}
		base := money.Of(rapid.Int64Range(0, 10_000_000).Draw(t, "base"), from)
		off := money.DecimalFromE8(rapid.Int64Range(0, 100_00000000).Draw(t, "discount"))
		got, x, err := catalog.ExplainPrice(catalog.PriceFacts{Base: catalog.Price{Amount: base}, Discount: off, Market: m})
		if err == nil {
			err = checkExplanation(x, money.HalfUp)
		}
		if err != nil {
			t.Fatal(err)
		}
		exact := new(big.Rat).SetFrac64(base.Minor, minorUnitsPerMajor(from))
		for _, factor := range []*big.Rat{
			m.Rate.Rat(), plus1(m.Adjustment.Rat()), plus1(new(big.Rat).Neg(off.Rat())), new(big.Rat).SetInt64(minorUnitsPerMajor(to)),
		} {
			exact.Mul(exact, factor)
		}
		diff := exact.Sub(exact, new(big.Rat).SetInt64(got.Amount.Minor))
		if got.Amount.Minor%step != 0 || diff.Abs(diff).Cmp(big.NewRat(step, 2)) > 0 || got.Amount.Minor < 0 {
			t.Fatalf("%v is %v off the exact price, step %d", got.Amount, diff, step)
		}
	})
}

func plus1(percent *big.Rat) *big.Rat {
	return new(big.Rat).Add(big.NewRat(1, 1), percent.Mul(percent, big.NewRat(1, 100)))
}

func minorUnitsPerMajor(c money.Currency) int64 {
	return map[int]int64{0: 1, 2: 100, 3: 1000}[c.Exponent()]
}

func TestBasePricePrefersVariant(t *testing.T) {
	t.Parallel()
	product := collection.Record{"price": amount("10", "USD")}
	own := collection.Record{"price": amount("12", "USD"), "compareAtPrice": amount("15", "USD")}
	if p, ok := catalog.BasePrice(product, own); !ok || p.Amount != amount("12", "USD") || p.CompareAt != amount("15", "USD") {
		t.Errorf("own: %v", p)
	}
	if p, ok := catalog.BasePrice(product, collection.Record{}); !ok || p.Amount != amount("10", "USD") || p.CompareAt != (money.Money{}) {
		t.Errorf("the product's: %v", p)
	}
	if _, ok := catalog.BasePrice(collection.Record{}, collection.Record{}); ok {
		t.Error("a price was found where there is none")
	}
}

func TestPickMarket(t *testing.T) {
	t.Parallel()
	jp := collection.Record{
		"id": "1", "code": "jp", "currency": "JPY", "status": "active", "exchangeRate": dec("0.1"), "adjustmentPercent": dec("5"),
		"roundingIncrement": dec("10"),
	}
	odd := collection.Record{"id": "2", "code": "1", "currency": "USD", "status": "active"}
	shut := collection.Record{"id": "3", "code": "kr", "currency": "KRW", "status": "inactive"}
	for name, c := range map[string]struct {
		ref  string
		want string
	}{
		"by code": {"jp", "1"}, "by id": {"2", "2"}, "an id beats a code": {"1", "1"}, "an inactive one is absent": {"kr", ""},
		"an inactive one is absent by id": {"3", ""}, "an unknown one": {"xx", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, candidates := range [][]collection.Record{{jp, odd, shut}, {shut, odd, jp}} {
				m, err := catalog.PickMarket(candidates, c.ref)
				if m.ID != c.want || (c.want == "") != errors.Is(err, catalog.ErrMarketNotFound) {
					t.Errorf("got %+v, %v", m, err)
				}
			}
		})
	}
	if m := catalog.MarketFrom(jp); !reflect.DeepEqual(m, catalog.Market{
		ID: "1", Code: "jp", Currency: "JPY", Rate: dec("0.1"), Adjustment: dec("5"), Increment: dec("10"),
	}) {
		t.Errorf("got %+v", m)
	}
}
