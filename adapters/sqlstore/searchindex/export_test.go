package searchindex

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/ports"
)

// Plans are how the database finds what a look-up and a change ask for, as the role that serves, by name.
func (x Index) Plans(ctx context.Context, q ports.SearchQuery, ids []string) (map[string]string, error) {
	w := q.Query.Words[0]
	plans := map[string]string{}
	asked := map[string]db.Stmt{
		"walk": x.stmt(q, lookup{texts: w, window: ports.SearchWindow, ranked: true, top: q.Limit}), "check": x.check(q, w, ids),
		"one": {SQL: deleteRows.one, Args: append([]any{string(q.Tenant)}, row{}.values()...)},
	}
	own, parts := x.contributed(q.Tenant, ids)
	asked["own"], asked["parts"] = own, parts
	for name, st := range asked {
		err := x.db.Transact(ctx, ports.ForTenant(q.Tenant), func(ctx context.Context, on db.Session) error {
			var lines []string
			err := on.Run(ctx, db.ExplainStmt(x.db.Dialect, st, &lines))
			plans[name] = strings.Join(lines, "\n")
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// Word is a query of one word.
func Word(text string) search.Query { return search.Query{Words: []search.Word{{text}}} }
