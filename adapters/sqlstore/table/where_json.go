package table

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Lists live in the document only, except the relations in relation_members; conditions on the others read
// its JSON and are not indexed. The type is json, not jsonb:
// jsonb refuses documents with \u0000 as a whole.

// documents reads members of stored documents.
type documents struct{ dialect *db.Dialect }

func (c *Compiler) documents() documents { return documents{c.Dialect} }

// json is the member of p's document, below the groups passed.
func (d documents) json(p pathScope, name string) string { return d.step(p, p.json, "doc", name) }

// folded is the text of a member in the document whose texts are folded. Postgres has joined the element of p with its twin; SQLite, which would
// pair each element with every twin, reads it by its place.
func (d documents) folded(p pathScope, name string) string {
	if d.dialect.Postgres {
		return asText(d.step(p, p.fold, listsFold, name))
	}
	return "(" + p.row + "." + listsFold + "->>(" + sqliteRoot + " || '" + p.foldedPath(name) + "'))"
}

// foldedPath is the path of a member in the document whose texts are folded, below its root, as it stands in an SQL literal of SQLite.
func (p pathScope) foldedPath(name string) string {
	path := p.fold
	for _, step := range append(slices.Clone(p.at), name) {
		path += ".\"" + step + "\""
	}
	return path
}

// sqliteRoot is the root of a JSON path: a dollar sign, which in a statement begins an argument.
const sqliteRoot = "char(36)"

func (d documents) step(p pathScope, from, column, name string) string {
	if from == "" {
		from = p.alias + "." + column
		if d.dialect.Postgres {
			from += "::json"
		}
	}
	for _, step := range append(slices.Clone(p.at), name) {
		from += "->'" + step + "'"
	}
	return from
}

// fromElements is a FROM item with an element of list f per row under e's alias, on Postgres joined with its folded twin
// where there is one.
func (d documents) fromElements(p pathScope, f collection.Field, e pathScope) string {
	list := d.jsonElements(d.json(p, f.Name), e.alias)
	if e.fold == "" || !d.dialect.Postgres {
		return list
	}
	return list + " JOIN " + d.jsonElements(d.step(p, p.fold, listsFold, f.Name), e.alias+"f") + " ON " + e.alias + "f.key = " + e.alias + ".key"
}

// jsonElements has the columns value and key (the position) on both databases.
func (d documents) jsonElements(list, alias string) string {
	if d.dialect.Postgres {
		return "json_array_elements(" + list + ") WITH ORDINALITY AS " + alias + "(value, key)"
	}
	return "json_each(" + list + ") " + alias
}

// fromTexts is a FROM item with a value of list f per row.
func (d documents) fromTexts(p pathScope, f collection.Field, alias string) string {
	if !d.dialect.Postgres {
		return "json_each(" + d.json(p, f.Name) + ") " + alias
	}
	return "json_array_elements_text(" + d.json(p, f.Name) + ") AS " + alias + "(value)"
}

// elementScope is the place of a row of array f in which t is tested. Only what searches words needs the folded twin.
func (c *Compiler) elementScope(p pathScope, f collection.Field, t collection.Comparison) pathScope {
	e := pathScope{sh: p.sh, alias: c.alias("e"), row: p.row, read: p.read}
	e.json = e.alias + ".value"
	e.texts = p.textPath(f) + ".' || " + asText(c.documents().json(e, "id")) + " || '."
	if searchesWords(t.Op) && anySearchable(f.Fields) {
		e.fold = e.alias + "f.value"
		if !c.Dialect.Postgres {
			e.fold = p.foldedPath(f.Name) + "[' || " + e.alias + ".key || ']"
		}
	}
	return e
}

// scalarInDocument reads a field of a list element in the form in which inDocument gives the values to
// compare with.
func (d documents) scalarInDocument(p pathScope, f collection.Field) (expr, folded string) {
	text := asText(d.json(p, f.Name))
	switch f.Kind {
	case collection.Money:
		currency := asText(d.json(pathScope{alias: p.row}, "_currency"))
		return "(CAST(" + text + " AS bigint) * " + scaleOf(currency) + ")", ""
	case collection.Number:
		if d.dialect.Postgres {
			return "(CAST(" + text + " AS numeric) * 100000000)", ""
		}
		return "CAST(round(" + text + " * 100000000) AS INTEGER)", ""
	case collection.Integer:
		return "CAST(" + text + " AS bigint)", ""
	case collection.Boolean:
		if d.dialect.Postgres {
			return "CAST(" + text + " AS boolean)", ""
		}
		return text, ""
	default: // the rest is text
	}
	if p.fold != "" {
		folded = d.folded(p, f.Name)
	}
	return d.byCodePoint(text), folded
}

