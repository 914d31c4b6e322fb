package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// built is the path of the tested server binary.
var built string

// TestMain builds the server as users run it: without cgo and without the race detector.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "cartwright-server-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(folder) }() // in a temporary place
		built = filepath.Join(folder, "cartwright")
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", built, "../cartwright")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

var noteSources sync.Once

// builtServer is the server's binary. It makes cached test results depend on the binary.
func builtServer(t *testing.T) string {
	t.Helper()
	noteSources.Do(func() { testservers.NoteSources(t, "../cartwright") })
	return built
}

// Every acknowledged change survives all faults, exactly once. The long version with more seeds is make
// torture.
func TestAcknowledgedChangesSurviveKills(t *testing.T) {
	t.Parallel()
	for i, s := range setups {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			s.binary, s.failpoints = builtServer(t), failpoints
			sum, err := torture(t.Context(), s, uint64(i+1), 8*time.Second, t.Logf)
			if err != nil {
				t.Fatal(err)
			}
			if sum.Adds == 0 || sum.Sales == 0 || sum.Canceled == 0 || sum.Operations == 0 || sum.Trades == 0 || sum.faultCount() == 0 {
				t.Fatalf("the run was too short to prove anything: %s", sum)
			}
			if o := sum.Office; o.Drafts == 0 || o.Delivered == 0 || o.Canceled == 0 || o.Returns == 0 {
				t.Fatalf("the run was too short to prove anything: %s", sum)
			}
			t.Log(sum)
		})
	}
}

// Every scenario in small, on one configuration. The large versions are make torture.
func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, sc := range scenarios {
		if sc.few == 0 {
			continue
		}
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := sc.setups[0]
			s.binary, s.failpoints = builtServer(t), failpoints
			figures, err := sc.run(t.Context(), s, 1, sc.few, t.Logf)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(figures)
		})
	}
}

// With any number of concurrent requests, on one server or two, with mailboxes or without, nothing is lost,
// duplicated or oversold, and no revision is skipped.
func TestConcurrentClients(t *testing.T) {
	t.Parallel()
	for _, s := range setups {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			s.binary, s.dir = builtServer(t), t.TempDir()
			st := newTestbed(t, s)
			for _, c := range concurrencyCases {
				t.Run(c.name, func(t *testing.T) {
					if err := c.run(t.Context(), st); err != nil {
						t.Error(err)
					}
				})
			}
			if err := st.checkDatabase(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// newTestbed starts a testbed, which runs until the test ends.
func newTestbed(t *testing.T, s configuration) *testbed {
	t.Helper()
	st, err := startTestbed(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.stop(); err != nil {
			t.Error(err)
		}
	})
	return st
}

// Every acknowledged change is synced to disk: changes that cannot share a sync cause one each.
func TestEveryAcknowledgementIsSynced(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]configuration{
		"SQLite":   {mailbox: "on", traced: true},
		"Postgres": {mailbox: "on", onPostgres: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.binary, s.dir = builtServer(t), t.TempDir()
			st := newTestbed(t, s)
			if err := st.checkEveryAckSynced(t.Context(), 60); err != nil {
				t.Fatal(err)
			}
		})
	}
}
