//go:build unix

package program

import (
	"os"
	"syscall"
)

// lockFile takes f for this process until it is closed, without waiting.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
