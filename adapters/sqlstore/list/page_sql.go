package list

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// wayToPage is how the rows of a page are found, as far as the database is not to choose: Postgres knows a tally's
// counts only by estimate, and only while its statistics are fresh and it plans anew for each range, which takes as
// long as reading the page.
type wayToPage struct {
	indexOrder string // read rows in the order of this field's index until the page is full; "": not so
	sorted     bool   // find all that match by the index that covers the list, and sort them
}

// planned reports whether one plan is right for all values that a list compares with.
func (w wayToPage) planned() bool { return w.indexOrder != "" || w.sorted }

// walkedRow is what it costs to read a row in the order of an index, in entries of another one that are read and sorted.
const walkedRow = 5

// cursorIndexMin is the number of matching rows from which reading them in order is faster than sorting them
// all.
const cursorIndexMin = 2000

// wayToPage chooses it.
func (k *cachedList) wayToPage() wayToPage {
	switch {
	case k.readsOnFromCursor(), k.lists.Dialect.Postgres && k.walks():
		return wayToPage{indexOrder: k.q.Sort[0].Path[0].Name}
	case k.lists.Dialect.Postgres && k.q.Limit > 0 && k.cursor == nil && k.ranged != nil && !k.ranged.place.isTooLarge():
		return wayToPage{sorted: k.sh.CoveredByList(k.q)}
	}
	return wayToPage{}
}

// sortIndexed reports whether an index has the order of the first sort key.
func (k *cachedList) sortIndexed() bool {
	return len(k.q.Sort) > 0 && len(k.q.Sort[0].Path) == 1 && k.q.Sort[0].Path[0].Indexed
}

// readsOnFromCursor reports whether to continue from the cursor in the order of an index: when many rows match, the
// next ones are near in it.
func (k *cachedList) readsOnFromCursor() bool {
	return k.cursor != nil && k.sortIndexed() && *k.total >= max(cursorIndexMin, 100*int64(k.q.Limit))
}

// walks reports whether reading all rows in the order of the list until the page is full costs less than sorting those
// that match.
func (k *cachedList) walks() bool {
	if k.ranged == nil || k.total == nil || *k.total == 0 || k.q.Limit == 0 || k.cursor != nil || !k.sortIndexed() {
		return false
	}
	t := k.ranged.place.current()
	if t == nil || t.records < 0 {
		return false
	}
	passed := (k.offset() + int64(k.q.Limit)) * max(t.records, *k.total) / *k.total
	return k.q.Sort[0].Path[0].Name == k.ranged.field.Name || passed*walkedRow <= *k.total
}

// pageSQL selects the page. When it is not the first one, or an index covers the list, a subquery finds the
// ids first, which reads fewer rows of the table; not when the rows are read in the order of an index anyway.
// A page that starts at a cursor begins with overlap() rows too many.
func (k *cachedList) pageSQL(c *table.Compiler, where string, way wayToPage) string {
	if k.texts != nil {
		return k.pageOfTextsFromCursor(c)
	}
	var order string
	if k.cursor == nil {
		order = k.orderLimit(c, k.q.Limit, k.offset())
	} else {
		where += k.afterCursor(c, k.cursor)
		order = k.orderLimit(c, k.limitFromCursor(), 0)
	}
	inOrder := way.indexOrder != "" && (k.cursor != nil || k.offset() == 0)
	if inOrder || !way.planned() && k.q.Page <= 1 && !k.sh.CoveredByList(k.q) {
		return "SELECT " + k.sh.SelectColumns(c.Env, k.lists.Dialect) + where + order
	}
	if way.sorted {
		where = " FROM (SELECT *" + where + " OFFSET 0) r"
	}
	return k.rowsOf(c, "SELECT r.id"+where+order, c.Order(k.sh, k.q.Sort))
}

// limitFromCursor is how many rows to read from the cursor on.
func (k *cachedList) limitFromCursor() int {
	return k.q.Limit + (k.overlap()+k.q.Limit-1)/k.q.Limit*k.q.Limit // few different ones
}

// rowsOf selects the rows r whose ids a statement k selects, in an order.
func (f *listQuery) rowsOf(c *table.Compiler, ids, order string) string {
	row := db.Quote(f.sh.Table) + " r WHERE r.tenant = " + c.Tenant + " AND r.id = k.id"
	if f.lists.Dialect.Postgres { // it starts from the wrong side while it takes the table for a small one
		row = "LATERAL (SELECT * FROM " + row + " OFFSET 0) r"
	}
	return "SELECT " + f.sh.SelectColumns(c.Env, f.lists.Dialect) + " FROM (" + ids + ") k CROSS JOIN " + row + " ORDER BY " + order
}
