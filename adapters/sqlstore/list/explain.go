package list

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Explain is how the database would find the page of a list and count it, as the serving role sees it: for
// tests, and for whoever wonders about a slow one.
func (l *Finder) Explain(ctx context.Context, at At, q collection.Query) (plan string, err error) {
	f, err := l.query(ctx, at, q)
	if err != nil {
		return "", err
	}
	counted := slices.Clip(f.compiler.Args)
	for _, st := range []db.Stmt{{SQL: f.rows(f.compiler), Args: f.compiler.Args}, {SQL: "SELECT count(*)" + f.where, Args: counted}} {
		var lines []string
		if err := at.Session.Run(ctx, db.ExplainStmt(l.Dialect, st, &lines)); err != nil {
			return "", err
		}
		plan += strings.Join(lines, "\n") + "\n\n"
	}
	return plan, nil
}
