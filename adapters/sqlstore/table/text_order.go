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
	// Known are values of the column Locales, sorted: all there are, or were a while ago. The answer does not depend on them, only what it
	// costs: records with another value are sorted each time, unless it is known that there are none.
	Known    []string
	Complete bool // there are no others
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
	p := rowScope(sh)
	for _, group := range key.Path[:len(key.Path)-1] {
		p = p.inside(group.Name)
	}
	l, ok := p.listedText(f)
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

// Knows reports whether the combination of languages of a record is Known.
func (o TextOrder) Knows(r collection.Record) bool {
	return slices.Contains(o.Known, localesOf(r, o.TextPath()))
}

// KnownSQL selects the values of the column Locales that a tenant's records have, one more than MaxTextStreams at most. It looks each up in
// the index.
func (o TextOrder) KnownSQL() string {
	return o.localesThere("$1") + " LIMIT " + strconv.Itoa(MaxTextStreams+1)
}

// textStreams are the parts of a list that is read in the order of a TextOrder.
type textStreams struct {
	TextOrder

	c       *Compiler
	where   string   // the whole condition on r
	from    TextMark // where the list begins
	columns []string // of r, that are selected besides its text and id
}

// TextMark is the record behind which a list is read: marks of its text and its id; the zero value is the beginning of the list.
type TextMark struct{ Text, ID string }

// textStream is one part, which an index has in its order.
type textStream struct{ selected, order string }

// PageOrder is the ORDER BY of the columns text and id of a statement of IDsByText, called alias.
func (c *Compiler) PageOrder(o TextOrder, alias string) string {
	return textStreams{TextOrder: o, c: c}.order(alias+".text", alias+".id")
}

// RowsByText selects what ScanRow reads of the first limit records in the order o: the texts in the language, those of the default one for
// each combination of other languages, and what has an unknown one are each read in the order of an index, as far as the page goes, and
// merged. The condition where was compiled with IndexOrder.
func (c *Compiler) RowsByText(sh *Shape, o TextOrder, where string, from TextMark, limit int) string {
	s := textStreams{TextOrder: o, c: c, where: where, from: from, columns: sh.scannedColumns(c.Env)}
	return "SELECT " + sh.SelectColumns(c.Env, c.Dialect) + " FROM " + s.merged("r", strconv.Itoa(limit), " LIMIT "+strconv.Itoa(limit))
}

// IDsByText selects the ids of limit records behind the first ones, and their texts, as the columns text and id. It is RowsByText for a page
// far from the beginning, of which most of what is merged is passed over.
func (c *Compiler) IDsByText(o TextOrder, where string, limit int, skip int64) string {
	s := textStreams{TextOrder: o, c: c, where: where}
	return "SELECT u.text, u.id FROM " + s.merged("u", streamLength(limit, skip), " LIMIT "+strconv.Itoa(limit)+" OFFSET "+c.Args.Bind(skip))
}

// merged is the streams as one FROM item called alias, in order and cut to the page. Of each stream so many rows may be needed. SQLite merges
// them by itself while it reads, and no further than the page goes; it leaves them in their order, since sorting them once more would copy
// each document into a tree, which is half of the work.
func (s textStreams) merged(alias, length, page string) string {
	var parts []string
	for i, part := range s.all() {
		if s.c.Dialect.Postgres {
			part.selected = "SELECT * FROM (" + part.selected + " ORDER BY " + part.order + " LIMIT " + length + ") p" + strconv.Itoa(i)
		}
		parts = append(parts, part.selected)
	}
	text := "(" + strings.Join(parts, " UNION ALL ")
	if s.c.Dialect.Postgres {
		return text + ") " + alias + " ORDER BY " + s.order(alias+".text", alias+".id") + page
	}
	return text + " ORDER BY " + s.order("1", "2") + page + ") " + alias
}

// all are the streams.
func (s textStreams) all() []textStream {
	parts := []textStream{s.translated()}
	for _, locales := range s.Known {
		if !strings.Contains(locales, ","+s.Locale+",") {
			parts = append(parts, s.untranslated(locales))
		}
	}
	if s.Complete {
		return parts
	}
	return append(parts, s.unknown())
}

// selecting is the beginning of each part. It is ordered by text and id: Postgres merges only what it sees to be in order.
func (s textStreams) selecting(text, id string) string {
	list := "SELECT " + text + " AS text, " + id + " AS id"
	for _, column := range s.columns {
		list += ", r." + column + " AS " + column
	}
	return list + " FROM "
}

// streamLength is how many rows of each part a page may need. Postgres plans for it, so that it is a part of the statement, of which there shall
// be few.
func streamLength(limit int, skip int64) string {
	return strconv.FormatInt(1<<bits.Len64(uint64(skip)+uint64(limit)), 10) //nolint:gosec // neither is negative
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

// after bounds the columns with a text and an id to what comes behind the mark.
func (s textStreams) after(text, id string) string {
	if s.from.Text == "" {
		return ""
	}
	within, behind := " >= ", " > "
	if s.Desc {
		within, behind = " <= ", " < "
	}
	return " AND " + text + within + s.from.Text + " AND (" + text + " <> " + s.from.Text + " OR " + id + behind + s.from.ID + ")"
}

// row is r, found by a condition after another FROM item and by no other index.
func (s textStreams) row(on string) string {
	if s.c.Dialect.Postgres {
		return " CROSS JOIN LATERAL (SELECT * FROM " + db.Quote(s.Table) + " r WHERE r.tenant = " + s.c.Tenant + " AND " + on + " OFFSET 0) r WHERE " + s.where
	}
	return " CROSS JOIN " + db.Quote(s.Table) + " r WHERE r.tenant = " + s.c.Tenant + " AND " + on + " AND " + s.where
}

// translated are the records that have a text in the language.
func (s textStreams) translated() textStream {
	return textStream{
		s.selecting("t.text", "t.record") + ListedTextsTable.Name + " t" + s.row("r.id = t.record") + " AND t.tenant = " + s.c.Tenant +
			" AND t.field = '" + s.Key() + "' AND t.locale = '" + s.Locale + "'" + s.after("t.text", "t.record"),
		s.orderPresent("t.text", "t.record"),
	}
}

// untranslated are the records that have texts in certain languages, not in the one that is asked for.
func (s textStreams) untranslated(locales string) textStream {
	text := "r." + db.Quote(s.Column)
	return textStream{
		s.selecting(text, "r.id") + db.Quote(s.Table) + " r WHERE " + s.where + " AND r." + db.Quote(s.Locales) + " = '" + locales + "'" + s.after(text, "r.id"),
		s.order(text, "r.id"),
	}
}

// unknown are the records with a combination of languages that is not Known, of which there are hardly ever any. The first such combination is
// looked up between each two that are.
func (s textStreams) unknown() textStream {
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
	return textStream{
		s.selecting(text, "r.id") + "(SELECT min(v) AS v FROM (" + strings.Join(between, " UNION ALL ") + ") b) first" +
			s.row("r."+column+" >= first.v") + " AND first.v IS NOT NULL" + known + " AND NOT " + s.contains("r."+column) + s.after(text, "r.id"),
		s.order(text, "r.id"),
	}
}

// contains says that a combination of languages has the one that is asked for.
func (s textStreams) contains(column string) string {
	return "(" + s.c.Dialect.Contains(column, "',"+s.Locale+",'") + ")"
}
