package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver
	_ "modernc.org/sqlite"             // registers the driver
)

// dialect is the SQL that differs between the two databases.
type dialect struct {
	series string // rows g with a number i from $1 on, $2 of them
	stamp  string // creation time of product i, as in its document
	moment string // the same as in its column
}

// Product i was created ten seconds after the previous one.
const second = "(1764600000 + (g.i - 10000000) * 10)"

var (
	onPostgres = dialect{
		series: "generate_series(%d::bigint, %d::bigint) AS g(i)",
		stamp:  `to_char(to_timestamp(` + second + `) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
		moment: "to_timestamp(" + second + ")",
	}
	onSQLite = dialect{
		series: "(WITH RECURSIVE s(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT i FROM s) AS g",
		stamp:  "strftime('%Y-%m-%dT%H:%M:%fZ', " + second + ", 'unixepoch')",
		moment: second + " * 1000",
	}
)

// seedTables are the tables of a product in the order they are filled, each with the condition of the
// template's rows.
var seedTables = []struct{ name, template string }{
	{"products", "id = {product}"},
	{"product_variants", "id = {variant}"},
	{"stock", "variant = {variant}"},
	{"events", "record IN ({product}, {variant})"},
}

// seed copies the product of every tenant until each has that many: rows, stock and events are those of the
// first product, with other ids, serials, prices, statuses and times.
func (c *catalog) seed(ctx context.Context, db *sql.DB, d dialect) error {
	errs := make([]error, len(seedTables))
	var all sync.WaitGroup
	for i, t := range seedTables { // as many concurrently as db has connections
		all.Go(func() { errs[i] = c.seedTable(ctx, db, d, t.name, t.template) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (c *catalog) seedTable(ctx context.Context, db *sql.DB, d dialect, table, template string) error {
	columns, err := columnsOf(ctx, db, table)
	if err != nil {
		return err
	}
	for _, s := range c.stores {
		if err := s.copies(ctx, db, d, table, template, columns, c.each); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

func columnsOf(ctx context.Context, db *sql.DB, table string) (columns []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT * FROM `+table+` LIMIT 0`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
	return rows.Columns()
}

func (s store) copies(ctx context.Context, db *sql.DB, d dialect, table, template string, columns []string, each int) error {
	names := strings.NewReplacer("{product}", quoteSQL(s.product), "{variant}", quoteSQL(s.variant))
	exprs := make([]string, len(columns))
	for i, column := range columns {
		exprs[i] = s.seeded(d, table, column)
	}
	text := "INSERT INTO " + table + ` ("` + strings.Join(columns, `", "`) + `") SELECT ` + strings.Join(exprs, ", ") +
		" FROM " + fmt.Sprintf(d.series, firstSerial, firstSerial+each-1) + " CROSS JOIN " + table + " t WHERE t.tenant = " +
		quoteSQL(s.tenant) + " AND t." + names.Replace(template)
	_, err := db.ExecContext(ctx, text)
	return err
}

// seeded is the value of a column in a copy.
func (s store) seeded(d dialect, table, column string) string {
	const price, status = "(1000 + (g.i * 7919) % 100000)",
		"CASE WHEN g.i % 4 < 2 THEN 'published' WHEN g.i % 4 = 2 THEN 'draft' ELSE 'unlisted' END"
	of := `t."` + column + `"`
	text := "replace(replace(replace(" + of + ", " + quoteSQL(s.product) + ", '" + s.products + "' || g.i), " + quoteSQL(s.variant) +
		", '" + s.variants + "' || g.i), '" + marker + "', '' || g.i)"
	switch column {
	case "created_at", "updated_at", "occurred_at":
		return d.moment
	case "status":
		return status
	case "price":
		if table == "products" {
			return price + " * 10000"
		}
	case "id":
		if table == "events" {
			return "substr(t.id, 1, 28) || g.i"
		}
		return text
	case "sequence": // the log of SQLite, which copies are not part of
		if table == "events" {
			return "-(g.i * 100 + t.sequence)"
		}
	case "slug", "slug_fold", "name", "name_fold", "product", "variant", "record":
		return text
	case "doc":
		text = "replace(" + text + `, '"price":` + strconv.Itoa(markedPrice) + `', '"price":' || ` + price + ")"
		text = "replace(" + text + `, '"status":"published"', '"status":"' || ` + status + ` || '"')`
		return "replace(" + text + ", " + quoteSQL(s.stamp) + ", " + d.stamp + ")"
	}
	return of
}

func quoteSQL(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
