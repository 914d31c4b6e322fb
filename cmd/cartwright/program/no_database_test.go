package program

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// A command that is run in the wrong folder, or with the wrong address, makes no second shop there. Rule running-19.
func TestCommandsMakeNoDatabase(t *testing.T) {
	t.Parallel()
	commands := [][]string{
		{"doctor"}, {"doctor", "--money"}, {"tenant", "list"}, {"tenant", "create", "--name", "Shop", "--plan", "free"},
		{"user", "list"}, {"key", "list"}, {"usage"}, {"export"},
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		m := newCommandEnv(t)
		for _, args := range commands {
			if out, err := m.command(t, args...); err == nil {
				t.Errorf("%v succeeded: %s", args, out)
			}
			if found, err := filepath.Glob(filepath.Join(m.env["CARTWRIGHT_DATA"], "*.db*")); err != nil || len(found) > 0 {
				t.Errorf("%v made %v, %v", args, found, err)
			}
		}
		wrong := m.with("CARTWRIGHT_DATA", filepath.Join(m.env["CARTWRIGHT_DATA"], "typo"))
		if out, err := wrong.command(t, "tenant", "list"); !errors.Is(err, errNoDatabase) {
			t.Errorf("%v %s", err, out)
		}
		for _, args := range commands {
			if out, err := wrong.command(t, args...); err == nil {
				t.Errorf("%v succeeded: %s", args, out)
			}
		}
		if _, err := os.Stat(wrong.env["CARTWRIGHT_DATA"]); err == nil {
			t.Error("the folder was made")
		}
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testservers.Postgres(t)
		m := newCommandEnv(t).with("CARTWRIGHT_DATABASE_URL", url)
		for _, args := range commands {
			if out, err := m.command(t, args...); err == nil {
				t.Errorf("%v succeeded: %s", args, out)
			}
			if rows := testservers.InspectPostgres(t, url).Rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"); len(rows) > 0 {
				t.Errorf("%v made %v", args, rows)
			}
		}
	})
}
