package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Bounds of a query.
const (
	MaxQuery   = 4000 // characters
	maxWords   = 10   // all of which a record has to have
	maxNumbers = 100  // of which any may be a record's
)

// QueryDoc describes q, a text that records are found by, to those who send it.
const QueryDoc = "What to find, for users and secret keys: numbers, addresses, names, telephone numbers and codes in any spelling, by their beginnings. " +
	"Several words have to be there all, or be one code with spaces; of several numbers any, whole. Best match first, then newest; no sort. " +
	"Together with a where, the best 500 matches are looked at. totalDocs counts up to the record after the page. Changes are found after about a second."

// ErrQuery says that a text cannot be searched for.
var ErrQuery = collection.ErrQuery.At("q")

// Word is a word of a query: the texts of which a term has to begin with one, or in a list of numbers to be one.
type Word []string

// Query is what a text asks for.
type Query struct {
	Words []Word // at least one
	// Numbers says that the words are a list of numbers, codes or addresses: a record is found that has any of them, whole.
	// Otherwise it has to have all words.
	Numbers bool
	// Begun is the beginning of the telephone number that the numbers may be together: a record is found by it, too. nil: they
	// are none.
	Begun Word
	// Whole is the code that the words may be together, typed with spaces as it is printed: of a parcel, or of an article. A
	// record is found by it, too. "": they are none, or a list of numbers, which has it among its words.
	Whole string
}

// Parse reads what somebody typed or pasted. Words are separated by spaces, commas, semicolons and line breaks. Several
// that all have a digit or an at sign are a list of numbers. Errors: ErrQuery.
func Parse(text string, fold collection.Fold) (q Query, err error) {
	if utf8.RuneCountInString(text) > MaxQuery {
		return q, ErrQuery.WithMessage("q has at most %d characters.", MaxQuery)
	}
	text = strings.TrimSpace(fold(strings.ToValidUTF8(text, " ")))
	if strings.HasPrefix(text, "+") && isPhoneSpelling(text) {
		return Query{Words: []Word{phoneWord(text)}}, nil
	}
	spelled := strings.FieldsFunc(text, isSeparator)
	q.Numbers = true
	for _, one := range spelled {
		w := wordOf(one)
		if w == nil {
			continue
		}
		q.Numbers = q.Numbers && strings.ContainsFunc(one, func(r rune) bool { return r == '@' || unicode.IsDigit(r) })
		if !slices.ContainsFunc(q.Words, func(o Word) bool { return slices.Equal(o, w) }) {
			q.Words = append(q.Words, w)
		}
	}
	q.Numbers = q.Numbers && len(q.Words) > 1
	switch {
	case len(q.Words) == 0:
		return q, ErrQuery.WithMessage("q needs a letter or a digit.")
	case q.Numbers && len(q.Words) > maxNumbers:
		return q, ErrQuery.WithMessage("q takes at most %d numbers.", maxNumbers)
	case !q.Numbers && len(q.Words) > maxWords:
		return q, ErrQuery.WithMessage("q takes at most %d words.", maxWords)
	}
	q.joinWords(text)
	return q, nil
}

// joinWords adds what the words may be together: one telephone number, or one code.
func (q *Query) joinWords(text string) {
	switch code := codeOf(text); {
	case code == "" || len(q.Words) == 1:
	case q.Numbers:
		q.Words = append(q.Words, Word{code})
	default:
		q.Whole = code
	}
	if q.Numbers && isSpacedPhone(text) {
		q.Words = append(q.Words, phoneWord(text))
	}
	if q.Numbers && isBegunPhone(text) {
		q.Begun = phoneWord(text)
	}
}

// isSeparator reports whether r stands between words.
func isSeparator(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(",;、。|", r)
}

