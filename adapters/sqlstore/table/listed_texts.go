package table

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ListedTextsTable has the texts of other languages than the default one in the order in which lists sort them: a row per record, field and
// language that has a text of its own. Triggers keep it from the column of texts, in the statement that writes the record. Decision 85.
var ListedTextsTable = SystemTable{
	Name: "listed_texts",
	Body: `tenant TEXT NOT NULL, field TEXT NOT NULL, locale TEXT NOT NULL, text TEXT NOT NULL, record TEXT NOT NULL, folded TEXT NOT NULL, ` +
		`PRIMARY KEY (tenant, field, locale, text, record)`,
	Storage:   RelationMembersTable.Storage,
	Clustered: "tenant, field, locale, text, record",
}

// ListedText is a field whose texts lists sort and filter by in every language: it is translatable and indexed. Handles are none: they are
// found by SlugMembers, and nobody sorts by them.
type ListedText struct {
	Table   string
	Path    []string // through groups
	Column  string   // of the default language
	Locales string   // the column with the languages that have a text of their own: "" for none, ",ja,ko,"
}

// Key is what ListedTextsTable calls the field.
func (l ListedText) Key() string { return l.Table + "." + l.TextPath() }

// TextPath is the path by which translations have the field.
func (l ListedText) TextPath() string { return strings.Join(l.Path, ".") }

// addListedText notes f, whose column is called name, if it is one. Tables whose indexes begin with an environment have none.
func addListedText(sh *Shape, name string, path []string, f *collection.Field) {
	if !f.Translatable || !f.Indexed || !isSearchable(f) || isLongText(f) || f.Name == collection.SlugName || sh.PerEnvironment {
		return
	}
	l := ListedText{Table: sh.Table, Path: path, Column: name, Locales: name + "_locales"}
	sh.ListedTexts = append(sh.ListedTexts, l)
	sh.Columns = append(sh.Columns, Column{
		Name: l.Locales, Type: "TEXT", noneIs: "''",
		derive: func(_ *collection.Schema, r collection.Record, _ func(string) string) any {
			return localesOf(r, l.TextPath())
		},
	})
}

// localesOf is the value of ListedText.Locales.
func localesOf(r collection.Record, path string) string {
	list := r.TranslatedLocales(path)
	if len(list) == 0 {
		return ""
	}
	return "," + strings.Join(list, ",") + ","
}

// listedText finds what a query means by f, a field of p in another language.
func (p pathScope) listedText(f collection.Field) (ListedText, bool) {
	if p.json != "" || f.Language == nil {
		return ListedText{}, false
	}
	i := slices.IndexFunc(p.sh.ListedTexts, func(l ListedText) bool { return l.TextPath() == p.textPath(f) })
	if i < 0 {
		return ListedText{}, false
	}
	return p.sh.ListedTexts[i], true
}

// localesThere selects the values of the column Locales that a tenant's records have, as v, in their order: each is looked up in the index.
func (l ListedText) localesThere(tenantMark string) string {
	column := "x." + db.Quote(l.Locales)
	next := func(after string) string {
		return "(SELECT " + column + " FROM " + db.Quote(l.Table) + " x WHERE x.tenant = " + tenantMark + after + " ORDER BY " + column + " LIMIT 1)"
	}
	return "WITH RECURSIVE s(v) AS (SELECT " + next("") + " UNION ALL SELECT " + next(" AND "+column+" > s.v") +
		" FROM s WHERE s.v IS NOT NULL) SELECT v FROM s WHERE v IS NOT NULL"
}

// testListed is a positive comparison of a text in another language: the record is among those whose text in it fits, or whose text in the
// default one does and stands in. Neither reads a record that has another text. ok is false for what no index serves.
func (c *Compiler) testListed(p pathScope, f collection.Field, t collection.Comparison) (text string, ok bool) {
	l, listed := p.listedText(f)
	_, isLocale := tenant.ParseLocale(f.Language.Locale)
	if !listed || !isLocale || c.Tenant == "" || t.Op == collection.Exists || f.Language.Fallback != "" && f.Language.Fallback != tenant.NoFallback {
		return "", false
	}
	begin, among, end := "", " IN (", ")"
	switch few := t.Op == collection.Equals || t.Op == collection.In; {
	case !few: // each row is looked up among them, and none is read for being one
		begin, end = "(", ")) IS TRUE"
	case c.Dialect.Postgres: // they are found by their ids: it would read the tenant's rows, and ask of each whether it is one
		among, end = " = ANY (ARRAY(", "))"
	}
	m := c.alias("m")
	text = begin + p.alias + ".id" + among + "SELECT " + m + ".record FROM " + ListedTextsTable.Name + " " + m + " WHERE " + m + ".tenant = " + c.Tenant +
		" AND " + m + ".field = '" + l.Key() + "' AND " + m + ".locale = '" + f.Language.Locale + "' AND " + c.compare(f, m+".text", m+".folded", t)
	if f.Language.Fallback == "" {
		text += " UNION ALL " + c.standingIn(p, l, f, t)
	}
	return text + end, true
}

// standingIn selects the records that lack a text in the language of f and have one that fits in the default language.
func (c *Compiler) standingIn(p pathScope, l ListedText, f collection.Field, t collection.Comparison) string {
	x, s := c.alias("x"), c.alias("s")
	expr, folded := pathScope{sh: p.sh, alias: x, row: x, at: p.at}.column(f)
	row := db.Quote(l.Table) + " " + x + " WHERE " + x + ".tenant = " + c.Tenant + " AND " + x + "." + db.Quote(l.Locales) + " = " + s + ".v AND " +
		c.compare(f, expr, folded, t)
	lacks := "NOT (" + c.Dialect.Contains(s+".v", "',"+f.Language.Locale+",'") + ")"
	there := "SELECT " + x + ".id FROM (" + l.localesThere(c.Tenant) + ") " + s + " CROSS JOIN "
	if c.Dialect.Postgres {
		return there + "LATERAL (SELECT " + x + ".id FROM " + row + " OFFSET 0) " + x + " WHERE " + lacks
	}
	return there + row + " AND " + lacks
}
