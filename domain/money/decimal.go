package money

import (
	"cmp"
	"errors"
	"math/big"
	"strconv"
	"strings"
)

// MaxScale is how many fraction digits a Decimal has at most.
const MaxScale = 8

// maxDecimal bounds |Decimal| so that its ×10⁸ form fits an int64.
const maxDecimal = 90_000_000_000

// Decimal is an exact decimal number: a percentage, an exchange rate, a weight. At most 8 fraction digits,
// below 9×10¹⁰ in size. Equal numbers are equal values (==).
type Decimal struct{ e8 int64 } // value × 10⁸

// DecimalOf returns n.
func DecimalOf(n int64) Decimal { return Decimal{n * 100_000_000} }

// DecimalFromE8 returns n / 10⁸; query columns store n.
func DecimalFromE8(n int64) Decimal { return Decimal{n} }

// E8 is d × 10⁸.
func (d Decimal) E8() int64 { return d.e8 }

// IsZero reports d == 0.
func (d Decimal) IsZero() bool { return d.e8 == 0 }

// Sign is -1, 0 or +1.
func (d Decimal) Sign() int { return cmp.Compare(d.e8, 0) }

// Cmp orders decimals.
func (d Decimal) Cmp(o Decimal) int { return cmp.Compare(d.e8, o.e8) }

// Rat is d as an exact fraction.
func (d Decimal) Rat() *big.Rat { return big.NewRat(d.e8, 100_000_000) }

// String is the shortest exact text: "12.5", "20".
func (d Decimal) String() string { return scaledText(d.e8, MaxScale) }

// ParseDecimal reads JSON number text ("12.50", "1e3"). Errors: ErrNotANumber, ErrTooManyDigits, ErrOutOfRange.
func ParseDecimal(text string) (Decimal, error) {
	if len(text) < 10 && isDigits(text) { // the common case
		n, err := strconv.ParseInt(text, 10, 64)
		return Decimal{n * 100_000_000}, err
	}
	n, err := parseScaled(text, MaxScale)
	if err != nil {
		return Decimal{}, err
	}
	if n.CmpAbs(big.NewInt(maxDecimal*100_000_000)) >= 0 {
		return Decimal{}, ErrOutOfRange
	}
	return Decimal{n.Int64()}, nil
}

// parseScaled reads exact decimal text and returns it × 10^scale.
func parseScaled(text string, scale int) (*big.Int, error) {
	mantissa, exp, err := splitExponent(text)
	if err != nil {
		return nil, err
	}
	sign := ""
	if rest, ok := strings.CutPrefix(mantissa, "-"); ok {
		sign, mantissa = "-", rest
	}
	whole, fraction, dotted := strings.Cut(mantissa, ".")
	if !isDigits(whole) || dotted && !isDigits(fraction) {
		return nil, ErrNotANumber
	}
	fraction = strings.TrimRight(fraction, "0")
	zeros := scale + exp - len(fraction)
	all := strings.TrimLeft(whole+fraction, "0")
	if all == "" {
		return new(big.Int), nil
	}
	if zeros < 0 { // 1500e-2 still has no excess digits
		trimmed := strings.TrimRight(all, "0")
		if len(all)-len(trimmed) < -zeros {
			return nil, ErrTooManyDigits
		}
		all, zeros = all[:len(all)+zeros], 0
	}
	if len(all)+zeros > 40 {
		return nil, ErrOutOfRange
	}
	n, ok := new(big.Int).SetString(sign+all+strings.Repeat("0", zeros), 10)
	if !ok {
		return nil, ErrNotANumber
	}
	return n, nil
}

func splitExponent(text string) (mantissa string, exp int, err error) {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return text, 0, nil
	}
	exp, err = strconv.Atoi(text[i+1:])
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return "", 0, ErrNotANumber
	}
	switch {
	case exp < -100:
		return "", 0, ErrTooManyDigits
	case exp > 100:
		return "", 0, ErrOutOfRange
	}
	return text[:i], exp, nil
}

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// scaledText prints n / 10^scale without trailing zeros.
func scaledText(n int64, scale int) string { return string(appendScaled(nil, n, scale)) }

func appendScaled(dst []byte, n int64, scale int) []byte {
	start := len(dst)
	dst = strconv.AppendInt(dst, n, 10)
	if scale == 0 {
		return dst
	}
	if dst[start] == '-' {
		start++
	}
	for len(dst)-start <= scale { // at least one digit before the point
		dst = append(dst, 0)
		copy(dst[start+1:], dst[start:])
		dst[start] = '0'
	}
	dst = append(dst, 0)
	point := len(dst) - 1 - scale
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	if dst[len(dst)-1] == '.' {
		dst = dst[:len(dst)-1]
	}
	return dst
}
