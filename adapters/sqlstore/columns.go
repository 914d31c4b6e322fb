package sqlstore

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// column is a typed copy of one scalar field, or something derived from the whole record, for filters, sorting and indexes;
// the document stays the truth.
type column struct {
	name string   // unquoted
	typ  string   // a type word of dialect
	path []string // nil: derived
	kind collection.Kind
	fold bool // the folded form of a text
	sure bool // a flag of ours that is false where a record does not have it

	derived func(*collection.Schema, collection.Record, func(string) string) any
}

// shape is a collection as a table: its columns and its statements, built once.
type shape struct {
	schema  *collection.Schema
	table   string // unquoted
	env     bool
	columns []column
	plan    []planField
	sources []collection.Field // computed fields, joined at read
	lists   []list             // fields that members tell of
	linked  bool               // has linksColumn

	insert, update, remove string
	uniques                []unique

	touch string    // SQLite: an update that leaves indexed columns alone; see touches
	still []*column // which these are, besides the table's own

	inIndex []bool // for each of row, whether an index stands on it

	number int64 // see shapeColumn; known once the database is
	older  bool  // the database knows a smaller one
}

// unique is one constraint: its index, and the fields a client would have to change.
type unique struct {
	index   string
	columns []string
	fields  []string
}

// own are the columns that a table has besides the query columns of its fields, and those derived from whole records.
var (
	own     = []string{"tenant", "id", "environment", "sequence", "created_at", "updated_at", "doc", shapeColumn}
	derived = []string{listsFold, linksColumn}
)

func newShape(s *collection.Schema) *shape {
	sh := &shape{schema: s, table: snake(s.Slug), env: s.Environmented, plan: planOf(s.All())}
	sh.addColumns("", nil, s.Fields)
	sh.addLists(nil, s.Fields)
	if searchableLists(s.Fields) {
		sh.columns = append(sh.columns, column{name: listsFold, typ: "TEXT", derived: allFolded})
	}
	if sh.linked = linked(s); sh.linked {
		sh.columns = append(sh.columns, column{name: linksColumn, typ: "TEXT", derived: linkedIDs})
	}
	sh.addUniques()
	sh.insert, sh.update, sh.remove = sh.writes()
	sh.touches()
	return sh
}

// columnName is the query column of a field; a name that the table itself uses makes way.
func columnName(prefix, field string) string {
	name := prefix + snake(field)
	if slices.Contains(own, name) || slices.Contains(derived, name) {
		return name + "_value"
	}
	return name
}

// stands reports whether a declared field is one of the table's own columns.
func (sh *shape) stands(name string) bool {
	switch name {
	case "id", "tenant", "createdAt", "updatedAt":
		return true
	}
	return name == "environment" && sh.env
}

// columnOf is the column of a top-level field.
func (sh *shape) columnOf(name string) string {
	if sh.stands(name) {
		return snake(name)
	}
	return columnName("", name)
}

func (sh *shape) addColumns(prefix string, at []string, fields []collection.Field) {
	for _, f := range fields {
		path := append(slices.Clone(at), f.Name)
		switch {
		case f.Source != "":
			if at == nil {
				sh.sources = append(sh.sources, f)
			}
		case at == nil && sh.stands(f.Name):
		case f.Kind == collection.Group:
			sh.addColumns(prefix+snake(f.Name)+"_", path, f.Fields)
		case columnType(f.Kind) != "":
			name := columnName(prefix, f.Name)
			sure := f.Read == collection.Nobody && f.Default == false
			sh.columns = append(sh.columns, column{name: name, typ: columnType(f.Kind), path: path, kind: f.Kind, sure: sure})
			if searched(&f) {
				sh.columns = append(sh.columns, column{name: name + "_fold", typ: "TEXT", path: path, kind: f.Kind, fold: true})
			}
		}
	}
}

// columnType is the type word of a scalar kind, "" for lists, trees and groups.
func columnType(k collection.Kind) string {
	switch {
	case k.Textual():
		return "TEXT"
	case k == collection.Money, k == collection.Number, k == collection.Integer:
		return "BIGINT"
	case k == collection.Date:
		return "TIMESTAMP"
	case k == collection.Boolean:
		return "BOOLEAN"
	}
	return ""
}

