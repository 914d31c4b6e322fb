package sheet

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
	maxToken    = 512 << 10 // bytes of a tag or a text: the longest text that Excel takes, with every character spelled out
	maxNested   = 64        // elements within each other
	maxText     = 32_767    // characters of a cell: Excel's own bound
	maxTextTags = 1 << 20   // of the texts that cells share; each costs up to a quarter of a kilobyte of memory
	maxFormulas = 4 << 20
	maxNumber   = 32 // bytes of the number of a text
	manySpelled = 64 // characters spelled out in a text that make it weigh twice as much
)

// errText says that a tag or a text is longer than any that a spreadsheet program writes.
var errText = ports.ErrSheetSize.Saying("A text of the workbook has more than %d characters.", maxText)

// scan reads a part tag by tag in a bounded space.
type scan struct {
	from *bufio.Reader
	xml  *xml.Decoder
	left int // bytes that the tag or text being read may still have
	open int // elements that are open
}

// ReadByte implements io.ByteReader, by which the decoder takes no more than it needs. Errors: errText.
func (s *scan) ReadByte() (byte, error) {
	if s.left--; s.left < 0 {
		return 0, errText
	}
	return s.from.ReadByte()
}

// Read implements io.Reader, though nobody calls it beside ReadByte.
func (s *scan) Read(p []byte) (int, error) { return s.from.Read(p) }

// scanned hands every tag and text of a part to see. Errors: those of see, ports.ErrSheet, ports.ErrSheetSize.
func (p parts) scanned(name string, see func(s *scan, token xml.Token) error) error {
	in, err := p.open(name)
	if err != nil {
		return err
	}
	s := &scan{from: bufio.NewReader(in)}
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
func (s *scan) next(see func(*scan, xml.Token) error) error {
	s.left = maxToken
	token, err := s.xml.Token()
	switch {
	case errors.Is(err, errText) || errors.Is(err, io.EOF):
		return err
	case err != nil:
		return damaged(err)
	}
	switch token.(type) {
	case xml.StartElement:
		s.open++
	case xml.EndElement:
		s.open--
	default: // opens and ends nothing
	}
	if s.open > maxNested {
		return damaged(errors.New("sheet: elements that are not nested well"))
	}
	return see(s, token)
}

// weight is what a text costs.
type weight struct{ bytes, chars, spelled, tags int }

func (w *weight) add(text []byte) error {
	w.bytes += len(text)
	w.chars += utf8.RuneCount(text)
	w.spelled += bytes.Count(text, []byte("_x"))
	if bytes.HasPrefix(text, []byte("x")) {
		w.spelled++
	}
	if w.chars > maxText {
		return errText
	}
	return nil
}

func (w *weight) sum() int { return (w.bytes + w.tags) * (1 + w.spelled/manySpelled) }

// textScan weighs the texts that cells share.
type textScan struct {
	weights []int32
	tags    int
	text    weight
}

func (t *textScan) see(s *scan, token xml.Token) error {
	const inTexts = 1 // elements that are open around those of a text
	switch e := token.(type) {
	case xml.StartElement:
		t.text.tags++
		if t.tags++; t.tags > maxTextTags {
			return ports.ErrSheetSize.Saying("The workbook has too many texts. Send its rows in parts.")
		}
	case xml.CharData:
		return t.text.add(e)
	case xml.EndElement:
		if s.open != inTexts {
			return nil
		}
		if e.Name.Local == "si" {
			t.weights = append(t.weights, int32(min(t.text.sum(), maxUnpacked))) //nolint:gosec // no more than maxUnpacked
		}
		t.text = weight{}
	}
	return nil
}

// scan looks whether the library can read a sheet, and says where its formulas stand. Errors: ports.ErrSheet,
// ports.ErrSheetSize.
func (p parts) scan(sheet string) ([]uint32, error) {
	var texts textScan
	if p[partName(textsPart)] != nil {
		if err := p.scanned(textsPart, texts.see); err != nil {
			return nil, err
		}
	}
	rows := rowScan{texts: texts.weights}
	err := p.scanned(sheet, rows.see)
	return rows.formulas, err
}

// rowScan weighs the rows of a sheet.
type rowScan struct {
	texts    []int32  // weights of those that cells share
	formulas []uint32 // where they stand, as formulaAt has it, in ascending order

	row, column int // where the scan is, from 1
	size, total int // weights of the row, and of all that were read
	cell        cellScan
}

// cellScan is what a cell has so far.
type cellScan struct {
	in           string // the element that matters: c, or v or f within it; "" outside of cells
	kind, value  string // of one that shares its text: the number of that
	before       int    // what its row weighed
	formula      bool
	text, worked weight // what it says by itself, and its formula
}

// formulaAt is a place as one number: the column is what remains of it when it is divided by maxCells.
func formulaAt(row, column int) uint32 { return uint32(row*maxCells + column - 1) } //nolint:gosec // 29 bits

func (r *rowScan) see(_ *scan, token xml.Token) error {
	c := &r.cell
	switch e := token.(type) {
	case xml.StartElement:
		return r.start(e)
	case xml.CharData:
		return r.text(e)
	case xml.EndElement:
		switch {
		case c.in != "" && e.Name.Local == "c":
			return r.ended()
		case c.in == e.Name.Local:
			c.in = "c"
		}
	}
	return nil
}

func (r *rowScan) wrong(what string) error {
	return damaged(fmt.Errorf("sheet: after column %d of row %d: %s", r.column, r.row, what))
}

func (r *rowScan) start(e xml.StartElement) error {
	c := &r.cell
	c.text.tags++
	switch name := e.Name.Local; {
	case c.in == "v" || c.in != "" && (name == "c" || name == "row"):
		return r.wrong("an element where it cannot be")
	case name == "row":
		return r.began(e)
	case name == "c":
		return r.opened(e)
	case c.in == "c" && name == "v":
		c.in, c.value = "v", ""
	case c.in == "c" && name == "f":
		c.in, c.formula = "f", true
	}
	return nil
}

// began counts the row that begins.
func (r *rowScan) began(e xml.StartElement) error {
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
		return errRows
	}
	r.column, r.size = 0, 0
	return nil
}

