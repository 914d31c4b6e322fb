package productindex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// upserts are rows of a tenant on their way to a table, instead of those with the same key: one statement for all on Postgres, and one for
// each on SQLite.
type upserts struct {
	table string
	key   []string // columns with their types, besides the tenant
	value string   // column with its type

	columns db.ColumnArrays
	each    [][]any
}

func (u *upserts) add(id tenant.ID, first any, rest ...any) {
	u.columns.AddRow(first, rest...)
	u.each = append(u.each, append([]any{string(id), first}, rest...))
}

func (u *upserts) stmts(d *db.Dialect, id tenant.ID) (stmts []db.Stmt) {
	if len(u.each) == 0 {
		return nil
	}
	columns := append(slices.Clone(u.key), u.value)
	names, places := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], _, _ = strings.Cut(c, " ")
		places[i] = fmt.Sprintf("$%d", i+2) //nolint:mnd // after the tenant
	}
	last := len(names) - 1
	list := strings.Join(names, ", ")
	insert := "INSERT INTO " + u.table + " (tenant, " + list + ")"
	replace := " ON CONFLICT (tenant, " + strings.Join(names[:last], ", ") + ") DO UPDATE SET " + names[last] + " = excluded." + names[last]
	if d.Postgres {
		return []db.Stmt{{
			SQL:  insert + " SELECT $1, " + list + " FROM " + db.Unnest("d", columns, 2, "") + replace, //nolint:mnd // after the tenant
			Args: append([]any{string(id)}, u.columns.Columns(len(columns))...),
		}}
	}
	for _, args := range u.each {
		stmts = append(stmts, db.Stmt{SQL: insert + " VALUES ($1, " + strings.Join(places, ", ") + ")" + replace, Args: args})
	}
	return stmts
}