// searched reports whether people search a field's text; choices are folded when a query is compiled.
func searched(f *collection.Field) bool {
	text := f.Kind == collection.Text || f.Kind == collection.Textarea || f.Kind == collection.Email
	return text && f.Read != collection.Nobody
}

// value gives a column what the record holds at its path.
func (c *column) value(s *collection.Schema, r collection.Record, fold func(string) string) any {
	if c.derived != nil {
		return c.derived(s, r, fold)
	}
	for _, step := range c.path[:len(c.path)-1] {
		r = r.Group(step)
	}
	v := columnValue(c.kind, r[c.path[len(c.path)-1]])
	if s, ok := v.(string); ok && c.fold {
		return fold(s)
	}
	if v == nil && c.sure {
		return false
	}
	return v
}

// columnValue is the column form of a field's value: money in major units × 10⁴, numbers × 10⁸.
func columnValue(k collection.Kind, v any) any {
	switch v := v.(type) {
	case money.Money:
		return v.Column()
	case money.Decimal:
		return v.E8()
	case time.Time:
		return v.UTC()
	case string:
		if v == "" && k.Related() {
			return nil
		}
		return v
	case int64, bool:
		return v
	}
	return nil
}

// row is what a record's table row holds, in the order of the insert and update statements: tenant, id, environment (if
// any), sequence, created, updated, document, shape, query columns.
func (sh *shape) row(r collection.Record, fold func(string) string) []any {
	args := make([]any, 0, len(own)+len(sh.columns)+1)
	args = append(args, r.Text("tenant"), r.ID())
	if sh.env {
		args = append(args, r.Text("environment"))
	}
	args = append(args, r.Sequence(), r.Time("createdAt"), r.Time("updatedAt"), sh.doc(r), sh.number)
	for i := range sh.columns {
		args = append(args, sh.columns[i].value(sh.schema, r, fold))
	}
	return args
}

// doc is the stored document.
func (sh *shape) doc(r collection.Record) string {
	doc := swapEscapes(collection.AppendStored(make([]byte, 0, 1536), sh.schema, r), nul, nulStandIn)
	return unsafe.String(unsafe.SliceData(doc), len(doc)) //nolint:gosec // nobody changes doc any more
}

// Postgres cannot look into JSON that holds the escape of U+0000. Stored documents hold another one in its place, which
// the encoder never writes otherwise: it escapes control characters, quotes and backslashes only.
const nul, nulStandIn = `\u0000`, `\ufdd0`

