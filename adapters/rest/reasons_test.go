package rest

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/problem"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Update makes tests write their golden files, in this package and in rest_test.
var Update = flag.Bool("update", false, "write the golden files")

// TestReasons compares all reasons and their statuses, which are part of the API, with a golden file. Run it
// with -update after declaring a fault, and review the difference.
func TestReasons(t *testing.T) {
	const file = "testdata/reasons.golden"
	kinds := map[string]fault.Kind{}
	var lines []string
	for _, f := range fault.Declared() {
		if k, twice := kinds[f.Reason]; twice && k != f.Kind {
			t.Errorf("%s has two kinds: %d and %d", f.Reason, k, f.Kind)
		}
		kinds[f.Reason] = f.Kind
		if (f.Kind == fault.Invalid) != (f.About != "") {
			t.Errorf("%s: an invalid request says which input it is about, others do not: %q", f.Reason, f.About)
		}
		lines = append(lines, fmt.Sprintf("%s %d %s\n", f.Reason, errorForms[f.Kind].status, problem.Code(f.Kind)))
	}
	for _, reason := range idempotency.StorableReasons() {
		switch kind, declared := kinds[reason]; {
		case !declared:
			t.Errorf("%s may be stored, and nothing declares it", reason)
		case kind != fault.Conflict && kind != fault.Unprocessable && kind != fault.NotFound && kind != fault.Invalid:
			t.Errorf("%s may be stored, and may end otherwise next time", reason)
		}
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
