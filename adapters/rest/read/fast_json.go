package read

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// fastReader reads JSON that is in order, from text in UTF-8 without half pairs. It gives up on everything else and says
// nothing about it: strictly does. It keeps no part of text.
type fastReader struct {
	text []byte
	at   int
}

// readFast is what strictly makes of body, or ok is false.
func readFast(body []byte) (v collection.JSONValue, ok bool) {
	s := fastReader{text: body}
	v, ok = s.value(0)
	return v, ok && s.next() == 0
}

// next is the byte behind white space, which comes next; 0 at the end.
func (s *fastReader) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		case 0:
			return ' ' // in the text it is no end
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
		if !ok || len(m) == known { // given twice
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

// string reads text that begins here.
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

// unquote is what a string in quotes says.
func unquote(quoted []byte) (text string, ok bool) {
	err := json.Unmarshal(quoted, &text)
	return text, err == nil && !hasNUL(text)
}

// number reads a number that begins here.
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

// skip passes one of the bytes of set, if it comes next.
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
