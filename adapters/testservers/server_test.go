package testservers_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// Commits before a SIGKILL survive the restart, at the same URL.
func TestKilledPostgresRecovers(t *testing.T) {
	t.Parallel()
	s, err := testservers.StartPostgres(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	conn := connect(t, s.URL) // its backend must die with the server
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept AS SELECT 1"); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	if _, err := conn.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("a backend survived the kill")
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := connect(t, s.URL).Exec(t.Context(), "SELECT * FROM kept"); err != nil {
		t.Error(err)
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}
