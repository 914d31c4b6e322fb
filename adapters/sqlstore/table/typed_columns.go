package table

import (
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// TypedColumns lists the columns of row with the type their array is bound as.
func (sh *Shape) TypedColumns() []string {
	types := map[string]string{"sequence": "bigint", VersionColumn: "bigint", "created_at": "timestamptz", "updated_at": "timestamptz"}
	for _, c := range sh.Columns {
		types[c.Name] = map[string]string{"TEXT": "text", "BIGINT": "bigint", "TIMESTAMP": "timestamptz", "BOOLEAN": "boolean"}[c.Type]
	}
	list := sh.QuotedColumns()
	for i, quoted := range list {
		typ := types[strings.Trim(quoted, `"`)]
		if typ == "" {
			typ = "text"
		}
		list[i] = quoted + " " + typ
	}
	return list
}

// UpdateManySQL is the update of many rows, each if its record sequence is still the first of its values.
func (sh *Shape) UpdateManySQL() string {
	return "UPDATE " + db.Quote(sh.Table) + " c SET " + sh.AssignFrom("f") + " FROM " +
		db.Unnest("f", append([]string{"_was bigint"}, sh.TypedColumns()...), 1, "") +
		" WHERE c.tenant = f.tenant AND c.id = f.id AND c.sequence = f._was"
}

// AssignFrom assigns all columns but the key from a table with columns of the same names.
func (sh *Shape) AssignFrom(name string) string {
	var sets []string
	for _, column := range sh.QuotedColumns()[2:] {
		sets = append(sets, column+" = "+name+"."+column)
	}
	return strings.Join(sets, ", ")
}
