package spreadsheet

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/ports"
)

// Bounds of what is read: shared strings stay in memory, and a row may name one many times.
const (
	maxToken           = 512 << 10 // bytes of a tag or a text: Excel's longest text with every character escaped
	maxNested          = 64        // nested elements
	maxText            = 32_767    // characters of a cell: Excel's own bound
	maxTextTags        = 1 << 20   // tags of the shared strings; each costs up to a quarter of a kilobyte of memory
	maxFormulas        = 4 << 20
	maxNumber          = 32 // bytes of the number of a text
	escapesPerDoubling = 64 // escapes in a text that double its weight
)

// errTextTooLong means that a tag or a text is longer than any that spreadsheet programs write.
var errTextTooLong = ports.ErrSpreadsheetTooLarge.WithMessage("A text of the workbook has more than %d characters.", maxText)

// partScanner reads a part tag by tag in bounded memory.
type partScanner struct {
	from      *bufio.Reader
	xml       *xml.Decoder
	bytesLeft int // bytes that the current tag or text may still have
	depth     int // open elements
}

// ReadByte implements io.ByteReader, which makes the decoder read no more than it needs. Errors:
// errTextTooLong.
func (s *partScanner) ReadByte() (byte, error) {
	if s.bytesLeft--; s.bytesLeft < 0 {
		return 0, errTextTooLong
	}
	return s.from.ReadByte()
}

// Read implements io.Reader; the decoder only calls ReadByte.
func (s *partScanner) Read(p []byte) (int, error) { return s.from.Read(p) }

// scanPart calls see with every tag and text of a part. Errors: those of see, ports.ErrSpreadsheetUnreadable,
// ports.ErrSpreadsheetTooLarge.
func (p parts) scanPart(name string, see func(s *partScanner, token xml.Token) error) error {
	in, err := p.open(name)
	if err != nil {
		return err
	}
	s := newPartScanner(in)
	for err == nil {
		err = s.next(see)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, in.Close())
}

// next passes on the next tag or text. Errors: io.EOF after the last, and those of scanPart.
func (s *partScanner) next(see func(*partScanner, xml.Token) error) error {
	s.bytesLeft = maxToken
	token, err := s.xml.Token()
	switch {
	case errors.Is(err, errTextTooLong) || errors.Is(err, io.EOF):
		return err
	case err != nil:
		return damaged(err)
	}
	switch token.(type) {
	case xml.StartElement:
		s.depth++
	case xml.EndElement:
		s.depth--
	default: // neither start nor end
	}
	if s.depth > maxNested {
		return damaged(errors.New("sheet: elements that are not nested well"))
	}
	return see(s, token)
}

// weight is the cost of a text.
type weight struct{ bytes, chars, escapes, tags int }

func (w *weight) add(text []byte) error {
	w.bytes += len(text)
	w.chars += utf8.RuneCount(text)
	w.escapes += bytes.Count(text, []byte("_x"))
	if bytes.HasPrefix(text, []byte("x")) {
		w.escapes++
	}
	if w.chars > maxText {
		return errTextTooLong
	}
	return nil
}

func (w *weight) total() int { return (w.bytes + w.tags) * (1 + w.escapes/escapesPerDoubling) }

// sharedStrings reads and weighs the shared strings.
type sharedStrings struct {
	texts   []string
	weights []int32
	tags    int
	current richText
	text    weight // of the current one
}

func (t *sharedStrings) visit(s *partScanner, token xml.Token) error {
	const inTexts = 1 // depth of the elements around a text
	t.current.visit(token)
	switch e := token.(type) {
	case xml.StartElement:
		t.text.tags++
		if t.tags++; t.tags > maxTextTags {
			return ports.ErrSpreadsheetTooLarge.WithMessage("The workbook has too many texts. Send its rows in parts.")
		}
	case xml.CharData:
		return t.text.add(e)
	case xml.EndElement:
		if s.depth != inTexts {
			return nil
		}
		if text := t.current.take(); e.Name.Local == "si" {
			t.texts = append(t.texts, text)
			t.weights = append(t.weights, int32(min(t.text.total(), maxUnpacked))) //nolint:gosec // no more than maxUnpacked
		}
		t.text = weight{}
	}
	return nil
}

// scanSheet checks whether a sheet and the part with its texts can be read, and returns these and the positions of the sheet's
// formulas. Errors: ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge.
func (p parts) scanSheet(sheet, shared string) (texts []string, formulas []uint32, err error) {
	var named sharedStrings
	if p[partName(shared)] != nil {
		if err := p.scanPart(shared, named.visit); err != nil {
			return nil, nil, err
		}
	}
	rows := sheetScan{texts: named.weights}
	err = p.scanPart(sheet, rows.visit)
	return named.texts, rows.formulas, err
}

