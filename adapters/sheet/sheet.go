// Package sheet reads and writes tables as files of spreadsheet programs: ports.Sheets for CSV and XLSX.
//
// Decisions. What a file is, its bytes say, not its name. Text is UTF-8 if all of it is valid UTF-8, with or without a byte
// order mark, else CP949, as Korean Windows writes it; what is neither is refused, as is anything with a zero byte (UTF-16,
// pictures, archives). Cells are separated by whichever of comma, semicolon and tab the first line has most of, for Excel
// writes what the country of its user has; comma if it has none. A quote that stands wrong spoils its row, not the file.
//
// Of a workbook the first sheet is read. A number in it reads as its digits, exactly as stored, whatever its format shows.
// Workbooks with a password and those of before 2007 are refused. They are unpacked on disk, and no further than some bounds:
// a small file may hold an endless one.
//
// CSV is written in UTF-8 with a byte order mark, and its lines end as those of Excel do. All columns of a workbook have the
// format text, so that what people type there stays as they typed it. Cells that begin like a formula are written behind an
// apostrophe in both, since people save one as the other; a line break in a cell is written as a line feed.
package sheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cartwright-dev/cartwright/ports"
)

// MaxSize is how many bytes a file that is read has at most: as other uploads. Contract 1.
const MaxSize = 25 << 20

// Files is ports.Sheets.
type Files struct {
	Dir string // where files are set aside while they are read and written; "" is the system's place
}

// The first bytes of what is not text.
var (
	zipMark = []byte("PK\x03\x04")
	oleMark = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") // Excel before 2007, and workbooks with a password
)

// Create implements ports.Sheets.
func (f Files) Create(to io.Writer, format ports.SheetFormat) (ports.SheetWriter, error) {
	switch format {
	case ports.CSV:
		return newCSVWriter(to)
	case ports.XLSX:
		return newWorkbookWriter(to, f.Dir)
	}
	return nil, fmt.Errorf("sheet: no format %q", format)
}

// Open implements ports.Sheets.
func (f Files) Open(from io.Reader) (_ ports.SheetReader, err error) {
	dir, err := os.MkdirTemp(f.Dir, "cartwright-sheet-")
	if err != nil {
		return nil, fmt.Errorf("set the file aside: %w", err)
	}
	a := &aside{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if err := a.take(from); err != nil {
		return nil, err
	}
	head := make([]byte, len(oleMark))
	n, err := a.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch head = head[:n]; {
	case n == 0:
		return nil, ports.ErrSheet.Saying("The file is empty.")
	case bytes.HasPrefix(head, zipMark):
		return openWorkbook(a)
	case bytes.Equal(head, oleMark):
		return nil, ports.ErrSheet.Saying("The workbook has a password, or the form of Excel before 2007. Save it as XLSX without a password, or as CSV.")
	}
	return openText(a)
}

// aside is a file that was taken in, in a folder of its own.
type aside struct {
	dir  string
	file *os.File
	size int64
	sum  string
}

// take writes from into the folder. Errors: ports.ErrSheetSize, those of from.
func (a *aside) take(from io.Reader) (err error) {
	if a.file, err = os.Create(filepath.Join(a.dir, "file")); err != nil {
		return fmt.Errorf("set the file aside: %w", err)
	}
	sum := sha256.New()
	if a.size, err = io.Copy(io.MultiWriter(a.file, sum), io.LimitReader(from, MaxSize+1)); err != nil {
		return err
	}
	if a.size > MaxSize {
		return ports.ErrSheetSize.Saying("The file is larger than %d MiB. Send it in parts.", MaxSize>>20)
	}
	a.sum = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// hide takes the name from a file that is open: nobody finds it any more, and it is gone with the process, however that
// ends. Systems that cannot do that keep it until it is closed.
func (a *aside) hide() { _ = os.Remove(a.file.Name()) }

// Sum implements ports.SheetReader.
func (a *aside) Sum() string { return a.sum }

// Close implements ports.SheetReader.
func (a *aside) Close() error {
	var errs []error
	if a.file != nil {
		errs = append(errs, a.file.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(a.dir))...)
}

// blank reports whether a row shows nothing.
func blank(cells []string) bool {
	for _, cell := range cells {
		if len(bytes.TrimSpace([]byte(cell))) > 0 {
			return false
		}
	}
	return true
}
