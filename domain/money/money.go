// Package money has exact amounts of money: integer minor units with a currency, decimals, rounding and
// allocation. No floats.
package money

import (
	"math"
	"math/big"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Currency is an ISO 4217 code, upper case.
type Currency string

// exponents are the fraction digits of every currency in use, from ISO 4217 with its amendments up to 2025,
// and of those withdrawn less than two years before. Metals, baskets of funds and test codes are left out:
// nothing is paid with them.
var exponents = parseExponents(map[int]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU " +
		"CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR " +
		"KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK " +
		"PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD " +
		"USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
	3: "BHD IQD JOD KWD LYD OMR TND",
	4: "CLF UYW",
})

func parseExponents(codes map[int]string) map[Currency]int {
	out := map[Currency]int{}
	for exponent, list := range codes {
		for code := range strings.FieldsSeq(list) {
			out[Currency(code)] = exponent
		}
	}
	return out
}

// Valid reports whether c is a currency that amounts can be in.
func (c Currency) Valid() bool {
	_, known := exponents[c]
	return known
}

// Exponent is how many fraction digits c has: 0 for KRW, 2 for USD, 3 for KWD; 2 for an unknown currency.
func (c Currency) Exponent() int {
	if e, ok := exponents[c]; ok {
		return e
	}
	return 2
}

var pow10 = [...]int64{1, 10, 100, 1000, 10_000}

// columnScale: query columns store money as major units × 10⁴, comparable across currencies.
const columnScale = 4

// Max bounds |Minor| of any Money, so that sums of a whole order and the column form fit an int64.
const Max = 100_000_000_000_000

// The faults of this package; callers add the field.
var (
	ErrNotANumber       = fault.NewInvalid("body", "number_malformed", "This is not a number.")
	ErrTooManyDigits    = fault.NewInvalid("body", "number_too_precise", "This has more fraction digits than allowed.")
	ErrOutOfRange       = fault.NewInvalid("body", "number_out_of_range", "This number is too large.")
	ErrCurrencyMismatch = fault.New(fault.Internal, "currency_mixed", "Amounts in different currencies cannot be combined.")
)

// Money is an amount in minor units of a currency: {1999, "USD"} is 19.99 dollars. The zero value is no money
// in no currency.
type Money struct {
	Minor    int64
	Currency Currency
}

// Of returns minor units of c.
func Of(minor int64, c Currency) Money { return Money{minor, c} }

// Parse reads exact decimal text in major units. Errors: ErrNotANumber, ErrTooManyDigits, ErrOutOfRange.
func Parse(text string, c Currency) (Money, error) {
	n, err := parseScaled(text, c.Exponent())
	if err != nil {
		return Money{}, err
	}
	if n.CmpAbs(big.NewInt(Max)) > 0 {
		return Money{}, ErrOutOfRange
	}
	return Money{n.Int64(), c}, nil
}

// Major is the shortest exact decimal text in major units: "19.99", "15000".
func (m Money) Major() string { return scaledText(m.Minor, m.Currency.Exponent()) }

// AppendMajor appends Major to dst.
func (m Money) AppendMajor(dst []byte) []byte {
	return appendScaled(dst, m.Minor, m.Currency.Exponent())
}

// Column is m as a query column stores it: major units × 10⁴.
func (m Money) Column() int64 { return m.Minor * pow10[columnScale-m.Currency.Exponent()] }

// ParseColumn reads decimal text in major units of any currency into the column form.
// Errors: ErrNotANumber, ErrTooManyDigits, ErrOutOfRange.
func ParseColumn(text string) (int64, error) {
	n, err := parseScaled(text, columnScale)
	if err != nil {
		return 0, err
	}
	if !n.IsInt64() {
		return 0, ErrOutOfRange
	}
	return n.Int64(), nil
}

// IsZero reports whether the amount is 0.
func (m Money) IsZero() bool { return m.Minor == 0 }

