package program

import (
	"bytes"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/order"
)

func TestStatesCommand(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"": order.Table(), "text": order.Table(), "mermaid": order.Mermaid(), "svg": ""} {
		var out bytes.Buffer
		cmd := process{out: &out, log: &out}.commands()
		cmd.SetArgs([]string{"states"})
		if format != "" {
			cmd.SetArgs([]string{"states", "--format", format})
		}
		if err := cmd.ExecuteContext(t.Context()); (err != nil) != (want == "") || err == nil && out.String() != want {
			t.Errorf("%q: %v %s", format, err, out.String())
		}
	}
}
