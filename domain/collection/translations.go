package collection

import (
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The fields of a schema with translatable fields. Decision 80.
const (
	TranslationsName    = "translations"    // the texts in the shop's other languages
	TranslatedInName    = "translatedIn"    // the languages in which none is missing
	TranslatedSlugsName = "translatedSlugs" // what records are found by
)

// SlugName is the field with the handle of a record in addresses, where it has one.
const SlugName = "slug"

// translationFields are the fields that hold the other languages of a record.
var translationFields = []Field{
	{
		Name: TranslationsName, Kind: JSON, VisibleTo: Staff,
		Doc: "Texts in the shop's other languages: an object for each, by tag, with texts by the path of their field, as values.ID.label. " +
			"A change merges them: null takes a text away.",
	},
	{
		Name: TranslatedInName, Kind: Texts, ReadOnly: true, Indexed: true, MaxLength: tenant.MaxLocale, VisibleTo: Staff,
		Doc: "The languages besides the default one in which every text of the record is there, except its handle.",
	},
}

// slugsField is what records are found by that have a handle in another language. It makes such a handle unique in its language.
var slugsField = Field{
	Name: TranslatedSlugsName, Kind: Texts, ReadOnly: true, Indexed: true, MaxLength: maxIndexedText, VisibleTo: ServerOnly,
	Doc: "Handles in other languages, each with its language and a slash in front.",
}

// WithTranslations are fields, some of which are translatable, and those that hold the other languages.
func WithTranslations(fields ...Field) []Field {
	fields = slices.Concat(fields, translationFields)
	if slug, ok := find(fields, SlugName); ok && slug.Translatable {
		fields = append(fields, slugsField)
	}
	return fields
}

// Translatable returns f as a field with a text in each language of the shop.
func Translatable(f Field) Field {
	f.Translatable = true
	return f
}

// IsTranslated reports whether records of s have texts in several languages.
func (s *Schema) IsTranslated() bool {
	_, ok := find(s.Fields, TranslationsName)
	return ok
}

// hasTranslatable reports whether some of fields are translatable, or fields in them.
func hasTranslatable(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Translatable || hasTranslatable(f.Fields) })
}

// texts are the texts of r in one language, by path.
func (r Record) texts(locale string) map[string]any {
	all, _ := r[TranslationsName].(map[string]any)
	texts, _ := all[locale].(map[string]any)
	return texts
}