// Plus is m + o. Different currencies are a programming error and panic with ErrCurrencyMismatch; so does an
// overflow.
func (m Money) Plus(o Money) Money {
	if m.Currency != o.Currency {
		panic(ErrCurrencyMismatch.WithMessage("%s + %s", m.Currency, o.Currency))
	}
	sum := m.Minor + o.Minor
	if (sum > m.Minor) != (o.Minor > 0) && o.Minor != 0 {
		panic(ErrOutOfRange)
	}
	return Money{sum, m.Currency}
}

// Minus is m − o.
func (m Money) Minus(o Money) Money { return m.Plus(Money{-o.Minor, o.Currency}) }

// Times is m × n. Errors: ErrOutOfRange.
func (m Money) Times(n int64) (Money, error) {
	p := new(big.Int).Mul(big.NewInt(m.Minor), big.NewInt(n))
	if p.CmpAbs(big.NewInt(Max)) > 0 {
		return Money{}, ErrOutOfRange
	}
	return Money{p.Int64(), m.Currency}, nil
}

// Min is the smaller of two amounts of one currency.
func (m Money) Min(o Money) Money {
	if m.Minus(o).Minor <= 0 {
		return m
	}
	return o
}

// Rounding is how a computed amount is rounded to whole minor units. Rule money-5.
type Rounding string

// The rounding modes a tenant can choose; the empty one is HalfUp.
const (
	HalfUp   Rounding = "half_up"
	HalfEven Rounding = "half_even"
	Down     Rounding = "down"
)

// Round rounds an exact number of minor units. Errors: ErrOutOfRange.
func (r Rounding) Round(x *big.Rat) (int64, error) {
	n := r.round(x)
	if n.CmpAbs(big.NewInt(Max)) > 0 {
		return 0, ErrOutOfRange
	}
	return n.Int64(), nil
}

func (r Rounding) round(x *big.Rat) *big.Int {
	quo, rem := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int)) // truncates toward zero
	if r == Down || rem.Sign() == 0 {
		return quo
	}
	twice := new(big.Int).Abs(rem)
	half := twice.Lsh(twice, 1).Cmp(x.Denom())
	if half < 0 || half == 0 && r == HalfEven && quo.Bit(0) == 0 {
		return quo
	}
	return quo.Add(quo, big.NewInt(int64(x.Sign())))
}

// Scale is m × factor, rounded once. Errors: ErrOutOfRange.
func (m Money) Scale(factor *big.Rat, r Rounding) (Money, error) {
	n, err := r.Round(new(big.Rat).Mul(new(big.Rat).SetInt64(m.Minor), factor))
	return Money{n, m.Currency}, err
}

// Allocate splits total over weights (each ≥ 0) by largest remainder, ties to the earlier part: the parts add
// up to total exactly, and none exceeds its weight when total ≤ Σ weights. If all weights are 0, so are the
// parts. Rule money-7.
func Allocate(total int64, weights []int64) []int64 {
	parts := make([]int64, len(weights))
	var sum int64
	for _, w := range weights {
		sum += w
	}
	if sum == 0 || total == 0 {
		return parts
	}
	rests := make([]int64, len(weights))
	left := total
	for i, w := range weights {
		q, r := mulDiv(total, w, sum)
		parts[i], rests[i] = q, r
		left -= q
	}
	for ; left > 0; left-- {
		best := -1
		for i := range rests {
			if rests[i] > 0 && (best < 0 || rests[i] > rests[best]) {
				best = i
			}
		}
		parts[best]++
		rests[best] = math.MinInt64
	}
	return parts
}

// mulDiv is a×b÷c with its remainder, exact for any non-negative a, b and positive c whose quotient fits.
func mulDiv(a, b, c int64) (quo, rem int64) {
	p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	q, r := p.QuoRem(p, big.NewInt(c), new(big.Int))
	return q.Int64(), r.Int64()
}
