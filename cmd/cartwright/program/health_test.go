package program

import (
	"slices"
	"strings"
	"testing"
)

// The health command checks a running server, without a shell.
func TestHealthCommand(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	s := m.serve(t)
	address := strings.TrimPrefix(s.url, "http://")
	for _, more := range []string{"", "--ready"} {
		if out := m.with("CARTWRIGHT_ADDR", strings.Replace(address, "127.0.0.1", "0.0.0.0", 1)).must(t, slices.DeleteFunc([]string{
			"health", more,
		}, func(a string) bool { return a == "" })...); !strings.Contains(out, `"status":"ok"`) {
			t.Errorf("health %s prints %s", more, out)
		}
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if out, err := m.command(t, "health", "--addr", address); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("the health of a stopped server: %v %s", err, out)
	}
}
