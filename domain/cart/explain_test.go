package cart_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

func TestExplanationCurrentFlag(t *testing.T) {
	t.Parallel()
	tenth := func(value string) []discount.RequestedCode {
		v, err := money.ParseDecimal(value)
		if err != nil {
			t.Fatal(err)
		}
		return []discount.RequestedCode{
			{Code: "TENTH", Discount: &discount.Discount{Active: true, Currency: "KRW", Type: discount.Percentage, Value: v}},
		}
	}
	facts := shop("")
	facts.Codes = tenth("10")
	c, err := cart.Decide(cart.Cart{}, 0, cart.Create{
		Lines: []cart.LineInput{item("a", "shirt", 1), item("b", "mug", 2)}, Codes: []string{"TENTH"}, Facts: facts,
	}, now)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		change  func(*cart.Facts)
		current bool
		total   int64
	}{
		"the same facts": {func(*cart.Facts) {}, true, 1800},
		"another price": {func(f *cart.Facts) {
			shirt := f.Offers["shirt"]
			shirt.UnitPrice = krw(2000)
			f.Offers["shirt"] = shirt
		}, false, 2700},
		"prices that make the same sum": {func(f *cart.Facts) {
			shirt, mug := f.Offers["shirt"], f.Offers["mug"]
			shirt.UnitPrice, mug.UnitPrice = krw(1200), krw(400)
			f.Offers["shirt"], f.Offers["mug"] = shirt, mug
		}, false, 1800},
		"another discount": {func(f *cart.Facts) { f.Codes = tenth("20") }, false, 1600},
		"a deleted code":   {func(f *cart.Facts) { f.Codes = nil }, false, 2000},
		"deleted variants": {func(f *cart.Facts) { f.Offers = nil }, true, 1800},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := shop("")
			f.Codes = tenth("10")
			tc.change(&f)
			x, err := c.Explain(f, now)
			if err != nil || x.Current != tc.current || x.Total != krw(tc.total) || x.Lines[0].Price.Source != catalog.PriceKept {
				t.Errorf("got %+v, %v", x, err)
			}
			if c.Totals.Total != krw(1800) || c.Lines[0].UnitPrice != krw(1000) {
				t.Error("Explain changed the cart")
			}
		})
	}
}

func TestZeroAmountCodeIsExplained(t *testing.T) {
	t.Parallel()
	c := begin(t, "", item("a", "mug", 1))
	c.Codes = []cart.Code{{Code: "GONE", Amount: krw(0), Reason: "discount_expired"}}
	if x, err := c.Explain(shop(""), now); err != nil || x.Current || x.Codes[0].Reason != "discount_not_found" {
		t.Errorf("got %+v, %v", x, err)
	}
}

func TestOversizedCartIsNotExplained(t *testing.T) {
	t.Parallel()
	c := begin(t, "", item("a", "mug", 3))
	if _, err := c.Explain(pricedFacts(), now); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("got %v", err)
	}
	wrong := shop("")
	mug := wrong.Offers["mug"]
	mug.PriceFacts = &catalog.PriceFacts{Base: catalog.Price{Amount: krw(1)}, Market: &catalog.Market{Currency: "USD"}}
	wrong.Offers["mug"] = mug
	if _, err := c.Explain(wrong, now); !errors.Is(err, catalog.ErrVariantUnavailable) {
		t.Errorf("got %v", err)
	}
}

func TestAnExplanationOfACartOnTheWire(t *testing.T) {
	t.Parallel()
	x := cart.Explanation{Explanation: pricing.Explanation{Currency: "KRW"}, Current: true}
	if got := string(collection.AppendGroup(nil, cart.ExplanationFields, x.Record(), collection.View{})); !strings.HasPrefix(got,
		`{"current":true,"currency":"KRW",`) {
		t.Errorf("got %s", got)
	}
}
