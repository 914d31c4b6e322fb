package rest

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/problem"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Update says to write golden files anew; the tests from outside of the package ask it, too.
var Update = flag.Bool("update", false, "write golden files anew")

// TestReasons pins every reason a client can meet, with its status: they are part of the API. Run it with -update after
// declaring a fault, and review the difference.
func TestReasons(t *testing.T) {
	const file = "testdata/reasons.golden"
	kinds := map[string]fault.Kind{}
	var lines []string
	for _, f := range fault.Declared() {
		if k, twice := kinds[f.Reason]; twice && k != f.Kind {
			t.Errorf("%s has two kinds: %d and %d", f.Reason, k, f.Kind)
		}
		kinds[f.Reason] = f.Kind
		lines = append(lines, fmt.Sprintf("%s %d %s\n", f.Reason, errorForms[f.Kind].status, problem.Code(f.Kind)))
	}
	slices.Sort(lines)
	got := strings.Join(slices.Compact(lines), "")
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the reasons differ from %s; got:\n%s", file, got)
	}
}
