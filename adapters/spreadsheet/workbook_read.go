package spreadsheet

import (
	"errors"
	"io"

	"github.com/xuri/excelize/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

// workbookReader reads the first sheet of a workbook.
type workbookReader struct {
	*tempFile

	file             *excelize.File
	rows             *excelize.Rows
	row              int
	formulas         []uint32 // of the whole sheet
	formulasReturned int      // number of formulas in earlier rows
}

// openWorkbook opens a temporary file as a workbook. After a scan, the library gets only the first sheet and
// the parts that refer to it. Errors: ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge.
func openWorkbook(a *tempFile) (*workbookReader, error) {
	p, err := openParts(a)
	if err != nil {
		return nil, err
	}
	book, sheet, err := p.firstSheet()
	if err != nil {
		return nil, err
	}
	formulas, err := p.scanSheet(sheet)
	if err != nil {
		return nil, err
	}
	only, err := p.subset(relationshipsPart(""), book, relationshipsPart(book), sharedStringsPart, sheet)
	if err != nil {
		return nil, err
	}
	// Everything stays in memory, since the library's temporary files have names.
	file, err := excelize.OpenReader(only, excelize.Options{
		RawCellValue: true, UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked,
	})
	if err != nil {
		return nil, damaged(err)
	}
	r := &workbookReader{tempFile: a, file: file, formulas: formulas}
	return r, r.Rewind()
}

// Rewind implements ports.SpreadsheetReader.
func (r *workbookReader) Rewind() error {
	for _, name := range r.file.GetSheetList() {
		rows, err := r.file.Rows(name)
		if _, missing := errors.AsType[excelize.ErrSheetNotExist](err); missing {
			continue // as in all rows but the first
		}
		if err != nil {
			return damaged(err)
		}
		r.rows, r.row, r.formulasReturned = rows, 0, 0
		return nil
	}
	return damaged(errors.New("sheet: the first sheet is not where the workbook says"))
}

// Next implements ports.SpreadsheetReader.
func (r *workbookReader) Next() (row ports.SpreadsheetRow, err error) {
	for r.rows.Next() {
		r.row++
		cells, err := r.rows.Columns()
		if err != nil {
			return row, damaged(err)
		}
		row = ports.SpreadsheetRow{Number: r.row, Cells: trimRow(UnescapeRow(cells))}
		for ; r.formulasReturned < len(r.formulas) && r.formulas[r.formulasReturned] < formulaIndex(r.row+1, 1); r.formulasReturned++ {
			column := int(r.formulas[r.formulasReturned] % maxCells)
			row.Formulas = append(row.Formulas, column)
			for len(row.Cells) <= column {
				row.Cells = append(row.Cells, "")
			}
		}
		if len(row.Cells) > 0 {
			return row, nil
		}
	}
	if err := r.rows.Error(); err != nil {
		return row, damaged(err)
	}
	return row, io.EOF
}

// Close implements ports.SpreadsheetReader.
func (r *workbookReader) Close() error { return errors.Join(r.file.Close(), r.tempFile.Close()) }
