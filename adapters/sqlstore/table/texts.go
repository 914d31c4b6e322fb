package table

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Texts of other languages than the shop's default one are in columns of their own, as JSON: {"ko": {"name": ["Tasse", "tasse"]}}, each with
// its folded form; a row is named by its id: "values.ID.label". They are null for a record without translations, so that a list of such records
// costs no more than before. Those of names and titles stand apart from long ones, since reading a text means reading its column. Decision 80.
const (
	TextsColumn     = "translated_texts"
	longTextsColumn = "translated_long_texts"
)

// SlugMembersIndex keeps handles of other languages unique: each is a member of a list of its record, as SlugMembers says.
const (
	SlugMembersIndex = "u_relation_members_slugs"
	SlugMembers      = "field LIKE '%." + collection.TranslatedSlugsName + "'"
)

// longText is the number of characters from which a field's texts are long.
const longText = 1000

func isLongText(f *collection.Field) bool { return f.MaxLength == 0 || f.MaxLength > longText }

func shortTexts(s *collection.Schema, r collection.Record, fold func(string) string) any {
	return textsValue(s, r, fold, false)
}

func longTexts(s *collection.Schema, r collection.Record, fold func(string) string) any {
	return textsValue(s, r, fold, true)
}

// textsValue is the value of a column of texts.
func textsValue(s *collection.Schema, r collection.Record, fold func(string) string, long bool) any {
	all, _ := r[collection.TranslationsName].(map[string]any)
	out := map[string]any{}
	for locale, texts := range all {
		of := map[string]any{}
		named, _ := texts.(map[string]any)
		for _, path := range slices.Sorted(maps.Keys(named)) {
			f, ok := fieldAt(s.Fields, strings.Split(path, "."))
			if text, isText := named[path].(string); ok && isText && f.Kind != collection.RichText && isLongText(&f) == long {
				of[path] = []any{text, fold(text)}
			}
		}
		if len(of) > 0 {
			out[locale] = of
		}
	}
	if len(out) == 0 {
		return nil
	}
	return string(replaceEscape(collection.AppendJSONValue(nil, out), nulEscape, nulPlaceholder))
}

// textIn is a text of p in the language of f, or its folded form, with what stands in for a missing one.
func (c *Compiler) textIn(p pathScope, f collection.Field, form int) string {
	text := c.translatedText(p, f, f.Language.Locale, form)
	switch f.Language.Fallback {
	case tenant.NoFallback:
		return text
	case "":
		f.Language = nil
		expr, folded := c.scalar(p, f)
		return "coalesce(" + text + ", " + []string{expr, folded}[form] + ")"
	}
	return "coalesce(" + text + ", " + c.translatedText(p, f, f.Language.Fallback, form) + ")"
}

// translatedText reads a text from its column. The language is part of the statement: it is one of the shop's, of which there are few,
// and has only letters, digits and hyphens.
func (c *Compiler) translatedText(p pathScope, f collection.Field, locale string, form int) string {
	if _, ok := tenant.ParseLocale(locale); !ok {
		return "CAST(NULL AS text)"
	}
	n := strconv.Itoa(form)
	if !c.Dialect.Postgres {
		return "(" + textsColumn(p, f) + "->>(" + sqliteRoot + " || '.\"" + locale + "\".\"" + p.textPath(f) + "\"[" + n + "]'))"
	}
	texts := p.read
	if texts == "" {
		texts = textsColumn(p, f) + "::json"
	}
	return c.documents().byCodePoint("(" + texts + " #>> ARRAY['" + locale + "', '" + p.textPath(f) + "', '" + n + "'])")
}

// textsColumn is the column of the record of p that has the texts of f.
func textsColumn(p pathScope, f collection.Field) string {
	if isLongText(&f) {
		return p.row + "." + longTextsColumn
	}
	return p.row + "." + TextsColumn
}

// withTexts is a FROM item with the column of texts that the last field of path reads, parsed once for all elements of a list: "" where path
// reads none from the record of e, and on SQLite, which remembers what it parsed.
func (c *Compiler) withTexts(e *pathScope, path []collection.Field) string {
	leaf := path[len(path)-1]
	related := slices.ContainsFunc(path[:len(path)-1], func(f collection.Field) bool { return f.Kind.Related() })
	if leaf.Language == nil || related || e.read != "" || !c.Dialect.Postgres {
		return ""
	}
	t := c.alias("t")
	e.read = t + ".texts"
	return "(SELECT " + textsColumn(*e, leaf) + "::jsonb AS texts OFFSET 0) " + t + " CROSS JOIN "
}

// textPath is the path by which the texts of a language have the field f of p, as it stands in an SQL literal.
func (p pathScope) textPath(f collection.Field) string {
	return p.texts + strings.Join(append(slices.Clone(p.at), f.Name), ".")
}

// inCandidates is what goes before a comparison of handles in another language: those that can match, by their indexes. "" for other fields
// and operators.
func (c *Compiler) inCandidates(p pathScope, f collection.Field, t collection.Comparison) string {
	l, listed := p.indexedList(collection.Field{Name: collection.TranslatedSlugsName})
	if !listed || f.Name != collection.SlugName || t.Op != collection.Equals && t.Op != collection.In {
		return ""
	}
	keys, slugs := make([]any, 0, 2*len(t.Values)), make([]any, 0, len(t.Values))
	for _, v := range t.Values {
		slug, _ := v.(string)
		keys, slugs = append(keys, collection.SlugKey(f.Language.Locale, slug)), append(slugs, slug)
		if by := f.Language.Fallback; by != "" && by != tenant.NoFallback {
			keys = append(keys, collection.SlugKey(by, slug))
		}
	}
	m, x := c.alias("m"), c.alias("x")
	expr, _ := pathScope{sh: p.sh, alias: x, row: x}.column(f)
	among, end := " IN (", ") AND "
	if c.Dialect.Postgres && c.Tenant != "" { // it would read the tenant's rows, and ask of each whether it is among these
		among, end = " = ANY (ARRAY(", ")) AND "
	}
	return p.alias + ".id" + among + "SELECT " + m + ".record FROM relation_members " + m + " WHERE " + c.within(p, m) + " AND " + m + ".field = '" + l.Key() +
		"' AND " + c.inValues(m+".target", keys) + " UNION ALL SELECT " + x + ".id FROM " + db.Quote(p.sh.Table) + " " + x + " WHERE " +
		c.within(p, x) + " AND " + c.inValues(expr, slugs) + end
}
