package figures

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Tasks implements ports.Reports. It is one statement, which sees one moment.
func (f Figures) Tasks(
	ctx context.Context, t tenant.ID, env tenant.Environment, tasks []report.Task, limit int,
) (map[report.Task]int, error) {
	if len(tasks) == 0 {
		return map[report.Task]int{}, nil
	}
	counts, into := make([]int, len(tasks)), make([]any, len(tasks))
	for i := range counts {
		into[i] = &counts[i]
	}
	st := tasksStmt(t, env, tasks, limit)
	if _, err := db.QueryRow(ctx, f.session(t), into, st.SQL, st.Args...); err != nil {
		return nil, fmt.Errorf("count tasks: %w", err)
	}
	found := make(map[report.Task]int, len(tasks))
	for i, task := range tasks {
		found[task] = counts[i]
	}
	return found, nil
}

// tasksStmt is the statement of Tasks. Low stock is a flag for each environment.
func tasksStmt(t tenant.ID, env tenant.Environment, tasks []report.Task, limit int) db.Stmt {
	of := func(table, where string) string {
		return "SELECT 1 FROM " + table + " r WHERE r.tenant = $1 AND r.environment = $2 AND " + where
	}
	low := "low_live"
	if env == tenant.Test {
		low = "low_test"
	}
	lowIn := func(table string) string { // a statement names all of its arguments
		return "SELECT 1 FROM " + table + " r WHERE r.tenant = $1 AND r." + low + " AND $2 <> ''"
	}
	rows := map[report.Task]string{
		report.ToPack:            of("orders", "r.status IN ('paid', 'authorized') AND r.hold IS NULL"),
		report.ToShip:            of("orders", "r.status = 'preparing' AND r.hold IS NULL"),
		report.WaitingForDeposit: of("payment_sessions", "r.status = 'processing' AND r.instructions_account IS NOT NULL"),
		report.Attention:         of("payment_sessions", "r.status = 'requires_attention'"),
		report.LowStock:          lowIn("products") + " UNION ALL " + lowIn("product_variants"),
		report.ReturnsOpen:       of("return_requests", "r.status IN ('requested', 'approved', 'received')"),
	}
	counts := make([]string, len(tasks))
	for i, task := range tasks {
		counts[i] = "(SELECT count(*) FROM (" + rows[task] + " LIMIT $3) x)"
	}
	return db.Stmt{SQL: "SELECT " + strings.Join(counts, ", "), Args: []any{string(t), string(env), int64(limit)}}
}
