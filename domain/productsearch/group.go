package productsearch

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// GroupKind is what a group of products is, in the letter with which its terms begin.
type GroupKind string

// The kinds of groups. An option is the group of products with one of its values.
const (
	Brand       GroupKind = brandTerm
	Category    GroupKind = categoryTerm
	Tag         GroupKind = tagTerm
	OptionValue GroupKind = optionTerm
)

// Group is what products have in common, by whose names they are found. A product has only its id, so that a new name of a brand
// changes one entry.
type Group struct {
	Kind   GroupKind
	ID     string            // of an option its key
	Parent string            // id of the parent of a category; "": none
	Names  map[string]string // by language, "" being the default one; of an option Option.Key; none: the group is gone
}

// Term is the term that the products of g have.
func (g Group) Term() string { return string(g.Kind) + g.ID }

// Name is the name in a language, or in the default one.
func (g Group) Name(locale string) string {
	if name, ok := g.Names[locale]; ok {
		return name
	}
	return g.Names[""]
}

// WordsOf are the folded words of the names of g: of an option those of its value.
func (g Group) WordsOf(fold collection.Fold) (words []string) {
	for _, name := range g.Names {
		if g.Kind == OptionValue {
			name = OptionOf(name).Value
		}
		for _, p := range piecesOf(fold(name)) {
			words = append(words, p.text)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// has reports whether a group with these words is one that w means.
func (w Word) has(words []string) bool {
	if w.Initials {
		return false
	}
	return slices.ContainsFunc(words, func(one string) bool {
		switch {
		case one == w.Text:
			return true
		case w.Unspaced:
			return length(w.Text) >= gramLength && strings.Contains(one, w.Text)
		}
		return w.Last && length(w.Text) >= gramLength && strings.HasPrefix(one, w.Text)
	})
}
