package tax_test

import (
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/tax"
)

var now = time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)

func anyRules(t *rapid.T) Rules {
	r := Rules{
		Mode: rapid.SampledFrom([]Mode{Included, Added}).Draw(t, "mode"), PerTotal: rapid.Bool().Draw(t, "per total"),
		Rounding: rapid.SampledFrom([]money.Rounding{money.HalfUp, money.HalfEven, money.Down}).Draw(t, "rounding"),
		Shipping: rapid.SampledFrom(append(slices.Clone(Classes), Proportional)).Draw(t, "shipping"), Country: "US",
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "rates") {
		r.Rates = append(r.Rates, Rate{
			ID: string(rune('a' + i)), Country: "US", Province: rapid.SampledFrom([]string{"", "CA"}).Draw(t, "province"),
			Classes:  rapid.SampledFrom([][]Class{{Standard}, {Reduced}, {Standard, Reduced, Zero}}).Draw(t, "classes"),
			Percent:  money.DecimalFromE8(rapid.Int64Range(0, 100_00000000).Draw(t, "percent")),
			Priority: rapid.Int64Range(1, 4).Draw(t, "layer"), Compound: rapid.Bool().Draw(t, "compound"), Shipping: rapid.Bool().Draw(t, "ships"),
		})
	}
	return r
}

func anySale(t *rapid.T) Sale {
	s := Sale{Currency: rapid.SampledFrom([]money.Currency{"KRW", "USD", "KWD"}).Draw(t, "currency"), At: now, Place: Place{Country: "US", Province: "CA"}}
	amounts := rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64Range(0, 1_000_000), rapid.Int64Range(0, 1e12))
	for range rapid.IntRange(0, 8).Draw(t, "lines") {
		s.Items = append(s.Items, Item{
			Class: Class(rapid.SampledFrom(Classes).Draw(t, "class")), Amount: money.Of(amounts.Draw(t, "amount"), s.Currency),
			Key: strconv.Itoa(len(s.Items)), Quantity: 1,
		})
	}
	if rapid.Bool().Draw(t, "ships") {
		fee := money.Of(amounts.Draw(t, "fee"), s.Currency)
		s.Shipping = &fee
	}
	return s
}

// Rules taxes-3, taxes-4.
func TestTaxesAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rules, s := anyRules(t), anySale(t)
		got, err := rules.Compute(s)
		if err != nil {
			t.Fatal(err)
		}
		sums, all := Taxes(nil), got.Shipping.Sum()
		for i, taxes := range got.Lines {
			sums, all = sums.Plus(taxes), all+taxes.Sum()
			checkPart(t, got.Included, s.Items[i].Amount.Minor, taxes)
		}
		if s.Shipping != nil && rules.Shipping != Proportional {
			checkPart(t, got.Included, s.Shipping.Minor, got.Shipping)
		}
		if sums = sums.Plus(got.Shipping); !reflect.DeepEqual(sums, got.Rates) || all != got.Total.Minor || got.Rates.Sum() != all {
			t.Fatalf("lines and shipping come to %v, not %v, %v", sums, got.Rates, got.Total)
		}
		if got.Included != got.Added().IsZero() && all != 0 {
			t.Fatalf("%v is added", got.Added())
		}
	})
}

func checkPart(t *rapid.T, included bool, amount int64, taxes Taxes) {
	for _, a := range taxes {
		if a.Amount.Minor < 0 || a.Base.Minor < 0 {
			t.Fatalf("negative: %+v", a)
		}
	}
	if len(taxes) == 0 {
		return
	}
	if base := taxes[0].Base.Minor; included && base+taxes.Sum() != amount || !included && base != amount {
		t.Fatalf("%v of %d", taxes, amount)
	}
}

// exact is the tax of a rate on an amount without rounding, for rates that are not compound.
func exact(rules Rules, amount int64, percent money.Decimal) *big.Rat {
	k := new(big.Rat).Mul(percent.Rat(), big.NewRat(1, 100))
	x := new(big.Rat).Mul(k, new(big.Rat).SetInt64(amount))
	if rules.Mode == Included {
		x.Quo(x, k.Add(k, big.NewRat(1, 1)))
	}
	return x
}

