package spreadsheet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// tempPrefix begins the name of everything that this package leaves somewhere for a while.
const tempPrefix = "cartwright-sheet-"

// createTempFile makes a file that nobody finds by its name, and that is gone with the process, however that ends. Systems that
// cannot do that keep its name until release.
func createTempFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return nil, fmt.Errorf("set the file aside: %w", err)
	}
	_ = os.Remove(f.Name()) // release tries again
	return f, nil
}

// removeTempFile lets go of a file that was set aside.
func removeTempFile(f *os.File) error {
	err := f.Close()
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Sweep takes away what processes that died left where files are set aside, if nobody touched it since before.
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
