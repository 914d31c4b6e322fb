// Package read parses the bytes of requests: JSON bodies and bracketed query strings into JSON values, forms
// into their parts, and GraphQL requests. It knows no routes and no fields of records; invalid input is a
// fault that says where the problem is.
//
// Details that the rules leave open. JSON: numbers keep their text, a leading byte order mark is skipped, and
// input on which JSON readers disagree is refused: duplicate keys, lone surrogates, NUL, nesting beyond 64
// levels. Query strings follow qs, as the Payload client writes them: a[b][c]=1, a[0]=1, a[]=1, repeated
// keys, gaps and any order; a[]= without a value is an empty list. Neither reader allocates more than a small
// multiple of its input.
package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

const maxNesting = 64

var byteOrderMark = []byte("\ufeff")

// Object reads one JSON object. Errors: fault.ErrMalformed.
func Object(body []byte) (map[string]any, error) {
	v, err := JSON(body)
	if err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fault.ErrMalformed.WithMessage("A JSON object is expected.")
	}
	return m, nil
}

// JSON reads one JSON value. Errors: fault.ErrMalformed.
func JSON(body []byte) (collection.JSONValue, error) {
	body = bytes.TrimPrefix(body, byteOrderMark)
	if err := checkText(body); err != nil {
		return nil, err
	}
	if v, ok := readFast(body); ok {
		return v, nil
	}
	return readStrict(body)
}

// checkText refuses bytes that are not valid text.
func checkText(body []byte) error {
	if !utf8.Valid(body) {
		return fault.ErrMalformed.WithMessage("The body is not valid UTF-8.")
	}
	if at := loneSurrogate(body); at >= 0 {
		return fault.ErrMalformed.WithMessage("The text at byte %d has half of a surrogate pair.", at)
	}
	return nil
}

// readStrict reads one JSON value; its errors say what is wrong and where.
func readStrict(body []byte) (collection.JSONValue, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	v, err := value(dec, 0)
	if err != nil {
		if f, ok := errors.AsType[*fault.Error](err); ok {
			return nil, f
		}
		return nil, fault.ErrMalformed.WithMessage("The body is not valid JSON near byte %d.", dec.InputOffset()).WithCause(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.ErrMalformed.WithMessage("Something follows the JSON value at byte %d.", dec.InputOffset())
	}
	return v, nil
}

// loneSurrogate is the offset of an escape of half a surrogate pair, which the decoder would silently
// replace; -1 when there is none.
func loneSurrogate(body []byte) int {
	for at := bytes.IndexByte(body, '\\'); at >= 0 && at+1 < len(body); {
		next := at + 2
		if first := unicodeEscape(body[at:]); utf16.IsSurrogate(first) {
			next = at + 12
			if utf16.DecodeRune(first, unicodeEscape(body[min(at+6, len(body)):])) == utf8.RuneError {
				return at
			}
		}
		more := bytes.IndexByte(body[next:], '\\')
		if more < 0 {
			break
		}
		at = next + more
	}
	return -1
}

// unicodeEscape is the code unit of the \uXXXX that text starts with, -1 without one.
func unicodeEscape(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

func value(dec *json.Decoder, depth int) (collection.JSONValue, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxNesting {
		return nil, fault.ErrMalformed.WithMessage("The JSON nests deeper than %d levels.", maxNesting)
	}
	switch token {
	case json.Delim('{'):
		return object(dec, depth)
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := value(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	switch v := token.(type) {
	case json.Number:
		return collection.JSONNumber(v), nil
	case string:
		return rejectNUL(v)
	}
	return token, nil // true, false, nil
}

func object(dec *json.Decoder, depth int) (collection.JSONValue, error) {
	m := map[string]any{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if !ok {
			return nil, fault.ErrMalformed
		}
		if _, twice := m[key]; twice {
			return nil, fault.ErrMalformed.WithMessage("The key %q is given twice.", key)
		}
		if _, err := rejectNUL(key); err != nil {
			return nil, err
		}
		if m[key], err = value(dec, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := dec.Token()
	return m, err
}

// rejectNUL refuses the NUL character, which databases cannot store.
func rejectNUL(s string) (collection.JSONValue, error) {
	if hasNUL(s) {
		return nil, fault.ErrMalformed.WithMessage("Text must not contain the NUL character.")
	}
	return s, nil
}

func hasNUL(s string) bool { return strings.IndexByte(s, 0) >= 0 }
