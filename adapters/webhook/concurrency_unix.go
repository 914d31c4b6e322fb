//go:build linux || darwin

package webhook

import "syscall"

// openFileLimit is how many files this process may have open; 0: it is not known.
func openFileLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return limit.Cur
}