// sheetScan weighs the rows of a sheet.
type sheetScan struct {
	texts    []int32  // weights of the shared strings
	formulas []uint32 // formulaIndex of each, in ascending order

	row, column int // position of the scan, from 1
	size, total int // weights of the row and of all rows so far
	cell        cellScan
}

// cellScan is the current cell.
type cellScan struct {
	in                string // the relevant element: c, or v or f within it; "" outside of cells
	kind, value       string // index of a shared string
	rowSizeBefore     int    // weight of its row before the cell
	formula           bool
	text, formulaText weight // its own text, and its formula
}

// formulaIndex is the position of a cell as one number: row times maxCells plus column.
func formulaIndex(row, column int) uint32 { return uint32(row*maxCells + column - 1) } //nolint:gosec // 29 bits

func (r *sheetScan) visit(_ *partScanner, token xml.Token) error {
	c := &r.cell
	switch e := token.(type) {
	case xml.StartElement:
		return r.startElement(e)
	case xml.CharData:
		return r.text(e)
	case xml.EndElement:
		switch {
		case c.in != "" && e.Name.Local == "c":
			return r.endCell()
		case c.in == e.Name.Local:
			c.in = "c"
		}
	}
	return nil
}

func (r *sheetScan) wrong(what string) error {
	return damaged(fmt.Errorf("sheet: after column %d of row %d: %s", r.column, r.row, what))
}

func (r *sheetScan) startElement(e xml.StartElement) error {
	c := &r.cell
	c.text.tags++
	switch name := e.Name.Local; {
	case c.in == "v" || c.in != "" && (name == "c" || name == "row"):
		return r.wrong("an element where it cannot be")
	case name == "row":
		return r.startRow(e)
	case name == "c":
		return r.startCell(e)
	case c.in == "c" && name == "v":
		c.in, c.value = "v", ""
	case c.in == "c" && name == "f":
		c.in, c.formula = "f", true
	}
	return nil
}

// startRow starts a row.
func (r *sheetScan) startRow(e xml.StartElement) error {
	last := r.row
	r.row++
	for _, a := range e.Attr {
		if a.Name.Local != "r" {
			continue
		}
		var err error
		if r.row, err = strconv.Atoi(a.Value); err != nil || r.row <= last {
			return r.wrong("a row in the wrong place")
		}
	}
	if r.row > maxRows {
		return errTooManyRows
	}
	r.column, r.size = 0, 0
	return nil
}

// startCell starts a cell.
func (r *sheetScan) startCell(e xml.StartElement) error {
	last := r.column
	r.column++
	r.cell = cellScan{in: "c", rowSizeBefore: r.size}
	var err error
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "r":
			r.column, err = columnOf(a.Value)
		case "s":
			_, err = strconv.Atoi(a.Value)
		case "t":
			r.cell.kind = a.Value
		}
		if err != nil {
			return damaged(err)
		}
	}
	if r.column <= last || r.row == 0 {
		return r.wrong("a cell in the wrong place")
	}
	if r.column > maxCellTags {
		return rowTooLong(r.row)
	}
	return nil
}

// text weighs a text in a cell. Formulas are only bounded, since they are not read.
func (r *sheetScan) text(text []byte) error {
	c := &r.cell
	switch c.in {
	case "":
		return nil
	case "f":
		return c.formulaText.add(text)
	case "c":
		return c.text.add(text)
	}
	if c.kind == "s" {
		if c.value += string(text); len(c.value) > maxNumber {
			return r.wrong("a text that is not there")
		}
	}
	if r.size += len(text); r.size > maxRecord {
		return rowTooLong(r.row)
	}
	return nil
}

// endCell weighs the finished cell.
func (r *sheetScan) endCell() error {
	c := &r.cell
	c.in = ""
	if r.size += c.text.total(); c.kind == "s" && c.value != "" {
		i, err := strconv.Atoi(strings.TrimSpace(c.value))
		if err != nil || i < 0 || i >= len(r.texts) {
			return r.wrong("a text that is not there")
		}
		r.size += int(r.texts[i])
	}
	r.total += r.size - c.rowSizeBefore
	switch {
	case r.size > maxRecord:
		return rowTooLong(r.row)
	case r.total > maxUnpacked || len(r.formulas) > maxFormulas:
		return errUnpackedSize
	case r.column > maxCells && (c.formula || r.size > c.rowSizeBefore):
		return rowTooWide(r.row)
	case c.formula:
		r.formulas = append(r.formulas, formulaIndex(r.row, r.column))
	}
	return nil
}
