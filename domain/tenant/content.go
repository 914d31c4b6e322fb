package tenant

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// MaxLocales is how many languages a shop has its texts in at most.
const MaxLocales = 20

// The words that callers may say in place of a language, as Payload's clients do.
const (
	NoFallback = "none" // as Content.Fallback: nothing stands in for a missing text
	allLocales = "all"
)

// Content says in which language a caller reads and writes the texts of a shop. The zero value is the shop's default language.
// Decision 80.
type Content struct {
	Locale   string   // "": the default language
	Fallback string   // the language whose text stands in for a missing one; "": the default one; NoFallback: none
	Implied  bool     // it follows from what the caller's browser prefers
	Chosen   bool     // the caller named it, or its browser prefers it, the default one too; false: nothing says which
	All      bool     // every language at once
	Default  string   // with All: the shop's default language
	Others   []string // with All: its other languages
}

// IsDefault reports whether c reads and writes the default language alone.
func (c Content) IsDefault() bool { return c.Locale == "" && !c.All }

// Named reports whether the caller named another language than the default one: the same words in it are another request.
func (c Content) Named() bool { return !c.IsDefault() && !c.Implied }

// Tag is the language of c as headers and entity tags name it: "all" for every one.
func (c Content) Tag(s Settings) string {
	switch {
	case c.All:
		return allLocales
	case c.Locale == "":
		return s.DefaultLocale()
	}
	return c.Locale
}

// DefaultLocale is the language of texts that name none.
func (s Settings) DefaultLocale() string {
	if len(s.Locales) == 0 {
		return "en"
	}
	return s.Locales[0]
}

// OtherLocales are the languages of the shop besides the default one.
func (s Settings) OtherLocales() []string {
	if len(s.Locales) < 2 {
		return nil
	}
	return s.Locales[1:]
}

// ContentIn is the language that a caller names: "" or null for the default one, "all" for every one. fallback is the one whose text
// stands in for a missing one: "" for the default one; none, false and null for none. Errors: fault.ErrValidation for what is none of
// the shop's. Rules languages-1, languages-2.
func (s Settings) ContentIn(locale, fallback string) (c Content, err error) {
	if locale == allLocales || locale == "*" {
		return Content{All: true, Chosen: true, Default: s.DefaultLocale(), Others: s.OtherLocales()}, nil
	}
	if locale != "" {
		if c.Locale, err = s.ownLocale("locale", locale); err != nil {
			return Content{}, err
		}
	}
	switch fallback {
	case "":
	case NoFallback, "false", "null":
		c.Fallback = NoFallback
	default:
		if c.Fallback, err = s.ownLocale("fallback-locale", fallback); err != nil {
			return Content{}, err
		}
	}
	if c.Locale == "" {
		return Content{Chosen: locale != ""}, nil
	}
	c.Chosen = true
	return c, nil
}

// ownLocale is the language of the shop that tag names; "" for the default one.
func (s Settings) ownLocale(at, tag string) (string, error) {
	switch parsed, _ := ParseLocale(tag); {
	case parsed == s.DefaultLocale():
		return "", nil
	case parsed != "" && slices.Contains(s.Locales, parsed):
		return parsed, nil
	}
	own := s.Locales
	if len(own) == 0 {
		own = []string{s.DefaultLocale()}
	}
	return "", fault.Invalidf(at, "%q is no language of this shop. Its languages are: %s.", tag, strings.Join(own, ", "))
}

// ContentFor is the language of the shop that a header Accept-Language prefers: the same tag, or the same language where no tag is the
// same. The default one stands for all that the shop does not have. Rule languages-3.
func (s Settings) ContentFor(acceptLanguage string) Content {
	if len(s.Locales) < 2 || acceptLanguage == "" {
		return Content{}
	}
	best, quality := "", 0.0
	for part := range strings.SplitSeq(acceptLanguage, ",") {
		tag, params, weighed := strings.Cut(part, ";")
		q := 1.0
		if weighed {
			_, text, _ := strings.Cut(params, "=")
			q, _ = strconv.ParseFloat(strings.TrimSpace(text), 64) // 0 for what is no number
		}
		if match := s.matching(strings.TrimSpace(tag)); match != "" && q > quality {
			best, quality = match, q
		}
	}
	if best == "" || best == s.DefaultLocale() {
		return Content{Chosen: best != ""}
	}
	return Content{Locale: best, Implied: true, Chosen: true}
}

// matching is the language of the shop that is nearest to tag; "" for none.
func (s Settings) matching(tag string) string {
	parsed, _ := ParseLocale(tag)
	if slices.Contains(s.Locales, parsed) {
		return parsed
	}
	for _, own := range s.Locales {
		if parsed != "" && Language(own) == Language(parsed) {
			return own
		}
	}
	return ""
}
