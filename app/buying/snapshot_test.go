package buying_test

import (
	"database/sql"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// whole is a database that nobody else uses, seen from beside the store and past all security.
type whole struct {
	t      testing.TB
	db     *sql.DB
	tables string // lists them
}

// alone runs a rule on a SQLite file and on a Postgres database of its own, whose every row can be looked at.
func alone(t *testing.T, rule func(t *testing.T, b *bed, all whole)) {
	t.Parallel()
	see := func(t *testing.T, driver, at, tables string) whole {
		t.Helper()
		db, err := sql.Open(driver, at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() }) // it was only read
		return whole{t, db, tables}
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(suite.dir, "alone-"+newID()+".db")
		b := newBed(t, openStore(suite, sqlstore.Options{Path: file}))
		rule(t, b, see(t, "sqlite", "file:"+file+"?mode=ro", "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testservers.Postgres(suite)
		b := newBed(t, openStore(suite, sqlstore.Options{URL: url, Connections: 8}))
		rule(t, b, see(t, "pgx", url, "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"))
	})
}

// snapshot is every row of every table, by table.
func (w whole) snapshot() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, table := range w.rows(w.tables) {
		rows := w.rows(`SELECT * FROM "` + table + `"`)
		slices.Sort(rows)
		all[table] = strings.Join(rows, "\n")
	}
	if len(all) < 20 {
		w.t.Fatalf("only %v is seen", slices.Sorted(maps.Keys(all)))
	}
	return all
}

// rows reads all columns of all rows as text.
func (w whole) rows(query string) (list []string) {
	w.t.Helper()
	rows, err := w.db.QueryContext(w.t.Context(), query)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
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

// settled is the snapshot once what follows a commit is done: events get their numbers afterwards.
func (w whole) settled() map[string]string {
	w.t.Helper()
	last := w.snapshot()
	for range 100 {
		time.Sleep(50 * time.Millisecond) // another goroutine of the store works
		now := w.snapshot()
		if maps.Equal(last, now) {
			return now
		}
		last = now
	}
	w.t.Fatal("the database does not come to rest")
	return nil
}

// changed names the tables that differ from before.
func (w whole) changed(before map[string]string) (tables []string) {
	w.t.Helper()
	for table, rows := range w.snapshot() {
		if before[table] != rows {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}

// hang is a provider's address where nobody ever answers; calls counts who asked.
func hang(t *testing.T) (url string, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() {
		close(ended)
		server.Close()
	})
	return server.URL, calls
}
