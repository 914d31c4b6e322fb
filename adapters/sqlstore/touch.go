package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// indexed are the columns on which an index of the table stands, unquoted.
func (sh *shape) indexed() []string {
	all := []string{"tenant", "id"}
	lists := sh.sorted()
	for _, u := range sh.uniques {
		lists = append(lists, u.columns)
	}
	for _, f := range sh.schema.Fields {
		if f.Lapses != nil {
			lists = append(lists, sh.lapsing(f))
		}
	}
	for _, columns := range lists {
		for _, c := range columns {
			name, _, _ := strings.Cut(c, " ") // the rest is its order
			all = append(all, strings.Trim(name, `"`))
		}
	}
	return all
}

// touches builds touch(row…, recordSequence before), for hot collections alone, and notes whose values it takes for granted.
// SQLite deletes and inserts the index entries of all columns that an update names, whether their values change or not:
// for carts that was a tenth of a commit. The shape has to be the same too, or what is left alone might be
// what another one made of it.
func (sh *shape) touches() {
	indexed, names := sh.indexed(), sh.names()
	for _, n := range names {
		sh.inIndex = append(sh.inIndex, slices.Contains(indexed, strings.Trim(n, `"`)))
	}
	if !sh.schema.Hot {
		return
	}
	own := len(names) - len(sh.columns)
	var sets []string
	for i, n := range names {
		switch left := slices.Contains(indexed, strings.Trim(n, `"`)); {
		case !left && n != quote(shapeColumn):
			sets = append(sets, n+" = $"+strconv.Itoa(i+1))
		case left && i >= own:
			sh.still = append(sh.still, &sh.columns[i-own])
		}
	}
	sh.touch = "UPDATE " + quote(sh.table) + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2 AND sequence = $" +
		strconv.Itoa(len(names)+1) + " AND " + shapeColumn + " = $" + strconv.Itoa(1+slices.Index(names, quote(shapeColumn)))
}

// keepsIndexed reports whether touch does for an update: what is indexed stays as it is.
func (sh *shape) keepsIndexed(before, after collection.Record) bool {
	if sh.touch == "" || before.Text("environment") != after.Text("environment") || !before.Time("createdAt").Equal(after.Time("createdAt")) {
		return false
	}
	same := func(text string) string { return text }
	for _, c := range sh.still {
		if !collection.Equal(c.value(sh.schema, before, same), c.value(sh.schema, after, same)) {
			return false
		}
	}
	return true
}

// narrowed is full, the update of a row on SQLite, without the indexed columns that stay as they are: an order stands in
// twenty indexes, of which most changes concern a few. A row that another shape wrote is updated in full.
func (t *txn) narrowed(ctx context.Context, sh *shape, c collection.Change, full stmt) stmt {
	names := sh.names()
	number, was := 1+slices.Index(names, quote(shapeColumn)), len(names)+1
	stays := sh.staying(names, c)
	var sets []string
	for i, n := range names {
		if i+1 != number && i >= 2 && (!sh.inIndex[i] || !stays(i)) {
			sets = append(sets, n+" = $"+strconv.Itoa(i+1))
		}
	}
	text := "UPDATE " + quote(sh.table) + " SET " + strings.Join(sets, ", ") + " WHERE tenant = $1 AND id = $2 AND sequence = $" +
		strconv.Itoa(was) + " AND " + shapeColumn + " = $" + strconv.Itoa(number)
	return stmt{sql: text, args: full.args, done: func(n int64) error {
		if n > 0 {
			return nil
		}
		return t.inner.run(ctx, full)
	}}
}

// staying reports, of a column by its place in row, whether an update leaves its value as it is.
func (sh *shape) staying(names []string, c collection.Change) func(i int) bool {
	own := len(names) - len(sh.columns)
	same := func(text string) string { return text }
	return func(i int) bool {
		switch {
		case i >= own:
			column := &sh.columns[i-own]
			return collection.Equal(column.value(sh.schema, c.Before, same), column.value(sh.schema, c.After, same))
		case names[i] == quote("environment"):
			return c.Before.Text("environment") == c.After.Text("environment")
		case names[i] == quote("created_at"):
			return c.Before.Time("createdAt").Equal(c.After.Time("createdAt"))
		}
		return false
	}
}

// touching has a step's update leave the indexes alone. A row that an older or a newer program wrote is updated in full.
func (p *pending) touching(ctx context.Context, on session, stmts []stmt) []stmt {
	for i, full := range stmts {
		if p.touches && full.sql == p.shape.update {
			stmts[i] = stmt{sql: p.shape.touch, args: full.args, done: func(n int64) error {
				if n > 0 {
					return nil
				}
				return on.run(ctx, full)
			}}
		}
	}
	return stmts
}
