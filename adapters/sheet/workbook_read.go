package sheet

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/ports"
)

// workbookReader reads the first sheet of a workbook.
type workbookReader struct {
	*aside

	parts parts
	texts *texts
	sheet string // part
	in    io.ReadCloser
	tags  *tags
	row   int
	ended bool
}

// openWorkbook reads a file that was set aside as a workbook. Errors: ports.ErrSheet, ports.ErrSheetSize.
func openWorkbook(a *aside) (_ *workbookReader, err error) {
	r := &workbookReader{aside: a}
	if r.parts, err = openParts(a); err != nil {
		return nil, err
	}
	var texts string
	if r.sheet, texts, err = r.parts.first(); err != nil {
		return nil, err
	}
	if r.texts, err = readTexts(r.parts, texts, a.dir); err != nil {
		return nil, err
	}
	if err := r.Rewind(); err != nil {
		return nil, errors.Join(err, r.texts.Close())
	}
	return r, nil
}

// Rewind implements ports.SheetReader.
func (r *workbookReader) Rewind() error {
	if r.in != nil {
		_ = r.in.Close() // whatever it says, it is not read on
	}
	in, err := r.parts.open(r.sheet)
	if err != nil {
		r.in = nil
		return err
	}
	r.in, r.tags, r.row, r.ended = in, newTags(in), 0, false
	return nil
}

// Next implements ports.SheetReader.
func (r *workbookReader) Next() (ports.SheetRow, error) {
	for !r.ended {
		token, err := r.tags.next()
		if err != nil {
			return ports.SheetRow{}, r.wrong(err)
		}
		if e, ok := token.(xml.EndElement); ok {
			r.ended = e.Name.Local == "sheetData"
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		if err := r.number(e); err != nil {
			return ports.SheetRow{}, err
		}
		row, err := r.cells()
		if err != nil {
			return ports.SheetRow{}, r.wrong(err)
		}
		if len(row.Cells) > 0 {
			return row, nil
		}
	}
	if _, err := io.Copy(io.Discard, r.tags.from); err != nil { // the sum of the part is at its end
		return ports.SheetRow{}, damaged(err)
	}
	return ports.SheetRow{}, io.EOF
}

// number counts the row that begins. Errors: ports.ErrSheet, ports.ErrSheetSize.
func (r *workbookReader) number(e xml.StartElement) error {
	before := r.row
	r.row++
	if text := attribute(e, "r"); text != "" {
		var err error
		if r.row, err = strconv.Atoi(text); err != nil || r.row <= before {
			return damaged(errors.New("sheet: row " + strconv.Quote(text) + " stands in the wrong place"))
		}
	}
	if r.row > maxRows {
		return errRows
	}
	return nil
}

// wrong says in which row a workbook is too large, or is damaged.
func (r *workbookReader) wrong(err error) error {
	if errors.Is(err, errToken) {
		return ports.ErrSheetSize.Saying("A cell near row %d has more than %d characters.", r.row, maxText)
	}
	return damage(err)
}

// cells reads the row that began; it has none when it shows nothing.
func (r *workbookReader) cells() (row ports.SheetRow, err error) {
	row.Number = r.row
	size, seen, column, shows := 0, 0, 0, false
	for {
		token, err := r.tags.next()
		if err != nil {
			return row, err
		}
		if e, ok := token.(xml.EndElement); ok && e.Name.Local == "row" {
			break
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "c" {
			continue
		}
		if column, err = columnOf(attribute(e, "r"), column); err != nil {
			return row, err
		}
		c, err := r.cell(e)
		if err != nil {
			return row, err
		}
		size += len(c.text)
		switch seen++; {
		case seen > maxCellTags || size > maxRecord:
			return row, longRow(r.row)
		case c == (cell{}):
			continue
		case column > maxCells:
			return row, wideRow(r.row)
		}
		put(&row, column, c)
		shows = shows || c.formula || strings.TrimSpace(c.text) != ""
	}
	if !shows {
		row.Cells = nil
	}
	return row, nil
}

// put puts a cell into a column, from 1, of a row.
func put(row *ports.SheetRow, column int, c cell) {
	for len(row.Cells) < column {
		row.Cells = append(row.Cells, "")
	}
	row.Cells[column-1] = c.text
	if c.formula {
		row.Formulas = append(row.Formulas, column-1)
	}
}

// columnOf reads the column, from 1, of a name such as AB12; without a name it is the one after the last.
func columnOf(name string, last int) (int, error) {
	if name == "" {
		return last + 1, nil
	}
	column := 0
	for i, r := range name {
		switch {
		case r >= '0' && r <= '9' && i > 0:
			return column, nil
		case r < 'A' || r > 'Z' || column > maxCellTags:
			return 0, errors.New("sheet: there is no cell " + strconv.Quote(name))
		}
		column = column*('Z'-'A'+1) + int(r-'A') + 1
	}
	return 0, errors.New("sheet: there is no cell " + strconv.Quote(name))
}

// cell is what a cell says.
type cell struct {
	text    string
	formula bool
}

// cell reads the cell that began.
func (r *workbookReader) cell(start xml.StartElement) (c cell, err error) {
	var words prose
	var value strings.Builder
	in := ""
	for {
		token, err := r.tags.next()
		if err != nil {
			return c, err
		}
		if err := words.see(token); err != nil {
			return c, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			in = e.Name.Local
			c.formula = c.formula || in == "f"
		case xml.CharData:
			if in != "v" {
				continue
			}
			if value.Write(e); value.Len() > maxRecord {
				return c, longRow(r.row)
			}
		case xml.EndElement:
			if in = ""; e.Name.Local == "c" {
				text, err := r.meant(attribute(start, "t"), value.String(), words.text.String())
				c.text = unescape(text)
				return c, err
			}
		}
	}
}

// meant is the text of a cell of some type: numbers as their digits, exactly as they are stored.
func (r *workbookReader) meant(kind, value, words string) (string, error) {
	switch {
	case kind == "s" && value != "":
		return r.texts.at(value)
	case kind == "inlineStr":
		return plain(words), nil
	case kind == "str":
		return plain(value), nil
	}
	return strings.TrimSpace(value), nil
}

// Close implements ports.SheetReader.
func (r *workbookReader) Close() error {
	var err error
	if r.in != nil {
		err = r.in.Close()
	}
	return errors.Join(err, r.texts.Close(), r.aside.Close())
}