// asText makes the last step of a JSON path give text.
func asText(path string) string {
	i := strings.LastIndex(path, "->")
	return "(" + path[:i] + "->>" + path[i+2:] + ")"
}

// inDocument gives times the text that documents keep; it orders like the times.
func inDocument(k collection.Kind, t collection.Comparison) collection.Comparison {
	if k != collection.Date {
		return t
	}
	values := slices.Clone(t.Values)
	for i, v := range values {
		if at, ok := v.(time.Time); ok {
			values[i] = at.UTC().Format(collection.TimeFormat)
		}
	}
	return collection.Comparison{Path: t.Path, Op: t.Op, Values: values}
}

// scaleOf turns minor units into major units × 10⁴ by the currency in expr.
func scaleOf(expr string) string {
	text := "CASE "
	for _, unusual := range unusualCurrencies() {
		text += "WHEN " + expr + " IN (" + unusual.codes + ") THEN " + strconv.FormatInt(unusual.scale, 10) + " "
	}
	return text + "ELSE 100 END"
}

type currencyScale struct {
	codes string
	scale int64
}

// unusualCurrencies lists the codes whose minor unit is not a hundredth, by asking the money package for each
// code.
var unusualCurrencies = sync.OnceValue(func() []currencyScale {
	by := map[int64][]string{}
	for n := range 26 * 26 * 26 {
		code := string([]byte{byte('A' + n/676), byte('A' + n/26%26), byte('A' + n%26)})
		if c := money.Currency(code); c.Exponent() != 2 {
			one := money.Of(1, c).Column()
			by[one] = append(by[one], "'"+code+"'")
		}
	}
	var all []currencyScale
	for scale, codes := range by {
		all = append(all, currencyScale{strings.Join(codes, ", "), scale})
	}
	slices.SortFunc(all, func(a, b currencyScale) int { return int(a.scale - b.scale) })
	return all
})

// listsFold is the column with the arrays of a record, reduced to their searchable texts, folded.
const listsFold = "lists_fold"

// anySearchable reports whether people search texts somewhere below.
func anySearchable(fields []collection.Field) bool {
	for i := range fields {
		if f := &fields[i]; isSearchable(f) || anySearchable(f.Fields) {
			return true
		}
	}
	return false
}

// hasSearchableLists reports whether a collection needs the column listsFold.
func hasSearchableLists(fields []collection.Field) bool {
	return slices.ContainsFunc(fields, func(f collection.Field) bool {
		return f.Kind == collection.Array && anySearchable(f.Fields) || f.Kind == collection.Group && hasSearchableLists(f.Fields)
	})
}

// foldedListsValue is the value of listsFold.
func foldedListsValue(s *collection.Schema, r collection.Record, fold func(string) string) any {
	return string(replaceEscape(foldedLists(nil, s.Fields, r, false, fold), nulEscape, nulPlaceholder))
}

// foldedLists appends the document's arrays, element by element.
func foldedLists(dst []byte, fields []collection.Field, r collection.Record, inRow bool, fold func(string) string) []byte {
	dst = append(dst, '{')
	for i := range fields {
		f := &fields[i]
		within := len(f.Fields) > 0 && anySearchable(f.Fields)
		if !within && !(inRow && isSearchable(f)) {
			continue
		}
		if v := r[f.Name]; v == nil || f.Kind == collection.Array && len(r.Rows(f.Name)) == 0 {
			continue // as the document leaves them out
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(collection.AppendString(dst, f.Name), ':')
		switch f.Kind {
		case collection.Group:
			dst = foldedLists(dst, f.Fields, r.Group(f.Name), inRow, fold)
		case collection.Array:
			dst = append(dst, '[')
			for i, row := range r.Rows(f.Name) {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = foldedLists(dst, f.Fields, row, true, fold)
			}
			dst = append(dst, ']')
		default:
			dst = collection.AppendString(dst, fold(r.Text(f.Name)))
		}
	}
	return append(dst, '}')
}
