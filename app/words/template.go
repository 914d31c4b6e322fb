package words

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// template is a sentence in which something varies.
type template struct {
	parts []string // what does not vary: before, between and behind what does
	word  string
}

// templates are the sentences in which something varies. Those that say most come first: they fit the fewest.
var templates = sync.OnceValue(func() (all []template) {
	for english, word := range sentences() {
		if strings.Contains(english, "{}") {
			all = append(all, template{strings.Split(english, "{}"), word})
		}
	}
	length := func(t template) int { return len(strings.Join(t.parts, "{}")) }
	slices.SortFunc(all, func(a, b template) int {
		return cmp.Or(cmp.Compare(length(b), length(a)), slices.Compare(a.parts, b.parts))
	})
	return all
})

// match finds what varies in a sentence.
func (t template) match(english string) (found []string, ok bool) {
	last := len(t.parts) - 1
	rest, ok := strings.CutPrefix(english, t.parts[0])
	if !ok {
		return nil, false
	}
	for _, part := range t.parts[1:last] {
		before, after, ok := strings.Cut(rest, part)
		if !ok {
			return nil, false
		}
		found, rest = append(found, before), after
	}
	rest, ok = strings.CutSuffix(rest, t.parts[last])
	return append(found, rest), ok
}

// insert puts what varies into a word: at {} in its order, at {1} the first.
func insert(word string, found []string) string {
	var told strings.Builder
	next := 0
	for rest := word; ; {
		before, after, more := strings.Cut(rest, "{")
		told.WriteString(before)
		if !more {
			return told.String()
		}
		number, behind, _ := strings.Cut(after, "}")
		at, err := strconv.Atoi(number)
		switch {
		case number == "":
			told.WriteString(found[next])
			next++
		case err == nil:
			told.WriteString(found[at-1])
		default: // of the sentence itself, such as {SEQ}
			told.WriteString("{" + number + "}")
		}
		rest = behind
	}
}
