package testservers

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Inspector is a database that nobody else uses, seen from beside the store and past all security: every row of every table.
type Inspector struct {
	t      testing.TB
	db     *sql.DB
	tables string // lists them
}

// InspectSQLite looks at a database file; the driver "sqlite" has to be there.
func InspectSQLite(t testing.TB, file string) Inspector {
	t.Helper()
	return inspect(t, "sqlite", "file:"+file+"?mode=ro", "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
}

// InspectPostgres looks at a database that Postgres made.
func InspectPostgres(t testing.TB, url string) Inspector {
	t.Helper()
	return inspect(t, "pgx", url, "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'")
}

func inspect(t testing.TB, driver, at, tables string) Inspector {
	t.Helper()
	db, err := sql.Open(driver, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // it was only read
	return Inspector{t, db, tables}
}

// minTables is how many tables there are at least: a look that misses most of them proves nothing.
const minTables = 20

// Snapshot is every row of every table, by table.
func (w Inspector) Snapshot() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, table := range w.Rows(w.tables) {
		rows := w.Rows(`SELECT * FROM "` + table + `"`)
		slices.Sort(rows)
		all[table] = strings.Join(rows, "\n")
	}
	if len(all) < minTables {
		w.t.Fatalf("only %v is seen", slices.Sorted(maps.Keys(all)))
	}
	return all
}

// Rows reads all columns of all rows of a query as text.
func (w Inspector) Rows(query string) (list []string) {
	w.t.Helper()
	rows, err := w.db.QueryContext(w.t.Context(), query)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }() // it was only read
	columns, err := rows.Columns()
	if err != nil {
		w.t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			w.t.Fatal(err)
		}
		texts := make([]string, len(values))
		for i, v := range values {
			if raw, ok := v.([]byte); ok {
				v = string(raw)
			}
			texts[i] = fmt.Sprint(v)
		}
		list = append(list, strings.Join(texts, "|"))
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return list
}

// How long a database may take to come to rest.
const (
	maxPolls     = 100
	pollInterval = 50 * time.Millisecond
)

// StableSnapshot is the snapshot once what follows a commit is done: events get their numbers afterwards.
func (w Inspector) StableSnapshot() map[string]string {
	w.t.Helper()
	last := w.Snapshot()
	for range maxPolls {
		time.Sleep(pollInterval) // another goroutine of the store works
		now := w.Snapshot()
		if maps.Equal(last, now) {
			return now
		}
		last = now
	}
	w.t.Fatal("the database does not come to rest")
	return nil
}

// ChangedTables names the tables that differ from before.
func (w Inspector) ChangedTables(before map[string]string) (tables []string) {
	w.t.Helper()
	for table, rows := range w.Snapshot() {
		if before[table] != rows {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}
