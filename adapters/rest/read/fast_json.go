package read

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// fastReader reads valid JSON in UTF-8 without lone surrogates. It gives up on anything else without a
// reason; readStrict then reports what is wrong. It keeps no reference to text.
type fastReader struct {
	text []byte
	at   int
}

// readFast reads body as readStrict would; ok is false when it gave up.
func readFast(body []byte) (v collection.JSONValue, ok bool) {
	s := fastReader{text: body}
	v, ok = s.value(0)
	return v, ok && s.next() == 0
}

// next skips white space and returns the byte after it without consuming it; 0 at the end.
func (s *fastReader) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		case 0:
			return ' ' // a NUL byte in the text is not the end
		default:
			return c
		}
	}
	return 0
}

func (s *fastReader) value(depth int) (v collection.JSONValue, ok bool) {
	c := s.next()
	switch {
	case depth > maxNesting:
		return nil, false
	case c == '{':
		return s.object(depth)
	case c == '[':
		return s.list(depth)
	case c == '"':
		return s.string()
	case c == 't':
		return true, s.word("true")
	case c == 'f':
		return false, s.word("false")
	case c == 'n':
		return nil, s.word("null")
	}
	return s.number()
}

func (s *fastReader) word(w string) bool {
	found := bytes.HasPrefix(s.text[s.at:], []byte(w))
	s.at += len(w)
	return found
}

func (s *fastReader) object(depth int) (collection.JSONValue, bool) {
	m := map[string]any{}
	s.at++
	if s.next() == '}' {
		s.at++
		return m, true
	}
	for {
		if s.next() != '"' {
			return nil, false
		}
		key, ok := s.string()
		if !ok || s.next() != ':' {
			return nil, false
		}
		s.at++
		v, ok := s.value(depth + 1)
		known := len(m)
		m[key] = v
		if !ok || len(m) == known { // duplicate key
			return nil, false
		}
		switch s.next() {
		case ',':
			s.at++
		case '}':
			s.at++
			return m, true
		default:
			return nil, false
		}
	}
}

func (s *fastReader) list(depth int) (collection.JSONValue, bool) {
	list := []any{}
	s.at++
	if s.next() == ']' {
		s.at++
		return list, true
	}
	for {
		v, ok := s.value(depth + 1)
		if !ok {
			return nil, false
		}
		list = append(list, v)
		switch s.next() {
		case ',':
			s.at++
		case ']':
			s.at++
			return list, true
		default:
			return nil, false
		}
	}
}

// string reads the string that starts here.
func (s *fastReader) string() (text string, ok bool) {
	start, escapes := s.at, false
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"' && escapes:
			s.at++
			return unquote(s.text[start:s.at])
		case c == '"':
			s.at++
			return string(s.text[start+1 : s.at-1]), true
		case c == '\\':
			escapes = true
			s.at++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// unquote is the value of a quoted string.
func unquote(quoted []byte) (text string, ok bool) {
	err := json.Unmarshal(quoted, &text)
	return text, err == nil && !hasNUL(text)
}

// number reads the number that starts here.
func (s *fastReader) number() (collection.JSONValue, bool) {
	start := s.at
	s.skip("-")
	if !s.skip("0") && !s.digits() {
		return nil, false
	}
	if s.skip(".") && !s.digits() {
		return nil, false
	}
	if s.skip("eE") {
		s.skip("+-")
		if !s.digits() {
			return nil, false
		}
	}
	return collection.JSONNumber(s.text[start:s.at]), true
}

// skip consumes one byte if it is in set.
func (s *fastReader) skip(set string) bool {
	if s.at < len(s.text) && strings.IndexByte(set, s.text[s.at]) >= 0 {
		s.at++
		return true
	}
	return false
}

func (s *fastReader) digits() bool {
	start := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at > start
}
