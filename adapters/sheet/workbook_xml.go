package sheet

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
)

const (
	maxToken  = 512 << 10 // bytes of a tag or a text: the longest text that Excel takes, with every character spelled out
	maxNested = 64        // elements within each other
)

// errToken says that a tag or a text is longer than any that a spreadsheet program writes.
var errToken = errors.New("sheet: a text or a tag without end")

// tags reads XML tag by tag in a bounded space: what is open is counted, not kept.
type tags struct {
	from  *bufio.Reader
	xml   *xml.Decoder
	left  int // bytes that the tag or text being read may still have
	depth int
}

func newTags(from io.Reader) *tags {
	t := &tags{from: bufio.NewReader(from)}
	t.xml = xml.NewDecoder(t)
	return t
}

// ReadByte implements io.ByteReader, by which the decoder takes no more than it needs. Errors: errToken.
func (t *tags) ReadByte() (byte, error) {
	if t.left--; t.left < 0 {
		return 0, errToken
	}
	return t.from.ReadByte()
}

// Read implements io.Reader, though nobody calls it beside ReadByte.
func (t *tags) Read(p []byte) (int, error) { return t.from.Read(p) }

// next is the next tag or text; it is good until the next call. Errors: io.EOF after the last, errToken, and what
// is wrong with it.
func (t *tags) next() (xml.Token, error) {
	t.left = maxToken
	token, err := t.xml.RawToken()
	if err != nil {
		return nil, err
	}
	switch token.(type) {
	case xml.StartElement:
		t.depth++
	case xml.EndElement:
		t.depth--
	default: // opens and ends nothing
	}
	if t.depth > maxNested || t.depth < 0 {
		return nil, errors.New("sheet: elements that are not nested well")
	}
	return token, nil
}

// attribute is what an element says under a name, whatever its name space.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
