package db

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"
)

// ArraysCTE declares a CTE over arrays bound from $from on, one per column ("name type"), and returns the
// next free mark. See Unnest for position.
func ArraysCTE(name string, columns []string, from int, position string) (text string, next int) {
	return name + " AS MATERIALIZED (SELECT * FROM " + Unnest(name, columns, from, position) + ")", from + len(columns)
}

// Unnest is the table of the arrays bound from $from on, one per column ("name type"). A last column, called
// position, counts the rows from 1 unless position is "".
func Unnest(name string, columns []string, from int, position string) string {
	marks, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		column, typ, _ := strings.Cut(c, " ")
		marks[i], names[i] = fmt.Sprintf("$%d::%s[]", from+i, typ), column
	}
	ordinality, aliases := "", strings.Join(names, ", ")
	if position != "" {
		ordinality, aliases = " WITH ORDINALITY", aliases+", "+position
	}
	return "unnest(" + strings.Join(marks, ", ") + ")" + ordinality + " AS " + name + "(" + aliases + ")"
}

// ColumnArrays is rows on their way into arrays of columns.
type ColumnArrays struct{ cols []pgtype.FlatArray[any] }

// AddRow adds a row; all have the same number of values.
func (t *ColumnArrays) AddRow(first any, rest ...any) {
	if t.cols == nil {
		t.cols = make([]pgtype.FlatArray[any], 1+len(rest))
	}
	t.cols[0] = append(t.cols[0], first)
	for i, v := range rest {
		t.cols[i+1] = append(t.cols[i+1], v)
	}
}

// Empty reports whether no row was added.
func (t *ColumnArrays) Empty() bool { return t.cols == nil }

// Columns are the arrays as bind arguments; width counts the columns of a table without rows.
func (t *ColumnArrays) Columns(width int) []any {
	if t.cols == nil {
		t.cols = make([]pgtype.FlatArray[any], width)
	}
	args := make([]any, len(t.cols))
	for i, c := range t.cols {
		args[i] = c
	}
	return args
}
