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

// Inspector reads a database directly, past the store and row-level security: every row of every table. No
// other test may use the database.
type Inspector struct {
	t              testing.TB
	db             *sql.DB
	tables         string // query that lists the tables
	driver, source string // to write
}

// InspectSQLite opens a database file; the driver "sqlite" must be registered.
func InspectSQLite(t testing.TB, file string) Inspector {
	t.Helper()
	return inspect(t, "sqlite", file, "file:"+file+"?mode=ro", "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
}

// InspectPostgres opens a database made by Postgres.
func InspectPostgres(t testing.TB, url string) Inspector {
	t.Helper()
	return inspect(t, "pgx", url, url,
		"SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'")
}

func inspect(t testing.TB, driver, source, readOnly, tables string) Inspector {
	t.Helper()
	db, err := sql.Open(driver, readOnly)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // it was only read
	return Inspector{t, db, tables, driver, source}
}

// minTables is the least number of tables: a snapshot that misses most of them proves nothing.
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

// Bounds on waiting for a stable snapshot.
const (
	maxPolls     = 100
	pollInterval = 50 * time.Millisecond
)

// StableSnapshot is the snapshot once background work after a commit is done, such as numbering events.
func (w Inspector) StableSnapshot() map[string]string {
	w.t.Helper()
	last := w.Snapshot()
	for range maxPolls {
		time.Sleep(pollInterval) // the store works in another goroutine
		now := w.Snapshot()
		if maps.Equal(last, now) {
			return now
		}
		last = now
	}
	w.t.Fatal("the database keeps changing")
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
