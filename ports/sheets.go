package ports

import (
	"io"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// SheetFormat is the form of a table in a file.
type SheetFormat string

// The formats.
const (
	// CSV is comma-separated text, written as UTF-8 with a byte order mark, by which Excel knows it.
	CSV SheetFormat = "csv"
	// XLSX is a workbook of Excel.
	XLSX SheetFormat = "xlsx"
)

// SheetFormats lists them all.
var SheetFormats = []SheetFormat{CSV, XLSX}

// The faults of a table in a file.
var (
	// ErrSheet says that a file is no table of a format that is read.
	ErrSheet = fault.New(fault.Invalid, "sheet_unreadable", "The file is no table that can be read. Save it as CSV in UTF-8 or CP949, or as XLSX.")
	// ErrSheetSize says that a file, or what it unpacks to, is too large.
	ErrSheetSize = fault.New(fault.TooLarge, "sheet_too_large", "The file is too large. Send it in parts.")
)

// Sheets turns tables into files that people open in a spreadsheet, and such files into tables, row by row: no table is
// ever held in memory as a whole.
//
// Every cell is text. What is written reads back the same: leading zeros and long numbers are not numbers. A cell that a
// spreadsheet would take for a formula is marked on the way out, and the mark is taken off on the way in; formulas in files
// are never worked out, but named.
type Sheets interface {
	// Create begins a file of the given format. Errors: those of to.
	Create(to io.Writer, format SheetFormat) (SheetWriter, error)
	// Open takes a file in, whatever its format, reading from to its end, and sets it aside until it is closed. Errors:
	// ErrSheet, ErrSheetSize, those of from, and those of the place where it is set aside.
	Open(from io.Reader) (SheetReader, error)
}

// SheetWriter is a file being written.
type SheetWriter interface {
	// Row writes the next row. Errors: those of the file's writer.
	Row(cells []string) error
	// Close ends the file, or gives it up after an error. Errors: as Row.
	Close() error
}

// SheetReader is a file being read.
type SheetReader interface {
	// Sum tells the file from others: the SHA-256 of its bytes, in hex.
	Sum() string
	// Rewind goes back to before the first row. Errors: as Next.
	Rewind() error
	// Next is the next row that is not empty. Errors: io.EOF after the last; ErrSheet and ErrSheetSize, of the whole file.
	Next() (SheetRow, error)
	// Close lets go of the file.
	Close() error
}

// SheetRow is a row as people see it: empty rows count, and a line break in a cell begins none.
type SheetRow struct {
	Number   int      // from 1
	Cells    []string // those after the last that says something may be missing
	Formulas []int    // which of the cells are formulas, from 0: what they show was worked out elsewhere, if at all
	Trouble  string   // a sentence for people on why it cannot be read, and then it has no cells; the rows after it can
}
