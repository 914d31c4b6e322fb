package words

import (
	_ "embed"
	"strings"
	"sync"
)

// The catalogs as they are in the program. Each is read when something asks for it for the first time.
var (
	//go:embed reasons.ko.txt
	reasonsKorean string
	//go:embed problems.ko.txt
	problemsKorean string
)

// catalog is words by name.
type catalog = map[string]string

// readOnce is a catalog that is read when it is first asked for.
func readOnce(text *string) func() catalog {
	return sync.OnceValue(func() catalog {
		words := make(catalog, strings.Count(*text, "\n"))
		for line := range strings.Lines(*text) {
			name, word, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
			words[name] = word
		}
		return words
	})
}
