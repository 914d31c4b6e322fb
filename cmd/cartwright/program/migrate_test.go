package program

import (
	"bytes"
	"strings"
	"testing"
)

func TestMigrateDryRunChangesNothing(t *testing.T) {
	t.Parallel()
	run := func(data string, args ...string) string {
		var out bytes.Buffer
		p := process{out: &out, log: &out, getenv: func(name string) string {
			return map[string]string{"CARTWRIGHT_DATA": data}[name]
		}}
		cmd := p.commands()
		cmd.SetArgs(args)
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	data := t.TempDir()
	first := run(data, "migrate", "--dry-run")
	if !strings.Contains(first, `CREATE TABLE "products"`) || run(data, "migrate", "--dry-run") != first {
		t.Error(first)
	}
	run(data, "migrate")
	if again := run(data, "migrate", "--refill"); again != upToDate+"\n" {
		t.Error(again)
	}
	if after := run(data, "migrate", "--dry-run"); after != "-- "+upToDate+"\n" {
		t.Error(after)
	}
}
