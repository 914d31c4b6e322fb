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
func (f Figures) Tasks(ctx context.Context, t tenant.ID, env tenant.Environment, limit int) (r report.Tasks, err error) {
	st := tasksStmt(t, env, limit)
	_, err = db.QueryRow(ctx, f.session(t), []any{&r.ToPack, &r.ToShip, &r.WaitingForDeposit, &r.Attention, &r.LowStock, &r.ReturnsOpen},
		st.SQL, st.Args...)
	if err != nil {
		return report.Tasks{}, fmt.Errorf("count tasks: %w", err)
	}
	return r, nil
}

// tasksStmt is the statement of Tasks. Low stock is a flag for each environment.
func tasksStmt(t tenant.ID, env tenant.Environment, limit int) db.Stmt {
	low := "low_live"
	if env == tenant.Test {
		low = "low_test"
	}
	count := func(rows string) string { return "(SELECT count(*) FROM (" + rows + " LIMIT $3) x)" }
	of := func(table, where string) string {
		return "SELECT 1 FROM " + table + " r WHERE r.tenant = $1 AND r.environment = $2 AND " + where
	}
	lowIn := func(table string) string { return "SELECT 1 FROM " + table + " r WHERE r.tenant = $1 AND r." + low }
	text := "SELECT " + strings.Join([]string{
		count(of("orders", "r.status IN ('paid', 'authorized') AND r.hold IS NULL")),
		count(of("orders", "r.status = 'preparing' AND r.hold IS NULL")),
		count(of("payment_sessions", "r.status = 'processing' AND r.instructions_account IS NOT NULL")),
		count(of("payment_sessions", "r.status = 'requires_attention'")),
		count(lowIn("products") + " UNION ALL " + lowIn("product_variants")),
		count(of("return_requests", "r.status IN ('requested', 'approved', 'received')")),
	}, ", ")
	return db.Stmt{SQL: text, Args: []any{string(t), string(env), int64(limit)}}
}
