package table

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// buildNarrowUpdate builds touch(row…, recordSequence before), for hot collections alone, and notes whose
// values it takes for granted. SQLite deletes and inserts the index entries of all columns that an update
// names, whether their values change or not: for carts that was a tenth of a commit. The shape has to be the
// same too, or what is left alone might be what another one made of it.
func buildNarrowUpdate(sh *Shape) {
	indexed, names := indexedNames(sh), sh.QuotedColumns()
	for _, n := range names {
		sh.isIndexed = append(sh.isIndexed, slices.Contains(indexed, strings.Trim(n, `"`)))
	}
	if !sh.Schema.FrequentlyUpdated {
		return
	}
	own := len(names) - len(sh.Columns)
	var sets []string
	for i, n := range names {
		switch left := slices.Contains(indexed, strings.Trim(n, `"`)); {
		case !left && n != db.Quote(VersionColumn):
			sets = append(sets, n+" = $"+strconv.Itoa(i+1))
		case left && i >= own:
			sh.indexedColumns = append(sh.indexedColumns, &sh.Columns[i-own])
		}
	}
	sh.NarrowUpdateSQL = "UPDATE " + db.Quote(sh.Table) + " SET " + strings.Join(sets, ", ") +
		" WHERE tenant = $1 AND id = $2 AND sequence = $" +
		strconv.Itoa(len(names)+1) + " AND " + VersionColumn + " = $" + strconv.Itoa(1+slices.Index(names, db.Quote(VersionColumn)))
}

// KeepsIndexedValues reports whether touch does for an update: what is indexed stays as it is.
func (sh *Shape) KeepsIndexedValues(before, after collection.Record) bool {
	if sh.NarrowUpdateSQL == "" || before.Text("environment") != after.Text("environment") ||
		!before.Time("createdAt").Equal(after.Time("createdAt")) {
		return false
	}
	same := func(text string) string { return text }
	for _, c := range sh.indexedColumns {
		if !collection.Equal(c.Value(sh.Schema, before, same), c.Value(sh.Schema, after, same)) {
			return false
		}
	}
	return true
}

// unchangedAt reports, of a column by its place in row, whether an update leaves its value as it is.
func unchangedAt(sh *Shape, names []string, c collection.Change) func(i int) bool {
	own := len(names) - len(sh.Columns)
	same := func(text string) string { return text }
	return func(i int) bool {
		switch {
		case i >= own:
			column := &sh.Columns[i-own]
			return collection.Equal(column.Value(sh.Schema, c.Before, same), column.Value(sh.Schema, c.After, same))
		case names[i] == db.Quote("environment"):
			return c.Before.Text("environment") == c.After.Text("environment")
		case names[i] == db.Quote("created_at"):
			return c.Before.Time("createdAt").Equal(c.After.Time("createdAt"))
		}
		return false
	}
}

// UpdateOf is the update of a row for change c, without the indexed columns that c leaves as they are. It
// affects no row that another version of the table wrote.
func (sh *Shape) UpdateOf(c collection.Change) string {
	names := sh.QuotedColumns()
	number, was := 1+slices.Index(names, db.Quote(VersionColumn)), len(names)+1
	stays := unchangedAt(sh, names, c)
	var sets []string
	for i, n := range names {
		if i+1 != number && i >= 2 && (!sh.isIndexed[i] || !stays(i)) {
			sets = append(sets, n+" = $"+strconv.Itoa(i+1))
		}
	}
	return "UPDATE " + db.Quote(sh.Table) + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2 AND sequence = $" +
		strconv.Itoa(was) + " AND " + VersionColumn + " = $" + strconv.Itoa(number)
}
