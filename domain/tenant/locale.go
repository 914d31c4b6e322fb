package tenant

import (
	"regexp"
	"strings"
)

// MaxLocale is how many characters a locale has at most.
const MaxLocale = 35

// localeForm is a BCP 47 tag of a language, a script, a region and variants; extensions and private tags are none that a
// shop has its texts in.
var localeForm = regexp.MustCompile(`^(?i)[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*$`)

// Lengths of the subtags that are not written in lower case.
const (
	regionLength = 2
	scriptLength = 4
)

// ParseLocale returns a BCP 47 language tag in its usual spelling, "zh-Hant-TW"; ok is false for what is none.
func ParseLocale(tag string) (locale string, ok bool) {
	if len(tag) > MaxLocale || !localeForm.MatchString(tag) {
		return "", false
	}
	parts := strings.Split(strings.ToLower(tag), "-")
	for i, part := range parts[1:] {
		switch {
		case len(part) == regionLength:
			parts[i+1] = strings.ToUpper(part)
		case len(part) == scriptLength && part[0] > '9':
			parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "-"), true
}

// Language is the language of a locale, "ko" of "ko-KR".
func Language(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	return strings.ToLower(language)
}
