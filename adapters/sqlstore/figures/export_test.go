package figures

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var allTasks = []report.Task{
	report.ToPack, report.ToShip, report.WaitingForDeposit, report.Attention, report.LowStock, report.ReturnsOpen,
}

// Plans are how the database finds what reports ask for, by the name of the question. Tables with few rows are read by index,
// too, where there is one.
func (f Figures) Plans(ctx context.Context, t tenant.ID, q ports.ReportQuery, day report.Bounds) (map[string]string, error) {
	asked := map[string]db.Stmt{
		"first order": {SQL: firstOrder, Args: []any{string(t), "live", day.Since}},
		"first money": {SQL: firstMoney, Args: []any{string(t), "live", day.Since}},
		"tasks":       tasksStmt(t, tenant.Live, allTasks, 9),
	}
	for _, g := range []report.Grouping{report.ByNothing, report.ByDay, report.ByProduct} {
		q.Grouping = g
		asked["sum "+string(g)] = f.sumStmt(t, tenant.Live, q)
	}
	for _, st := range f.dayStmts(t, day) {
		asked[st.SQL] = st
	}
	for _, st := range monthStmts(t, day.Day.Month()) {
		asked[st.SQL] = st
	}
	plans := map[string]string{}
	for name, st := range asked {
		err := f.db.Transact(ctx, ports.ForTenant(t), func(ctx context.Context, on db.Session) error {
			var lines []string
			var stmts []db.Stmt
			if f.db.Dialect.Postgres {
				stmts = append(stmts, db.Stmt{SQL: "SET LOCAL enable_seqscan = off"})
			}
			err := on.Run(ctx, append(stmts, db.ExplainStmt(f.db.Dialect, st, &lines))...)
			plans[name] = strings.Join(lines, "\n")
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// AddOlderRow adds a row as a server of a version without movements adds it.
func (f Figures) AddOlderRow(ctx context.Context, t tenant.ID, day report.Day) error {
	return f.db.Transact(ctx, ports.ForTenant(t), func(ctx context.Context, on db.Session) error {
		_, err := db.Exec(ctx, on, "INSERT INTO report_figures (tenant, environment, kind, span, starts, "+keyColumns+
			", orders, orders_canceled, ordered, units, units_canceled, payments, revenue, refunds) "+
			"VALUES ($1, 'live', 'totals', 'day', $2, 'EUR', '', 'p', '', 0, 0, 0, 0, 0, 1, 9, 0)", string(t), day.String())
		return err
	})
}
