package main

import "golang.org/x/sys/unix"

// diskSpace is what we may still write to the disk of a folder, and how much it holds, in bytes.
func diskSpace(folder string) (free, all uint64, err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(folder, &fs); err != nil {
		return 0, 0, err
	}
	size := uint64(fs.Bsize) //nolint:gosec // no block is smaller than nothing
	return fs.Bavail * size, fs.Blocks * size, nil
}

// openFiles is how many files this process may have open. Go raises it to the hard limit at the start.
func openFiles() (uint64, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return limit.Cur, err
}
