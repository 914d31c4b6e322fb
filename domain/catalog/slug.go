package catalog

import (
	"strconv"
	"strings"
	"unicode"
)

const maxSlug = 100

// Slugify makes a slug of a name: letters and digits of any script in lower case, with one hyphen for
// anything else in between. A name without letters and digits gives "item".
func Slugify(name string) string {
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

// UniqueSlug returns the first of base, base-2, base-3… that is not taken. It is for generated slugs; a slug
// that a client chose is refused when taken.
func UniqueSlug(base string, taken func(string) bool) string {
	slug := base
	for n := 2; taken(slug); n++ {
		slug = base + "-" + strconv.Itoa(n)
	}
	return slug
}