// Rule taxes-4.
func TestTaxesAreRoundedOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rules, s := anyRules(t), anySale(t)
		s.Shipping = nil
		rules.Rates = []Rate{{ID: "vat", Country: "US", Classes: []Class{Standard}, Percent: money.DecimalFromE8(rapid.Int64Range(0, 30_00000000).Draw(t, "vat"))}}
		got, err := rules.Compute(s)
		if err != nil {
			t.Fatal(err)
		}
		whole := new(big.Rat)
		for i, it := range s.Items {
			if it.Class != Standard {
				continue
			}
			x := exact(rules, it.Amount.Minor, rules.Rates[0].Percent)
			whole.Add(whole, x)
			if n, _ := rules.Rounding.Round(x); !rules.PerTotal && got.Lines[i].Sum() != n {
				t.Fatalf("%v of %v, not %d", got.Lines[i], it, n)
			}
			if d := new(big.Rat).Sub(new(big.Rat).SetInt64(got.Lines[i].Sum()), x); d.Abs(d).Cmp(big.NewRat(1, 1)) >= 0 {
				t.Fatalf("%v is a unit from %v", got.Lines[i], x)
			}
		}
		if n, _ := rules.Rounding.Round(whole); rules.PerTotal && got.Total.Minor != n {
			t.Fatalf("%v, not %d", got.Total, n)
		}
	})
}

// Rule taxes-2.
func TestTheOrderOfRatesIsNoMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rules, s := anyRules(t), anySale(t)
		want, err := rules.Compute(s)
		if err != nil {
			t.Fatal(err)
		}
		rules.Rates = rapid.Permutation(rules.Rates).Draw(t, "rates")
		if got, err := rules.Compute(s); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v\nnot %+v", got, err, want)
		}
	})
}

// Rule taxes-4.
func TestALowerPriceHasNoHigherTax(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rules, s := anyRules(t), anySale(t)
		if len(s.Items) == 0 || rules.Shipping == Proportional {
			return
		}
		was, err := rules.Compute(s)
		if err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, len(s.Items)-1).Draw(t, "line")
		s.Items[i].Amount.Minor -= rapid.Int64Range(0, s.Items[i].Amount.Minor).Draw(t, "discount")
		if got, err := rules.Compute(s); err != nil || got.Total.Minor > was.Total.Minor {
			t.Fatalf("%v instead of %v, %v", got.Total, was.Total, err)
		}
	})
}

func anyTaxes(t *rapid.T) (taxes Taxes, all int64) {
	for i := range rapid.IntRange(1, 4).Draw(t, "rates") {
		n := rapid.Int64Range(0, 10_000).Draw(t, "tax")
		taxes = append(taxes, Amount{
			Rate: string(rune('a' + i)), Base: money.Of(rapid.Int64Range(0, 100_000).Draw(t, "base"), "USD"), Amount: money.Of(n, "USD"),
		})
		all += n
	}
	return taxes, all + rapid.Int64Range(0, 100_000).Draw(t, "net")
}

// Rule taxes-8.
func TestPortionsOfALineAreItsTaxes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		taxes, all := anyTaxes(t)
		var sums Taxes
		for before := int64(0); before < all; {
			part := rapid.Int64Range(1, all-before).Draw(t, "part")
			p := taxes.Portion(all, before, part)
			if p.Sum() > part+int64(len(p)) {
				t.Fatalf("%v of %d", p, part)
			}
			sums, before = sums.Plus(p), before+part
		}
		if all > 0 && !reflect.DeepEqual(sums, taxes) {
			t.Fatalf("%v of %v", sums, taxes)
		}
	})
}

// Rule taxes-8.
func TestWhatIsGivenBackOfEverythingAreItsTaxes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		taxes, all := anyTaxes(t)
		left, back := taxes, Taxes(nil)
		for all > 0 {
			amount := rapid.Int64Range(1, all).Draw(t, "amount")
			var asked Taxes
			if rapid.Bool().Draw(t, "of goods") {
				asked = taxes.Portion(10, 0, rapid.Int64Range(0, 10).Draw(t, "tenths"))
				asked = slices.DeleteFunc(asked, func(Amount) bool { return rapid.Bool().Draw(t, "other goods") })
			}
			share := left.Share(all, amount, asked)
			for i, a := range share {
				if a.Amount.Minor < 0 || a.Amount.Minor > left[i].Amount.Minor || a.Base.Minor < 0 || a.Base.Minor > left[i].Base.Minor {
					t.Fatalf("%+v of %+v", a, left[i])
				}
				named := slices.ContainsFunc(asked, func(b Amount) bool { return b.Rate == a.Rate })
				if asked != nil && !named && amount < all && (a.Base.Minor != 0 || a.Amount.Minor != 0 && amount <= all-left.Sum()) {
					t.Fatalf("%+v was given back of other goods: %v", a, asked)
				}
			}
			if share.Sum() > amount || amount-share.Sum() > all-left.Sum() {
				t.Fatalf("%v in %d, with %v left in %d", share, amount, left, all)
			}
			left, back, all = left.Minus(share), back.Plus(share), all-amount
		}
		if left.Sum() != 0 || len(back) > 0 && !reflect.DeepEqual(back, taxes) {
			t.Fatalf("%v of %v came back", back, taxes)
		}
	})
}
