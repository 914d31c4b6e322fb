package program

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// An import and a restore leave a database that is planned for by what is in it. What is as small as the demo shop has
// no statistics: they would have tables read whole while it grows.
func TestCommandsThatWriteMuchGatherStatistics(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	expect := func(m commandEnv, after string, want bool) {
		t.Helper()
		if n := statistics(t, m, "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'products'"); n > 0 != want {
			t.Errorf("after %s there are %d statistics", after, n)
		}
	}
	m.must(t, "demo")
	expect(m, "the demo", false)
	file := filepath.Join(t.TempDir(), "products.csv")
	text := "Handle,Title,Variant Price\n"
	for i := range 1000 {
		text += fmt.Sprintf("tea-%d,Tea %d,1000\n", i, i)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m.must(t, "import", file)
	expect(m, "an import", true)
	statistics(t, m, "DELETE FROM sqlite_stat1 RETURNING 1")
	backup := filepath.Join(t.TempDir(), "shop.tar.gz")
	m.must(t, "backup", backup)
	restored := m.with("CARTWRIGHT_DATA", filepath.Join(t.TempDir(), "restored"))
	restored.must(t, "restore", backup)
	expect(restored, "a restore", true)
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
