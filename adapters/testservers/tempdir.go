package testservers

import (
	"os"
	"syscall"
	"testing"
)

// sharedMemoryDir is where Linux offers a file system in memory, and roomy how much must be free there; containers often have little.
const (
	sharedMemoryDir = "/dev/shm"
	minFreeBytes    = 1 << 30
)

// FastTempDir is where to put temporary files whose syncs should cost nothing: in memory where there is room, else "", which is
// where temporary files go anyway.
func FastTempDir() string {
	if freeInMemory() < minFreeBytes {
		return ""
	}
	return sharedMemoryDir
}

// freeInMemory is how many bytes are free in the file system in memory; 0: there is none.
func freeInMemory() uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(sharedMemoryDir, &fs); err != nil || fs.Type != tmpfsMagic || fs.Bsize <= 0 {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}

// TempDir is a temporary folder of the test for SQLite files. SQLite syncs as often as ever, see TestDurabilityIsOn; what
// outlives a killed process is the same in memory and on disk.
func TempDir(t testing.TB) string {
	t.Helper()
	base := FastTempDir()
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
