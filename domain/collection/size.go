package collection

import (
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// MaxRecordBytes bounds the JSON of a record of a schema that declares no bound of its own.
const MaxRecordBytes = 1 << 20

// ErrRecordTooLarge refuses a record whose JSON is larger than its collection allows. Data "limit" is that limit in
// bytes.
var ErrRecordTooLarge = fault.New(fault.Unprocessable, "record_too_large", "The record is too large.")

// SizeLimit is how many bytes the JSON of a record of s may have.
func (s *Schema) SizeLimit() int {
	if s.MaxBytes > 0 {
		return s.MaxBytes
	}
	return MaxRecordBytes
}

// CheckSize refuses a change from before (nil: none) to after that makes the record larger than SizeLimit. A record
// that is larger already may still be made smaller. Errors: ErrRecordTooLarge.
func (s *Schema) CheckSize(before, after Record) error {
	limit := s.SizeLimit()
	size, within := s.sizeUpTo(after, limit)
	if within {
		return nil
	}
	if before != nil {
		if was, _ := s.sizeUpTo(before, 0); size <= was {
			return nil
		}
	}
	return ErrRecordTooLarge.WithMessage("A record of this collection has at most %d bytes of JSON.", limit).
		WithData("limit", int64(limit))
}

// InputSize is the number of bytes of input as JSON.
func InputSize(input map[string]any) int { return len(AppendJSONValue(nil, input)) }

// sizeUpTo is the number of bytes of the record's JSON as the server sees it. within reports that it is at most
// limit; then the number may be another one, since most records are so small that an estimate shows it. The estimate
// lacks the fields that rows do not have, which are null in JSON: hence the margin.
func (s *Schema) sizeUpTo(r Record, limit int) (size int, within bool) {
	const margin = 8
	if size = estimateObject(r); size <= limit/margin {
		return size, true
	}
	size = len(AppendJSON(nil, s, r, View{Audience: ServerOnly}))
	return size, size <= limit
}

// estimatedValue is more than the JSON of any name, number, time or amount has.
const estimatedValue = 128

// estimate is about the size of the JSON of v, and never less than its texts need.
func estimate(v any) (size int) {
	switch v := v.(type) {
	case string:
		return 6*len(v) + estimatedValue
	case JSONNumber:
		return len(v) + estimatedValue
	case []string:
		for _, s := range v {
			size += estimate(s)
		}
	case []Record:
		for _, r := range v {
			size += estimateObject(r)
		}
	case []any:
		for _, e := range v {
			size += estimate(e)
		}
	case map[string]any:
		return estimateObject(v)
	case Record:
		return estimateObject(v)
	}
	return size + estimatedValue
}

func estimateObject(o map[string]any) int {
	size := estimatedValue
	for name, v := range o {
		size += 6*len(name) + estimate(v)
	}
	return size
}

// StringSize is the number of bytes of s as a JSON string, as AppendString writes it.
func StringSize(s string) int {
	size := len(s) + 2
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				size += len("\ufffd") - 1
			}
			i += n
			continue
		case c == '"', c == '\\', c == '\n', c == '\t', c == '\r':
			size++
		case c < ' ':
			size += len(`\u0000`) - 1
		}
		i++
	}
	return size
}
