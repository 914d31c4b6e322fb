package db

// ExplainStmt has the database explain its plan for st; the lines of its answer are added to lines.
func ExplainStmt(d *Dialect, st Stmt, lines *[]string) Stmt {
	st.OnRow = func(r Row) error {
		var line string
		var skipped any
		dest := []any{&line}
		if !d.Postgres {
			dest = []any{&skipped, &skipped, &skipped, &line}
		}
		err := r.Scan(dest...)
		*lines = append(*lines, line)
		return err
	}
	st.SQL = map[bool]string{true: "EXPLAIN ", false: "EXPLAIN QUERY PLAN "}[d.Postgres] + st.SQL
	return st
}
