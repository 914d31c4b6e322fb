package program

import "golang.org/x/sys/unix"

// diskSpace is the free and the total bytes of a folder's disk.
func diskSpace(folder string) (free, all uint64, err error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(folder, &fs); err != nil {
		return 0, 0, err
	}
	size := uint64(fs.Bsize) //nolint:gosec // block sizes are positive
	return fs.Bavail * size, fs.Blocks * size, nil
}

// openFiles is the limit of open files of this process. Go raises it to the hard limit at the start.
func openFiles() (uint64, error) {
	var limit unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit)
	return limit.Cur, err
}
