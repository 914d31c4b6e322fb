package spreadsheet

import (
	"archive/zip"
	"errors"
	"io"

	"github.com/xuri/excelize/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

const (
	sheetName   = "Sheet1"
	textFormat  = 49 // of cells: what is typed stays as it is
	textColumns = 26 // that have it below the last row, too; each costs time with every cell
)

// workbookWriter writes a workbook with one sheet. Its rows are on disk as soon as they are many; the workbook is put
// together when it is closed.
type workbookWriter struct {
	file   *excelize.File
	stream *excelize.StreamWriter
	style  int
	rows   int
	failed bool
}

func newWorkbookWriter(to io.Writer, dir string) (_ *workbookWriter, err error) {
	f := excelize.NewFile(excelize.Options{TmpDir: dir})
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	// The library would put the finished file together in memory, and hand it over then.
	f.SetZipWriter(func(io.Writer) excelize.ZipWriter { return zip.NewWriter(to) })
	w := &workbookWriter{file: f}
	if w.style, err = f.NewStyle(&excelize.Style{NumFmt: textFormat}); err != nil {
		return nil, err
	}
	if w.stream, err = f.NewStreamWriter(sheetName); err != nil {
		return nil, err
	}
	return w, w.stream.SetColStyle(1, textColumns, w.style)
}

// WriteRow implements ports.SpreadsheetWriter.
func (w *workbookWriter) WriteRow(cells []string) (err error) {
	defer func() { w.failed = w.failed || err != nil }()
	if w.rows++; w.rows > excelize.TotalRows {
		return ports.ErrSpreadsheetTooLarge.WithMessage("A sheet has at most %d rows.", excelize.TotalRows)
	}
	at, err := excelize.CoordinatesToCellName(1, w.rows)
	if err != nil {
		return err
	}
	out := make([]any, len(cells))
	for i, cell := range cells {
		out[i] = excelize.Cell{StyleID: w.style, Value: escape(cell)}
	}
	return w.stream.SetRow(at, out)
}

// Close implements ports.SpreadsheetWriter.
func (w *workbookWriter) Close() error {
	if w.failed {
		return w.file.Close()
	}
	err := w.stream.Flush()
	if err == nil {
		_, err = w.file.WriteTo(io.Discard)
	}
	return errors.Join(err, w.file.Close())
}
