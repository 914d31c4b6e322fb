package collection

import (
	"strconv"
	"strings"
)

// How large numbers may be in canonical notation: digits before or zeros after the point, beyond which there is an
// exponent, and the largest exponent that is understood.
const (
	maxPlainDigits = 40
	maxExponent    = 1_000_000_000
)

// appendCanonicalNumber appends the value of a JSON number in one notation: as a decimal without needless zeros, or
// digits and an exponent where that would be long. A number whose exponent is beyond maxExponent stays as it is
// written.
func appendCanonicalNumber(dst []byte, n JSONNumber) []byte {
	text := string(n)
	if len(text) <= maxPlainDigits && text != "-0" && !strings.ContainsAny(text, ".eE") {
		return append(dst, text...) // a whole number, as nearly all are
	}
	unsigned, negative := strings.CutPrefix(text, "-")
	digits, exponent, ok := splitNumber(unsigned)
	switch {
	case !ok:
		return append(dst, text...)
	case digits == "":
		return append(dst, '0')
	case negative:
		dst = append(dst, '-')
	}
	point := len(digits) + exponent // digits before the decimal point; below 0: zeros after it
	switch {
	case point > maxPlainDigits || point < -maxPlainDigits:
		return strconv.AppendInt(append(append(dst, digits...), 'e'), int64(exponent), 10)
	case exponent >= 0:
		return append(append(dst, digits...), strings.Repeat("0", exponent)...)
	case point > 0:
		return append(append(append(dst, digits[:point]...), '.'), digits[point:]...)
	}
	return append(append(append(dst, "0."...), strings.Repeat("0", -point)...), digits...)
}

// splitNumber writes an unsigned JSON number as digits · 10^exponent, where digits neither begin nor end with a zero;
// zero has none. ok is false when the exponent is beyond maxExponent.
func splitNumber(unsigned string) (digits string, exponent int, ok bool) {
	mantissa := unsigned
	if at := strings.IndexAny(unsigned, "eE"); at >= 0 {
		var err error
		mantissa = unsigned[:at]
		if exponent, err = strconv.Atoi(unsigned[at+1:]); err != nil || exponent > maxExponent || exponent < -maxExponent {
			return "", 0, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	return trimmed, exponent + len(digits) - len(trimmed), true
}
