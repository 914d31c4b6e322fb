package cartwright

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Amount is an exact decimal, as its text: money in major units ("19.99", "15000"), a percentage, a rate. ""
// is none, null in JSON. It is read from and written to JSON numbers digit by digit and is never a float.
type Amount string

// maxDigits bounds what an exponent may ask for.
const maxDigits = 1000

var errAmount = errors.New("cartwright: not a decimal number")

// ParseAmount reads a decimal such as "-12.50". Errors: it is none.
func ParseAmount(text string) (Amount, error) {
	sign, rest := "", text
	if strings.HasPrefix(text, "-") {
		sign, rest = "-", text[1:]
	}
	whole, fraction, dotted := strings.Cut(rest, ".")
	if !digits(whole) || dotted && !digits(fraction) || len(whole) > 1 && whole[0] == '0' {
		return "", fmt.Errorf("%w: %.40q", errAmount, text)
	}
	return Amount(sign + rest), nil
}

func digits(s string) bool {
	return s != "" && len(s) <= maxDigits && strings.Trim(s, "0123456789") == ""
}

// String is the text of the amount.
func (a Amount) String() string { return string(a) }

// rat is the exact value; "" is 0.
func (a Amount) rat() *big.Rat {
	r, ok := new(big.Rat).SetString(string(a))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// scale is the number of fraction digits.
func (a Amount) scale() int {
	_, fraction, _ := strings.Cut(string(a), ".")
	return len(fraction)
}

// Cmp is -1, 0 or 1 as a is less than, equal to or greater than b: "20" and "20.00" are equal. "" counts as 0.
func (a Amount) Cmp(b Amount) int { return a.rat().Cmp(b.rat()) }

// Add is a + b, exactly. "" counts as 0.
func (a Amount) Add(b Amount) Amount {
	return Amount(new(big.Rat).Add(a.rat(), b.rat()).FloatString(max(a.scale(), b.scale())))
}

// Sub is a - b, exactly. "" counts as 0.
func (a Amount) Sub(b Amount) Amount {
	return Amount(new(big.Rat).Sub(a.rat(), b.rat()).FloatString(max(a.scale(), b.scale())))
}

// Times is a × n, exactly.
func (a Amount) Times(n int64) Amount {
	return Amount(new(big.Rat).Mul(a.rat(), new(big.Rat).SetInt64(n)).FloatString(a.scale()))
}

// MarshalJSON implements json.Marshaler. Errors: the text is no decimal.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a == "" {
		return []byte("null"), nil
	}
	checked, err := ParseAmount(string(a))
	return []byte(checked), err
}

// UnmarshalJSON implements json.Unmarshaler. Errors: it is neither a number nor null.
func (a *Amount) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*a = ""
		return nil
	}
	read, err := ParseAmount(string(b))
	if err != nil {
		read, err = plain(string(b))
	}
	*a = read
	return err
}

// plain writes a number with an exponent out.
func plain(text string) (Amount, error) {
	mantissa, exponent, ok := strings.Cut(strings.ToLower(text), "e")
	base, err := ParseAmount(mantissa)
	power := 0
	if err == nil && ok {
		power, err = strconv.Atoi(exponent)
	}
	if err != nil || !ok || power > maxDigits || power < -maxDigits {
		return "", fmt.Errorf("%w: %.40q", errAmount, text)
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
	factor := new(big.Rat).SetInt(ten)
	if power < 0 {
		factor.Inv(factor)
	}
	return Amount(new(big.Rat).Mul(base.rat(), factor).FloatString(max(base.scale()-power, 0))), nil
}

// Money is an amount of one currency.
type Money struct {
	Amount   Amount `json:"amount"`
	Currency string `json:"currency"` // ISO 4217
}

// String is "15000 KRW".
func (m Money) String() string { return string(m.Amount) + " " + m.Currency }
