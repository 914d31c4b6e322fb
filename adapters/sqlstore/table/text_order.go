package table

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// MaxTextStreams is how many combinations of languages the records of a shop may be in for their lists to be read in the order of indexes.
const MaxTextStreams = 24

// TextOrder is the order of a list by a text in another language than the default one, where that one stands in for missing texts.
type TextOrder struct {
	ListedText

	Locale string
	Desc   bool
	// Known are values of the column Locales, sorted: all there are, or were a while ago. The answer never depends on them, only what it
	// costs: records with another value are sorted each time.
	Known []string
}

// TextOrderOf is the order of q by indexes of texts; ok is false where none has it.
func (sh *Shape) TextOrderOf(q collection.Query) (o TextOrder, ok bool) {
	if len(q.Sort) != 1 || q.Limit == 0 {
		return o, false
	}
	key := q.Sort[0]
	f := key.Path[len(key.Path)-1]
	if f.Language == nil || f.Language.Fallback != "" || slices.ContainsFunc(key.Path, func(f collection.Field) bool { return f.Kind.Related() }) {
		return o, false
	}
	if _, isLocale := tenant.ParseLocale(f.Language.Locale); !isLocale {
		return o, false
	}
	l, ok := sh.listedText(f.TextPath)
	return TextOrder{ListedText: l, Locale: f.Language.Locale, Desc: key.Desc}, ok
}

// IsMergeable reports whether the streams are few enough to be merged, and named by languages alone: they are a part of the statement.
func (o TextOrder) IsMergeable() bool {
	return len(o.Known) <= MaxTextStreams && !slices.ContainsFunc(o.Known, func(locales string) bool {
		return locales != "" && slices.ContainsFunc(strings.Split(strings.Trim(locales, ","), ","), func(tag string) bool {
			_, ok := tenant.ParseLocale(tag)
			return !ok
		})
	})
}

// KnownSQL selects the values of the column Locales that a tenant's records have, one more than MaxTextStreams at most. It looks each up in
// the index.
func (o TextOrder) KnownSQL() string {
	return o.localesThere("$1") + " LIMIT " + strconv.Itoa(MaxTextStreams+1)
}

// textStreams are the parts of a list that is read in the order of a TextOrder.
type textStreams struct {
	TextOrder

	c     *Compiler
	where string // the whole condition on r
	from  string // mark of the text from which on the list is read; "" for its beginning
	tail  string // LIMIT of each part
}

// PageOrder is the ORDER BY of the columns text and id of k, a statement of IDsByText.
func (c *Compiler) PageOrder(o TextOrder) string {
	return textStreams{TextOrder: o, c: c}.order("k.text", "k.id")
}

// IDsByText selects the ids of a page in the order o, as the columns text and id: the texts in the language, those of the default one for
// each combination of other languages, and what has an unknown one are each read in the order of an index, as far as the page goes, and
// merged. The condition where was compiled with IndexOrder; mark from is the text at which the list begins, or "".
func (c *Compiler) IDsByText(o TextOrder, where, from string, limit int, skip int64) string {
	s := textStreams{TextOrder: o, c: c, where: where, from: from, tail: " LIMIT " + c.streamLength(limit, skip)}
	parts := []string{s.translated()}
	for _, locales := range o.Known {
		if !strings.Contains(locales, ","+o.Locale+",") {
			parts = append(parts, s.untranslated(locales))
		}
	}
	parts = append(parts, s.unknown())
	for i, part := range parts {
		parts[i] = "SELECT * FROM (" + part + ") p" + strconv.Itoa(i)
	}
	text := "SELECT u.text, u.id FROM (" + strings.Join(parts, " UNION ALL ") + ") u ORDER BY " + s.order("u.text", "u.id") +
		" LIMIT " + strconv.Itoa(limit)
	if skip > 0 {
		text += " OFFSET " + c.Args.Bind(skip)
	}
	return text
}

// streamLength is how many rows of each part a page may need. Postgres plans for it, so that it is a part of the statement, of which there shall
// be few.
func (c *Compiler) streamLength(limit int, skip int64) string {
	switch {
	case skip == 0:
		return strconv.Itoa(limit)
	case c.Dialect.Postgres:
		return strconv.FormatInt(1<<bits.Len64(uint64(skip)+uint64(limit)), 10) //nolint:gosec // neither is negative
	}
	return c.Args.Bind(skip + int64(limit))
}

