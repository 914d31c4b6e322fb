package words

import (
	_ "embed"
	"strings"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Labels are by `slug.path`, options by `slug.path.value`, else by `path` alone if it has
// dots, else by the last part alone, which has the same words everywhere. English has
// only those that are not good English once they are Humanized.
var (
	//go:embed fields.en.txt
	fieldsEnglish string
	//go:embed fields.ko.txt
	fieldsKorean string
	//go:embed options.en.txt
	optionsEnglish string
	//go:embed options.ko.txt
	optionsKorean string
	//go:embed collections.en.txt
	collectionsEnglish string
	//go:embed collections.ko.txt
	collectionsKorean string
	//go:embed help.en.txt
	helpEnglish string
	//go:embed help.ko.txt
	helpKorean string
	//go:embed variables.ko.txt
	variablesKorean string
	//go:embed permissions.ko.txt
	permissionsKorean string
)

var (
	fields      = map[Language]func() catalog{English: readOnce(&fieldsEnglish), Korean: readOnce(&fieldsKorean)}
	options     = map[Language]func() catalog{English: readOnce(&optionsEnglish), Korean: readOnce(&optionsKorean)}
	collections = map[Language]func() catalog{English: readOnce(&collectionsEnglish), Korean: readOnce(&collectionsKorean)}
	help        = map[Language]func() catalog{English: readOnce(&helpEnglish), Korean: readOnce(&helpKorean)}
	variables   = readOnce(&variablesKorean)
	permissions = readOnce(&permissionsKorean)
)

// Field is the label of a field of a collection, by its path with dots, such as `lines.quantity`.
func (l Language) Field(slug, path string) string {
	return l.label(fields, slug+"."+path, path, lastOf(path))
}

// Option is the label of a value of a select, by the path of its field.
func (l Language) Option(slug, path, value string) string {
	return l.label(options, slug+"."+path+"."+value, value)
}

// Collection is the name of one record of s, and of many.
func (l Language) Collection(s *collection.Schema) (one, many string) {
	return l.label(collections, s.Slug+".one", s.Singular), l.label(collections, s.Slug+".many", s.Plural)
}

// Help is what to know about a field of a collection. documentation is that of the field, where the language has no other.
func (l Language) Help(slug, path, documentation string) string {
	words := help[Language(l.Tag())]()
	for _, name := range []string{slug + "." + path, path, lastOf(path)} {
		if told, ok := words[name]; ok {
			return told
		}
	}
	return documentation
}

// Variable is what a variable of mails tells, in English by its documentation.
func (l Language) Variable(name, english string) string {
	if told, ok := variables()[name]; ok && l == Korean {
		return told
	}
	return english
}

// Permission is the name of a permission of operations, such as `orders:refund`, and what it lets people do: in English by its
// documentation.
func (l Language) Permission(name, english string) (label, help string) {
	if label, ok := permissions()[name+".label"]; ok && l == Korean {
		return label, permissions()[name+".help"]
	}
	slug, verb, _ := strings.Cut(name, ":")
	return Humanize(verb + "-" + slug), english
}

// label is the word of the first name that has one, or the last name Humanized.
func (l Language) label(in map[Language]func() catalog, names ...string) string {
	words := in[Language(l.Tag())]()
	for _, name := range names {
		if told, ok := words[name]; ok {
			return told
		}
	}
	return Humanize(names[len(names)-1])
}

// lastOf is the last part of a path with dots.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// Humanize is a label for a name that has none: `deliveryNote` and `awaiting-deposit` become `Delivery note` and `Awaiting deposit`.
func Humanize(name string) string {
	var label strings.Builder
	before := ' '
	for _, r := range name {
		switch {
		case strings.ContainsRune("-_.", r):
			r = ' '
		case unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)):
			label.WriteByte(' ')
		}
		if before = r; label.Len() == 0 {
			label.WriteRune(unicode.ToUpper(r))
			continue
		}
		label.WriteRune(unicode.ToLower(r))
	}
	return label.String()
}
