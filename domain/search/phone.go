package search

import (
	"strings"
	"unicode"
)

// phoneMark begins the terms of telephone numbers.
const phoneMark = "+"

// The ends of a telephone number by which it is found too: the number without its area, and what people remember.
const (
	subscriberDigits = 8
	lastDigits       = 4
)

// phone adds a telephone number of any spelling: without the code of its country and the zero that stands in its
// place, and its ends.
func (t *terms) phone(kind Kind, text string) {
	national := nationalDigits(t.fold(text))
	if len(national) < lastDigits {
		return
	}
	for _, n := range []int{len(national), subscriberDigits, lastDigits} {
		if n <= len(national) {
			t.add(kind, phoneMark+national[len(national)-n:])
		}
	}
}

// phones adds a number as it was typed and, where the country of the record says what it is, as E.164: what stands before a national number
// is not a zero everywhere.
func (t *terms) phones(kind Kind, typed, e164 string) {
	t.phone(kind, typed)
	t.phone(kind, e164)
}

// nationalDigits are the digits of a telephone number that are the same in every spelling of it: those after the code of
// the country, if the number says that it has one, and after the zeros.
func nationalDigits(text string) string {
	digits := onlyDigits(text)
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, " ("), "+"):
		digits = afterCountry(digits)
	case strings.HasPrefix(digits, "00"):
		digits = afterCountry(digits[2:])
	}
	return strings.TrimLeft(digits, "0")
}

// twoDigitCountries are the codes of countries of two digits; +1 and +7 have one, all others three.
const twoDigitCountries = " 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98 "

// afterCountry are the digits after the code of the country.
func afterCountry(digits string) string {
	n := 3
	switch {
	case strings.HasPrefix(digits, "1"), strings.HasPrefix(digits, "7"):
		n = 1
	case len(digits) >= 2 && strings.Contains(twoDigitCountries, " "+digits[:2]+" "):
		n = 2
	}
	return digits[min(n, len(digits)):]
}

// onlyDigits are the digits of text from 0 to 9.
func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// isDigits reports whether text has nothing but digits.
func isDigits(text string) bool { return text != "" && onlyDigits(text) == text }

// isPhoneSpelling reports whether text has nothing but what telephone numbers are written with. What was copied from a page or a
// document has dashes of any kind.
func isPhoneSpelling(text string) bool {
	strange := strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("0123456789 +./()", r) && !unicode.Is(unicode.Pd, r) && r != minusSign
	})
	return !strange && onlyDigits(text) != ""
}

// minusSign is the mathematical one, which Unicode has among the symbols and not among the dashes.
const minusSign = '\u2212'