// wordOf is a word as it was typed; nil if nothing can be found by it.
func wordOf(typed string) (w Word) {
	whole := cut(compact(typed))
	switch {
	case whole == "":
		return nil
	case strings.Contains(typed, "@"):
		return Word{cut(strings.Trim(typed, "<>()\"'"))}
	case isPhoneSpelling(typed):
		return append(Word{whole}, phoneWord(typed)...)
	}
	return Word{whole}
}

// How many digits a telephone number has.
const (
	minInternational = 10 // with the code of its country
	minSpaced        = 8  // as one that spaces are taken for a part of
	minBegun         = 5  // as the beginning of such a one
	maxPhone         = 15
)

// phoneWord are the terms of a telephone number of which digits were typed: its beginning, or one of its ends.
func phoneWord(typed string) (w Word) {
	digits := onlyDigits(typed)
	all := []string{nationalDigits(typed), digits}
	if len(digits) >= minInternational && len(digits) <= maxPhone && digits[0] != '0' {
		all = append(all, strings.TrimLeft(afterCountry(digits), "0")) // with the code of a country, but without its sign
	}
	for _, one := range all {
		if text := cut(phoneMark + one); one != "" && !slices.Contains(w, text) {
			w = append(w, text)
		}
	}
	return w
}

// maxCode is how many letters and digits a code has that is typed with spaces.
const maxCode = 40

// codeOf is the code that text may be, typed with nothing but spaces between its parts: something short with a digit. "": it is
// none.
func codeOf(text string) string {
	code, isList := compact(text), strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && isSeparator(r) })
	if isList || utf8.RuneCountInString(code) > maxCode || onlyDigits(code) == "" || strings.Contains(text, "@") {
		return ""
	}
	return code
}

// isSpacedPhone reports whether text may be one telephone number with spaces as well as several numbers.
func isSpacedPhone(text string) bool {
	digits := onlyDigits(text)
	return isPhoneSpelling(text) && len(digits) >= minSpaced && len(digits) <= maxPhone
}

// isBegunPhone reports whether text may be the beginning of one telephone number with spaces, from the zero on that stands
// before its area.
func isBegunPhone(text string) bool {
	digits := onlyDigits(text)
	return isPhoneSpelling(text) && digits[0] == '0' && len(digits) >= minBegun && len(digits) <= maxPhone
}

// Rank is how well a record matches: the smaller the better. Records of one rank come newest first.
type Rank int

// The ranks. Of a query of several words all records have the last one.
const (
	ExactNumber Rank = iota // the word is the number of the order
	Exact                   // the word is a whole term of it
	Prefix                  // a term begins with the word
)

// RankOf is the rank of a record of which term matches the only word w of a query.
func RankOf(w Word, t Term) Rank {
	switch {
	case !slices.Contains(w, t.Text):
		return Prefix
	case t.Kind == Number:
		return ExactNumber
	}
	return Exact
}

// Rank is the rank of a record with these terms; ok is false if q does not find it. It is what an index has to find.
func (q Query) Rank(of []Term) (rank Rank, ok bool) {
	rank = Prefix
	for _, w := range q.Words {
		found := false
		for _, t := range of {
			if !q.matches(w, t.Text) {
				continue
			}
			found = true
			if len(q.Words) == 1 {
				rank = min(rank, RankOf(w, t))
			}
		}
		switch {
		case found && q.Numbers: // any is enough
			return rank, true
		case !found && !q.Numbers: // one is missing
			return rank, slices.ContainsFunc(of, func(t Term) bool { return q.Whole != "" && t.Text == q.Whole })
		}
	}
	if q.Numbers {
		return rank, slices.ContainsFunc(of, func(t Term) bool { return begins(q.Begun, t.Text) })
	}
	return rank, true
}

func (q Query) matches(w Word, term string) bool {
	return slices.Contains(w, term) || !q.Numbers && begins(w, term)
}

// begins reports whether a term begins with one of the texts of w.
func begins(w Word, term string) bool {
	return slices.ContainsFunc(w, func(one string) bool { return strings.HasPrefix(term, one) })
}
