package productsearch_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// A price key is the price that the catalog shows, in every market. Rule search-15.
func TestPriceKeysAreThePricesOfTheCatalog(t *testing.T) {
	t.Parallel()
	dice := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		minor, cents := dice.Int64N(2_000_000), dice.Int64N(10_000)
		discount := money.DecimalFromE8(cents * 1_000_000)
		m := &catalog.Market{
			ID: "m", Currency: []money.Currency{"KRW", "JPY", "EUR", "USD"}[dice.IntN(4)], Rate: money.DecimalFromE8(1 + dice.Int64N(5_000_000_000)),
			Adjustment: money.DecimalOf(dice.Int64N(60) - 30), Increment: money.DecimalOf([]int64{0, 0, 1, 10}[dice.IntN(4)]),
		}
		if dice.IntN(3) == 0 {
			m = nil
		}
		base := catalog.Price{Amount: money.Of(minor, "KRW")}
		want, err := catalog.ResolvePrice(catalog.PriceFacts{Base: base, Discount: discount, Market: m})
		if err != nil {
			t.Fatal(err)
		}
		scale := productsearch.Scale(func(key int64) (int64, bool) {
			price, err := catalog.ScaledPrice(key, productsearch.KeysPerUnit, "KRW", m, "")
			return price.Minor, err == nil
		})
		key := productsearch.PriceKey(minor, discount)
		if got, ok := scale(key); !ok || got != want.Amount.Minor {
			t.Fatalf("%d less %s %% in %+v is %d, want %d", minor, discount, m, got, want.Amount.Minor)
		}
		from, to := scale.Range(want.Amount.Minor, want.Amount.Minor)
		if key < from || key > to {
			t.Fatalf("key %d of %d is not from %d to %d", key, want.Amount.Minor, from, to)
		}
		if below, _ := scale(from - 1); from > 0 && below >= want.Amount.Minor {
			t.Fatalf("key %d is too large", from)
		}
	}
}

func TestPricesAreRoundedDownToTwoDigits(t *testing.T) {
	t.Parallel()
	for price, want := range map[int64][2]int64{0: {0, 1}, 7: {7, 8}, 99: {99, 100}, 100: {100, 110}, 109: {100, 110}, 12_345: {12_000, 13_000}} {
		if low := productsearch.RoundedDown(price); low != want[0] || productsearch.RoundedUpTo(low) != want[1] {
			t.Errorf("%d: %d to %d", price, low, productsearch.RoundedUpTo(low))
		}
	}
	terms := []string{productsearch.PriceTerm("m", 5), productsearch.PriceTerm("m", 40), productsearch.PriceTerm("m", 1_000_000)}
	if !slices.IsSorted(terms) || productsearch.PriceOf(terms[1]) != 40 {
		t.Errorf("%q", terms)
	}
}
