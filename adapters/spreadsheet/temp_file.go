package spreadsheet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// tempPrefix is the prefix of temporary files.
const tempPrefix = "cartwright-sheet-"

// createTempFile makes a file without a name, which disappears with the process however it ends. Systems that
// cannot do that keep the name until release.
func createTempFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return nil, fmt.Errorf("set the file aside: %w", err)
	}
	_ = os.Remove(f.Name()) // release tries again
	return f, nil
}

// removeTempFile closes and removes a temporary file.
func removeTempFile(f *os.File) error {
	err := f.Close()
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Sweep deletes temporary files that processes left behind, if they were not modified since before.
func (f Codec) Sweep(before time.Time) error {
	dir := f.TempDir
	if dir == "" {
		dir = os.TempDir()
	}
	left, err := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	if err != nil {
		return err
	}
	for _, name := range left {
		if info, stat := os.Lstat(name); stat == nil && info.ModTime().Before(before) {
			err = errors.Join(err, os.RemoveAll(name))
		}
	}
	return err
}
