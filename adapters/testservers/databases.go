package testservers

import "testing"

// OnBothDatabases runs a test in parallel with others, once with SQLite and once with Postgres.
func OnBothDatabases(t *testing.T, sqlite, postgres func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		sqlite(t)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		postgres(t)
	})
}
