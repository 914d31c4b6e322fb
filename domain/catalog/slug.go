package catalog

import (
	"strconv"
	"strings"
	"unicode"
)

const maxSlug = 100

// MakeSlug turns a name into a handle: letters and digits of any script in lower case, everything else one hyphen.
// A name without any gives "item".
func MakeSlug(name string) string {
	var b strings.Builder
	gap, n := false, 0
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			gap = gap || n > 0
			continue
		}
		if n >= maxSlug {
			break
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
		n++
	}
	if n == 0 {
		return "item"
	}
	return b.String()
}

// FreeSlug is the first of base, base-2, base-3… that is not taken. It is for slugs we make; one that a client chose is
// refused when taken.
func FreeSlug(base string, taken func(string) bool) string {
	slug := base
	for n := 2; taken(slug); n++ {
		slug = base + "-" + strconv.Itoa(n)
	}
	return slug
}
