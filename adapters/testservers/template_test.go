package testservers_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// A test gets an unchanged copy, whatever the previous test did to its rows, its tables or its connections.
func TestTemplateCopiesMatch(t *testing.T) {
	const made = `CREATE TABLE kept (n int PRIMARY KEY); CREATE TABLE refers (n int REFERENCES kept); INSERT INTO kept VALUES (1), (2);
		CREATE TABLE "Empty" (n int); CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN RAISE 'no'; END $f$;
		CREATE TRIGGER no BEFORE DELETE ON "Empty" FOR EACH ROW EXECUTE FUNCTION no()`
	template := testservers.Template{Fill: func(url string) error {
		conn, err := pgx.Connect(context.Background(), url)
		if err == nil {
			_, err = conn.Exec(context.Background(), made)
		}
		if err == nil {
			err = conn.Close(context.Background())
		}
		return err
	}}
	var urls []string
	for _, change := range []string{
		`INSERT INTO "Empty" VALUES (1); INSERT INTO refers VALUES (1)`, "BEGIN; DELETE FROM kept",
		"DELETE FROM kept WHERE n = 1; UPDATE kept SET n = 5", "ALTER TABLE refers ADD COLUMN m int",
		"ALTER TABLE kept ENABLE ROW LEVEL SECURITY", `DROP TRIGGER no ON "Empty"`, "CREATE INDEX ON refers (n)", "SELECT 1",
	} {
		t.Run(change, func(t *testing.T) {
			url := template.Postgres(t)
			urls = append(urls, url)
			conn, err := pgx.Connect(t.Context(), url) // left open
			if err != nil {
				t.Fatal(err)
			}
			var sum, none int
			if err := conn.QueryRow(t.Context(), `SELECT sum(n), (SELECT count(*) FROM "Empty") + (SELECT count(*) FROM refers) FROM kept`).
				Scan(&sum, &none); err != nil || sum != 3 || none != 0 {
				t.Errorf("got %d and %d, %v", sum, none, err)
			}
			var columns, triggers, secured, indexes int
			if err := conn.QueryRow(t.Context(),
				`SELECT (SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public'), (SELECT count(*) FROM pg_trigger WHERE tgname = 'no'),
				(SELECT count(*) FROM pg_class WHERE relrowsecurity), (SELECT count(*) FROM pg_indexes WHERE schemaname = 'public')`).Scan(&columns, &triggers, &secured, &indexes); err != nil ||
				columns != 3 || triggers != 1 || secured != 0 || indexes != 1 {
				t.Errorf("got %d columns, %d triggers, %d secured, %d indexes, %v", columns, triggers, secured, indexes, err)
			}
			if _, err := conn.Exec(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		})
	}
	if len(urls) > 3 && (urls[0] != urls[1] || urls[0] != urls[3] || urls[3] == urls[4] || urls[4] == urls[5]) {
		t.Errorf("copies are not reused, or changed ones are: %v", urls)
	}
}
