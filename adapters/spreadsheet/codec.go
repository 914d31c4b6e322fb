// Package spreadsheet reads and writes tables as files of spreadsheet programs: ports.Spreadsheets for CSV and XLSX.
//
// Decisions. The format of a file is detected by its bytes, not its name. Text is UTF-8 if all of it is valid
// UTF-8, with or without a byte order mark, else CP949, as Korean Windows writes it; other text is refused,
// as is anything with a zero byte (UTF-16, images, archives). The separator is whichever of comma, semicolon
// and tab is most frequent in the first line, since Excel's depends on the user's country; comma if there is
// none. A misplaced quote invalidates its row, not the file.
//
// Of a workbook the first sheet is read, row by row, after a scan has checked that it and the texts that it shares cannot
// cost much more memory than their size: see workbook_scan.go. Texts stay in memory while the file is open. A number is read
// with its stored digits, regardless of its display format. Workbooks with a password, those of before 2007, and those that
// unpack to too much are refused: a small file may unpack endlessly. The code is ours, on archive/zip and encoding/xml:
// excelize, which it is compared with in tests, calculates formulas by calling methods by name, for which the linker keeps
// every method of the program; that was a third of the binary.
//
// Text with a byte order mark is UTF-8 or damaged, never CP949.
//
// CSV is written in UTF-8 with a byte order mark and Excel's line endings. All columns of a workbook have the
// text format, so that input stays as typed. Cells that start like a formula are written after an apostrophe
// in both formats, since users convert one into the other; so are parts of cells after semicolons, tabs and
// line feeds, where other separators would start a cell. A line break in a cell is written as a line feed.
//
// A row has at most 256 KiB of text and 256 cells, without trailing empty ones, and a cell of a workbook at
// most Excel's 32,767 characters. A file with more is refused as a whole, since reading it would cost many
// times its size. Temporary files have no name while they are open, so that a process that dies leaves
// nothing behind; where the system does not allow that, Sweep cleans up.
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

// Bounds of a row. Spreadsheet programs allow more, which carrier files do not need.
const (
	maxRecord   = 256 << 10 // bytes of a row
	maxCells    = 256       // up to the last non-empty one
	maxCellTags = 16_384    // cells of a row in a workbook, empty ones too: Excel's own bound
	maxRows     = 1 << 20   // of a sheet, empty ones too: Excel's own bound
)

// errTooManyRows means that a file has more rows than Excel allows.
var errTooManyRows = ports.ErrSpreadsheetTooLarge.WithMessage(
	"The file has more than %d rows, the empty ones among them. Send it in parts.", maxRows)

func rowTooLong(row int) error {
	return ports.ErrSpreadsheetTooLarge.WithMessage(
		"Row %d is longer than %d KiB. If it should not be, a quote before it is not closed, or it repeats a long text.",
		row, maxRecord>>10)
}

func rowTooWide(row int) error {
	return ports.ErrSpreadsheetTooLarge.WithMessage("Row %d has more than %d cells. Remove the extra columns.", row, maxCells)
}

// MaxSize is the maximum size of a file in bytes, as of other uploads. Rule api-7.
const MaxSize = 25 << 20

// Codec is ports.Spreadsheets.
type Codec struct {
	TempDir string // folder of temporary files; "" is the system's
}

// The first bytes of binary formats.
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
		return newWorkbookWriter(to)
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
		return nil, ports.ErrSpreadsheetUnreadable.WithMessage(
			"The workbook is password-protected or in the pre-2007 Excel format. Save it as XLSX without a password, or as CSV.")
	}
	return openText(a)
}

// tempFile is a file that was copied into the temporary folder.
type tempFile struct {
	dir  string // temporary folder
	file *os.File
	size int64
	sum  string
}

// copyFrom copies from into the file. Errors: ports.ErrSpreadsheetTooLarge, those of from.
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

// trimRow is a row without trailing empty cells, nil if all are empty.
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
