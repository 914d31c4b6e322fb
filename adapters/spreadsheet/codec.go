// Package spreadsheet reads and writes tables as files of spreadsheet programs: ports.Spreadsheets for CSV and XLSX.
//
// Decisions. What a file is, its bytes say, not its name. Text is UTF-8 if all of it is valid UTF-8, with or without a byte
// order mark, else CP949, as Korean Windows writes it; what is neither is refused, as is anything with a zero byte (UTF-16,
// pictures, archives). Cells are separated by whichever of comma, semicolon and tab the first line has most of, for Excel
// writes what the country of its user has; comma if it has none. A quote that stands wrong spoils its row, not the file.
//
// Of a workbook the first sheet is read, by excelize. It gets no more than that sheet, the shared texts and what leads to
// them, after a scan of ours has found nothing in them that would cost it more than they weigh: see workbook_scan.go. They
// are in memory while the file is open, unpacked, the rows one at a time. A number reads as its digits, exactly as stored,
// whatever its format shows. Workbooks with a password and those of before 2007 are refused, and so are those that unpack to
// too much: a small file may hold an endless one.
//
// With a byte order mark text is UTF-8 or damaged, and never CP949.
//
// CSV is written in UTF-8 with a byte order mark, and its lines end as those of Excel do. All columns of a workbook have the
// format text, so that what people type there stays as they typed it. Cells that begin like a formula are written behind an
// apostrophe in both, since people save one as the other, and so are parts of cells behind semicolons, tabs and line feeds:
// where those separate cells, they begin one. A line break in a cell is written as a line feed.
//
// A row has at most 256 KiB of text and 256 cells, without the empty ones at its end, and a cell of a workbook the 32,767
// characters of Excel. A file with more is refused as a whole, for it is not what it says, and its bytes cost many times what
// they weigh. What is set aside has no name while it is open, so that a process that dies leaves nothing; where the system
// does not allow that, and for workbooks being written, Sweep clears up.
package spreadsheet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cartwright-dev/cartwright/ports"
)

// What a row may have. Spreadsheets have room for more, files for carriers have no use for it.
const (
	maxRecord   = 256 << 10 // bytes of a row
	maxCells    = 256       // up to the last that says something
	maxCellTags = 16_384    // cells of a row in a workbook, empty ones too: Excel's own bound
	maxRows     = 1 << 20   // of a sheet, empty ones too: Excel's own bound
)

// errTooManyRows says that a file has more rows than Excel has.
var errTooManyRows = ports.ErrSpreadsheetTooLarge.WithMessage("The file has more than %d rows, the empty ones among them. Send it in parts.", maxRows)

func rowTooLong(row int) error {
	return ports.ErrSpreadsheetTooLarge.WithMessage("Row %d is longer than %d KiB. If it should not be, a quote before it is not closed, or it repeats a long text.", row, maxRecord>>10)
}

func rowTooWide(row int) error {
	return ports.ErrSpreadsheetTooLarge.WithMessage("Row %d has more than %d cells. Remove the extra columns.", row, maxCells)
}

// MaxSize is how many bytes a file that is read has at most: as other uploads. Rule api-7.
const MaxSize = 25 << 20

// Codec is ports.Spreadsheets.
type Codec struct {
	TempDir string // where files are set aside while they are read and written; "" is the system's place
}

// The first bytes of what is not text.
var (
	zipMark = []byte("PK\x03\x04")
	oleMark = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") // Excel before 2007, and workbooks with a password
)

// Create implements ports.Spreadsheets.
func (f Codec) Create(to io.Writer, format ports.SpreadsheetFormat) (ports.SpreadsheetWriter, error) {
	switch format {
	case ports.CSV:
		return newCSVWriter(to)
	case ports.XLSX:
		return newWorkbookWriter(to, f.TempDir)
	}
	return nil, fmt.Errorf("sheet: no format %q", format)
}

// Open implements ports.Spreadsheets.
func (f Codec) Open(from io.Reader) (_ ports.SpreadsheetReader, err error) {
	a := &tempFile{dir: f.TempDir}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if err := a.copyFrom(from); err != nil {
		return nil, err
	}
	head := make([]byte, len(oleMark))
	n, err := a.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch head = head[:n]; {
	case n == 0:
		return nil, ports.ErrSpreadsheetUnreadable.WithMessage("The file is empty.")
	case bytes.HasPrefix(head, zipMark):
		return openWorkbook(a)
	case bytes.Equal(head, oleMark):
		return nil, ports.ErrSpreadsheetUnreadable.WithMessage("The workbook is password-protected or in the pre-2007 Excel format. Save it as XLSX without a password, or as CSV.")
	}
	return openText(a)
}

// tempFile is a file that was taken in.
type tempFile struct {
	dir  string // where it is set aside
	file *os.File
	size int64
	sum  string
}

// copyFrom sets from aside. Errors: ports.ErrSpreadsheetTooLarge, those of from.
func (a *tempFile) copyFrom(from io.Reader) (err error) {
	if a.file, err = createTempFile(a.dir); err != nil {
		return err
	}
	sum := sha256.New()
	if a.size, err = io.Copy(io.MultiWriter(a.file, sum), io.LimitReader(from, MaxSize+1)); err != nil {
		return err
	}
	if a.size > MaxSize {
		return ports.ErrSpreadsheetTooLarge.WithMessage("The file is larger than %d MiB. Send it in parts.", MaxSize>>20)
	}
	a.sum = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// Checksum implements ports.SpreadsheetReader.
func (a *tempFile) Checksum() string { return a.sum }

// Close implements ports.SpreadsheetReader.
func (a *tempFile) Close() error {
	if a.file == nil {
		return nil
	}
	return removeTempFile(a.file)
}

// trimRow is a row up to the last cell that says something, nil if it shows nothing.
func trimRow(cells []string) []string {
	last := len(cells)
	for last > 0 && cells[last-1] == "" {
		last--
	}
	for _, cell := range cells[:last] {
		if strings.TrimSpace(cell) != "" {
			return cells[:last]
		}
	}
	return nil
}
