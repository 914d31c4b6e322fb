package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Explain is how the database would find the page of a list and count it, as the serving role sees it: for tests, and for
// whoever wonders about a slow one.
func (s *Store) Explain(ctx context.Context, scope ports.Scope, q collection.Query) (plan string, err error) {
	v := s.engine.view(scope)
	sh, err := s.engine.shape(q.Schema)
	if err != nil {
		return "", err
	}
	f := &listQuery{view: v, sh: sh, q: q, compiler: v.compiler(q)}
	f.where = f.fromWhere(f.compiler)
	counted := slices.Clip(f.compiler.Args)
	for _, st := range []db.Stmt{{SQL: f.rows(f.compiler), Args: f.compiler.Args}, {SQL: "SELECT count(*)" + f.where, Args: counted}} {
		var lines []string
		if err := v.session.Run(ctx, explainStmt(s.engine.dialect, st, &lines)); err != nil {
			return "", err
		}
		plan += strings.Join(lines, "\n") + "\n\n"
	}
	return plan, nil
}

// explainStmt has the database explain its plan for st; the lines of its answer are added to lines.
func explainStmt(d *db.Dialect, st db.Stmt, lines *[]string) db.Stmt {
	st.OnRow = func(r db.Row) error {
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
