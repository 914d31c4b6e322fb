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

	"github.com/xuri/excelize/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

// What the library may be given. It keeps the shared texts in memory, fills rows up to their last column, takes a time for
// each text that grows with the square of the characters spelled out in it, passes over what it cannot read, and does not
// tell formulas from values.
const (
	maxToken           = 512 << 10 // bytes of a tag or a text: the longest text that Excel takes, with every character spelled out
	maxNested          = 64        // elements within each other
	maxText            = 32_767    // characters of a cell: Excel's own bound
	maxTextTags        = 1 << 20   // of the texts that cells share; each costs up to a quarter of a kilobyte of memory
	maxFormulas        = 4 << 20
	maxNumber          = 32 // bytes of the number of a text
	escapesPerDoubling = 64 // characters spelled out in a text that make it weigh twice as much
)

// errTextTooLong says that a tag or a text is longer than any that a spreadsheet program writes.
var errTextTooLong = ports.ErrSpreadsheetTooLarge.WithMessage("A text of the workbook has more than %d characters.", maxText)

// partScanner reads a part tag by tag in a bounded space.
type partScanner struct {
	from      *bufio.Reader
	xml       *xml.Decoder
	bytesLeft int // bytes that the tag or text being read may still have
	depth     int // elements that are open
}

// ReadByte implements io.ByteReader, by which the decoder takes no more than it needs. Errors: errTextTooLong.
func (s *partScanner) ReadByte() (byte, error) {
	if s.bytesLeft--; s.bytesLeft < 0 {
		return 0, errTextTooLong
	}
	return s.from.ReadByte()
}

// Read implements io.Reader, though nobody calls it beside ReadByte.
func (s *partScanner) Read(p []byte) (int, error) { return s.from.Read(p) }

// scanPart hands every tag and text of a part to see. Errors: those of see, ports.ErrSpreadsheetUnreadable, ports.ErrSpreadsheetTooLarge.
func (p parts) scanPart(name string, see func(s *partScanner, token xml.Token) error) error {
	in, err := p.open(name)
	if err != nil {
		return err
	}
	s := &partScanner{from: bufio.NewReader(in)}
	s.xml = xml.NewDecoder(s)
	for err == nil {
		err = s.next(see)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, in.Close())
}

// next hands on the next tag or text. Errors: io.EOF after the last, and as scanned.
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
	default: // opens and ends nothing
	}
	if s.depth > maxNested {
		return damaged(errors.New("sheet: elements that are not nested well"))
	}
	return see(s, token)
}

// weight is what a text costs.
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

// sharedStringsScan weighs the texts that cells share.
type sharedStringsScan struct {
	weights []int32
	tags    int
	text    weight
}

func (t *sharedStringsScan) visit(s *partScanner, token xml.Token) error {
	const inTexts = 1 // elements that are open around those of a text
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
		if e.Name.Local == "si" {
			t.weights = append(t.weights, int32(min(t.text.total(), maxUnpacked))) //nolint:gosec // no more than maxUnpacked
		}
		t.text = weight{}
	}
	return nil
}

// scanSheet looks whether the library can read a sheet, and says where its formulas stand. Errors: ports.ErrSpreadsheetUnreadable,
// ports.ErrSpreadsheetTooLarge.
func (p parts) scanSheet(sheet string) ([]uint32, error) {
	var texts sharedStringsScan
	if p[partName(sharedStringsPart)] != nil {
		if err := p.scanPart(sharedStringsPart, texts.visit); err != nil {
			return nil, err
		}
	}
	rows := sheetScan{texts: texts.weights}
	err := p.scanPart(sheet, rows.visit)
	return rows.formulas, err
}

// sheetScan weighs the rows of a sheet.
type sheetScan struct {
	texts    []int32  // weights of those that cells share
	formulas []uint32 // where they stand, as formulaIndex has it, in ascending order

	row, column int // where the scan is, from 1
	size, total int // weights of the row, and of all that were read
	cell        cellScan
}

// cellScan is what a cell has so far.
type cellScan struct {
	in                string // the element that matters: c, or v or f within it; "" outside of cells
	kind, value       string // of one that shares its text: the number of that
	rowSizeBefore     int    // what its row weighed
	formula           bool
	text, formulaText weight // what it says by itself, and its formula
}

// formulaIndex is a place as one number: the column is what remains of it when it is divided by maxCells.
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

// startRow counts the row that begins.
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

// startCell counts the cell that begins.
func (r *sheetScan) startCell(e xml.StartElement) error {
	last := r.column
	r.column++
	r.cell = cellScan{in: "c", rowSizeBefore: r.size}
	var err error
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "r":
			r.column, _, err = excelize.CellNameToCoordinates(a.Value)
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

// text weighs a text within a cell. Of formulas it is only bounded, for nobody reads them.
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

// endCell weighs the cell that ends.
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