// Translations are the texts that r has at path in other languages than the default one, in the order of these.
func (s *Schema) Translations(r Record, path string) (all []string) {
	for _, locale := range r.TranslatedLocales(path) {
		if text, _ := r.texts(locale)[path].(string); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// TranslatedLocales are the languages besides the default one in which r has a text at path, sorted.
func (r Record) TranslatedLocales(path string) (locales []string) {
	languages, _ := r[TranslationsName].(map[string]any)
	for _, locale := range slices.Sorted(maps.Keys(languages)) {
		if r.texts(locale)[path] != nil {
			locales = append(locales, locale)
		}
	}
	return locales
}

// Localized is r, a record of s, as it reads in a language: its translatable fields have the texts of that one, or of the one
// that stands in for it; with Content.All they have an object of all, by tag. It never changes r. Rules languages-1, languages-4.
func (s *Schema) Localized(r Record, in tenant.Content) Record {
	if r == nil || in.IsDefault() || !s.IsTranslated() {
		return r
	}
	return eachText(s.Fields, r, "", func(path string, present any) any {
		if !in.All {
			return r.textIn(path, present, in)
		}
		every := map[string]any{in.Default: present}
		for _, locale := range in.Others {
			every[locale] = r.texts(locale)[path]
		}
		return every
	})
}

// textIn is the text at path in a language; present is that of the default one.
func (r Record) textIn(path string, present any, in tenant.Content) any {
	if v := r.texts(in.Locale)[path]; v != nil {
		return v
	}
	switch in.Fallback {
	case "":
		return present
	case tenant.NoFallback:
		return nil
	}
	return r.texts(in.Fallback)[path]
}

// eachText is r with what change makes of each of its translatable values, by path: a row of a list is named by its id. A group that is
// not there, as in records older than it, may have texts in other languages all the same; it stays away if nothing becomes of it.
func eachText(fields []Field, r Record, at string, change func(path string, present any) any) Record {
	out := r.Clone()
	if out == nil {
		out = Record{}
	}
	for i := range fields {
		f := &fields[i]
		path := at + f.Name
		switch {
		case f.Translatable:
			out[f.Name] = change(path, r[f.Name])
		case !hasTranslatable(f.Fields):
		case f.Kind == Group:
			if group := eachText(f.Fields, r.Group(f.Name), path+".", change); r.Group(f.Name) != nil || !saysNothing(group) {
				out[f.Name] = group
			}
		case f.Kind == Array:
			rows := slices.Clone(r.Rows(f.Name))
			for j, row := range rows {
				rows[j] = eachText(f.Fields, row, path+"."+row.ID()+".", change)
			}
			out[f.Name] = rows
		}
	}
	return out
}

// saysNothing reports whether a group has no text in any language.
func saysNothing(group map[string]any) bool {
	for _, v := range group {
		if every, isObject := v.(map[string]any); v != nil && !(isObject && saysNothing(every)) {
			return false
		}
	}
	return true
}

// completeTranslations sets, in place, what follows from the translations of r: the languages in which no text is missing, and the
// handles. Texts of rows that are gone go with them.
func (s *Schema) completeTranslations(r Record) {
	all, _ := r[TranslationsName].(map[string]any)
	if r[TranslatedInName] == nil && len(all) == 0 || !s.IsTranslated() {
		return
	}
	wanted, known := []string{}, map[string]bool{}
	eachText(s.Fields, r, "", func(path string, present any) any {
		if known[path] = true; path != SlugName && present != nil && present != "" {
			wanted = append(wanted, path)
		}
		return present
	})
	kept := make(map[string]any, len(all))
	in, slugs := []string{}, []string{}
	for _, locale := range slices.Sorted(maps.Keys(all)) {
		texts := maps.Clone(r.texts(locale))
		maps.DeleteFunc(texts, func(path string, _ any) bool { return !known[path] })
		if len(texts) == 0 {
			continue
		}
		kept[locale] = texts
		if !slices.ContainsFunc(wanted, func(path string) bool { return texts[path] == nil }) {
			in = append(in, locale)
		}
		if slug, _ := texts[SlugName].(string); slug != "" {
			slugs = append(slugs, SlugKey(locale, slug))
		}
	}
	r[TranslatedInName] = in
	if r[TranslationsName] = any(kept); len(kept) == 0 {
		delete(r, TranslationsName)
	}
	if _, named := find(s.Fields, TranslatedSlugsName); named {
		r[TranslatedSlugsName] = slugs
	}
}

// SlugKey is what a handle in a language is in TranslatedSlugsName.
func SlugKey(locale, slug string) string { return locale + "/" + strings.ToLower(slug) }

// inLanguage is f as a query means it: the field of the default language, or what it is in another one. Its own index does not serve that;
// adapters may have one of the texts of languages.
func (f Field) inLanguage(in tenant.Content) Field {
	if f.Translatable && !in.IsDefault() && !in.All && f.Kind != RichText {
		f.Language, f.Indexed, f.Unique, f.Required = &in, false, false, false
	}
	return f
}

// anyTextAt reports whether ok is true for one of the texts of r that the last field of path means in its language. Path begins in part,
// the group or row of r whose texts are at the path at.
func anyTextAt(r, part Record, at string, path []Field, ok func(any) bool) bool {
	f := &path[0]
	at += f.Name
	switch {
	case len(path) == 1:
		return ok(r.textIn(at, part[f.Name], *f.Language))
	case f.Kind == Array:
		return slices.ContainsFunc(part.Rows(f.Name), func(row Record) bool { return anyTextAt(r, row, at+"."+row.ID()+".", path[1:], ok) })
	}
	return anyTextAt(r, part.Group(f.Name), at+".", path[1:], ok)
}

// BySlug is the condition that a record has the handle in a language, or, so that addresses of the default language lead somewhere in every
// one, in that.
func (s *Schema) BySlug(slug string, in tenant.Content) Cond {
	own := s.Where(SlugName, Equals, slug)
	if in.IsDefault() || in.All {
		return own
	}
	f, _ := s.Field(SlugName)
	return Or{Comparison{Path: []Field{f.inLanguage(in)}, Op: Equals, Values: []any{slug}}, own}
}