// order sorts by a text and an id.
func (s textStreams) order(text, id string) string {
	switch {
	case s.Desc && s.c.Dialect.Postgres:
		return text + " DESC NULLS LAST, " + id + " DESC"
	case !s.Desc && s.c.Dialect.Postgres:
		return text + " NULLS FIRST, " + id
	}
	return s.orderPresent(text, id)
}

// orderPresent is order for a text that is never null, of which the index says nothing of nulls.
func (s textStreams) orderPresent(text, id string) string {
	if s.Desc {
		return text + " DESC, " + id + " DESC"
	}
	return text + ", " + id
}

// after bounds a column to the texts from which on the list is read.
func (s textStreams) after(column string) string {
	switch {
	case s.from == "":
		return ""
	case s.Desc:
		return " AND " + column + " <= " + s.from
	}
	return " AND " + column + " >= " + s.from
}

// row is r, found by a condition after another FROM item and by no other index.
func (s textStreams) row(on string) string {
	if s.c.Dialect.Postgres {
		return " CROSS JOIN LATERAL (SELECT * FROM " + db.Quote(s.Table) + " r WHERE r.tenant = " + s.c.Tenant + " AND " + on + " OFFSET 0) r WHERE " + s.where
	}
	return " CROSS JOIN " + db.Quote(s.Table) + " r WHERE r.tenant = " + s.c.Tenant + " AND " + on + " AND " + s.where
}

// translated are the records that have a text in the language.
func (s textStreams) translated() string {
	return "SELECT t.text AS text, t.record AS id FROM " + ListedTextsTable.Name + " t" + s.row("r.id = t.record") + " AND t.tenant = " + s.c.Tenant +
		" AND t.field = '" + s.Key() + "' AND t.locale = '" + s.Locale + "'" + s.after("t.text") + " ORDER BY " + s.orderPresent("t.text", "t.record") + s.tail
}

// untranslated are the records that have texts in certain languages, not in the one that is asked for.
func (s textStreams) untranslated(locales string) string {
	text := "r." + db.Quote(s.Column)
	return "SELECT " + text + " AS text, r.id AS id FROM " + db.Quote(s.Table) + " r WHERE " + s.where +
		" AND r." + db.Quote(s.Locales) + " = '" + locales + "'" + s.after(text) + " ORDER BY " + s.order(text, "r.id") + s.tail
}

// unknown are the records with a combination of languages that is not Known, of which there are hardly ever any. The first such combination is
// looked up between each two that are.
func (s textStreams) unknown() string {
	column, between := db.Quote(s.Locales), []string{}
	for i := range len(s.Known) + 1 {
		gap := ""
		if i > 0 {
			gap += " AND x." + column + " > '" + s.Known[i-1] + "'"
		}
		if i < len(s.Known) {
			gap += " AND x." + column + " < '" + s.Known[i] + "'"
		}
		if i > 0 || len(s.Known) == 0 || s.Known[0] != "" {
			between = append(between, "SELECT * FROM (SELECT x."+column+" AS v FROM "+db.Quote(s.Table)+" x WHERE x.tenant = "+s.c.Tenant+gap+
				" ORDER BY x."+column+" LIMIT 1) g"+strconv.Itoa(i))
		}
	}
	text, known := "r."+db.Quote(s.Column), ""
	if len(s.Known) > 0 {
		known = " AND r." + column + " NOT IN ('" + strings.Join(s.Known, "', '") + "')"
	}
	return "SELECT " + text + " AS text, r.id AS id FROM (SELECT min(v) AS v FROM (" + strings.Join(between, " UNION ALL ") + ") b) first" +
		s.row("r."+column+" >= first.v") + " AND first.v IS NOT NULL" + known + " AND NOT " + s.contains("r."+column) + s.after(text) +
		" ORDER BY " + s.order(text, "r.id") + s.tail
}

// contains says that a combination of languages has the one that is asked for.
func (s textStreams) contains(column string) string {
	return "(" + s.c.Dialect.Contains(column, "',"+s.Locale+",'") + ")"
}
