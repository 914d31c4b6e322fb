package productsearch

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Level is how well a product has the words of a query: that of the word which it has worst. The smaller, the better.
type Level int

// The levels.
const (
	WholeNames Level = iota // the name has the word
	Names                   // the name has a word that begins with the last word; or has the characters, the initials or all words joined
	Groups                  // its brand, a category, a tag or an option is called so
	Texts                   // the description has the word; or the word stands nowhere, and was taken for another one
	levels
)

// Correction is a word that stands nowhere, and what it was taken for.
type Correction struct{ Typed, Taken string }

// Sets are what an engine knows of the products of a shop. S is a set of products that nobody changes.
type Sets[S any] interface {
	// Having are the products that have each of these terms, in their order.
	Having(terms ...string) ([]S, error)
	// Words are the words of names from one to another one, at most limit; they may be any of them. The caller may append to them.
	Words(from, to string, limit int) ([]string, error)
	// Groups are the groups that fits says yes to.
	Groups(fits func(words []string) bool) []Group
	And(a, b S) S
	Or(all ...S) S
	Empty(s S) bool
}

// Bounds of what one word stands for.
const (
	maxBegun  = 500    // words that begin with a long one
	maxLike   = 50_000 // words among which the nearest is looked for
	maxGroups = 500    // groups that are called so
)

// Match finds the products that q asks for: of each level those of that level or a better one. found is false if q asks for all
// products. What a word is taken for that stands nowhere is told.
func Match[S any](in Sets[S], q Query, fold collection.Fold) (found bool, all [levels]S, taken []Correction, err error) {
	for i, w := range q.Words {
		one, correction, err := matchOrCorrect(in, w, fold)
		if err != nil {
			return false, all, nil, err
		}
		if correction != nil {
			taken = append(taken, *correction)
		}
		for l := range all {
			if i == 0 {
				all[l] = one[l]
			} else {
				all[l] = in.And(all[l], one[l])
			}
		}
	}
	if q.Joined != "" {
		joined, err := having(in, joinedTerms(q)...)
		if err != nil {
			return false, all, nil, err
		}
		for l := Names; l < levels; l++ {
			all[l] = in.Or(all[l], joined)
		}
	}
	return len(q.Words) > 0, all, taken, nil
}

// TermsOf are the terms that Match asks for first: an engine that reads them all at once has most of what it will be asked for.
func TermsOf(q Query) (terms []string) {
	for _, w := range q.Words {
		if w.Initials {
			terms = append(terms, initialTerms(w.Text)...)
			continue
		}
		terms = append(terms, nameWord+w.Text)
		terms = append(terms, partTerms(w)...)
		terms = append(terms, describedTerms(w)...)
	}
	if q.Joined != "" {
		terms = append(terms, joinedTerms(q)...)
	}
	return terms
}

// joinedTerms are the terms of all words as one word of a name.
func joinedTerms(q Query) []string {
	for _, w := range q.Words {
		if !w.Unspaced {
			return []string{nameWord + q.Joined}
		}
	}
	return gramTerms(nameGram, q.Joined)
}

func gramTerms(kind, text string) []string {
	n := min(gramLength, length(text))
	all := grams(text, n)
	for i, one := range all {
		all[i] = kind + one
	}
	return all
}

// having are the products that have all of some terms.
func having[S any](in Sets[S], terms ...string) (all S, err error) {
	each, err := in.Having(terms...)
	if err != nil {
		return all, err
	}
	for i, one := range each {
		if i == 0 {
			all = one
			continue
		}
		all = in.And(all, one)
	}
	return all, nil
}

// any are the products that have one of some terms.
func havingAny[S any](in Sets[S], terms ...string) (all S, err error) {
	each, err := in.Having(terms...)
	if err != nil {
		return all, err
	}
	return in.Or(each...), nil
}

// matchOrCorrect finds a word, or what it is taken for if it stands nowhere.
func matchOrCorrect[S any](in Sets[S], w Word, fold collection.Fold) (all [levels]S, c *Correction, err error) {
	all, err = matchWord(in, w)
	if err != nil || !in.Empty(all[Texts]) {
		return all, nil, err
	}
	nobody := all[Texts]
	for _, try := range []func() (S, string, error){
		func() (S, string, error) { return turned(in, w, fold) }, func() (S, string, error) { return near(in, w) },
	} {
		instead, text, err := try()
		if err != nil {
			return all, nil, err
		}
		if text != "" && !in.Empty(instead) {
			return [levels]S{nobody, nobody, nobody, instead}, &Correction{w.Typed, text}, nil
		}
	}
	return all, nil, nil
}

