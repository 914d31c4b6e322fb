//go:build linux || darwin

package webhook

import "syscall"

// openFileLimit is the limit of open files of this process; 0: unknown.
func openFileLimit() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return limit.Cur
}
