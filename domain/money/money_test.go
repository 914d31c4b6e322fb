package money_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/money"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		currency money.Currency
		minor    int64
		err      error
	}{
		"whole won":                               {"15000", "KRW", 15000, nil},
		"dollars and cents":                       {"19.99", "USD", 1999, nil},
		"a missing cent digit is zero":            {"19.9", "USD", 1990, nil},
		"trailing zeros are no precision":         {"19.9000", "USD", 1990, nil},
		"won with a zero fraction":                {"100.00", "KRW", 100, nil},
		"thousandths of a dinar":                  {"1.234", "KWD", 1234, nil},
		"four digits of a unidad":                 {"1.2345", "CLF", 12345, nil},
		"an unknown currency has two digits":      {"1.23", "ABC", 123, nil},
		"negative":                                {"-0.05", "USD", -5, nil},
		"negative zero":                           {"-0", "USD", 0, nil},
		"leading zeros":                           {"007", "KRW", 7, nil},
		"an exponent":                             {"1.5e3", "KRW", 1500, nil},
		"a negative exponent that comes out even": {"1500e-2", "KRW", 15, nil},
		"a capital exponent with a sign":          {"2E+2", "KRW", 200, nil},
		"the largest amount":                      {"100000000000000", "KRW", money.Max, nil},
		"the smallest amount":                     {"-100000000000000", "KRW", -money.Max, nil},
		"one above the largest":                   {"100000000000001", "KRW", 0, money.ErrOutOfRange},
		"the largest amount in cents":             {"1000000000000", "USD", money.Max, nil},
		"a cent above it":                         {"1000000000000.01", "USD", 0, money.ErrOutOfRange},
		"far too large":                           {"1" + strings.Repeat("0", 60), "KRW", 0, money.ErrOutOfRange},
		"a huge exponent":                         {"1e101", "KRW", 0, money.ErrOutOfRange},
		"a tiny exponent":                         {"1e-101", "KRW", 0, money.ErrTooManyDigits},
		"the smallest exponent of zero":           {"0e-100", "KRW", 0, nil},
		"the smallest exponent":                   {"1e-100", "KRW", 0, money.ErrTooManyDigits},
		"forty digits":                            {"1" + strings.Repeat("0", 40), "KRW", 0, money.ErrOutOfRange},
		"the largest exponent of zero":            {"0e100", "KRW", 0, nil},
		"a digit too many":                        {"19.999", "USD", 0, money.ErrTooManyDigits},
		"any fraction of a won":                   {"0.5", "KRW", 0, money.ErrTooManyDigits},
		"an exponent that leaves a fraction":      {"15e-1", "KRW", 0, money.ErrTooManyDigits},
		"a long fraction":                         {"0." + strings.Repeat("0", 50) + "1", "USD", 0, money.ErrTooManyDigits},
		"nothing":                                 {"", "USD", 0, money.ErrNotANumber},
		"a sign alone":                            {"-", "USD", 0, money.ErrNotANumber},
		"a plus":                                  {"+5", "USD", 0, money.ErrNotANumber},
		"two signs":                               {"--5", "USD", 0, money.ErrNotANumber},
		"a point alone":                           {".", "USD", 0, money.ErrNotANumber},
		"no digit before the point":               {".5", "USD", 0, money.ErrNotANumber},
		"no digit after the point":                {"5.", "USD", 0, money.ErrNotANumber},
		"two points":                              {"1.2.3", "USD", 0, money.ErrNotANumber},
		"a comma":                                 {"1,000", "KRW", 0, money.ErrNotANumber},
		"a space":                                 {" 1", "KRW", 0, money.ErrNotANumber},
		"a word":                                  {"NaN", "KRW", 0, money.ErrNotANumber},
		"an empty exponent":                       {"1e", "KRW", 0, money.ErrNotANumber},
		"a broken exponent":                       {"1e5.5", "KRW", 0, money.ErrNotANumber},
		"a digit of another script":               {"١", "KRW", 0, money.ErrNotANumber},
		"the character before zero":               {"1/", "KRW", 0, money.ErrNotANumber},
		"the character after nine":                {"1:", "KRW", 0, money.ErrNotANumber},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := money.Parse(c.text, c.currency)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if err == nil && m != money.Of(c.minor, c.currency) {
				t.Errorf("got %v", m)
			}
		})
	}
}

