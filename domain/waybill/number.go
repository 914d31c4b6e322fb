package waybill

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// The faults of a tracking number.
var (
	// ErrNumber says that the carrier has no such number.
	ErrNumber = fault.New(fault.Unprocessable, "tracking_number_invalid", "The carrier has no tracking number of this form.")
	// ErrRounded says that digits got lost on the way.
	ErrRounded = fault.New(fault.Unprocessable, "tracking_number_rounded", "A spreadsheet rounded this number: its last digits are lost. Format the column as text, and enter the number again.")
)

// digits is how many digits the numbers of a carrier have; those that are missing here have letters too, or no rule.
var digits = map[order.Carrier][]int{
	order.CJ:     {10, 12},
	order.Hanjin: {10, 11, 12, 14},
	order.Lotte:  {10, 11, 12},
	order.EPost:  {13},
	order.Logen:  {11},
}

// Number is the tracking number in text as it is kept: in capitals, without the spaces and hyphens between its parts, and
// without the apostrophe by which people make spreadsheets keep text. Of carriers whose numbers are digits alone, the digits
// of a number that a program wrote as 1.23456789012E+11 or 123456789012.0, where it names them all; with others 12E3 is a
// number like any other. Errors: ErrRounded.
func Number(c order.Carrier, text string) (string, error) {
	text = unquoted(strings.TrimSpace(text))
	if digits[c] != nil {
		if whole, ok, err := numeral(strings.ToUpper(text)); ok || err != nil {
			return whole, err
		}
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToUpper(narrow(r))
	}, text), nil
}

// unquoted is text without the apostrophe by which people make spreadsheets keep it.
func unquoted(text string) string { return strings.TrimSpace(strings.TrimPrefix(text, "'")) }

// wide is how far the full-width forms of ASCII stand from it.
const wide = '！' - '!'

func narrow(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - wide
	}
	return r
}

// numeral reads text in the forms that programs give to numbers, with a fraction or an exponent; ok is false for everything
// else. Errors: ErrRounded.
func numeral(text string) (whole string, ok bool, err error) {
	mantissa, exponent, scientific := strings.Cut(text, "E")
	before, after, broken := strings.Cut(mantissa, ".")
	exponent = strings.TrimPrefix(exponent, "+")
	if !scientific && !broken || !numeric(before) || after != "" && !numeric(after) || scientific && !numeric(exponent) {
		return "", false, nil
	}
	if !scientific {
		if strings.Trim(after, "0") != "" {
			return "", false, nil
		}
		return before, true, nil
	}
	const most = 2 // digits of an exponent
	shift := 0
	if len(exponent) > most {
		return "", false, ErrRounded
	}
	for _, r := range exponent {
		shift = shift*10 + int(r-'0')
	}
	if shift != len(after) || len(before) != 1 {
		return "", false, ErrRounded
	}
	return before + after, true, nil
}

func numeric(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// Check holds a number, as Number made it, to what is known of the carrier's numbers. Errors: ErrNumber.
func Check(c order.Carrier, number string) error {
	counts, known := digits[c]
	switch {
	case number == "":
		return ErrNumber.Saying("The tracking number is missing.")
	case known && (!numeric(number) || !slices.Contains(counts, len(number))):
		return ErrNumber.Saying("%q is no tracking number of %s: those have %s digits.", brief(number), c, either(counts))
	case len(number) > order.MaxTrackingNumber || strings.Trim(number, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "":
		return ErrNumber.Saying("%q is no tracking number: letters and digits are taken, at most %d of them.", brief(number), order.MaxTrackingNumber)
	}
	return nil
}

// either is counts in words: "10, 11 or 12".
func either(counts []int) string {
	var text string
	for i, n := range counts {
		switch {
		case i == 0:
		case i == len(counts)-1:
			text += " or "
		default:
			text += ", "
		}
		text += strconv.Itoa(n)
	}
	return text
}
