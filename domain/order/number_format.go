package order

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// NumberFormat is how a shop writes the numbers of its orders: text with placeholders in braces, such as
// "{YYYYMMDD}-{SEQ}". Rule shop-5.
//
// The text is ASCII letters, digits and -_./# alone. {YYYY}, {YY}, {MM}, {DD}, {YYYYMMDD} and {YYMMDD} are the day in the
// shop's time zone. Exactly one of these two makes numbers unique:
//
//   - {SEQ} counts from 1, in four digits or more. The orders whose numbers differ in nothing else are counted together:
//     a format with the day starts over every day, one without never does. A number is skipped where its order was not
//     placed after all.
//   - {RANDOM} is six random digits, and more where numbers are taken. It does not tell how many orders a shop has.
type NumberFormat string

// DefaultNumberFormat is that of shops that chose none. Rule orders-13.
const DefaultNumberFormat NumberFormat = "{YYMMDD}{RANDOM}"

// MaxNumberFormat is how many characters a format has at most: with its placeholders filled in, a number has no more than
// those that CheckNumber accepts.
const MaxNumberFormat = 40

// The placeholders that make a number unique.
const (
	sequencePlaceholder = "{SEQ}"
	randomPlaceholder   = "{RANDOM}"
)

// dayPlaceholders are the other ones, with their layout for a time.
var dayPlaceholders = map[string]string{
	"{YYYY}": "2006", "{YY}": "06", "{MM}": "01", "{DD}": "02", "{YYYYMMDD}": "20060102", "{YYMMDD}": "060102",
}

var (
	placeholder = regexp.MustCompile(`\{[^{}]*\}`)
	plainText   = regexp.MustCompile(`^[A-Za-z0-9._/#-]*$`)
)

// Check refuses a format that does not make unique numbers, or has other placeholders and characters than those above.
// Errors: fault.ErrValidation for field.
func (f NumberFormat) Check(field string) error {
	unique := 0
	for _, p := range placeholder.FindAllString(string(f), -1) {
		switch {
		case p == sequencePlaceholder || p == randomPlaceholder:
			unique++
		case dayPlaceholders[p] == "":
			return fault.Invalidf(field, "%s is no placeholder. There are {YYYY}, {YY}, {MM}, {DD}, {YYYYMMDD}, {YYMMDD}, {SEQ} and {RANDOM}.", p)
		}
	}
	switch {
	case len(f) > MaxNumberFormat:
		return fault.Invalidf(field, "The format of order numbers has at most %d characters.", MaxNumberFormat)
	case unique != 1:
		return fault.Invalidf(field, "The format of order numbers has either {SEQ} or {RANDOM}, once: nothing else makes them unique.")
	case !plainText.MatchString(placeholder.ReplaceAllString(string(f), "")):
		return fault.Invalidf(field, "Besides placeholders, an order number has letters A-Z, digits and the characters - _ . / # only.")
	}
	return nil
}

// Sequential reports whether the numbers are counted.
func (f NumberFormat) Sequential() bool { return strings.Contains(string(f), sequencePlaceholder) }

// Series names the orders of a day that are counted together: their number with the placeholder of the count. day is in the
// shop's time zone.
func (f NumberFormat) Series(day time.Time) string {
	return placeholder.ReplaceAllStringFunc(string(f), func(p string) string {
		if layout := dayPlaceholders[p]; layout != "" {
			return day.Format(layout)
		}
		return p
	})
}

// Counted is the number of the order that is counted as n in its series of a day.
func (f NumberFormat) Counted(day time.Time, n int64) string {
	return strings.Replace(f.Series(day), sequencePlaceholder, fmt.Sprintf("%04d", n), 1)
}

// Digits of a random number: usually, and at most.
const (
	fewestDigits = 6
	mostDigits   = 18
)

// Drawn is a number of a day with digits from random. attempt counts the numbers that turned out to be taken: after two of
// them each further number has three digits more, up to 18, so that numbers never run out however many orders a day has.
// Rule orders-13.
func (f NumberFormat) Drawn(day time.Time, random uint64, attempt int) string {
	digits := min(fewestDigits+3*max(attempt-1, 0), mostDigits)
	end := uint64(1)
	for range digits {
		end *= 10
	}
	return strings.Replace(f.Series(day), randomPlaceholder, fmt.Sprintf("%0*d", digits, random%end), 1)
}

// SequenceStep is how far a count goes on after attempt numbers that turned out to be taken, as those of imported orders
// are: always farther, so that it passes them however many they are.
func SequenceStep(attempt int) int64 {
	step := int64(1)
	for range max(attempt-1, 0) {
		step *= 8
	}
	return step
}
