package testservers

import (
	"os"
	"syscall"
	"testing"
)

// memory is where Linux offers a file system in memory, and roomy how much must be free there; containers often have little.
const (
	memory = "/dev/shm"
	roomy  = 1 << 30
)

// Swift is where to put temporary files whose syncs should cost nothing: in memory where there is room, else "", which is
// where temporary files go anyway.
func Swift() string {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memory, &fs); err != nil || fs.Type != tmpfs || fs.Bavail*uint64(fs.Bsize) < roomy {
		return ""
	}
	return memory
}

// Folder is a temporary folder of the test for SQLite files. SQLite syncs as often as ever, see TestDurabilityIsOn; what
// outlives a killed process is the same in memory and on disk.
func Folder(t testing.TB) string {
	t.Helper()
	base := Swift()
	if base == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(base, "cartwright-") //nolint:usetesting // t.TempDir knows one place only
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