// opened counts the cell that begins.
func (r *rowScan) opened(e xml.StartElement) error {
	last := r.column
	r.column++
	r.cell = cellScan{in: "c", before: r.size}
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
		return longRow(r.row)
	}
	return nil
}

// text weighs a text within a cell. Of formulas it is only bounded, for nobody reads them.
func (r *rowScan) text(text []byte) error {
	c := &r.cell
	switch c.in {
	case "":
		return nil
	case "f":
		return c.worked.add(text)
	case "c":
		return c.text.add(text)
	}
	if c.kind == "s" {
		if c.value += string(text); len(c.value) > maxNumber {
			return r.wrong("a text that is not there")
		}
	}
	if r.size += len(text); r.size > maxRecord {
		return longRow(r.row)
	}
	return nil
}

// ended weighs the cell that ends.
func (r *rowScan) ended() error {
	c := &r.cell
	c.in = ""
	if r.size += c.text.sum(); c.kind == "s" && c.value != "" {
		i, err := strconv.Atoi(strings.TrimSpace(c.value))
		if err != nil || i < 0 || i >= len(r.texts) {
			return r.wrong("a text that is not there")
		}
		r.size += int(r.texts[i])
	}
	r.total += r.size - c.before
	switch {
	case r.size > maxRecord:
		return longRow(r.row)
	case r.total > maxUnpacked || len(r.formulas) > maxFormulas:
		return errUnpacked
	case r.column > maxCells && (c.formula || r.size > c.before):
		return wideRow(r.row)
	case c.formula:
		r.formulas = append(r.formulas, formulaAt(r.row, r.column))
	}
	return nil
}
