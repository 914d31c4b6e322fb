package program

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestCommandsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	timeout := errors.New("statement timeout")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"an invalid field": {
			fault.ErrValidation.WithFields(fault.Field{Field: "plan", Message: "No plan has this name."}),
			"The request has invalid fields. plan: No plan has this name.",
		},
		"an unavailable database, and why": {
			fmt.Errorf("read the keys: %w", fault.ErrUnavailable.WithCause(timeout)),
			"A part of the service is not reachable right now. Try again. (read the keys: unavailable: statement timeout)",
		},
		"an unavailable part": {fault.ErrUnavailable, "A part of the service is not reachable right now. Try again."},
		"what is not a fault": {timeout, "statement timeout"},
	} {
		if got := describeFault(c.err).Error(); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
