package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// built is where the server of all tests is.
var built string

// TestMain builds the server as users run it: without cgo, without the race detector.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "cartwright-server-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(folder) }() // in a temporary place
		if err := consult("../.."); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		built = filepath.Join(folder, "cartwright")
		build := exec.Command("go", "build", "-o", built, "../cartwright")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// consult looks at every source of the server: go test repeats a result from its cache as long as what the test looked at is
// the same, and knows nothing of what the test builds.
func consult(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == ".git" || name == "data"):
			return fs.SkipDir
		case filepath.Ext(name) == ".go" || name == "go.mod":
			_, err = os.Stat(path)
		}
		return err
	})
}

// Every acknowledged change survives whatever dies, once. The long version with more seeds is make torture.
func TestAcknowledgedChangesSurviveKills(t *testing.T) {
	for i, s := range setups {
		t.Run(s.String(), func(t *testing.T) {
			s.binary, s.failpoints = built, failpoints
			sum, err := torture(t.Context(), s, uint64(i+1), 8*time.Second, t.Logf)
			if err != nil {
				t.Fatal(err)
			}
			if sum.Adds == 0 || sum.Sales == 0 || sum.Canceled == 0 || sum.Operations == 0 || sum.hits() == 0 {
				t.Fatalf("nothing was proven: %s", sum)
			}
			if o := sum.Office; o.Drafts == 0 || o.Delivered == 0 || o.Canceled == 0 || o.Returns == 0 {
				t.Fatalf("nothing was proven: %s", sum)
			}
			t.Log(sum)
		})
	}
}

// Whatever the crowd, with one server or two, with mailboxes or without: nothing is lost, doubled or oversold, and no
// revision is skipped.
func TestCrowds(t *testing.T) {
	for _, s := range setups {
		t.Run(s.String(), func(t *testing.T) {
			s.binary, s.dir = built, t.TempDir()
			st := raised(t, s)
			for _, c := range crowds {
				t.Run(c.name, func(t *testing.T) {
					if err := c.play(t.Context(), st); err != nil {
						t.Error(err)
					}
				})
			}
			if err := st.audit(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// raised is a stage until the test ends.
func raised(t *testing.T, s setup) *stage {
	t.Helper()
	st, err := raise(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.end(); err != nil {
			t.Error(err)
		}
	})
	return st
}

// An acknowledgement means that the change was forced to disk: as many syncs as changes when none can share one.
func TestEveryAcknowledgementWasForcedToDisk(t *testing.T) {
	for name, s := range map[string]setup{
		"SQLite":   {mailbox: "on", traced: true},
		"Postgres": {mailbox: "on", onPostgres: true},
	} {
		t.Run(name, func(t *testing.T) {
			s.binary, s.dir = built, t.TempDir()
			st := raised(t, s)
			if err := st.everyAckSynced(t.Context(), 60); err != nil {
				t.Fatal(err)
			}
		})
	}
}