// matchWord finds the products that have a word as it stands there.
func matchWord[S any](in Sets[S], w Word) (all [levels]S, err error) {
	if w.Initials {
		all[WholeNames] = in.Or()
		if all[Names], err = having(in, initialTerms(w.Text)...); err != nil {
			return all, err
		}
		all[Groups], all[Texts] = all[Names], all[Names]
		return all, nil
	}
	if all[WholeNames], err = having(in, nameWord+w.Text); err != nil {
		return all, err
	}
	parts, err := namesPartly(in, w)
	if err != nil {
		return all, err
	}
	all[Names] = in.Or(all[WholeNames], parts)
	groups, err := groupsCalled(in, w)
	if err != nil {
		return all, err
	}
	all[Groups] = in.Or(all[Names], groups)
	texts, err := having(in, describedTerms(w)...)
	all[Texts] = in.Or(all[Groups], texts)
	return all, err
}

func prefixed(kind string, texts []string) []string {
	all := make([]string, len(texts))
	for i, one := range texts {
		all[i] = kind + one
	}
	return all
}

// initialTerms are the terms of names that have these initial consonants one after the other.
func initialTerms(initials string) []string {
	n := min(maxInitials, length(initials))
	return prefixed(nameInitials, grams(initials, n))
}

// describedTerms are the terms of descriptions that have a word.
func describedTerms(w Word) []string {
	return prefixed(textWord, textTerms(piece{text: w.Text, unspaced: w.Unspaced}))
}

// partTerms are the terms of names that have a word as a part of another one; none: it is no part, or of words that have to be looked for.
func partTerms(w Word) []string {
	switch {
	case w.Unspaced:
		return gramTerms(nameGram, w.Text)
	case w.Last && length(w.Text) <= maxBeginning:
		return []string{nameBeginning + w.Text}
	}
	return nil
}

// namesPartly finds the names that have a word as a part of another one.
func namesPartly[S any](in Sets[S], w Word) (s S, err error) {
	terms := partTerms(w)
	switch {
	case len(terms) > 0:
		return having(in, terms...)
	case !w.Last:
		return in.Or(), nil
	}
	words, err := in.Words(w.Text, w.Text+lastRune, maxBegun)
	if err != nil {
		return s, err
	}
	return havingAny(in, prefixed(nameWord, words)...)
}

// groupsCalled finds the products of the groups that are called by a word.
func groupsCalled[S any](in Sets[S], w Word) (s S, err error) {
	called := in.Groups(w.has)
	var terms []string
	for _, g := range called[:min(len(called), maxGroups)] {
		terms = append(terms, g.Term())
	}
	return havingAny(in, terms...)
}

// turned finds what the keys of a word write in the other layout of the keyboard.
func turned[S any](in Sets[S], w Word, fold collection.Fold) (all S, text string, err error) {
	text = Turned(w.Typed)
	words := wordsOf(text, fold)
	if text == "" || len(words) == 0 || slices.ContainsFunc(words, func(o Word) bool { return o.Initials }) {
		return all, "", nil
	}
	for i, one := range words {
		one.Last = one.Last && w.Last
		found, err := matchWord(in, one)
		if err != nil {
			return all, "", err
		}
		if i == 0 {
			all = found[Texts]
		} else {
			all = in.And(all, found[Texts])
		}
	}
	return all, text, nil
}

// near finds what is spelled almost like a word.
func near[S any](in Sets[S], w Word) (all S, text string, err error) {
	if w.Initials || edits([]rune(lettersOf(w.Text))) == 0 {
		return all, "", nil
	}
	from, to := LikeRange(w.Text)
	words, err := in.Words(from, to, maxLike)
	if err != nil {
		return all, "", err
	}
	in.Groups(func(of []string) bool {
		for _, one := range of {
			if one >= from && one <= to {
				words = append(words, one)
			}
		}
		return false
	})
	likely := Query{}
	for _, one := range Near(w.Text, words) {
		likely.Words = append(likely.Words, Word{Typed: one, Text: one, Unspaced: w.Unspaced})
	}
	if len(likely.Words) == 0 {
		return in.Or(), "", nil
	}
	if _, err = in.Having(TermsOf(likely)...); err != nil { // all at once, so that an engine has them at hand
		return all, "", err
	}
	var found []S
	for _, one := range likely.Words {
		so, err := matchWord(in, one)
		if err != nil {
			return all, "", err
		}
		found = append(found, so[Groups])
	}
	return in.Or(found...), likely.Words[0].Text, nil
}
