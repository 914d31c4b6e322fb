//go:build unix

package cartwright

import (
	"os"
	"syscall"
)

// lockFile takes the file for this process until it is closed; the system gives it back if the process dies.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

func syncFolder(dir *os.File) error { return dir.Sync() }
