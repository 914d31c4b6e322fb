package figures

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// change runs work in a transaction with the state of a tenant locked, so that changes of one shop's sums come one at a time.
func (f Figures) change(ctx context.Context, t tenant.ID, what string, work func(context.Context, db.Session, state) error) error {
	err := f.db.Transact(ctx, ports.ForTenant(t), func(ctx context.Context, on db.Session) error {
		if _, err := db.Exec(ctx, on, "INSERT INTO report_states (tenant, version, zone, barrier) VALUES ($1, 0, '', 0) ON CONFLICT DO NOTHING",
			string(t)); err != nil {
			return err
		}
		s, err := f.readState(ctx, on, t, f.db.Dialect.ForUpdate())
		if err != nil {
			return err
		}
		return work(ctx, on, s)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Reset implements ports.ReportSums.
func (f Figures) Reset(ctx context.Context, t tenant.ID, zone string) error {
	return f.change(ctx, t, "forget sums of reports", func(ctx context.Context, on db.Session, _ state) error {
		return on.Run(ctx,
			db.Stmt{SQL: "DELETE FROM report_figures WHERE tenant = $1", Args: []any{string(t)}},
			db.Stmt{
				SQL:  "UPDATE report_states SET version = version + 1, zone = $2, made = NULL, made_at = NULL WHERE tenant = $1",
				Args: []any{string(t), zone},
			})
	})
}

// Close implements ports.ReportSums.
func (f Figures) Close(ctx context.Context, t tenant.ID, until time.Time) error {
	return f.change(ctx, t, "close days of reports", func(ctx context.Context, on db.Session, s state) error {
		if !until.After(s.Closed) {
			return nil
		}
		_, err := db.Exec(ctx, on, "UPDATE report_states SET version = version + 1, closed = $2, barrier = 0 WHERE tenant = $1", string(t), until)
		return err
	})
}

// passBarrier reports whether every transaction has ended that may have recorded a fact without seeing what s has closed.
func (f Figures) passBarrier(ctx context.Context, on db.Session, t tenant.ID, s state) (passed bool, err error) {
	switch {
	case !f.db.Dialect.Postgres:
		return true, nil
	case s.barrier == 0:
		_, err = db.Exec(ctx, on, "UPDATE report_states SET barrier = CAST(CAST(pg_current_xact_id() AS text) AS bigint) WHERE tenant = $1", string(t))
		return false, err
	}
	_, err = db.QueryRow(ctx, on, []any{&passed},
		"SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) > $1", s.barrier)
	return passed, err
}

// Make implements ports.ReportSums.
func (f Figures) Make(
	ctx context.Context, t tenant.ID, was *report.Day, step report.Step, day report.Bounds, made time.Time,
) (done bool, err error) {
	err = f.change(ctx, t, "add up a day of reports", func(ctx context.Context, on db.Session, s state) (err error) {
		done = false
		same := was == nil && s.Made == nil || was != nil && s.Made != nil && *was == *s.Made
		if !same || made.After(s.Closed) {
			return nil
		}
		if passed, err := f.passBarrier(ctx, on, t, s); err != nil || !passed {
			return err
		}
		var stmts []db.Stmt
		if step.Has {
			stmts = f.dayStmts(t, day)
		}
		for _, month := range step.Months {
			stmts = append(stmts, monthStmts(t, month)...)
		}
		done = true
		return on.Run(ctx, append(stmts, db.Stmt{
			SQL:  "UPDATE report_states SET version = version + 1, made = $2, made_at = $3 WHERE tenant = $1",
			Args: []any{string(t), step.Made.String(), made},
		})...)
	})
	return done && err == nil, err
}

// dayStmts replace the rows of a day by what its facts come to.
func (f Figures) dayStmts(t tenant.ID, day report.Bounds) []db.Stmt {
	stmts := []db.Stmt{deleteStmt(t, "day", day.Day)}
	for _, env := range environments {
		for _, kind := range []string{totals, products} {
			var args db.Args
			facts := newFacts(f.db.Dialect, &args, t, env).of(kind, []report.Bounds{day})
			stmts = append(stmts, db.Stmt{
				SQL: insertInto + "SELECT $1, $2, '" + kind + "', 'day', starts, " + keyColumns + ", " + sumsOf + " FROM (" + facts +
					") facts GROUP BY starts, " + keyColumns,
				Args: args, CustomPlan: true,
			})
		}
	}
	return stmts
}

const insertInto = "INSERT INTO report_figures (tenant, environment, kind, span, starts, " + keyColumns + ", " + sumColumns + ") "

func deleteStmt(t tenant.ID, span string, starts report.Day) db.Stmt {
	return db.Stmt{
		SQL: "DELETE FROM report_figures WHERE tenant = $1 AND environment IN ('live', 'test') AND kind IN ('" + totals + "', '" + products +
			"') AND span = '" + span + "' AND starts = $2",
		Args: []any{string(t), starts.String()},
	}
}

// monthStmts replace the rows of a month by what its days come to.
func monthStmts(t tenant.ID, month report.Day) []db.Stmt {
	return []db.Stmt{deleteStmt(t, "month", month), {
		SQL: insertInto + "SELECT tenant, environment, kind, 'month', CAST($2 AS text), " + keyColumns + ", " + sumsOf +
			" FROM report_figures WHERE tenant = $1 AND environment IN ('live', 'test') AND kind IN ('" + totals + "', '" + products +
			"') AND span = 'day' AND starts >= $2 AND starts < $3 GROUP BY tenant, environment, kind, " + keyColumns,
		Args: []any{string(t), month.String(), month.NextMonth().String()},
	}}
}

// Remake implements ports.ReportSums.
func (f Figures) Remake(ctx context.Context, t tenant.ID, day report.Bounds, months []report.Day, late []ports.LateFact) error {
	return f.change(ctx, t, "add up a day of reports again", func(ctx context.Context, on db.Session, s state) error {
		var stmts []db.Stmt
		if s.Made != nil && day.Day < *s.Made { // else its facts are read until it is added up
			stmts = f.dayStmts(t, day)
			for _, month := range months {
				if month.NextMonth() <= *s.Made {
					stmts = append(stmts, monthStmts(t, month)...)
				}
			}
		}
		byEnvironment := map[tenant.Environment][]string{}
		for _, l := range late {
			byEnvironment[l.Environment] = append(byEnvironment[l.Environment], l.ID)
		}
		for _, env := range environments {
			if ids := byEnvironment[env]; len(ids) > 0 {
				stmts = append(stmts, db.Stmt{
					SQL:  "DELETE FROM report_late WHERE tenant = $1 AND environment = $2 AND " + f.db.Dialect.InList("fact", "$3"),
					Args: []any{string(t), string(env), ids},
				})
			}
		}
		return on.Run(ctx, append(stmts, db.Stmt{
			SQL: "UPDATE report_states SET version = version + 1 WHERE tenant = $1", Args: []any{string(t)},
		})...)
	})
}
