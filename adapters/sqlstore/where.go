package sqlstore

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// compiler turns conditions into SQL with bind arguments. Nothing that a request holds becomes SQL text.
type compiler struct {
	v      *view
	env    string    // which stock rows computed fields read
	now    time.Time // fields that lapse are meant as they read by then; zero: as stored
	a      args
	tenant string // mark of the one bound tenant, "" when there are several
	tables int    // aliases given out
	// skewed: some values that were compared with have many records and others few, so that no plan is good for all.
	skewed bool
	// inOrder is the field by whose index rows are to be read, "" when the database may choose.
	inOrder string
}

// place is where a path stands: in a row, possibly inside groups of it, or in an element of a list in its document.
type place struct {
	sh    *shape
	alias string   // of the row, or of the list element
	row   string   // alias of the row that the document belongs to
	at    []string // groups passed since
	json  string   // the element as JSON; "" in a row
	fold  string   // the same element with its texts folded
}

func (p place) inside(group string) place {
	p.at = append(slices.Clone(p.at), group)
	return p
}

func (c *compiler) cond(p place, cond collection.Cond) string {
	switch cond := cond.(type) {
	case collection.And:
		return c.all(p, cond, " AND ", "TRUE")
	case collection.Or:
		return c.all(p, cond, " OR ", "FALSE")
	case collection.Test:
		return c.test(p, cond)
	}
	return "TRUE"
}

func (c *compiler) all(p place, conds []collection.Cond, word, none string) string {
	if len(conds) == 0 {
		return none
	}
	parts := make([]string, len(conds))
	for i, x := range conds {
		parts[i] = c.cond(p, x)
	}
	return "(" + strings.Join(parts, word) + ")"
}

// not holds wherever expr is false or null.
func not(expr string) string { return "(" + expr + ") IS NOT TRUE" }

// test brings an operator back to a positive one: null is "does not exist", and the negations negate the whole path.
func (c *compiler) test(p place, t collection.Test) string {
	with := func(op collection.Op, values ...any) collection.Test {
		return collection.Test{Path: t.Path, Op: op, Values: values}
	}
	switch t.Op {
	case collection.NotEquals:
		return not(c.test(p, with(collection.Equals, t.Values...)))
	case collection.NotIn:
		return not(c.test(p, with(collection.In, t.Values...)))
	case collection.Exists:
		if t.Values[0] == false {
			return not(c.path(p, t.Path, with(collection.Exists, true)))
		}
	case collection.Equals:
		if t.Values[0] == nil {
			return c.test(p, with(collection.Exists, false))
		}
	case collection.In:
		present := slices.DeleteFunc(slices.Clone(t.Values), func(v any) bool { return v == nil })
		if len(present) == len(t.Values) {
			break
		}
		absent := c.test(p, with(collection.Exists, false))
		return "(" + c.test(p, with(collection.In, present...)) + " OR " + absent + ")"
	default: // the rest is positive already
	}
	return c.path(p, t.Path, t)
}

// path holds when t, a positive test, holds for a value at path.
func (c *compiler) path(p place, path []collection.Field, t collection.Test) string {
	f, last := path[0], len(path) == 1
	switch {
	case f.Kind == collection.Group && !last:
		return c.path(p.inside(f.Name), path[1:], t)
	case f.Kind == collection.Array && !last:
		e := c.element(p, f)
		return "EXISTS (SELECT 1 FROM " + c.objects(p, f, e) + " WHERE " + c.path(e, path[1:], t) + ")"
	case f.Kind == collection.Relation && !last || f.Kind == collection.Upload && !last:
		expr, _ := c.scalar(p, f)
		return expr + " IN (" + c.related(p, f, path, t) + ")"
	case f.Kind.Related() && !last:
		among := func(id string) string { return id + " IN (" + c.related(p, f, path, t) + ")" }
		if l, ok := p.listed(f); ok {
			return c.holds(p, l, among)
		}
		return "EXISTS (SELECT 1 FROM " + c.texts(p, f, "v") + " WHERE " + among("v.value") + ")"
	case f.Kind.Many():
		return c.member(p, f, t)
	case f.Kind == collection.Group || f.Kind == collection.JSON || f.Kind == collection.RichText:
		return c.json(p, f.Name) + " IS NOT NULL"
	}
	expr, folded := c.scalar(p, f)
	if c.lapses(f) && t.Op != collection.Exists {
		return c.lapsing(p, f, expr, t)
	}
	if p.json != "" {
		return c.compare(f, expr, folded, inDocument(f.Kind, t))
	}
	return c.compare(f, expr, folded, t)
}

// related selects the ids of the records behind f for which the rest of the path holds.
func (c *compiler) related(p place, f collection.Field, path []collection.Field, t collection.Test) string {
	target, within := c.target(p, f)
	return "SELECT " + target.alias + ".id FROM " + quote(target.sh.table) + " " + target.alias + " WHERE " + within + " AND " + c.path(target, path[1:], t)
}

// target is the collection behind a relation, and the condition that keeps it inside the tenant.
func (c *compiler) target(p place, f collection.Field) (place, string) {
	x := c.alias("x")
	return place{sh: c.v.s.shapes[f.Target()], alias: x, row: x}, c.within(p, x)
}

