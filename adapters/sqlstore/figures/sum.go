package figures

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Sum implements ports.Reports. It is one statement, which sees one moment: beside the sums its first row has the version of
// the state and the number of late facts.
func (f Figures) Sum(
	ctx context.Context, t tenant.ID, env tenant.Environment, q ports.ReportQuery,
) (rows []report.Row, ok bool, err error) {
	st := f.sumStmt(t, env, q)
	st.OnRow = func(r db.Row) error {
		var kind, starts, currency string
		var x report.Row
		err := r.Scan(&kind, &starts, &currency, &x.Market, &x.Provider, &x.Product, &x.Orders, &x.OrdersCanceled, &x.Ordered, &x.Units,
			&x.UnitsCanceled, &x.Payments, &x.Revenue, &x.Refunds, &x.Movements, &x.Told, &x.Settled, &x.Fees)
		if err != nil {
			return err
		}
		if kind == "state" {
			ok = x.Orders == q.Version && x.OrdersCanceled == int64(q.Late)
			return nil
		}
		if starts != "" {
			if x.Starts, err = report.ParseDay("starts", starts); err != nil {
				return fmt.Errorf("a row of figures begins on %q", starts)
			}
		}
		x.Currency = money.Currency(currency)
		rows = append(rows, x)
		return nil
	}
	if err := f.session(t).Run(ctx, st); err != nil {
		return nil, false, fmt.Errorf("add up figures: %w", err)
	}
	return rows, ok, nil
}

// groupColumns are the columns that a grouping tells apart.
func groupColumns(g report.Grouping) map[string]bool {
	switch g {
	case report.ByDay, report.ByWeek, report.ByMonth:
		return map[string]bool{"starts": true}
	case report.ByMarket:
		return map[string]bool{"market": true}
	case report.ByProvider:
		return map[string]bool{"provider": true}
	case report.ByProduct:
		return map[string]bool{"product": true}
	case report.ByProviderAndDay:
		return map[string]bool{"starts": true, "provider": true}
	case report.ByAll, report.ByMonthAndAll:
		return map[string]bool{"starts": true, "market": true, "provider": true}
	case report.ByNothing:
	}
	return nil
}

// sumStmt is the statement of Sum.
func (f Figures) sumStmt(t tenant.ID, env tenant.Environment, q ports.ReportQuery) db.Stmt {
	var args db.Args
	facts := newFacts(f.db.Dialect, &args, t, env)
	kind := "'" + kindOf(q.Grouping) + "'"
	var sources []string
	for _, p := range q.Parts {
		span := "day"
		if p.Unit == report.Months {
			span = "month"
		}
		sources = append(sources, "SELECT starts, "+keyColumns+", "+sumColumns+" FROM report_figures WHERE tenant = "+facts.tenant+
			" AND environment = "+facts.env+" AND kind = "+kind+" AND span = '"+span+"' AND starts >= "+args.Bind(p.From.String())+
			" AND starts < "+args.Bind(p.Until.String()))
	}
	if len(q.Live) > 0 {
		sources = append(sources, "SELECT * FROM ("+facts.of(kindOf(q.Grouping), q.Live)+") live")
	}
	columns, group := []string{}, []string{"currency"}
	for _, name := range []string{"starts", "currency", "market", "provider", "product"} {
		switch told := groupColumns(q.Grouping)[name]; {
		case name == "currency":
			columns = append(columns, name)
		case told:
			columns, group = append(columns, name), append(group, name)
		default:
			columns = append(columns, "''")
		}
	}
	text := "SELECT 'state', '', '', '', '', '', COALESCE((SELECT version FROM report_states WHERE tenant = $1), 0), " +
		"(SELECT count(*) FROM report_late WHERE tenant = $1), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"
	if len(sources) > 0 {
		text += " UNION ALL SELECT 'row', " + strings.Join(columns, ", ") + ", " + sumsOf + " FROM (" +
			strings.Join(sources, " UNION ALL ") + ") s GROUP BY " + strings.Join(group, ", ")
	} else {
		args = args[:1]
	}
	return db.Stmt{SQL: text, Args: args, CustomPlan: true}
}
