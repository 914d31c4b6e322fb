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
	if !sh.schema.Hot {
		return
	}
	indexed, names := sh.indexed(), sh.names()
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
