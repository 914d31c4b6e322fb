package sqlstore

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Lists live in the document only, but for the relations of which members tell (members.go); conditions on the others read
// its JSON and are not indexed. The type is json, not jsonb:
// jsonb refuses documents with \u0000 as a whole.

// json is the member of p's document, below the groups passed.
func (c *compiler) json(p place, name string) string { return c.step(p, p.json, "doc", name) }

// foldedJSON is the same member of the document whose texts are folded.
func (c *compiler) foldedJSON(p place, name string) string {
	return c.step(p, p.fold, listsFold, name)
}

func (c *compiler) step(p place, from, column, name string) string {
	if from == "" {
		from = p.alias + "." + column
		if c.v.s.d.postgres {
			from += "::json"
		}
	}
	for _, step := range append(slices.Clone(p.at), name) {
		from += "->'" + step + "'"
	}
	return from
}

// objects is a FROM item with an element of list f per row under e's alias, joined with its folded twin where there is one.
func (c *compiler) objects(p place, f collection.Field, e place) string {
	list := c.elements(c.json(p, f.Name), e.alias)
	if e.fold == "" {
		return list
	}
	return list + " JOIN " + c.elements(c.foldedJSON(p, f.Name), e.alias+"f") + " ON " + e.alias + "f.key = " + e.alias + ".key"
}

// elements has the columns value and key (the position) on both databases.
func (c *compiler) elements(list, alias string) string {
	if c.v.s.d.postgres {
		return "json_array_elements(" + list + ") WITH ORDINALITY AS " + alias + "(value, key)"
	}
	return "json_each(" + list + ") " + alias
}

// texts is a FROM item with a value of list f per row.
func (c *compiler) texts(p place, f collection.Field, alias string) string {
	if !c.v.s.d.postgres {
		return "json_each(" + c.json(p, f.Name) + ") " + alias
	}
	return "json_array_elements_text(" + c.json(p, f.Name) + ") AS " + alias + "(value)"
}

// element is the place of a row of array f.
func (c *compiler) element(p place, f collection.Field) place {
	e := place{sh: p.sh, alias: c.alias("e"), row: p.row}
	e.json = e.alias + ".value"
	if searchable(f.Fields) {
		e.fold = e.alias + "f.value"
	}
	return e
}

// scalarInDocument reads a field of a list element in the form in which inDocument gives the values to compare with.
func (c *compiler) scalarInDocument(p place, f collection.Field) (expr, folded string) {
	text := asText(c.json(p, f.Name))
	switch f.Kind {
	case collection.Money:
		currency := asText(c.json(place{alias: p.row}, "_currency"))
		return "(CAST(" + text + " AS bigint) * " + scaleOf(currency) + ")", ""
	case collection.Number:
		if c.v.s.d.postgres {
			return "(CAST(" + text + " AS numeric) * 100000000)", ""
		}
		return "CAST(round(" + text + " * 100000000) AS INTEGER)", ""
	case collection.Integer:
		return "CAST(" + text + " AS bigint)", ""
	case collection.Boolean:
		if c.v.s.d.postgres {
			return "CAST(" + text + " AS boolean)", ""
		}
		return text, ""
	default: // the rest is text
	}
	if p.fold != "" {
		folded = asText(c.foldedJSON(p, f.Name))
	}
	return c.byCodePoint(text), folded
}

// asText makes the last step of a JSON path give text.
func asText(path string) string {
	i := strings.LastIndex(path, "->")
	return "(" + path[:i] + "->>" + path[i+2:] + ")"
}

// inDocument gives times the text that documents keep; it orders like the times.
func inDocument(k collection.Kind, t collection.Test) collection.Test {
	if k != collection.Date {
		return t
	}
	values := slices.Clone(t.Values)
	for i, v := range values {
		if at, ok := v.(time.Time); ok {
			values[i] = at.UTC().Format(collection.TimeFormat)
		}
	}
	return collection.Test{Path: t.Path, Op: t.Op, Values: values}
}

// scaleOf turns minor units into major units × 10⁴ by the currency in expr.
func scaleOf(expr string) string {
	text := "CASE "
	for _, unusual := range unusualCurrencies() {
		text += "WHEN " + expr + " IN (" + unusual.codes + ") THEN " + strconv.FormatInt(unusual.scale, 10) + " "
	}
	return text + "ELSE 100 END"
}

type scaled struct {
	codes string
	scale int64
}

// unusualCurrencies lists the codes whose minor unit is not a hundredth, by asking the money package for each code.
var unusualCurrencies = sync.OnceValue(func() []scaled {
	by := map[int64][]string{}
	for n := range 26 * 26 * 26 {
		code := string([]byte{byte('A' + n/676), byte('A' + n/26%26), byte('A' + n%26)})
		if c := money.Currency(code); c.Exponent() != 2 {
			one := money.Of(1, c).Column()
			by[one] = append(by[one], "'"+code+"'")
		}
	}
	var all []scaled
	for scale, codes := range by {
		all = append(all, scaled{strings.Join(codes, ", "), scale})
	}
	slices.SortFunc(all, func(a, b scaled) int { return int(a.scale - b.scale) })
	return all
})

// listsFold is the column with the arrays of a record, reduced to their searchable texts, folded.
const listsFold = "lists_fold"

// searchable reports whether people search texts somewhere below.
func searchable(fields []collection.Field) bool {
	for i := range fields {
		if f := &fields[i]; searched(f) || searchable(f.Fields) {
			return true
		}
	}
	return false
}

// searchableLists reports whether a collection needs the column listsFold.
func searchableLists(fields []collection.Field) bool {
	return slices.ContainsFunc(fields, func(f collection.Field) bool {
		return f.Kind == collection.Array && searchable(f.Fields) || f.Kind == collection.Group && searchableLists(f.Fields)
	})
}

// allFolded is the value of listsFold.
func allFolded(s *collection.Schema, r collection.Record, fold func(string) string) any {
	return string(swapEscapes(foldedLists(nil, s.Fields, r, false, fold), nul, nulStandIn))
}

// foldedLists tells the document's arrays, element by element.
func foldedLists(dst []byte, fields []collection.Field, r collection.Record, inRow bool, fold func(string) string) []byte {
	dst = append(dst, '{')
	for i := range fields {
		f := &fields[i]
		within := len(f.Fields) > 0 && searchable(f.Fields)
		if !within && !(inRow && searched(f)) {
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
