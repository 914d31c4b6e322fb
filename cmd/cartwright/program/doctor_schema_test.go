package program

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestDoctorDoesNotMigrateSQLite(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "migrate")
	file := filepath.Join(m.env["CARTWRIGHT_DATA"], storeFile)
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"DELETE FROM migrations", `DROP TABLE "products"`} {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"doctor"}, {"doctor", "--money"}} {
		out, err := m.command(t, args...)
		if err == nil || !strings.Contains(out+err.Error(), "run cartwright migrate") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, before) {
		t.Errorf("doctor changed the database file: %v", err)
	}
	m.must(t, "migrate")
	m.must(t, "doctor")
}

func TestDoctorDoesNotMigratePostgres(t *testing.T) {
	t.Parallel()
	url := migratedDB.Postgres(t)
	on, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close(t.Context())
	if _, err := on.Exec(t.Context(), `DROP TABLE "products" CASCADE; SET ROLE cartwright_system; DELETE FROM migrations; RESET ROLE`); err != nil {
		t.Fatal(err)
	}
	tables := func() (text string) {
		t.Helper()
		err := on.QueryRow(t.Context(),
			`SELECT string_agg(table_name || '.' || column_name, ' ' ORDER BY 1, 2) || (SELECT count(*) FROM pg_indexes)
			FROM (SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, 2) AS c`).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	before := tables()
	out, err := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", url).command(t, "doctor")
	if err == nil || !strings.Contains(out, "run cartwright migrate") {
		t.Errorf("%v\n%s", err, out)
	}
	if tables() != before {
		t.Error("doctor changed the tables")
	}
}
