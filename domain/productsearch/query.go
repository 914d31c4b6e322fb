package productsearch

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Bounds of a query.
const (
	MaxQuery = 200 // characters
	maxWords = 10  // those after it do not count
)

// ErrQuery says that a text cannot be searched for.
var ErrQuery = collection.ErrQuery.At("q")

// Word is a word of a query.
type Word struct {
	Typed    string // as it was typed
	Text     string // folded; of initials the single consonants
	Unspaced bool   // of a script without spaces
	Initials bool   // nothing but initial consonants
	Last     bool   // the last word of the query: it may be the beginning of one
}

// Query is what a text asks for: products that have all its words. Without words all products are asked for.
type Query struct {
	Words []Word
	// Joined are the words as one, typed without the spaces between them; "": there is one, or they cannot be one.
	Joined string
}

// Parse reads what a shopper typed. Errors: ErrQuery for more than MaxQuery characters.
func Parse(text string, fold collection.Fold) (q Query, err error) {
	if utf8.RuneCountInString(text) > MaxQuery {
		return q, ErrQuery.WithMessage("q has at most %d characters.", MaxQuery)
	}
	q.Words = wordsOf(strings.ToValidUTF8(text, " "), fold)
	q.Words = q.Words[:min(len(q.Words), maxWords)]
	var joined strings.Builder
	for _, w := range q.Words {
		if w.Initials {
			return q, nil
		}
		joined.WriteString(w.Text)
	}
	if len(q.Words) > 1 && length(joined.String()) <= maxWord {
		q.Joined = joined.String()
	}
	return q, nil
}

// wordsOf are the words of a text; of the same ones the first counts.
func wordsOf(text string, fold collection.Fold) (words []Word) {
	for _, typed := range piecesOf(text) {
		letters := apart.Replace(typed.text)
		if areInitials(letters) {
			words = append(words, Word{Typed: typed.text, Text: plain.Replace(letters), Initials: true})
			continue
		}
		for _, p := range piecesOf(fold(typed.text)) {
			words = append(words, Word{Typed: typed.text, Text: p.text, Unspaced: p.unspaced})
		}
	}
	if len(words) > 0 {
		words[len(words)-1].Last = true
	}
	var each []Word
	for _, w := range words {
		same := slices.IndexFunc(each, func(o Word) bool { return o.Text == w.Text && o.Initials == w.Initials })
		if same >= 0 {
			each[same].Last = each[same].Last || w.Last
			continue
		}
		each = append(each, w)
	}
	return each
}
