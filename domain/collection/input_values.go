package collection

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

func (a *inputMerge) text(path string, f Field, s string) any {
	switch f.Kind {
	case Date:
		if t, ok := ParseTime(s); ok {
			return t
		}
		a.problem(path, "This field takes a date such as 2026-01-31T09:00:00.000Z.")
		return nil
	case Select:
		if to, ok := f.Aliases[s]; ok {
			s = to
		}
		if !slices.Contains(f.Options, s) {
			a.problem(path, "This field takes one of: "+strings.Join(f.Options, ", ")+".")
			return nil
		}
		return s
	case Email:
		s = strings.ToLower(strings.TrimSpace(s))
		switch {
		case strings.HasSuffix(s, erasedDomain):
			a.problem(path, "This address stands for somebody who was erased: leave it out.")
			return nil
		case !ValidEmail(s):
			a.problem(path, "This field takes an email address.")
			return nil
		}
		return s
	default: // the other kinds are plain text
	}
	if s != "" && !f.URLKind.accepts(s) {
		a.problem(path, "This field takes "+f.URLKind.withArticle()+".")
		return nil
	}
	if f.Uppercase {
		s = strings.ToUpper(strings.TrimSpace(s))
	}
	if problem := f.TextProblem(s); problem != "" {
		a.problem(path, problem)
		return nil
	}
	return s
}

// TextProblem describes what is wrong with s as a text of f: invalid characters, or too many; "" when nothing
// is.
func (f *Field) TextProblem(s string) string {
	limit := f.MaxLength
	if limit == 0 {
		limit = defaultMaxLength
	}
	switch {
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		return "This field takes valid text."
	case utf8.RuneCountInString(s) > limit:
		return "This field takes at most " + strconv.Itoa(limit) + " characters."
	}
	return ""
}

func (a *inputMerge) number(path string, f Field, text string) any {
	var v any
	var size money.Decimal
	var err error
	switch f.Kind {
	case Money:
		var m money.Money
		c := a.currency(f)
		if m, err = money.Parse(text, c); err == nil {
			v = m
			size, err = money.ParseDecimal(m.Major())
			if err != nil { // outside the range of every bound
				size, err = money.DecimalOf(89_999_999_999), nil
			}
		} else if errors.Is(err, money.ErrTooManyDigits) {
			a.problem(path, string(c)+" has "+strconv.Itoa(c.Exponent())+" fraction digits.")
			return nil
		}
	case Integer:
		size, err = money.ParseDecimal(text)
		if err == nil && size.E8()%100_000_000 != 0 {
			a.problem(path, "This field takes a whole number.")
			return nil
		}
		v = size.E8() / 100_000_000
	default:
		size, err = money.ParseDecimal(text)
		v = size
	}
	if err != nil {
		a.problem(path, fault.From(err).Message)
		return nil
	}
	if problem := f.RangeProblem(size); problem != "" {
		a.problem(path, problem)
		return nil
	}
	return v
}

// RangeProblem says what is wrong with the size of a number; "" for nothing.
func (f *Field) RangeProblem(size money.Decimal) string {
	switch {
	case f.Min != nil && size.Cmp(money.DecimalOf(*f.Min)) < 0:
		return "This field takes " + strconv.FormatInt(*f.Min, 10) + " or more."
	case f.Max != nil && size.Cmp(money.DecimalOf(*f.Max)) > 0:
		return "This field takes " + strconv.FormatInt(*f.Max, 10) + " or less."
	}
	return ""
}

// Bound returns a bound for Field.Min or Field.Max.
func Bound(n int64) *int64 { return &n } //nolint:modernize // At(1) is shorter than new(int64(1))
