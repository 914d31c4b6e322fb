package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// binary builds the server as users run it: without cgo, without the race detector.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cartwright")
	build := exec.Command("go", "build", "-o", path, "../cartwright")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// Every acknowledged change survives whatever dies, once. The long version with more seeds is make torture.
func TestAcknowledgedChangesSurviveKills(t *testing.T) {
	server := binary(t)
	for name, s := range map[string]setup{
		"one server on SQLite":                    {mailbox: "on"},
		"two servers on Postgres":                 {mailbox: "on", onPostgres: true},
		"two servers on Postgres without mailbox": {mailbox: "off", onPostgres: true},
	} {
		t.Run(name, func(t *testing.T) {
			s.binary, s.failpoints = server, failpoints
			sum, err := torture(t.Context(), s, 1, 12*time.Second, t.Logf)
			if err != nil {
				t.Fatal(err)
			}
			if sum.Adds == 0 || sum.Sales == 0 || sum.Operations == 0 || sum.hits() == 0 {
				t.Fatalf("nothing was proven: %s", sum)
			}
			t.Log(sum)
		})
	}
}

// An acknowledgement means that the change was forced to disk: as many syncs as changes when none can share one.
func TestEveryAcknowledgementWasForcedToDisk(t *testing.T) {
	server := binary(t)
	for name, s := range map[string]setup{
		"SQLite":   {mailbox: "on", traced: true},
		"Postgres": {mailbox: "on", onPostgres: true},
	} {
		t.Run(name, func(t *testing.T) {
			s.binary, s.dir = server, t.TempDir()
			st, err := raise(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := st.end(); err != nil {
					t.Error(err)
				}
			})
			if err := st.everyAckSynced(t.Context(), 60); err != nil {
				t.Fatal(err)
			}
		})
	}
}