// swapEscapes replaces one escape by another of the same length, in place.
func swapEscapes(doc []byte, from, to string) []byte {
	if !bytes.Contains(doc, []byte(from)) {
		return doc
	}
	for i := 0; i+1 < len(doc); i++ {
		if doc[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(doc[i:], []byte(from)) {
			copy(doc[i:], to)
		}
		i++ // what a backslash escapes starts no escape itself
	}
	return doc
}

// names lists the quoted columns in the order of row.
func (sh *shape) names() []string {
	var names []string
	for _, n := range own {
		if n != "environment" || sh.env {
			names = append(names, quote(n))
		}
	}
	for _, c := range sh.columns {
		names = append(names, quote(c.name))
	}
	return names
}

// writes builds insert(row…), update(row…, recordSequence before) and remove(tenant, id, recordSequence before).
func (sh *shape) writes() (insert, update, remove string) {
	names := sh.names()
	marks, sets := make([]string, len(names)), make([]string, 0, len(names))
	for i, n := range names {
		marks[i] = "$" + strconv.Itoa(i+1)
		if i >= 2 {
			sets = append(sets, n+" = "+marks[i])
		}
	}
	t := quote(sh.table)
	insert = "INSERT INTO " + t + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(marks, ", ") + ")"
	update = "UPDATE " + t + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2 AND sequence = $" + strconv.Itoa(len(names)+1)
	remove = "DELETE FROM " + t + " WHERE tenant = $1 AND id = $2 AND sequence = $3"
	return insert, update, remove
}

// addUniques lists the constraints: single fields first. Tenants are unique among each other, everything else within a
// tenant, and within an environment where there is one.
func (sh *shape) addUniques() {
	add := func(fields ...string) {
		u := unique{fields: fields}
		if sh.schema.Slug != "tenants" {
			u.columns = append(u.columns, "tenant")
		}
		if sh.env && !slices.Contains(fields, "environment") {
			u.columns = append(u.columns, "environment")
		}
		for _, name := range fields {
			f, _ := sh.schema.Field(name)
			col := sh.columnOf(name)
			if searched(&f) {
				col += "_fold"
			}
			u.columns = append(u.columns, col)
		}
		u.index = indexName("u", sh.table, strings.Join(u.columns, "_"))
		sh.uniques = append(sh.uniques, u)
	}
	for _, f := range sh.schema.Fields {
		if f.Unique {
			add(f.Name)
		}
	}
	for _, set := range sh.schema.UniqueSets {
		add(set...)
	}
}

// source computes a field from other tables for the row called r, in one environment; without any it is null.
func source(sh *shape, f collection.Field, env string) string {
	if env != "test" && env != "live" { // not an argument: few texts are prepared once, and nothing else becomes one
		return "CAST(NULL AS bigint)"
	}
	if f.Source == ports.SourceLow {
		return "(CASE WHEN " + lowColumn(env) + " THEN 1 ELSE 0 END)"
	}
	of := " FROM stock s WHERE s.tenant = r.tenant AND s.environment = '" + env + "' AND s.variant = r.id"
	if sh.schema.Slug == "products" {
		of = " FROM stock s WHERE s.tenant = r.tenant AND s.environment = '" + env + "' AND s.product = r.id"
	}
	switch f.Source {
	case ports.SourceOnHand:
		return "(SELECT CAST(sum(s.on_hand) AS bigint)" + of + ")"
	case ports.SourceReserved:
		return "(SELECT CAST(sum(s.reserved) AS bigint)" + of + ")"
	case ports.SourceDiscountCount:
		return "(SELECT count(*) FROM discount_uses u WHERE u.tenant = r.tenant AND u.environment = '" + env + "' AND u.discount = r.id AND u.placed)"
	}
	return "CAST(NULL AS bigint)"
}

// lowColumn is the column of the row called r that tells whether stock is low in env.
func lowColumn(env string) string {
	if env == "test" {
		return "r.low_test"
	}
	return "r.low_live"
}

// selects is the column list that scan reads, for the row called r.
func (sh *shape) selects(env string, d *dialect) string {
	list := "r.doc, r.sequence, " + sh.selectGone(d)
	for _, f := range sh.sources {
		list += ", " + source(sh, f, env)
	}
	return list
}

// stored is a record as it was selected with selects.
type stored struct {
	doc      []byte
	sequence int64
	gone     *string  // see selectGone
	computed []*int64 // by source
}

// fetch reads a row selected with selects, and what was selected besides.
func (sh *shape) fetch(from row, extra ...any) (st stored, err error) {
	dest := append(make([]any, 0, 3+len(sh.sources)+len(extra)), &st.doc, &st.sequence, &st.gone)
	if len(sh.sources) > 0 {
		st.computed = make([]*int64, len(sh.sources))
		for i := range st.computed {
			dest = append(dest, &st.computed[i])
		}
	}
	return st, from.Scan(append(dest, extra...)...)
}

// record decodes st.
func (sh *shape) record(st stored) (collection.Record, error) {
	r, err := sh.decode(st.doc)
	if err != nil {
		return nil, err
	}
	for i, f := range sh.sources {
		switch v := st.computed[i]; {
		case v != nil && f.Kind == collection.Boolean:
			r[f.Name] = *v == 1
		case v != nil:
			r[f.Name] = *v
		}
	}
	if st.gone != nil {
		r.WithGone(*st.gone)
	}
	return r.WithSequence(st.sequence), nil
}

// scan reads a record selected with selects.
func (sh *shape) scan(from row) (collection.Record, error) {
	st, err := sh.fetch(from)
	if err != nil {
		return nil, err
	}
	return sh.record(st)
}
