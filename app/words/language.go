// Package words has what the server says to people, in the languages that it speaks: refusals, and labels and help for what the
// schemas name. English stands where it is said, in the code; the catalogs of this folder have the rest, a line `name = words` for
// each, in the order of the names. Decision 75.
package words

import (
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Language is a language that the server speaks: its tag in BCP 47. The zero value is English.
type Language string

// The languages. What is asked for in another one is told in English.
const (
	English Language = "en"
	Korean  Language = "ko"
)

// Preferred is the language that a header Accept-Language prefers among those that the server speaks. A header that cannot be
// read prefers none. `*` stands for those that it does not name, of which English comes first.
func Preferred(header string) Language {
	best, quality, others, named := English, 0.0, 0.0, map[Language]bool{}
	for part := range strings.SplitSeq(header, ",") {
		tag, params, weighed := strings.Cut(part, ";")
		q := 1.0
		if weighed {
			_, text, _ := strings.Cut(params, "=")
			q, _ = strconv.ParseFloat(strings.TrimSpace(text), 64) // 0 for what is no number
		}
		tag = strings.TrimSpace(tag)
		if tag == "*" {
			others = q
			continue
		}
		l := Language(tenant.Language(tag))
		if named[l] = true; q > quality && (l == English || l == Korean) {
			best, quality = l, q
		}
	}
	for _, l := range []Language{English, Korean} {
		if !named[l] && others > quality {
			best, quality = l, others
		}
	}
	return best
}

// Tag is the tag of l, for the header Content-Language.
func (l Language) Tag() string {
	if l == "" {
		return string(English)
	}
	return string(l)
}
