package mail

import "strings"

// Default is what mails of a kind say in a language as long as the shop has no words of its own; ok is false for languages other
// than English, Japanese and Korean, and for what is no kind.
func Default(k Kind, language string) (t Template, ok bool) {
	said, ok := defaults[language][k]
	return Template{Kind: k, Locale: language, Subject: said.subject, Body: strings.TrimLeft(said.body, "\n")}, ok
}

// DefaultLanguages are those that every kind has a default template in.
var DefaultLanguages = []string{"en", "ja", "ko"}

type said struct{ subject, body string }

var defaults = map[string]map[Kind]said{"en": inEnglish, "ja": inJapanese, "ko": inKorean}
