package table

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// Column is a typed copy of one scalar field, or something derived from the whole record, for filters,
// sorting and indexes; the document stays the truth.
type Column struct {
	Name    string   // unquoted
	Type    string   // a type word of dialect
	path    []string // nil: derived
	kind    collection.Kind
	folded  bool   // the folded form of a text
	nonNull bool   // a flag of ours that is false where a record does not have it
	noneIs  string // SQL: what rows have whose program does not know the column; "" is null

	derive func(*collection.Schema, collection.Record, func(string) string) any
}

// Shape is a collection as a table: its columns and its statements, built once.
type Shape struct {
	Schema         *collection.Schema
	Table          string // unquoted
	PerEnvironment bool
	Columns        []Column
	decodePlan     []decodeField
	Computed       []collection.Field // computed fields, joined at read
	RelationLists  []RelationList     // lists whose members are in relation_members
	ListedTexts    []ListedText       // fields whose texts are in listed_texts
	hasLinks       bool               // has linksColumn

	InsertSQL, UpdateSQL, DeleteSQL string
	Uniques                         []Unique

	NarrowUpdateSQL string    // SQLite: an update that leaves indexed columns alone; see touches
	indexedColumns  []*Column // which these are, besides the table's own

	isIndexed []bool // for each of row, whether it is part of an index

	Version  int64 // see VersionColumn; known once the database is
	HasOlder bool  // the database knows a smaller one
}

// Unique is one constraint: its index, and the fields a client would have to change.
type Unique struct {
	Index   string
	Columns []string
	Fields  []string
	Members bool     // the index is that of relation_members, for the handles of other languages
	Present []string // those of Columns that may be null, which then is no value: rows without one are not in the index
}

// baseColumns are the columns that a table has besides the query columns of its fields, and those derived
// from whole records.
var (
	baseColumns    = []string{"tenant", "id", "environment", "sequence", "created_at", "updated_at", "doc", VersionColumn}
	derivedColumns = []string{listsFold, linksColumn, TextsColumn, longTextsColumn}
)

// NewShape is the table that stores the records of a collection.
func NewShape(s *collection.Schema) *Shape {
	sh := &Shape{Schema: s, Table: db.Snake(s.Slug), PerEnvironment: s.PerEnvironment, decodePlan: decodeFields(s.AllFields())}
	addColumns(sh, "", nil, s.Fields)
	addRelationLists(sh, nil, s.Fields)
	if s.IsTranslated() {
		sh.Columns = append(sh.Columns, Column{Name: TextsColumn, Type: "TEXT", derive: shortTexts},
			Column{Name: longTextsColumn, Type: "TEXT", derive: longTexts})
	}
	if hasSearchableLists(s.Fields) {
		sh.Columns = append(sh.Columns, Column{Name: listsFold, Type: "TEXT", derive: foldedListsValue})
	}
	if sh.hasLinks = schemaHasLinks(s); sh.hasLinks {
		sh.Columns = append(sh.Columns, Column{Name: linksColumn, Type: "TEXT", derive: linkedIDs})
	}
	addUniques(sh)
	sh.InsertSQL, sh.UpdateSQL, sh.DeleteSQL = writeSQL(sh)
	buildNarrowUpdate(sh)
	return sh
}

// columnName is the query column of a field; a name that the table itself uses makes way.
func columnName(prefix, field string) string {
	name := prefix + db.Snake(field)
	if slices.Contains(baseColumns, name) || slices.Contains(derivedColumns, name) {
		return name + "_value"
	}
	return name
}

// IsBaseColumn reports whether a declared field is one of the table's own columns.
func (sh *Shape) IsBaseColumn(name string) bool {
	switch name {
	case "id", "tenant", "createdAt", "updatedAt":
		return true
	}
	return name == "environment" && sh.PerEnvironment
}

// columnOf is the column of a top-level field.
func (sh *Shape) columnOf(name string) string {
	if sh.IsBaseColumn(name) {
		return db.Snake(name)
	}
	return columnName("", name)
}

// TextColumn is the column of a text field that is compared as it is.
func (sh *Shape) TextColumn(field string) string { return sh.columnOf(field) }

