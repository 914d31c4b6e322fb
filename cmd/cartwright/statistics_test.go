package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// The demo, an import and a restore leave a database that is planned for by what is in it.
func TestCommandsThatWriteMuchGatherStatistics(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	expect := func(m commandEnv, after string) {
		t.Helper()
		if n := statistics(t, m, "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'products'"); n == 0 {
			t.Errorf("no statistics after %s", after)
		}
	}
	m.must(t, "demo")
	expect(m, "the demo")
	statistics(t, m, "DELETE FROM sqlite_stat1 RETURNING 1")
	backup := filepath.Join(t.TempDir(), "shop.tar.gz")
	m.must(t, "backup", backup)
	file := filepath.Join(t.TempDir(), "products.csv")
	if err := os.WriteFile(file, []byte("Handle,Title,Variant Price\ntea,Tea,1000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.must(t, "import", file)
	expect(m, "an import")
	restored := m.with("CARTWRIGHT_DATA", filepath.Join(t.TempDir(), "restored"))
	restored.must(t, "restore", backup)
	expect(restored, "a restore")
}

// statistics runs a query that gives a number on the database of m.
func statistics(t *testing.T, m commandEnv, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(m.env["CARTWRIGHT_DATA"], "cartwright.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
