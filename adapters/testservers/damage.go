package testservers

import (
	"database/sql"
	"testing"
)

// DamageRecord cuts off the end of the stored document of a record, as nothing of the product does. Driver and source
// are those of a database ("sqlite" with a file, or "pgx" with a URL).
func DamageRecord(t testing.TB, driver, source, table, id string) {
	t.Helper()
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if driver == "sqlite" { // the server at it writes now and then
		if _, err := db.ExecContext(t.Context(), "PRAGMA busy_timeout = 5000"); err != nil {
			t.Fatal(err)
		}
	}
	done, err := db.ExecContext(t.Context(), `UPDATE "`+table+`" SET doc = substr(doc, 1, length(doc) - 1) WHERE id = $1`, id)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		t.Fatal(n, err)
	}
}

// Damage cuts off the end of the stored document of a record.
func (w Inspector) Damage(table, id string) {
	w.t.Helper()
	DamageRecord(w.t, w.driver, w.source, table, id)
}