func TestMajorIsTheShortestExactText(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]money.Money{
		"0": money.Of(0, "USD"), "0.05": money.Of(5, "USD"), "-0.05": money.Of(-5, "USD"), "0.5": money.Of(50, "USD"),
		"20": money.Of(2000, "USD"), "19.99": money.Of(1999, "USD"), "15000": money.Of(15000, "KRW"), "-1": money.Of(-1, "KRW"),
		"1.234": money.Of(1234, "KWD"), "0.001": money.Of(1, "KWD"), "-10.01": money.Of(-1001, "USD"),
	} {
		if m.Major() != want || string(m.AppendMajor([]byte("x"))) != "x"+want {
			t.Errorf("%v: got %q", m, m.Major())
		}
	}
}

func anyMoney(t *rapid.T, label string) money.Money {
	c := rapid.SampledFrom([]money.Currency{"KRW", "JPY", "USD", "KWD", "CLF"}).Draw(t, label+" currency")
	return money.Of(rapid.Int64Range(-money.Max, money.Max).Draw(t, label), c)
}

func TestMajorRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := anyMoney(t, "amount")
		if back, err := money.Parse(m.Major(), m.Currency); err != nil || back != m {
			t.Fatalf("%v became %v, %v", m, back, err)
		}
		d := money.DecimalFromE8(rapid.Int64Range(-8_999_999_999_999_999_999, 8_999_999_999_999_999_999).Draw(t, "decimal"))
		if back, err := money.ParseDecimal(d.String()); err != nil || back != d {
			t.Fatalf("%v became %v, %v", d, back, err)
		}
		if column, err := money.ParseColumn(m.Major()); err == nil && column != m.Column() {
			t.Fatalf("%v: column %d, parsed %d", m, m.Column(), column)
		}
	})
}

func TestColumnsCompareAcrossCurrencies(t *testing.T) {
	t.Parallel()
	for _, m := range []money.Money{money.Of(5, "KRW"), money.Of(500, "USD"), money.Of(5000, "KWD"), money.Of(50_000, "CLF")} {
		if m.Column() != 50_000 {
			t.Errorf("%v: %d", m, m.Column())
		}
	}
	if _, err := money.ParseColumn("1000000000000000"); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("got %v", err)
	}
	if _, err := money.ParseColumn("1.00001"); !errors.Is(err, money.ErrTooManyDigits) {
		t.Errorf("got %v", err)
	}
	if n, err := money.ParseColumn("1.0001"); n != 10_001 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestCurrencies(t *testing.T) {
	t.Parallel()
	for c, want := range map[money.Currency]bool{
		"KRW": true, "USD": true, "XOF": true, "AAA": false, "ZZZ": false, "XXZ": false, "DEM": false, "krw": false, "KR": false,
		"KRWX": false, "": false, "K1W": false, "K[W": false, "K@W": false, "XXX": false, "XAU": false, "XTS": false,
	} {
		if c.Valid() != want {
			t.Errorf("%q: want %v", c, want)
		}
	}
	for c, want := range map[money.Currency]int{
		"KRW": 0, "JPY": 0, "VND": 0, "ISK": 0, "USD": 2, "EUR": 2, "KWD": 3, "BHD": 3, "TND": 3, "CLF": 4, "UYW": 4,
	} {
		if c.Exponent() != want {
			t.Errorf("%s: got %d, want %d", c, c.Exponent(), want)
		}
	}
}

