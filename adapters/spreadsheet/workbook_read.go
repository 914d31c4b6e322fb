package spreadsheet

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/ports"
)

// workbookReader reads the first sheet of a workbook, after a scan has found nothing wrong with it.
type workbookReader struct {
	*tempFile

	parts            parts
	sheet            string
	texts            []string // shared ones
	formulas         []uint32 // of the whole sheet
	formulasReturned int      // number of formulas in earlier rows
	rows             *sheetRows
}

// openWorkbook opens a temporary file as a workbook. Errors: ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge.
func openWorkbook(a *tempFile) (*workbookReader, error) {
	p, err := openParts(a)
	if err != nil {
		return nil, err
	}
	sheet, texts, err := p.firstSheet()
	if err != nil {
		return nil, err
	}
	r := &workbookReader{tempFile: a, parts: p, sheet: sheet}
	if r.texts, r.formulas, err = p.scanSheet(sheet, texts); err != nil {
		return nil, err
	}
	return r, r.Rewind()
}

// Rewind implements ports.SpreadsheetReader.
func (r *workbookReader) Rewind() error {
	in, err := r.parts.open(r.sheet)
	if err != nil {
		return err
	}
	if r.rows != nil {
		err = r.rows.in.Close()
	}
	r.rows = &sheetRows{in: in, texts: r.texts, scan: newPartScanner(in)}
	r.formulasReturned = 0
	return err
}

// Next implements ports.SpreadsheetReader.
func (r *workbookReader) Next() (row ports.SpreadsheetRow, err error) {
	for {
		number, cells, err := r.rows.next()
		if err != nil {
			return row, err
		}
		row = ports.SpreadsheetRow{Number: number, Cells: trimRow(UnescapeRow(cells))}
		for ; r.formulasReturned < len(r.formulas) && r.formulas[r.formulasReturned] < formulaIndex(number+1, 1); r.formulasReturned++ {
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
}

// Close implements ports.SpreadsheetReader.
func (r *workbookReader) Close() error { return errors.Join(r.rows.in.Close(), r.tempFile.Close()) }

// richText collects a text of a workbook: that of its t elements, which its runs have, but for phonetic ones.
type richText struct {
	text       strings.Builder
	inText     bool
	inPhonetic bool
}

func (t *richText) visit(token xml.Token) {
	switch e := token.(type) {
	case xml.StartElement:
		t.inText = e.Name.Local == "t"
		t.inPhonetic = t.inPhonetic || e.Name.Local == "rPh"
	case xml.CharData:
		if t.inText && !t.inPhonetic {
			t.text.Write(e)
		}
	case xml.EndElement:
		t.inText = false
		t.inPhonetic = t.inPhonetic && e.Name.Local != "rPh"
	}
}

// take returns the text, and begins another one.
func (t *richText) take() string {
	text := unescapeCharacters(t.text.String())
	*t = richText{}
	return text
}

// sheetRows reads the rows of a sheet.
type sheetRows struct {
	in    io.ReadCloser
	scan  *partScanner
	texts []string

	row, column int
	cells       []string
	ended       bool   // the row
	part        string // the element of the cell that is read: v, is, or ""
	kind        string // of the cell
	value       strings.Builder
	inline      richText
}

// next is the next row. Errors: io.EOF after the last, and those of scanPart.
func (r *sheetRows) next() (number int, cells []string, err error) {
	for r.ended = false; !r.ended; {
		if err := r.scan.next(r.visit); err != nil {
			return 0, nil, err
		}
	}
	return r.row, r.cells, nil
}

func (r *sheetRows) visit(_ *partScanner, token xml.Token) error {
	if r.part == "is" {
		r.inline.visit(token)
	}
	switch e := token.(type) {
	case xml.StartElement:
		r.start(e)
	case xml.CharData:
		if r.part == "v" {
			r.value.Write(e)
		}
	case xml.EndElement:
		switch e.Name.Local {
		case "row":
			r.ended = true
		case "c":
			r.endCell()
		case r.part:
			r.part = ""
		}
	}
	return nil
}

func (r *sheetRows) start(e xml.StartElement) {
	switch name := e.Name.Local; name {
	case "row":
		r.row, r.column, r.cells = r.row+1, 0, nil
		if at, err := strconv.Atoi(attribute(e, "r")); err == nil {
			r.row = at
		}
	case "c":
		r.column++
		if at, err := columnOf(attribute(e, "r")); err == nil {
			r.column = at
		}
		r.kind = attribute(e, "t")
		r.value.Reset()
	case "v", "is":
		if r.part == "" {
			r.part = name
		}
	}
}

// endCell adds the cell that ended, unless it is empty. A number has its digits as they are stored.
func (r *sheetRows) endCell() {
	r.part = ""
	value, inline := r.value.String(), r.inline.take()
	switch r.kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if value = ""; err == nil && i >= 0 && i < len(r.texts) {
			value = r.texts[i]
		}
	case "inlineStr":
		if inline != "" {
			value = inline
		}
	}
	if value == "" || r.column > maxCells {
		return
	}
	for len(r.cells) < r.column {
		r.cells = append(r.cells, "")
	}
	r.cells[r.column-1] = value
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func newPartScanner(in io.Reader) *partScanner {
	s := &partScanner{from: bufio.NewReader(in)}
	s.xml = xml.NewDecoder(s)
	return s
}