// alias is a name that stands for nothing yet.
func (c *compiler) alias(kind string) string {
	c.tables++
	return kind + strconv.Itoa(c.tables)
}

// within keeps the row called alias inside the tenant of p.
func (c *compiler) within(p place, alias string) string {
	switch {
	case c.v.s.unfenced:
		return "TRUE"
	case c.tenant != "":
		return alias + ".tenant = " + c.tenant
	}
	return alias + ".tenant = " + p.row + ".tenant"
}

// member tests the values of a list, or whether there are any.
func (c *compiler) member(p place, f collection.Field, t collection.Test) string {
	if t.Op == collection.Exists {
		return "EXISTS (SELECT 1 FROM " + c.objects(p, f, place{alias: "v"}) + ")"
	}
	one := collection.Field{Name: f.Name, Kind: collection.Text}
	if t.Op == collection.Contains { // membership is exact
		t.Op = collection.Equals
	}
	if l, ok := p.listed(f); ok {
		return c.holds(p, l, func(target string) string { return c.compare(one, target, "", t) })
	}
	return c.mentioned(p, t) + "EXISTS (SELECT 1 FROM " + c.texts(p, f, "v") + " WHERE " + c.compare(one, c.byCodePoint("v.value"), "", t) + ")"
}

// mentioned is what goes before a test of membership: a document that does not hold the member's text anywhere need not be
// taken apart (a hundred thousand of them: 1.6 instead of 3.4 s on a busy machine).
func (c *compiler) mentioned(p place, t collection.Test) string {
	if t.Op != collection.Equals && t.Op != collection.In || len(t.Values) == 0 || len(t.Values) > 8 {
		return ""
	}
	parts := make([]string, len(t.Values))
	for i, v := range t.Values {
		text, _ := v.(string)
		parts[i] = c.v.s.d.holds(p.row+".doc", c.a.bind(string(swapEscapes(collection.AppendString(nil, text), nul, nulStandIn))))
	}
	return "(" + strings.Join(parts, " OR ") + ") AND "
}

func (c *compiler) byCodePoint(expr string) string {
	if c.v.s.d.postgres {
		return "(" + expr + ` COLLATE "C")`
	}
	return expr
}

var comparisons = map[collection.Op]string{
	collection.Equals: " = ", collection.GreaterThan: " > ", collection.GreaterThanEqual: " >= ", collection.LessThan: " < ", collection.LessThanEqual: " <= ",
}

// compare tests one scalar.
func (c *compiler) compare(f collection.Field, expr, folded string, t collection.Test) string {
	if sign := comparisons[t.Op]; sign != "" {
		return expr + sign + c.a.bind(t.Values[0])
	}
	switch t.Op {
	case collection.Exists:
		return expr + " IS NOT NULL"
	case collection.In:
		return c.oneOf(expr, t.Values)
	default: // the rest looks for words
	}
	if f.Kind == collection.Select {
		return c.oneOf(expr, c.choices(f, t.Values))
	}
	if folded == "" {
		folded = expr
	}
	parts := []string{expr + " IS NOT NULL"}
	for _, word := range t.Values {
		parts = append(parts, c.v.s.d.holds(folded, c.a.bind(word)))
	}
	return "(" + strings.Join(parts, " AND ") + ")"
}

// choices are the options in which every word occurs.
func (c *compiler) choices(f collection.Field, words []any) (fit []any) {
	for _, o := range f.Options {
		folded := c.v.s.o.Fold(o)
		if !slices.ContainsFunc(words, func(w any) bool { return !strings.Contains(folded, w.(string)) }) {
			fit = append(fit, o)
		}
	}
	return fit
}

func (c *compiler) oneOf(expr string, values []any) string {
	if len(values) == 0 {
		return "FALSE"
	}
	var list any
	switch values[0].(type) {
	case string:
		list = each[string](values)
	case int64:
		list = each[int64](values)
	case bool:
		list = each[bool](values)
	default:
		list = each[time.Time](values)
	}
	return c.v.s.d.in(expr, c.a.bind(list))
}

// each gives values their type back; what has another one was refused by the parser.
func each[T any](values []any) []T {
	list := make([]T, 0, len(values))
	for _, v := range values {
		if x, ok := v.(T); ok {
			list = append(list, x)
		}
	}
	return list
}

// scalar is a field of p as an expression in column form, and its folded form if it has one.
func (c *compiler) scalar(p place, f collection.Field) (expr, folded string) {
	if p.json != "" {
		return c.scalarInDocument(p, f)
	}
	switch f.Source {
	case "":
	case ports.SourceLow: // as a column, so that its index serves
		if c.env == "" {
			return "CAST(NULL AS boolean)", ""
		}
		return strings.Replace(lowColumn(c.env), "r.", p.alias+".", 1), ""
	default:
		return strings.ReplaceAll(source(p.sh, f, c.env), " r.", " "+p.alias+"."), ""
	}
	if len(p.at) == 0 && p.sh.stands(f.Name) {
		return p.alias + "." + snake(f.Name), p.alias + "." + snake(f.Name)
	}
	prefix := ""
	for _, g := range p.at {
		prefix += snake(g) + "_"
	}
	name := columnName(prefix, f.Name)
	expr = p.alias + "." + quote(name)
	if searched(&f) {
		folded = p.alias + "." + quote(name+"_fold")
	}
	return expr, folded
}
