package table

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Compiler turns conditions into SQL with bind arguments. Nothing that a request holds becomes SQL text.
type Compiler struct {
	TenantScope

	Shapes  map[string]*Shape // by slug
	Fold    func(string) string
	Env     string    // which stock rows computed fields read
	Now     time.Time // fields with timed transitions are meant as they read then; zero: as stored
	Args    db.Args
	Tenant  string // mark of the one bound tenant, "" when there are several
	aliases int    // aliases given out
	// Skewed: some values that were compared with have many records and others few, so that no plan is good
	// for all.
	Skewed bool
	// IndexOrder is the field by whose index rows are to be read, "" when the database may choose.
	IndexOrder string
}

// pathScope is where a path begins: in a row, possibly inside groups of it, or in an element of a list in its
// document.
type pathScope struct {
	sh    *Shape
	alias string   // of the row, or of the list element
	row   string   // alias of the row that the document belongs to
	at    []string // groups passed since
	json  string   // the element as JSON; "" in a row
	fold  string   // the same element with its texts folded; on SQLite where it is, as foldedPath says
	texts string   // what paths of texts in the element begin with, inside an SQL literal: values.' || (e1.value->>'id') || '.
	read  string   // the column of texts, as withTexts has parsed it; "" where it has not
}

func (p pathScope) inside(group string) pathScope {
	p.at = append(slices.Clone(p.at), group)
	return p
}

func (c *Compiler) cond(p pathScope, cond collection.Cond) string {
	switch cond := cond.(type) {
	case collection.And:
		return c.all(p, cond, " AND ", "TRUE")
	case collection.Or:
		return c.all(p, cond, " OR ", "FALSE")
	case collection.Comparison:
		return c.test(p, cond)
	}
	return "TRUE"
}

