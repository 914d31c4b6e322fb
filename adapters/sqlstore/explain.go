package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Explain is how the database would find the page of a list and count it, as the serving role sees it: for tests, and for
// whoever wonders about a slow one.
func (s *Store) Explain(ctx context.Context, scope ports.Scope, q collection.Query) (plan string, err error) {
	v := &view{s: s, scope: scope, on: &reads{s, scope}}
	sh, err := s.shape(q.Schema)
	if err != nil {
		return "", err
	}
	f := &finding{v: v, sh: sh, q: q, c: &compiler{v: v, env: v.environment(q.Environment), now: q.Now}}
	f.where = f.matching(f.c)
	counted := slices.Clip(f.c.a)
	for _, st := range []stmt{{sql: f.rows(f.c), args: f.c.a}, {sql: "SELECT count(*)" + f.where, args: counted}} {
		var lines []string
		if err := v.on.run(ctx, s.explained(st, &lines)); err != nil {
			return "", err
		}
		plan += strings.Join(lines, "\n") + "\n\n"
	}
	return plan, nil
}

// explained asks how the database would do st; the lines of its answer are added to lines.
func (s *Store) explained(st stmt, lines *[]string) stmt {
	st.each = func(r row) error {
		var line string
		var skipped any
		dest := []any{&line}
		if !s.d.postgres {
			dest = []any{&skipped, &skipped, &skipped, &line}
		}
		err := r.Scan(dest...)
		*lines = append(*lines, line)
		return err
	}
	st.sql = map[bool]string{true: "EXPLAIN ", false: "EXPLAIN QUERY PLAN "}[s.d.postgres] + st.sql
	return st
}
