package sheet

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

// Row implements ports.SheetWriter.
func (w *csvWriter) Row(cells []string) error {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = escape(cell)
	}
	return w.to.Write(out)
}

// Close implements ports.SheetWriter.
func (w *csvWriter) Close() error {
	w.to.Flush()
	return w.to.Error()
}

// csvReader reads separated text.
type csvReader struct {
	*aside

	in   *csv.Reader
	row  int // of the last record
	line int // where the next record begins if no empty line is before it
}

// openText reads a file that was set aside as text. Errors: ports.ErrSheet.
func openText(a *aside) (*csvReader, error) {
	a.hide()
	whole := func() *io.SectionReader { return io.NewSectionReader(a.file, 0, a.size) }
	text := transform.Transformer(transform.Nop)
	if valid, err := validUTF8(whole()); err != nil {
		return nil, err
	} else if !valid {
		text = korean.EUCKR.NewDecoder() // with the letters that CP949 adds
		if valid, err = all(transform.NewReader(whole(), text), func(r rune) bool { return r != utf8.RuneError }); err != nil {
			return nil, err
		} else if !valid {
			return nil, ports.ErrSheet.Saying("The text of the file is neither UTF-8 nor CP949. Save it as CSV in UTF-8, or as XLSX.")
		}
		text.Reset()
	}
	in := bufio.NewReaderSize(transform.NewReader(whole(), text), maxFirstLine)
	if start, err := in.Peek(len(byteOrderMark)); err == nil && string(start) == byteOrderMark {
		_, _ = in.Discard(len(byteOrderMark)) // just peeked
	}
	start, err := in.Peek(maxFirstLine)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	r.Comma = separator(string(start))
	r.TrimLeadingSpace = r.Comma != '\t' // before a quote; an empty cell between tabs would be space, too
	return &csvReader{aside: a, in: r, line: 1}, nil
}

// validUTF8 reports whether text is UTF-8. Errors: ports.ErrSheet when it is no text at all.
func validUTF8(text io.Reader) (bool, error) {
	binary := false
	in := bufio.NewReader(text)
	for {
		r, size, err := in.ReadRune()
		switch {
		case errors.Is(err, io.EOF) && binary:
			return false, ports.ErrSheet
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return false, err
		case r == utf8.RuneError && size == 1:
			return false, noZero(in, binary)
		}
		binary = binary || r == 0
	}
}

// noZero refuses what has a zero byte. Errors: ports.ErrSheet.
func noZero(rest *bufio.Reader, already bool) error {
	buf := make([]byte, 32<<10)
	for {
		n, err := rest.Read(buf)
		if already = already || bytes.IndexByte(buf[:n], 0) >= 0; already {
			return ports.ErrSheet
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// all reports whether every character of text is good.
func all(text io.Reader, good func(rune) bool) (bool, error) {
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

// maxFirstLine is how many bytes of a file are looked at for its separator.
const maxFirstLine = 64 << 10

// separator is what separates cells: whichever of comma, semicolon and tab the first line that is not empty has most of
// outside of quotes, the earlier named one if they are equal.
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

// Next implements ports.SheetReader.
func (r *csvReader) Next() (ports.SheetRow, error) {
	for {
		cells, err := r.in.Read()
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			r.advance(wrong.StartLine, wrong.Line)
			return ports.SheetRow{Number: r.row, Trouble: troubleOf(wrong)}, nil
		}
		if err != nil {
			return ports.SheetRow{}, err
		}
		breaks := 0
		for _, cell := range cells {
			breaks += strings.Count(cell, "\n")
		}
		line, _ := r.in.FieldPos(0)
		r.advance(line, line+breaks)
		if !blank(cells) {
			return ports.SheetRow{Number: r.row, Cells: unescapeAll(cells)}, nil
		}
	}
}

// advance counts the record that goes from one line to another, and the empty lines before it.
func (r *csvReader) advance(first, last int) {
	r.row += 1 + first - r.line
	r.line = last + 1
}

func troubleOf(wrong *csv.ParseError) string {
	if wrong.Line > wrong.StartLine {
		return fmt.Sprintf("A quote that opens in this row ends wrong in line %d of the file, or not at all; everything between is lost.", wrong.Line)
	}
	return "A quote stands in the middle of a cell, or is not closed: a cell with quotes is written in quotes, and they are doubled."
}
