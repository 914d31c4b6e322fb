package testservers

import (
	"os"
	"syscall"
	"testing"
)

// sharedMemoryDir is Linux's file system in memory, and roomy the free space it must have; in containers it
// is often small.
const (
	sharedMemoryDir = "/dev/shm"
	minFreeBytes    = 1 << 30
)

// FastTempDir is a parent folder for temporary files whose syncs should cost nothing: in memory where there
// is room, else "", the default.
func FastTempDir() string {
	if freeInMemory() < minFreeBytes {
		return ""
	}
	return sharedMemoryDir
}

// freeInMemory is the number of free bytes of the file system in memory; 0 without one.
func freeInMemory() uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(sharedMemoryDir, &fs); err != nil || fs.Type != tmpfsMagic || fs.Bsize <= 0 {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}

// TempDir is a temporary folder of the test for SQLite files. SQLite syncs as usual, see TestDurabilityIsOn;
// after a killed process, files in memory and on disk have the same contents.
func TempDir(t testing.TB) string {
	t.Helper()
	base := FastTempDir()
	if base == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(base, "cartwright-") //nolint:usetesting // t.TempDir cannot be moved into memory
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