func panics(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestArithmetic(t *testing.T) {
	t.Parallel()
	a, b := money.Of(700, "USD"), money.Of(-300, "USD")
	if a.Plus(b) != money.Of(400, "USD") || a.Minus(b) != money.Of(1000, "USD") || a.Min(b) != b || b.Min(a) != b || a.Min(a) != a {
		t.Error("plus, minus, min")
	}
	if a.Plus(money.Of(0, "USD")) != a || a.IsZero() || !a.Minus(a).IsZero() {
		t.Error("zero")
	}
	if err, ok := panics(func() { a.Plus(money.Of(1, "KRW")) }).(error); !ok || !errors.Is(err, money.ErrCurrencyMismatch) {
		t.Error("unlike currencies must not add up")
	}
	if panics(func() { a.Min(money.Of(1, "KRW")) }) == nil {
		t.Error("unlike currencies must not be compared")
	}
	for name, pair := range map[string][2]int64{"above": {1<<63 - 1, 1}, "below": {-1 << 63, -1}} {
		if err, ok := panics(func() { money.Of(pair[0], "USD").Plus(money.Of(pair[1], "USD")) }).(error); !ok ||
			!errors.Is(err, money.ErrOutOfRange) {
			t.Errorf("overflow %s went unnoticed", name)
		}
	}
	if m, err := a.Times(3); m != money.Of(2100, "USD") || err != nil {
		t.Errorf("got %v, %v", m, err)
	}
	if m, err := money.Of(money.Max, "USD").Times(-1); m.Minor != -money.Max || err != nil {
		t.Errorf("got %v, %v", m, err)
	}
	for _, n := range []int64{2, 1 << 62, -2} {
		if _, err := money.Of(money.Max, "USD").Times(n); !errors.Is(err, money.ErrOutOfRange) {
			t.Errorf("× %d: %v", n, err)
		}
	}
	if m, err := money.Of(101, "USD").Scale(big.NewRat(1, 2), money.HalfUp); m != money.Of(51, "USD") || err != nil {
		t.Errorf("got %v, %v", m, err)
	}
	if _, err := money.Of(money.Max, "USD").Scale(big.NewRat(2, 1), money.HalfUp); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("got %v", err)
	}
}

func TestRounding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		num, den           int64
		up, even, downward int64
	}{
		{5, 2, 3, 2, 2}, {7, 2, 4, 4, 3}, {-5, 2, -3, -2, -2}, {-7, 2, -4, -4, -3}, {1, 2, 1, 0, 0}, {-1, 2, -1, 0, 0},
		{1, 3, 0, 0, 0}, {2, 3, 1, 1, 0}, {-1, 3, 0, 0, 0}, {-2, 3, -1, -1, 0}, {4, 1, 4, 4, 4}, {0, 1, 0, 0, 0}, {249, 100, 2, 2, 2},
		{251, 100, 3, 3, 2}, {3, 2, 2, 2, 1},
	} {
		for mode, want := range map[money.Rounding]int64{money.HalfUp: c.up, "": c.up, money.HalfEven: c.even, money.Down: c.downward} {
			if got, err := mode.Round(big.NewRat(c.num, c.den)); got != want || err != nil {
				t.Errorf("%d/%d %q: got %d, %v, want %d", c.num, c.den, mode, got, err, want)
			}
		}
	}
	for _, n := range []int64{money.Max, -money.Max} {
		if got, err := money.HalfUp.Round(new(big.Rat).SetInt64(n)); got != n || err != nil {
			t.Errorf("got %d, %v", got, err)
		}
	}
	if _, err := money.HalfUp.Round(new(big.Rat).SetInt64(money.Max + 1)); !errors.Is(err, money.ErrOutOfRange) {
		t.Errorf("got %v", err)
	}
}

// Rounding never moves further than the mode allows, and leaves whole numbers alone.
func TestRoundReturnsAdjacentInteger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := big.NewRat(rapid.Int64Range(-1e12, 1e12).Draw(t, "num"), rapid.Int64Range(1, 1e6).Draw(t, "den"))
		for _, mode := range []money.Rounding{money.HalfUp, money.HalfEven, money.Down} {
			n, err := mode.Round(x)
			diff := new(big.Rat).Sub(new(big.Rat).SetInt64(n), x)
			size := new(big.Rat).Abs(diff)
			limit := big.NewRat(1, 2)
			if mode == money.Down {
				limit = big.NewRat(1, 1)
			}
			if err != nil || size.Cmp(limit) > 0 || mode == money.Down && (size.Cmp(limit) == 0 || diff.Sign()*x.Sign() > 0) ||
				x.IsInt() && diff.Sign() != 0 {
				t.Fatalf("%v %s: %d, %v", x, mode, n, err)
			}
		}
	})
}

