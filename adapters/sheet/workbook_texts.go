package sheet

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/ports"
)

const (
	maxText  = 32_767  // characters of a cell: Excel's own bound
	maxTexts = 2 << 20 // that cells share; each costs eight bytes of memory
)

// texts is what cells share: the texts one after the other on disk, and where each ends.
type texts struct {
	file *os.File
	ends []int
}

// prose gathers the text of an element: of its runs, without the readings of Chinese characters that Excel notes beside them.
type prose struct {
	text    strings.Builder
	in      bool
	reading int // of how many elements that are readings we are within
}

// see takes a tag or a text in. Errors: errToken.
func (p *prose) see(token xml.Token) error {
	switch e := token.(type) {
	case xml.StartElement:
		p.in = e.Name.Local == "t"
		if e.Name.Local == "rPh" {
			p.reading++
		}
	case xml.EndElement:
		p.in = false
		if e.Name.Local == "rPh" {
			p.reading--
		}
	case xml.CharData:
		if !p.in || p.reading > 0 {
			return nil
		}
		if p.text.Write(e); p.text.Len() > maxText && utf8.RuneCountInString(p.text.String()) > maxText {
			return errToken
		}
	}
	return nil
}

// spelled is a character as workbooks spell it out: _x0041_ is A.
var spelled = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// plain is text without characters that are spelled out.
func plain(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return spelled.ReplaceAllStringFunc(text, func(s string) string {
		const base, bits = 16, 32
		r, _ := strconv.ParseInt(s[len("_x"):len(s)-1], base, bits) // four digits of that base
		return string(rune(r))
	})
}

// readTexts unpacks the shared texts of a workbook to disk. Errors: ports.ErrSheet, ports.ErrSheetSize.
func readTexts(p parts, part, dir string) (_ *texts, err error) {
	t := &texts{}
	if part == "" {
		return t, nil
	}
	in, err := p.open(part)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err = errors.Join(err, in.Close()); err != nil {
			err = errors.Join(err, t.Close())
		}
	}()
	if t.file, err = setAside(dir); err != nil {
		return nil, err
	}
	out := bufio.NewWriter(t.file)
	if err := t.take(newTags(in), out); err != nil {
		return nil, err
	}
	return t, out.Flush()
}

// take writes every text to out, and where it ends.
func (t *texts) take(from *tags, out *bufio.Writer) error {
	var p prose
	end := 0
	for {
		token, err := from.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = p.see(token)
		}
		if err != nil {
			return damage(err)
		}
		if e, ok := token.(xml.EndElement); !ok || e.Name.Local != "si" {
			continue
		}
		n, err := out.WriteString(plain(p.text.String()))
		if err != nil {
			return err
		}
		end += n
		if t.ends = append(t.ends, end); len(t.ends) > maxTexts {
			return ports.ErrSheetSize.Saying("The workbook has more than %d texts. Send its rows in parts.", maxTexts)
		}
		p = prose{}
	}
}

// at is the text with a number. Errors: ports.ErrSheet.
func (t *texts) at(number string) (string, error) {
	i, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || i < 0 || i >= len(t.ends) {
		return "", damaged(errors.New("sheet: there is no text " + strconv.Quote(number)))
	}
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	buf := make([]byte, t.ends[i]-start)
	if _, err := t.file.ReadAt(buf, int64(start)); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return string(buf), nil
}

// Close lets go of the texts.
func (t *texts) Close() error {
	if t.file == nil {
		return nil
	}
	return release(t.file)
}