func addColumns(sh *Shape, prefix string, at []string, fields []collection.Field) {
	for _, f := range fields {
		path := append(slices.Clone(at), f.Name)
		switch {
		case f.Source == collection.SourceShown:
		case f.Source != "":
			if at == nil {
				sh.Computed = append(sh.Computed, f)
			}
		case at == nil && sh.IsBaseColumn(f.Name):
		case f.Kind == collection.Group:
			addColumns(sh, prefix+db.Snake(f.Name)+"_", path, f.Fields)
		case columnType(f.Kind) != "":
			name := columnName(prefix, f.Name)
			sure := f.VisibleTo == collection.ServerOnly && f.Default == false
			sh.Columns = append(sh.Columns, Column{Name: name, Type: columnType(f.Kind), path: path, kind: f.Kind, nonNull: sure})
			if isSearchable(&f) {
				sh.Columns = append(sh.Columns, Column{Name: name + "_fold", Type: "TEXT", path: path, kind: f.Kind, folded: true})
			}
			addListedText(sh, name, path, &f)
		}
	}
}

// Definition is the type of c, as the word of the dialect, and what it has where nothing is written.
func (c *Column) Definition() string {
	if c.noneIs == "" {
		return c.Type
	}
	return c.Type + " NOT NULL DEFAULT " + c.noneIs
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

// isSearchable reports whether people search a field's text; choices are folded when a query is compiled.
func isSearchable(f *collection.Field) bool {
	text := f.Kind == collection.Text || f.Kind == collection.Textarea || f.Kind == collection.Email
	return text && f.VisibleTo != collection.ServerOnly
}

// Value gives a column what the record holds at its path.
func (c *Column) Value(s *collection.Schema, r collection.Record, fold func(string) string) any {
	if c.derive != nil {
		return c.derive(s, r, fold)
	}
	for _, step := range c.path[:len(c.path)-1] {
		r = r.Group(step)
	}
	v := columnValue(c.kind, r[c.path[len(c.path)-1]])
	if s, ok := v.(string); ok && c.folded {
		return fold(s)
	}
	if v == nil && c.nonNull {
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

// RowValues is what a record's table row holds, in the order of the insert and update statements: tenant, id,
// environment (if any), sequence, created, updated, document, shape, query columns.
func (sh *Shape) RowValues(r collection.Record, fold func(string) string) []any {
	args := make([]any, 0, len(baseColumns)+len(sh.Columns)+1)
	args = append(args, r.Text("tenant"), r.ID())
	if sh.PerEnvironment {
		args = append(args, r.Text("environment"))
	}
	args = append(args, r.Sequence(), r.Time("createdAt"), r.Time("updatedAt"), sh.EncodeDoc(r), sh.Version)
	for i := range sh.Columns {
		args = append(args, sh.Columns[i].Value(sh.Schema, r, fold))
	}
	return args
}

// EncodeDoc is the stored document.
func (sh *Shape) EncodeDoc(r collection.Record) string {
	doc := replaceEscape(collection.AppendStored(make([]byte, 0, 1536), sh.Schema, r), nulEscape, nulPlaceholder)
	return unsafe.String(unsafe.SliceData(doc), len(doc)) //nolint:gosec // doc is not changed any more
}

// Postgres cannot look into JSON that holds the escape of U+0000. Stored documents hold another one in its
// place, which the encoder never writes otherwise: it escapes control characters, quotes and backslashes
// only.
const nulEscape, nulPlaceholder = `\u0000`, `\ufdd0`

// replaceEscape replaces one escape by another of the same length, in place.
func replaceEscape(doc []byte, from, to string) []byte {
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

// QuotedColumns lists the quoted columns in the order of row.
func (sh *Shape) QuotedColumns() []string {
	var names []string
	for _, n := range baseColumns {
		if n != "environment" || sh.PerEnvironment {
			names = append(names, db.Quote(n))
		}
	}
	for _, c := range sh.Columns {
		names = append(names, db.Quote(c.Name))
	}
	return names
}

// writeSQL builds insert(row…), update(row…, recordSequence before) and remove(tenant, id, recordSequence
// before).
func writeSQL(sh *Shape) (insert, update, remove string) {
	names := sh.QuotedColumns()
	marks, sets := make([]string, len(names)), make([]string, 0, len(names))
	for i, n := range names {
		marks[i] = "$" + strconv.Itoa(i+1)
		if i >= 2 {
			sets = append(sets, n+" = "+marks[i])
		}
	}
	t := db.Quote(sh.Table)
	insert = "INSERT INTO " + t + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(marks, ", ") + ")"
	update = "UPDATE " + t + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2 AND sequence = $" +
		strconv.Itoa(len(names)+1)
	remove = "DELETE FROM " + t + " WHERE tenant = $1 AND id = $2 AND sequence = $3"
	return insert, update, remove
}

// addUniques lists the constraints: single fields first. Tenants are unique among each other, everything else
// within a tenant, and within an environment where there is one.
func addUniques(sh *Shape) {
	add := func(fields ...string) {
		u := Unique{Fields: fields}
		if !sh.Schema.Global {
			u.Columns = append(u.Columns, "tenant")
		}
		if sh.PerEnvironment && !slices.Contains(fields, "environment") {
			u.Columns = append(u.Columns, "environment")
		}
		for _, name := range fields {
			f, _ := sh.Schema.Field(name)
			col := sh.columnOf(name)
			if isSearchable(&f) {
				col += "_fold"
			}
			u.Columns = append(u.Columns, col)
			if !f.Required {
				u.Present = append(u.Present, col)
			}
		}
		u.Index = IndexName("u", sh.Table, strings.Join(u.Columns, "_"))
		sh.Uniques = append(sh.Uniques, u)
	}
	for _, f := range sh.Schema.Fields {
		if f.Unique {
			add(f.Name)
		}
	}
	for _, set := range sh.Schema.UniqueSets {
		add(set...)
	}
	if _, named := sh.Schema.Field(collection.TranslatedSlugsName); named {
		sh.Uniques = append(sh.Uniques, Unique{
			Members: true, Index: SlugMembersIndex, Columns: []string{"tenant", "field", "target"}, Fields: []string{collection.TranslatedSlugsName},
		})
	}
}

// computedExpr computes a field from other tables for the row called row, in one environment; without any it
// is null.
func computedExpr(f collection.Field, row, env string) string {
	if env != "test" && env != "live" { // not an argument: few texts are prepared once, and nothing else becomes one
		return "CAST(NULL AS bigint)"
	}
	stock := " FROM stock s WHERE s.tenant = " + row + ".tenant AND s.environment = '" + env + "' AND "
	switch f.Source {
	case ports.SourceLow:
		return "(CASE WHEN " + row + "." + lowStockColumn(env) + " THEN 1 ELSE 0 END)"
	case ports.SourceOnHand:
		return "(SELECT CAST(sum(s.on_hand) AS bigint)" + stock + "s.variant = " + row + ".id)"
	case ports.SourceTotalOnHand:
		return "(SELECT CAST(sum(s.on_hand) AS bigint)" + stock + "s.product = " + row + ".id)"
	case ports.SourceReserved:
		return "(SELECT CAST(sum(s.reserved) AS bigint)" + stock + "s.variant = " + row + ".id)"
	case ports.SourceDiscountCount:
		return "(SELECT count(*) FROM discount_uses u WHERE u.tenant = " + row + ".tenant AND u.environment = '" + env +
			"' AND u.discount = " + row + ".id AND u.placed)"
	}
	return "CAST(NULL AS bigint)"
}

// lowStockColumn is the column that is true while stock is low in env.
func lowStockColumn(env string) string {
	if env == "test" {
		return "low_test"
	}
	return "low_live"
}

// ShapeOf finds the table of a schema among those of a registry, by slug.
func ShapeOf(all map[string]*Shape, c *collection.Schema) (*Shape, error) {
	if sh := all[c.Slug]; sh != nil {
		return sh, nil
	}
	return nil, fmt.Errorf("collection %s is not in the registry of this store", c.Slug)
}

// Has reports whether sh has a query column of that name.
func (sh *Shape) Has(column string) bool {
	return slices.ContainsFunc(sh.Columns, func(c Column) bool { return c.Name == column })
}
