package figures

import (
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const (
	totals   = "totals"
	products = "products"
)

// kindOf is the rows that a grouping is read from.
func kindOf(g report.Grouping) string {
	if g == report.ByProduct {
		return products
	}
	return totals
}

// columns of report_figures that facts have, besides starts: what is told apart, and the sums.
const (
	keyColumns = "currency, market, provider, product"
	sumColumns = "orders, orders_canceled, ordered, units, units_canceled, payments, revenue, refunds, movements, told, settled, fees"
)

// sumsOf are the sums of rows.
var sumsOf = func() string {
	var all []string
	for name := range strings.SplitSeq(sumColumns, ", ") {
		all = append(all, "CAST(sum("+name+") AS bigint) AS "+name)
	}
	return strings.Join(all, ", ")
}()

// factsQuery makes the SQL of facts.
type factsQuery struct {
	dialect            *db.Dialect
	args               *db.Args
	tenant, env        string // bound
	days, since, until string // of the days that follow each other: a FROM item of them, and their moments, bound
}

func newFacts(d *db.Dialect, args *db.Args, t tenant.ID, env tenant.Environment) factsQuery {
	return factsQuery{dialect: d, args: args, tenant: args.Bind(string(t)), env: args.Bind(string(env))}
}

// of is a query with the columns starts, keyColumns and sumColumns for the facts of days, which come in order; rows are not
// added up. Days that follow each other are read as one range of an index, whose moments are constants: a database that knew
// only the days to join with could not tell how many facts these have.
func (q factsQuery) of(kind string, days []report.Bounds) string {
	var parts []string
	for first := 0; first < len(days); {
		end := first + 1
		for end < len(days) && days[end].Day == days[end-1].Day+1 {
			end++
		}
		run := q.within(days[first:end])
		if kind == products {
			parts = append(parts, run.lines())
		} else {
			parts = append(parts, run.money(), run.orders())
		}
		first = end
	}
	return strings.Join(parts, " UNION ALL ")
}

// within is q for days that follow each other.
func (q factsQuery) within(days []report.Bounds) factsQuery {
	rows := make([]string, len(days))
	for i, d := range days {
		rows[i] = "SELECT CAST(" + q.args.Bind(d.Day.String()) + " AS text) AS starts, " + q.moment(d.Since) + " AS since, " +
			q.moment(d.Until) + " AS until"
	}
	q.days = "(" + strings.Join(rows, " UNION ALL ") + ") d"
	q.since, q.until = q.moment(days[0].Since), q.moment(days[len(days)-1].Until)
	return q
}

// moment is t, bound.
func (q factsQuery) moment(t time.Time) string {
	return "CAST(" + q.args.Bind(t) + " AS " + q.time() + ")"
}

// during says that a column of times is within the days, and which of them it is.
func (q factsQuery) during(column string) string {
	return column + " >= " + q.since + " AND " + column + " < " + q.until + " AND " + column + " >= d.since AND " + column + " < d.until"
}

func (q factsQuery) time() string {
	if q.dialect.Postgres {
		return "timestamptz"
	}
	return "bigint"
}

// cameBack says that the charge e is no payment of a buyer, but money that had left the shop: see ports.ReversalReference and
// payment.Reversal.Reference.
const cameBack = "(e.reference LIKE 'reversed:%' OR e.reference LIKE 'returned:%')"

// market is what orders and money are of: that of the checkout, else of the draft.
const market = "COALESCE(c.market, f.market, '')"

// money is the facts of the ledger.
func (q factsQuery) money() string {
	const charge = "e.type = 'charge' AND NOT " + cameBack
	told := func(what string) string { return ", CASE WHEN t.currency = e.currency THEN " + what + " ELSE 0 END" }
	return "SELECT d.starts, e.currency, " + market + " AS market, e.provider, '' AS product, 0 AS orders, 0 AS orders_canceled, 0 AS ordered, " +
		"0 AS units, 0 AS units_canceled, CASE WHEN " + charge + " THEN 1 ELSE 0 END AS payments, CASE WHEN " + charge +
		" THEN e.minor ELSE 0 END AS revenue, CASE WHEN e.type = 'refund' THEN e.minor WHEN " + cameBack + " THEN -e.minor ELSE 0 END AS refunds, " +
		"1 AS movements" +
		told("1") + " AS told" + told("t.net") + " AS settled" + told("t.fee") + " AS fees " +
		"FROM " + q.days + " CROSS JOIN ledger_entries e " +
		"LEFT JOIN ledger_settlements t ON t.tenant = " + q.tenant + " AND t.entry = e.id " +
		"LEFT JOIN orders o ON o.tenant = " + q.tenant + " AND o.id = e.order_id " +
		"LEFT JOIN checkouts c ON c.tenant = " + q.tenant + " AND c.id = CASE WHEN e.checkout <> '' THEN e.checkout ELSE o.checkout END " +
		"LEFT JOIN draft_orders f ON f.tenant = " + q.tenant + " AND f.id = o.draft_order " +
		"WHERE e.tenant = " + q.tenant + " AND e.environment = " + q.env + " AND " + q.during("e.at")
}

// placed are the orders of the days, and those of them that count.
func (q factsQuery) placed() (from, where string) {
	return "FROM " + q.days + " CROSS JOIN orders o ",
		" WHERE o.tenant = " + q.tenant + " AND o.environment = " + q.env + " AND " + q.during("o.placed_at")
}

// isCanceled is 1 for an order that was canceled as a whole.
const isCanceled = "CASE WHEN o.status = 'canceled' THEN 1 ELSE 0 END"

// unitsCanceled is how many units of the line l were canceled.
func (q factsQuery) unitsCanceled() string {
	return "CASE WHEN o.status = 'canceled' THEN " + q.number("l.value", "quantity") + " - " + q.number("l.value", "fulfilledQuantity") +
		" ELSE " + q.number("l.value", "canceledQuantity") + " END"
}

// orders is the facts of orders.
func (q factsQuery) orders() string {
	sum := func(of string) string {
		return "COALESCE((SELECT CAST(sum(" + of + ") AS bigint) FROM " + q.linesOf() + "), 0)"
	}
	from, where := q.placed()
	return "SELECT d.starts, o.currency, " + market + ", '', '', 1, " + isCanceled + ", " + q.number(q.doc(), "totalAmount") + ", " +
		sum(q.number("l.value", "quantity")) + ", " + sum(q.unitsCanceled()) + ", 0, 0, 0, 0, 0, 0, 0 " + from +
		"LEFT JOIN checkouts c ON c.tenant = " + q.tenant + " AND c.id = o.checkout " +
		"LEFT JOIN draft_orders f ON f.tenant = " + q.tenant + " AND f.id = o.draft_order" + where
}

// lines is the facts of products: a row per order and product.
func (q factsQuery) lines() string {
	from, where := q.placed()
	product := "COALESCE(l.value->>'product', '')"
	return "SELECT d.starts, o.currency, '' AS market, '' AS provider, " + product + " AS product, 1 AS orders, " + isCanceled +
		" AS orders_canceled, CAST(sum(" + q.number("l.value", "total") + ") AS bigint) AS ordered, CAST(sum(" +
		q.number("l.value", "quantity") + ") AS bigint) AS units, CAST(sum(" + q.unitsCanceled() + ") AS bigint) AS units_canceled, " +
		"0 AS payments, 0 AS revenue, 0 AS refunds, 0 AS movements, 0 AS told, 0 AS settled, 0 AS fees " + from + "CROSS JOIN " + q.lateral() + q.linesOf() + where +
		" GROUP BY d.starts, o.currency, o.id, o.status, " + product
}

func (q factsQuery) doc() string {
	if q.dialect.Postgres {
		return "CAST(o.doc AS json)"
	}
	return "o.doc"
}

func (q factsQuery) lateral() string {
	if q.dialect.Postgres {
		return "LATERAL "
	}
	return ""
}

// linesOf is a FROM item with the lines of the order o.
func (q factsQuery) linesOf() string {
	if q.dialect.Postgres {
		return "json_array_elements(" + q.doc() + "->'lines') AS l(value)"
	}
	return "json_each(" + q.doc() + "->'lines') AS l"
}

// number is a whole number, or an amount in minor units, of a JSON object; 0 where it is missing.
func (q factsQuery) number(object, member string) string {
	return "COALESCE(CAST(" + object + "->>'" + member + "' AS bigint), 0)"
}
