package program

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// failpoint parses CARTWRIGHT_FAILPOINT, "name" or "name:n": the process kills itself the n-th time it
// reaches that point, like a power cut. Crash tests prove with it that a restart recovers. Nil when the
// variable is not set.
func failpoint(spec string) (func(string), error) {
	if spec == "" {
		return nil, nil
	}
	name, text, counted := strings.Cut(spec, ":")
	left := new(atomic.Int64)
	left.Store(1)
	if counted {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("CARTWRIGHT_FAILPOINT: %q is not a positive count", text)
		}
		left.Store(n)
	}
	return func(point string) {
		if point == name && left.Add(-1) == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // the process ends here
		}
	}, nil
}
