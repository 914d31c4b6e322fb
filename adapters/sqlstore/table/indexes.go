package table

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// IndexName makes a name that fits every database (63 bytes) and is the same on each run.
func IndexName(kind, table, columns string) string {
	name := kind + "_" + table + "_" + columns
	if len(name) <= 60 {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:48] + "_" + hex.EncodeToString(sum[:5])
}

// ListIndexes lists the indexes that serve filters and sorting: by creation, and every field marked Indexed. Each
// ends in the id, which breaks ties, and is read from its end for descending orders.
// On hot records an index may only have what their usual changes leave alone: any other would keep them from
// being updated in place.
func (sh *Shape) ListIndexes() (list [][]indexColumn) {
	lead := []indexColumn{{Name: "tenant"}}
	if sh.PerEnvironment {
		lead = append(lead, indexColumn{Name: "environment"})
	}
	on := func(column string) []indexColumn {
		return append(slices.Clone(lead), indexColumn{column, true}, indexColumn{Name: "id"})
	}
	list = append(list, on("created_at"))
	if f, ok := sh.Schema.Field("updatedAt"); ok && f.Indexed && !sh.Schema.FrequentlyUpdated {
		list = append(list, on("updated_at"))
	}
	for i := range sh.Columns {
		c := &sh.Columns[i]
		if f, ok := fieldAt(sh.Schema.Fields, c.path); ok && f.Indexed && !c.folded {
			list = append(list, on(c.Name))
		}
	}
	for _, l := range sh.ListedTexts {
		list = append(list, append(slices.Clone(lead), indexColumn{Name: l.Locales}, indexColumn{l.Column, true}, indexColumn{Name: "id"}))
	}
	for _, fields := range sh.Schema.ListIndexes {
		columns := lead
		for _, name := range fields {
			columns = append(slices.Clip(columns), indexColumn{Name: sh.columnOf(name)})
		}
		list = append(list, append(columns, indexColumn{Name: "created_at"}, indexColumn{Name: "id"}))
	}
	return list
}

// indexColumn is a column of an index.
type indexColumn struct {
	Name   string // unquoted
	sorted bool   // queries sort by it, and to them null is the smallest value
}

// Text is the column in the definition of an index. To SQLite null is the smallest value anyway.
func (c indexColumn) Text(d *db.Dialect) string {
	if c.sorted && d.Postgres {
		return db.Quote(c.Name) + " NULLS FIRST"
	}
	return db.Quote(c.Name)
}

// DeclaredIndex is the definition of an index that the schema declares: its columns, and which rows it is
// about.
func (sh *Shape) DeclaredIndex(x collection.Index) (columns, where string) {
	names := make([]string, len(x.Fields))
	for i, f := range x.Fields {
		names[i] = db.Quote(sh.columnOf(f))
	}
	columns = strings.Join(names, ", ")
	of := db.Quote(sh.columnOf(x.Only.Field))
	switch {
	case x.Only.Op == collection.Exists && x.Only.Value == true:
		where = " WHERE " + of + " IS NOT NULL"
	case x.Only.Op == collection.Exists:
		where = " WHERE " + of + " IS NULL"
	case x.Only.Op == collection.Equals:
		where = " WHERE " + of + " = '" + strings.ReplaceAll(x.Only.Value.(string), "'", "''") + "'"
	}
	return columns, where
}

// TransitionIndex are the columns of the index by which records with due transitions are found.
func (sh *Shape) TransitionIndex(f collection.Field) []string {
	at := f.Transition.At
	if sh.Schema.FrequentlyUpdated { // it moves with every change; the sweep looks among those old enough instead
		at = "createdAt"
	}
	return []string{sh.columnOf(f.Name), sh.columnOf(at)}
}

// CoveredByList reports whether one index of Schema.ListIndexes holds all that finding the rows of q takes.
func (sh *Shape) CoveredByList(q collection.Query) bool {
	var asked []collection.Field
	for _, o := range q.Sort {
		asked = append(asked, o.Path...)
	}
	asked, plain := FieldsOf(asked, q.Where)
	return plain && q.Where != nil && slices.ContainsFunc(sh.Schema.ListIndexes, func(fields []string) bool {
		return !slices.ContainsFunc(asked, func(f collection.Field) bool {
			return f.Name != "createdAt" && f.Name != "id" && !slices.Contains(fields, f.Name)
		})
	})
}

// FieldsOf appends the fields that a condition is about; plain is false when it searches words, or any
// member of a list.
func FieldsOf(all []collection.Field, cond collection.Cond) (_ []collection.Field, plain bool) {
	var conds []collection.Cond
	switch cond := cond.(type) {
	case collection.And:
		conds = cond
	case collection.Or:
		conds = cond
	case collection.Comparison:
		many := cond.Path[len(cond.Path)-1].Kind.Many()
		reads := cond.Op == collection.Like || cond.Op == collection.Contains && !many || cond.Op == collection.Exists && many
		return append(all, cond.Path...), !reads
	}
	for _, c := range conds {
		if all, plain = FieldsOf(all, c); !plain {
			return all, false
		}
	}
	return all, true
}

// fieldAt is the field at a path, in which a row is named by its id.
func fieldAt(fields []collection.Field, path []string) (collection.Field, bool) {
	if len(path) == 0 {
		return collection.Field{}, false
	}
	i := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == path[0] })
	switch {
	case i < 0:
		return collection.Field{}, false
	case len(path) == 1:
		return fields[i], true
	}
	rest := path[1:]
	if fields[i].Kind == collection.Array {
		rest = rest[1:]
	}
	return fieldAt(fields[i].Fields, rest)
}

// indexedNames are the columns of the table's indexes, unquoted.
func indexedNames(sh *Shape) []string {
	all := []string{"tenant", "id"}
	for _, columns := range sh.ListIndexes() {
		for _, c := range columns {
			all = append(all, c.Name)
		}
	}
	for _, u := range sh.Uniques {
		if !u.Members {
			all = append(all, u.Columns...)
		}
	}
	for _, f := range sh.Schema.Fields {
		if f.Transition != nil {
			all = append(all, sh.TransitionIndex(f)...)
		}
	}
	for _, x := range sh.Schema.Indexes {
		for _, f := range x.Fields {
			all = append(all, sh.columnOf(f))
		}
	}
	return all
}

// HotCollections are the slugs of the collections that change constantly.
func HotCollections(shapes []*Shape) (slugs []string) {
	for _, sh := range shapes {
		if sh.Schema.FrequentlyUpdated {
			slugs = append(slugs, sh.Schema.Slug)
		}
	}
	return slugs
}

// KeptCollections are the slugs of the collections whose events are kept as long as the shop.
func KeptCollections(shapes []*Shape) (slugs []string) {
	for _, sh := range shapes {
		if sh.Schema.KeepsHistory {
			slugs = append(slugs, sh.Schema.Slug)
		}
	}
	return slugs
}

// ExceptCollections is a condition on events that leaves out those of some collections: of hot ones the
// counts are not cached, so the index that lists read has none of their events, and on SQLite neither has the
// one by record. It is "" for none.
func ExceptCollections(slugs []string) string {
	parts := make([]string, len(slugs))
	for i, slug := range slugs {
		parts[i] = "collection <> '" + slug + "'"
	}
	return strings.Join(parts, " AND ")
}
