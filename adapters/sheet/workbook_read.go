package sheet

import (
	"archive/zip"
	"errors"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

// How far a workbook is unpacked. Parts with rows and texts go to disk where they are large, the rest is in memory.
const (
	maxUnpacked = 128 << 20 // bytes of all parts
	maxHeld     = 24 << 20  // bytes of those that are in memory
	largePart   = 1 << 20   // bytes from which a part with rows or texts goes to disk
	maxEntries  = 1000
)

// workbookReader reads the first sheet of a workbook.
type workbookReader struct {
	*aside

	file *excelize.File
	rows *excelize.Rows
	row  int
}

// openWorkbook reads a file that was set aside as a workbook. Errors: ports.ErrSheet, ports.ErrSheetSize.
func openWorkbook(a *aside) (_ *workbookReader, err error) {
	if err := bounded(a); err != nil {
		return nil, err
	}
	r := &workbookReader{aside: a}
	defer func() {
		if err != nil && r.file != nil {
			err = errors.Join(err, r.file.Close())
		}
	}()
	r.file, err = excelize.OpenFile(a.file.Name(), excelize.Options{
		RawCellValue: true, UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: largePart, TmpDir: a.dir,
	})
	if err != nil {
		r.file = nil // what it left is in our folder
		return nil, damaged(err)
	}
	a.hide() // what the library unpacked keeps its names
	sheets := r.file.GetSheetList()
	if len(sheets) == 0 {
		return nil, ports.ErrSheet.Saying("The workbook has no sheet.")
	}
	if r.rows, err = r.file.Rows(sheets[0]); err != nil {
		return nil, damaged(err)
	}
	return r, nil
}

func damaged(err error) error {
	return ports.ErrSheet.Saying("The workbook is damaged, or is none. Open it in a spreadsheet program and save it again as XLSX.").Because(err)
}

// bounded looks at the table of contents before anything is unpacked. Whoever lies there is found out by the unpacker.
// Errors: ports.ErrSheet, ports.ErrSheetSize.
func bounded(a *aside) error {
	z, err := zip.NewReader(a.file, a.size)
	if err != nil {
		return damaged(err)
	}
	var held, unpacked uint64
	for _, part := range z.File {
		unpacked += part.UncompressedSize64
		if !toDisk(part) {
			held += part.UncompressedSize64
		}
		if part.UncompressedSize64 > maxUnpacked || unpacked > maxUnpacked || held > maxHeld {
			return ports.ErrSheetSize.Saying("The workbook unpacks to too much. Send its rows in parts, without pictures.")
		}
	}
	if len(z.File) > maxEntries {
		return ports.ErrSheetSize.Saying("The workbook has too many parts. Copy the rows into a new one.")
	}
	return nil
}

// toDisk reports whether the library unpacks a part to disk.
func toDisk(part *zip.File) bool {
	name := strings.ToLower(strings.ReplaceAll(part.Name, "\\", "/"))
	return part.UncompressedSize64 > largePart && (strings.HasPrefix(name, "xl/worksheets/sheet") || name == "xl/sharedstrings.xml")
}

// Next implements ports.SheetReader.
func (r *workbookReader) Next() (ports.SheetRow, error) {
	for r.rows.Next() {
		r.row++
		cells, err := r.rows.Columns()
		if err != nil {
			return ports.SheetRow{}, damaged(err)
		}
		if !blank(cells) {
			return ports.SheetRow{Number: r.row, Cells: unescapeAll(cells)}, nil
		}
	}
	if err := r.rows.Error(); err != nil {
		return ports.SheetRow{}, damaged(err)
	}
	return ports.SheetRow{}, io.EOF
}

// Close implements ports.SheetReader.
func (r *workbookReader) Close() error {
	return errors.Join(r.rows.Close(), r.file.Close(), r.aside.Close())
}