func TestAllocate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		total   int64
		weights []int64
		want    []int64
	}{
		"in proportion":                        {10, []int64{30, 70}, []int64{3, 7}},
		"the largest remainder takes the rest": {10, []int64{14, 16, 70}, []int64{1, 2, 7}},
		"a lone unit goes to the earliest":     {1, []int64{1, 1, 1}, []int64{1, 0, 0}},
		"equal remainders go to the earlier":   {2, []int64{1, 1, 1}, []int64{1, 1, 0}},
		"an amount of zero":                    {0, []int64{1, 2}, []int64{0, 0}},
		"no weights to take it":                {5, []int64{0, 0}, []int64{0, 0}},
		"a weight of zero gets nothing":        {1, []int64{0, 1}, []int64{0, 1}},
		"no parts":                             {5, nil, []int64{}},
		"everything":                           {6, []int64{1, 2, 3}, []int64{1, 2, 3}},
		"more than the weights":                {12, []int64{1, 2, 3}, []int64{2, 4, 6}},
		"products beyond an int64":             {money.Max, []int64{money.Max, money.Max}, []int64{money.Max / 2, money.Max / 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := money.Allocate(c.total, c.weights)
			if len(got) != len(c.want) {
				t.Fatalf("got %v", got)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("got %v, want %v", got, c.want)
				}
			}
		})
	}
}

func TestAllocationAddsUpAndIsFair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Int64Range(0, 1e9), 1, 30).Draw(t, "weights")
		var sum int64
		for _, w := range weights {
			sum += w
		}
		total := rapid.Int64Range(0, sum).Draw(t, "total")
		var spread int64
		for i, part := range money.Allocate(total, weights) {
			exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(total), big.NewInt(weights[i])), big.NewInt(max(1, sum)))
			diff := exact.Sub(exact, new(big.Rat).SetInt64(part))
			if part < 0 || part > weights[i] || diff.Abs(diff).Cmp(big.NewRat(1, 1)) >= 0 {
				t.Fatalf("part %d of weight %d", part, weights[i])
			}
			spread += part
		}
		if spread != total && sum > 0 {
			t.Fatalf("%d of %d", spread, total)
		}
	})
}

func TestDecimals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"12.50": "12.5", "20": "20", "1e3": "1000", "0.00000001": "0.00000001", "-3.25": "-3.25", "0": "0", "-0.0": "0",
		"89999999999.99999999": "89999999999.99999999",
	} {
		d, err := money.ParseDecimal(text)
		if err != nil || d.String() != want {
			t.Errorf("%q: got %s, %v", text, d, err)
		}
	}
	for text, want := range map[string]error{
		"90000000000": money.ErrOutOfRange, "-90000000000": money.ErrOutOfRange, "0.000000001": money.ErrTooManyDigits,
		"x": money.ErrNotANumber,
	} {
		if _, err := money.ParseDecimal(text); !errors.Is(err, want) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	two, half := money.DecimalOf(2), money.DecimalFromE8(50_000_000)
	if two.E8() != 200_000_000 || half.String() != "0.5" || half.Rat().Cmp(big.NewRat(1, 2)) != 0 || two.Cmp(half) != 1 ||
		half.Cmp(two) != -1 || two.Cmp(money.DecimalOf(2)) != 0 {
		t.Error("decimals compare")
	}
	if two.Sign() != 1 || money.DecimalOf(-1).Sign() != -1 || money.DecimalOf(0).Sign() != 0 ||
		!money.DecimalOf(0).IsZero() || two.IsZero() {
		t.Error("decimals have signs")
	}
}
