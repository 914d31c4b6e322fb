package ports

import (
	"errors"
	"io"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// SpreadsheetFormat is a file format of tables.
type SpreadsheetFormat string

// The formats.
const (
	// CSV is comma-separated text, written as UTF-8 with a byte order mark, which Excel needs.
	CSV SpreadsheetFormat = "csv"
	// XLSX is an Excel workbook.
	XLSX SpreadsheetFormat = "xlsx"
)

// SpreadsheetFormats lists all formats.
var SpreadsheetFormats = []SpreadsheetFormat{CSV, XLSX}

// MediaType is the media type of files of the format.
func (f SpreadsheetFormat) MediaType() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv"
}

// The faults of a spreadsheet file.
var (
	// ErrSpreadsheetUnreadable: a file is not a table in one of the formats.
	ErrSpreadsheetUnreadable = fault.NewInvalid("file", "sheet_unreadable",
		"The file cannot be read as a table. Save it as CSV in UTF-8 or CP949, or as XLSX.")
	// ErrSpreadsheetTooLarge: a file, or its unpacked content, is too large.
	ErrSpreadsheetTooLarge = fault.New(fault.TooLarge, "sheet_too_large", "The file is too large. Send it in parts.")
)

// Spreadsheets reads and writes tables as spreadsheet files, row by row: a table is never in memory as a
// whole.
//
// Every cell is text, and is read as it was written: leading zeros and long numbers stay text. A cell that a
// spreadsheet would take for a formula is escaped when it is written, and unescaped when it is read. Formulas
// in files are not evaluated but reported.
type Spreadsheets interface {
	// Create starts a file of the given format. Errors: those of to.
	Create(to io.Writer, format SpreadsheetFormat) (SpreadsheetWriter, error)
	// Open reads a file of any format from from to its end, and buffers it until it is closed. Errors:
	// ErrSpreadsheetUnreadable, ErrSpreadsheetTooLarge, those of from, and those of the buffer.
	Open(from io.Reader) (SpreadsheetReader, error)
}

// SpreadsheetWriter is a file being written.
type SpreadsheetWriter interface {
	// WriteRow writes the next row. Errors: those of the file's writer.
	WriteRow(cells []string) error
	// Close completes the file, or abandons it after an error. Errors: as WriteRow.
	Close() error
}

// SpreadsheetReader is a file being read.
type SpreadsheetReader interface {
	// Checksum is the SHA-256 of the file's bytes, in hex.
	Checksum() string
	// Rewind starts again before the first row. Errors: as Next.
	Rewind() error
	// Next returns the next row that is not empty. Errors: io.EOF after the last; ErrSpreadsheetUnreadable
	// and ErrSpreadsheetTooLarge, of the whole file.
	Next() (SpreadsheetRow, error)
	// Close releases the file.
	Close() error
}

// ReadHeading reads the cells of the first row of a file. Errors: ErrSpreadsheetUnreadable, also if there is none, and those of
// SpreadsheetReader.Next.
func ReadHeading(file SpreadsheetReader) ([]string, error) {
	row, err := file.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, ErrSpreadsheetUnreadable.WithMessage("The file has no rows.")
	case err != nil:
		return nil, err
	case row.Problem != "":
		return nil, ErrSpreadsheetUnreadable.WithMessage("The first row cannot be read. %s", row.Problem)
	}
	return row.Cells, nil
}

// SpreadsheetRow is a row. Empty rows count for Number, and a line break in a cell does not start a row.
type SpreadsheetRow struct {
	Number   int      // from 1
	Cells    []string // empty cells at the end may be missing
	Formulas []int    // indexes of the cells that are formulas, from 0; the text of such a cell is the result stored in the file, if any
	Problem  string   // why the row cannot be read, for users; it then has no cells, but later rows can be read
}
