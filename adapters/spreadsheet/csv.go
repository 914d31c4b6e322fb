package spreadsheet

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/transform"

	"github.com/cartwright-dev/cartwright/ports"
)

// byteOrderMark tells Excel that text is UTF-8.
const byteOrderMark = "\uFEFF"

// csvWriter writes CSV.
type csvWriter struct{ to *csv.Writer }

func newCSVWriter(to io.Writer) (*csvWriter, error) {
	if _, err := io.WriteString(to, byteOrderMark); err != nil {
		return nil, err
	}
	w := csv.NewWriter(to)
	w.UseCRLF = true
	return &csvWriter{w}, nil
}

// WriteRow implements ports.SpreadsheetWriter.
func (w *csvWriter) WriteRow(cells []string) error {
	return w.to.Write(EscapeRow(cells))
}

// Close implements ports.SpreadsheetWriter.
func (w *csvWriter) Close() error {
	w.to.Flush()
	return w.to.Error()
}

// csvReader reads separated text.
type csvReader struct {
	*tempFile

	decode  func() transform.Transformer // decodes the file into UTF-8
	records *recordReader
	in      *csv.Reader
	row     int // of the last record
	line    int // where the next record starts unless empty lines precede it
}

// openText opens a temporary file as text. Errors: ports.ErrSpreadsheetUnreadable.
func openText(a *tempFile) (*csvReader, error) {
	r := &csvReader{tempFile: a, decode: func() transform.Transformer { return transform.Nop }}
	valid, err := validUTF8(r.content())
	if err != nil {
		return nil, err
	}
	if !valid {
		if r.decode, err = decodeCP949(r.content); err != nil {
			return nil, err
		}
	}
	return r, r.Rewind()
}

func (r *csvReader) content() io.Reader { return io.NewSectionReader(r.file, 0, r.size) }

// decodeCP949 decodes Korean text without Unicode. Errors: ports.ErrSpreadsheetUnreadable.
func decodeCP949(whole func() io.Reader) (func() transform.Transformer, error) {
	start := make([]byte, len(byteOrderMark))
	if _, err := io.ReadFull(whole(), start); err == nil && string(start) == byteOrderMark {
		return nil,
			ports.ErrSpreadsheetUnreadable.WithMessage("The file is damaged: it is marked as UTF-8 but is not valid UTF-8. Save it again.")
	}
	decode := func() transform.Transformer { return korean.EUCKR.NewDecoder() } // with the letters that CP949 adds
	valid, err := allRunes(transform.NewReader(whole(), decode()), func(r rune) bool { return r != utf8.RuneError })
	if err == nil && !valid {
		err = ports.ErrSpreadsheetUnreadable.WithMessage(
			"The text of the file is neither UTF-8 nor CP949. Save it as CSV in UTF-8, or as XLSX.")
	}
	return decode, err
}

// Rewind implements ports.SpreadsheetReader.
func (r *csvReader) Rewind() error {
	text := bufio.NewReaderSize(transform.NewReader(r.content(), r.decode()), maxSeparatorLine)
	if start, err := text.Peek(len(byteOrderMark)); err == nil && string(start) == byteOrderMark {
		_, _ = text.Discard(len(byteOrderMark)) // peeked above
	}
	start, err := text.Peek(maxSeparatorLine)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	r.records = &recordReader{from: text}
	r.in = csv.NewReader(r.records)
	r.in.FieldsPerRecord = -1
	r.in.Comma = separator(string(start))
	r.in.TrimLeadingSpace = r.in.Comma != '\t' // before a quote; an empty cell between tabs would be space, too
	r.row, r.line = 0, 1
	return nil
}

// validUTF8 reports whether text is UTF-8. Errors: ports.ErrSpreadsheetUnreadable when it is binary.
func validUTF8(text io.Reader) (bool, error) {
	binary := false
	in := bufio.NewReader(text)
	for {
		r, size, err := in.ReadRune()
		switch {
		case errors.Is(err, io.EOF) && binary:
			return false, ports.ErrSpreadsheetUnreadable
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return false, err
		case r == utf8.RuneError && size == 1:
			return false, rejectZeroBytes(in, binary)
		}
		binary = binary || r == 0
	}
}

// rejectZeroBytes refuses what has a zero byte. Errors: ports.ErrSpreadsheetUnreadable.
func rejectZeroBytes(rest *bufio.Reader, already bool) error {
	buf := make([]byte, 32<<10)
	for {
		n, err := rest.Read(buf)
		if already = already || bytes.IndexByte(buf[:n], 0) >= 0; already {
			return ports.ErrSpreadsheetUnreadable
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// allRunes reports whether every character of text is valid.
func allRunes(text io.Reader, good func(rune) bool) (bool, error) {
	in := bufio.NewReader(text)
	for {
		switch r, _, err := in.ReadRune(); {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return false, err
		case !good(r):
			return false, nil
		}
	}
}

// maxSeparatorLine is how many bytes of a file are searched for its separator.
const maxSeparatorLine = 64 << 10

// separator is the separator of cells: whichever of comma, semicolon and tab is most frequent outside of
// quotes in the first non-empty line; on a tie the one named first.
func separator(text string) rune {
	const candidates = ",;\t"
	var counts [len(candidates)]int
	inQuotes := false
	for _, r := range strings.TrimLeft(text, "\r\n") {
		if r == '"' {
			inQuotes = !inQuotes
		}
		if inQuotes {
			continue
		}
		if r == '\n' {
			break
		}
		if i := strings.IndexRune(candidates, r); i >= 0 {
			counts[i]++
		}
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return rune(candidates[best])
}

// Next implements ports.SpreadsheetReader.
func (r *csvReader) Next() (ports.SpreadsheetRow, error) {
	for {
		r.records.begin()
		cells, err := r.in.Read()
		if r.records.used > maxRecord {
			return ports.SpreadsheetRow{}, rowTooLong(r.row + r.records.blankLines + 1)
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			r.advance(wrong.StartLine, wrong.Line)
			return ports.SpreadsheetRow{Number: r.row, Problem: quoteProblem(wrong)}, nil
		}
		if err != nil {
			return ports.SpreadsheetRow{}, err
		}
		breaks := 0
		for _, cell := range cells {
			breaks += strings.Count(cell, "\n")
		}
		line, _ := r.in.FieldPos(0)
		r.advance(line, line+breaks)
		switch cells = trimRow(cells); {
		case r.row > maxRows:
			return ports.SpreadsheetRow{}, errTooManyRows
		case len(cells) > maxCells:
			return ports.SpreadsheetRow{}, rowTooWide(r.row)
		case len(cells) > 0:
			row := ports.SpreadsheetRow{Number: r.row, Formulas: formulas(cells)}
			row.Cells = UnescapeRow(cells)
			return row, nil
		}
	}
}

// formulas are the cells that a spreadsheet would evaluate.
func formulas(cells []string) (at []int) {
	for i, cell := range cells {
		if strings.HasPrefix(strings.TrimSpace(cell), "=") {
			at = append(at, i)
		}
	}
	return at
}

// advance counts a record between two lines, and the empty lines before it.
func (r *csvReader) advance(first, last int) {
	r.row += 1 + first - r.line
	r.line = last + 1
}

func quoteProblem(wrong *csv.ParseError) string {
	if wrong.Line > wrong.StartLine {
		return fmt.Sprintf(
			"A quote opened in this row is closed incorrectly in line %d, or not at all; the text between cannot be read.", wrong.Line)
	}
	return "A quote stands in the middle of a cell, or is not closed: a cell with quotes is written in quotes, and they are doubled."
}