func (c *Compiler) all(p pathScope, conds []collection.Cond, word, none string) string {
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

// absent holds where exists, a test of that, does not. Of a single value it is one that an index serves, for Postgres, which knows
// how many values are null: SQLite takes them for few, and would sort most orders of a shop by reading all that have no customer.
func (c *Compiler) absent(exists string) string {
	if value, single := strings.CutSuffix(exists, " IS NOT NULL"); single && c.Dialect.Postgres {
		return value + " IS NULL"
	}
	return not(exists)
}

// test brings an operator back to a positive one: null is "does not exist", and the negations negate the
// whole path.
func (c *Compiler) test(p pathScope, t collection.Comparison) string {
	with := func(op collection.Op, values ...any) collection.Comparison {
		return collection.Comparison{Path: t.Path, Op: op, Values: values}
	}
	switch t.Op {
	case collection.NotEquals:
		return not(c.test(p, with(collection.Equals, t.Values...)))
	case collection.NotIn:
		return not(c.test(p, with(collection.In, t.Values...)))
	case collection.Exists:
		if t.Values[0] == false {
			return c.absent(c.path(p, t.Path, with(collection.Exists, true)))
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
func (c *Compiler) path(p pathScope, path []collection.Field, t collection.Comparison) string {
	f, last := path[0], len(path) == 1
	switch {
	case f.Kind == collection.Group && !last:
		return c.path(p.inside(f.Name), path[1:], t)
	case f.Kind == collection.Array && !last:
		e := c.elementScope(p, f, t)
		return "EXISTS (SELECT 1 FROM " + c.withTexts(&e, path) + c.documents().fromElements(p, f, e) + " WHERE " + c.path(e, path[1:], t) + ")"
	case f.Kind == collection.Relation && !last || f.Kind == collection.Upload && !last:
		expr, _ := c.scalar(p, f)
		return expr + " IN (" + c.related(p, f, path, t) + ")"
	case f.Kind.Related() && !last:
		among := func(id string) string { return id + " IN (" + c.related(p, f, path, t) + ")" }
		if l, ok := p.indexedList(f); ok {
			return c.hasMember(p, l, among)
		}
		return "EXISTS (SELECT 1 FROM " + c.documents().fromTexts(p, f, "v") + " WHERE " + among("v.value") + ")"
	case f.Kind.Many():
		return c.listTest(p, f, t)
	case f.Kind == collection.Group || f.Kind == collection.JSON || f.Kind == collection.RichText:
		return c.documents().json(p, f.Name) + " IS NOT NULL"
	}
	if f.Language != nil {
		if text, ok := c.testListed(p, f, t); ok {
			return text
		}
	}
	expr, folded := c.scalar(p, f)
	if f.Language != nil {
		return c.inCandidates(p, f, t) + c.compare(f, expr, folded, t)
	}
	if c.hasTransition(f) && t.Op != collection.Exists {
		return c.testEffective(p, f, expr, t)
	}
	if p.json != "" {
		return c.compare(f, expr, folded, inDocument(f.Kind, t))
	}
	return c.compare(f, expr, folded, t)
}

// related selects the ids of the records behind f for which the rest of the path holds.
func (c *Compiler) related(p pathScope, f collection.Field, path []collection.Field, t collection.Comparison) string {
	target, within := c.target(p, f)
	if target.sh.PerEnvironment && !c.allTenants() {
		within += " AND " + target.alias + anyEnvironment
	}
	return "SELECT " + target.alias + ".id FROM " + db.Quote(target.sh.Table) + " " + target.alias + " WHERE " + within + " AND " +
		c.path(target, path[1:], t)
}

// target is the collection behind a relation, and the condition that keeps it inside the tenant.
func (c *Compiler) target(p pathScope, f collection.Field) (pathScope, string) {
	x := c.alias("x")
	return pathScope{sh: c.Shapes[f.Target()], alias: x, row: x}, c.within(p, x)
}

// alias is an unused name.
func (c *Compiler) alias(kind string) string {
	c.aliases++
	return kind + strconv.Itoa(c.aliases)
}

// within keeps the row called alias inside the tenant of p.
func (c *Compiler) within(p pathScope, alias string) string {
	switch {
	case c.Unfiltered:
		return "TRUE"
	case c.Tenant != "":
		return alias + ".tenant = " + c.Tenant
	}
	return alias + ".tenant = " + p.row + ".tenant"
}

// listTest tests the values of a list, or whether there are any.
func (c *Compiler) listTest(p pathScope, f collection.Field, t collection.Comparison) string {
	if t.Op == collection.Exists {
		return "EXISTS (SELECT 1 FROM " + c.documents().fromElements(p, f, pathScope{alias: "v"}) + ")"
	}
	one := collection.Field{Name: f.Name, Kind: collection.Text}
	if t.Op == collection.Contains { // membership is exact
		t.Op = collection.Equals
	}
	if l, ok := p.indexedList(f); ok {
		return c.hasMember(p, l, func(target string) string { return c.compare(one, target, "", t) })
	}
	return c.docContains(p, t) + "EXISTS (SELECT 1 FROM " + c.documents().fromTexts(p, f, "v") + " WHERE " +
		c.compare(one, c.documents().byCodePoint("v.value"), "", t) + ")"
}

// docContains is what goes before a test of membership: a document that does not hold the member's text
// anywhere need not be taken apart (a hundred thousand of them: 1.6 instead of 3.4 s on a busy machine).
func (c *Compiler) docContains(p pathScope, t collection.Comparison) string {
	if t.Op != collection.Equals && t.Op != collection.In || len(t.Values) == 0 || len(t.Values) > 8 {
		return ""
	}
	parts := make([]string, len(t.Values))
	for i, v := range t.Values {
		text, _ := v.(string)
		parts[i] = c.Dialect.Contains(p.row+".doc",
			c.Args.Bind(string(replaceEscape(collection.AppendString(nil, text), nulEscape, nulPlaceholder))))
	}
	return "(" + strings.Join(parts, " OR ") + ") AND "
}

func (d documents) byCodePoint(expr string) string {
	if d.dialect.Postgres {
		return "(" + expr + ` COLLATE "C")`
	}
	return expr
}

var comparisons = map[collection.Op]string{
	collection.Equals: " = ", collection.GreaterThan: " > ", collection.GreaterThanEqual: " >= ", collection.LessThan: " < ",
	collection.LessThanEqual: " <= ",
}

// searchesWords reports whether an operator looks for words in a text, and so in its folded form.
func searchesWords(op collection.Op) bool {
	return comparisons[op] == "" && op != collection.Exists && op != collection.In
}

// compare tests one scalar.
func (c *Compiler) compare(f collection.Field, expr, folded string, t collection.Comparison) string {
	if sign := comparisons[t.Op]; sign != "" {
		return expr + sign + c.Args.Bind(t.Values[0])
	}
	switch t.Op {
	case collection.Exists:
		return expr + " IS NOT NULL"
	case collection.In:
		return c.inValues(expr, t.Values)
	default: // the rest searches words
	}
	if f.Kind == collection.Select {
		return c.inValues(expr, optionsContaining(f, t.Values, c.Fold))
	}
	if folded == "" {
		folded = expr
	}
	parts := []string{expr + " IS NOT NULL"}
	for _, word := range t.Values {
		parts = append(parts, c.Dialect.Contains(folded, c.Args.Bind(word)))
	}
	return "(" + strings.Join(parts, " AND ") + ")"
}

// optionsContaining are the options in which every word occurs.
func optionsContaining(f collection.Field, words []any, fold func(string) string) (fit []any) {
	for _, o := range f.Options {
		folded := fold(o)
		if !slices.ContainsFunc(words, func(w any) bool { return !strings.Contains(folded, w.(string)) }) {
			fit = append(fit, o)
		}
	}
	return fit
}

func (c *Compiler) inValues(expr string, values []any) string {
	if len(values) == 0 {
		return "FALSE"
	}
	var list any
	switch values[0].(type) {
	case string:
		list = typedList[string](values)
	case int64:
		list = typedList[int64](values)
	case bool:
		list = typedList[bool](values)
	default:
		list = typedList[time.Time](values)
	}
	return c.Dialect.InList(expr, c.Args.Bind(list))
}

// typedList gives values their type back; what has another one was refused by the parser.
func typedList[T any](values []any) []T {
	list := make([]T, 0, len(values))
	for _, v := range values {
		if x, ok := v.(T); ok {
			list = append(list, x)
		}
	}
	return list
}

// scalar is a field of p as an expression in column form, and its folded form if it has one.
func (c *Compiler) scalar(p pathScope, f collection.Field) (expr, folded string) {
	if f.Language != nil {
		return c.textIn(p, f, 0), c.textIn(p, f, 1)
	}
	if p.json != "" {
		return c.documents().scalarInDocument(p, f)
	}
	switch f.Source {
	case "":
	case collection.SourceRevision:
		return p.alias + ".sequence", ""
	case ports.SourceLow: // as a column, so that its index serves
		if c.Env == "" {
			return "CAST(NULL AS boolean)", ""
		}
		return p.alias + "." + lowStockColumn(c.Env), ""
	default:
		return computedExpr(f, p.alias, c.Env), ""
	}
	return p.column(f)
}

// column is the query column of a field, and that of its folded form.
func (p pathScope) column(f collection.Field) (expr, folded string) {
	if len(p.at) == 0 && p.sh.IsBaseColumn(f.Name) {
		return p.alias + "." + db.Snake(f.Name), p.alias + "." + db.Snake(f.Name)
	}
	prefix := ""
	for _, g := range p.at {
		prefix += db.Snake(g) + "_"
	}
	name := columnName(prefix, f.Name)
	expr = p.alias + "." + db.Quote(name)
	if isSearchable(&f) {
		folded = p.alias + "." + db.Quote(name+"_fold")
	}
	return expr, folded
}
