package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Kind is what a term is of its record, in the one letter that an index stores.
type Kind string

// The kinds of terms. Those of an account are of the customer that a draft names.
const (
	Number       Kind = "n" // of an order, whole
	NumberTail   Kind = "m" // the end of it, which people read out
	Email        Kind = "e"
	Name         Kind = "w" // a word of one
	Phone        Kind = "p"
	SKU          Kind = "s"
	Tracking     Kind = "t" // number of a parcel
	Barcode      Kind = "b"
	AccountEmail Kind = "E"
	AccountName  Kind = "W"
	AccountPhone Kind = "P"
)

// Bounds of what is indexed of one record.
const (
	maxTermLength = 100  // characters; of what is longer the beginning counts
	maxFieldWords = 40   // of one name
	maxTerms      = 1000 // of one record
	maxSuffixes   = 12   // of one word written without spaces
	minSuffix     = 2    // characters
)

// Term is a text by which a record is found.
type Term struct {
	Kind Kind
	Text string // folded; 1..100 characters
}

// Entry is what one record, the source, contributes to finding a record: itself, or for a parcel its order.
type Entry struct {
	Source      string // id of the record in which the terms stand
	Collection  string // slug of the record that is found; "" if the source is gone
	Record      string // id of the record that is found
	Environment string // of the record; "" for both
	Terms       []Term // sorted, each once; none: the source contributes nothing
}

// terms collects the terms of a record.
type terms struct {
	fold collection.Fold
	all  []Term
}

// add adds a term that is not empty.
func (t *terms) add(kind Kind, text string) {
	if text != "" && len(t.all) < maxTerms {
		t.all = append(t.all, Term{kind, cut(text)})
	}
}

// done are the terms, sorted and each once.
func (t *terms) done() []Term {
	slices.SortFunc(t.all, func(a, b Term) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return slices.Compact(t.all)
}

// code adds a number or code of any spelling.
func (t *terms) code(kind Kind, text string) { t.add(kind, compact(t.fold(text))) }

// readOut is how many digits of a long number people read out: its random ones.
const (
	readOut    = 6
	longNumber = 10
)

// number adds the number of an order: whole, and what comes after its last punctuation, or the last digits of a long one.
func (t *terms) number(text string) {
	whole := compact(t.fold(text))
	t.add(Number, whole)
	parts := strings.FieldsFunc(t.fold(text), isPunctuation)
	switch {
	case len(parts) > 1:
		t.add(NumberTail, parts[len(parts)-1])
	case len(whole) >= longNumber && isDigits(whole):
		t.add(NumberTail, whole[len(whole)-readOut:])
	}
}

// email adds an address: whole, so that it is found by its beginning, and the parts of its name.
func (t *terms) email(kind Kind, text string) {
	whole := strings.TrimSpace(t.fold(text))
	t.add(kind, whole)
	local, _, _ := strings.Cut(whole, "@")
	parts := strings.FieldsFunc(local, isPunctuation)
	if len(parts) < 2 { //nolint:mnd // then the whole begins with it
		return
	}
	t.add(kind, compact(local))
	for _, part := range parts[1:min(len(parts), maxFieldWords)] {
		t.add(kind, part)
	}
}

// name adds the words of a name. Those that are written without spaces are found by their later characters too, as
// a given name is after the family's, and a name that has spaces in such a script without them: people write it either way.
func (t *terms) name(kind Kind, text string) {
	words := strings.FieldsFunc(t.fold(text), unicode.IsSpace)
	words = words[:min(len(words), maxFieldWords)]
	if whole := compact(strings.Join(words, "")); len(words) > 1 && strings.ContainsFunc(whole, needsNoSpaces) {
		t.add(kind, whole)
		t.suffixes(kind, whole)
	}
	for _, word := range words {
		whole := compact(word)
		t.add(kind, whole)
		if parts := strings.FieldsFunc(word, isPunctuation); len(parts) > 1 {
			for _, part := range parts {
				t.add(kind, part)
			}
		}
		t.suffixes(kind, whole)
	}
}

// suffixes adds what a word of a script without spaces ends with.
func (t *terms) suffixes(kind Kind, word string) {
	for range maxSuffixes {
		first, size := utf8.DecodeRuneInString(word)
		word = word[size:]
		if !needsNoSpaces(first) || utf8.RuneCountInString(word) < minSuffix {
			return
		}
		t.add(kind, word)
	}
}

// needsNoSpaces reports whether r is of a script that is written without spaces, or with some that vary.
func needsNoSpaces(r rune) bool {
	return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// compact is text without anything but letters and digits.
func compact(text string) string {
	return strings.Map(func(r rune) rune {
		if isPunctuation(r) {
			return -1
		}
		return r
	}, text)
}

// isPunctuation reports whether r is neither part of a word nor of a number.
func isPunctuation(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

// cut is the beginning of text that a term has.
func cut(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxTermLength {
			return text[:i]
		}
	}
	return text
}
