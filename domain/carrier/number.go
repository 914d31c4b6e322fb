package carrier

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
	// ErrTrackingNumber: the carrier issues no such number.
	ErrTrackingNumber = fault.New(fault.Unprocessable, "tracking_number_invalid", "The carrier has no tracking number of this form.")
	// ErrNumberRounded: a spreadsheet rounded the number, so digits were lost.
	ErrNumberRounded = fault.New(fault.Unprocessable, "tracking_number_rounded",
		"A spreadsheet rounded this number: its last digits are lost. Format the column as text, and enter the number again.")
)

// digits are the valid digit counts per carrier. Carriers that are missing here use letters too, or have no
// fixed count.
var digits = map[order.Carrier][]int{
	order.CJ:     {10, 12},
	order.Hanjin: {10, 11, 12, 14},
	order.Lotte:  {10, 11, 12},
	order.EPost:  {13},
	order.Logen:  {11},
}

// NormalizeNumber is the form in which a tracking number is stored: upper case, without the spaces and
// hyphens between its parts, and without the leading apostrophe that marks text in spreadsheets. For carriers
// with digits only, a number in a form such as 1.23456789012E+11 or 123456789012.0 is expanded, provided that
// it shows all digits; for other carriers 12E3 is a number as it stands. Errors: ErrNumberRounded.
func NormalizeNumber(c order.Carrier, text string) (string, error) {
	text = trimApostrophe(strings.TrimSpace(text))
	if digits[c] != nil {
		if whole, ok, err := expandNumber(strings.ToUpper(text)); ok || err != nil {
			return whole, err
		}
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToUpper(toHalfWidth(r))
	}, text), nil
}

// trimApostrophe removes the leading apostrophe that marks text in spreadsheets.
func trimApostrophe(text string) string { return strings.TrimSpace(strings.TrimPrefix(text, "'")) }

// fullWidthOffset is the distance between an ASCII character and its full-width form.
const fullWidthOffset = '！' - '!'

func toHalfWidth(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - fullWidthOffset
	}
	return r
}

// expandNumber expands text in a form that programs give to numbers, with a fraction or an exponent, to its
// digits. ok is false for any other text. Errors: ErrNumberRounded.
func expandNumber(text string) (whole string, ok bool, err error) {
	mantissa, exponent, scientific := strings.Cut(text, "E")
	before, after, broken := strings.Cut(mantissa, ".")
	exponent = strings.TrimPrefix(exponent, "+")
	if !scientific && !broken || !isDigits(before) || after != "" && !isDigits(after) || scientific && !isDigits(exponent) {
		return "", false, nil
	}
	if !scientific {
		if strings.Trim(after, "0") != "" {
			return "", false, nil
		}
		return before, true, nil
	}
	const most = 2 // maximum digits of an exponent
	shift := 0
	if len(exponent) > most {
		return "", false, ErrNumberRounded
	}
	for _, r := range exponent {
		shift = shift*10 + int(r-'0')
	}
	if shift != len(after) || len(before) != 1 {
		return "", false, ErrNumberRounded
	}
	return before + after, true, nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// CheckNumber checks a number, as NormalizeNumber returned it, against the carrier's digit counts. Errors:
// ErrTrackingNumber.
func CheckNumber(c order.Carrier, number string) error {
	counts, known := digits[c]
	switch {
	case number == "":
		return ErrTrackingNumber.WithMessage("The tracking number is missing.")
	case known && (!isDigits(number) || !slices.Contains(counts, len(number))):
		return ErrTrackingNumber.WithMessage("%q is not a tracking number of %s: those have %s digits.", Excerpt(number), c, joinOr(counts))
	case len(number) > order.MaxTrackingNumber || strings.Trim(number, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "":
		return ErrTrackingNumber.WithMessage("%q is not a tracking number: use letters and digits, at most %d.", Excerpt(number),
			order.MaxTrackingNumber)
	}
	return nil
}

// joinOr joins counts for a sentence: "10, 11 or 12".
func joinOr(counts []int) string {
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
