package collection

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// TimeFormat is RFC 3339 in UTC with milliseconds, the only format of times on the wire and in stored
// documents.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// View controls how a record is encoded.
type View struct {
	Audience Audience
	Depth    int // levels of relations that are embedded
	// Resolve returns the record behind a relation. embed=false leaves the id; a nil record is encoded as
	// null. Nil: ids only.
	Resolve func(slug, id string) (s *Schema, r Record, embed bool)
	// Full ends the embedding: AppendJSON leaves ids where it is true of the length of the JSON so far. A record may be
	// embedded any number of times, so this, and not what was read, bounds an answer. Nil: there is no end.
	Full func(size int) bool
	// IsDeleted reports ids whose record was deleted; they are encoded as null. Nil: none.
	IsDeleted func(id string) bool
	// Select selects fields of the record, Populate those of embedded records by slug; nil: all.
	Select   *Selection
	Populate map[string]*Selection
}

// AppendJSON appends r in wire format: every declared field that the audience may see, in schema order;
// missing scalars as null, missing lists as [], and money as an exact decimal number of major units.
func AppendJSON(dst []byte, s *Schema, r Record, v View) []byte {
	return encoder{view: v}.record(dst, s, r)
}

// AppendFields is AppendJSON for the named top-level fields only.
func AppendFields(dst []byte, s *Schema, r Record, v View, names []string) []byte {
	var fields []Field
	for _, part := range [][]Field{s.envelopeFields(), s.Fields} {
		for i := range part {
			if slices.Contains(names, part[i].Name) {
				fields = append(fields, part[i])
			}
		}
	}
	return encoder{view: v}.group(dst, fields, r)
}

// AppendGroup appends r in wire format as a group of these fields.
func AppendGroup(dst []byte, fields []Field, r Record, v View) []byte {
	return encoder{view: v}.group(dst, fields, r)
}

// AppendStored appends r in the format of a stored row: with hidden fields, without null and computed fields,
// and with money as minor units beside "_currency".
func AppendStored(dst []byte, s *Schema, r Record) []byte {
	e := encoder{view: View{Audience: ServerOnly}, stored: true}
	dst = e.record(dst, s, r)
	if c := currencyOf(s.Fields, r); c != "" {
		if dst[len(dst)-2] != '{' {
			dst = append(dst[:len(dst)-1], ',')
		} else {
			dst = dst[:len(dst)-1]
		}
		dst = append(dst, `"_currency":`...)
		dst = append(AppendString(dst, string(c)), '}')
	}
	return dst
}

// currencyOf is the single currency of r's money; "" without any.
func currencyOf(fields []Field, r Record) money.Currency {
	for i := range fields {
		f := &fields[i]
		switch f.Kind {
		case Money:
			if m, ok := r.Money(f.Name); ok {
				return m.Currency
			}
		case Group:
			if c := currencyOf(f.Fields, r.Group(f.Name)); c != "" {
				return c
			}
		case Array:
			for _, row := range r.Rows(f.Name) {
				if c := currencyOf(f.Fields, row); c != "" {
					return c
				}
			}
		default: // the other kinds contain no money
		}
	}
	return ""
}

type encoder struct {
	view   View
	stored bool
}

// record encodes a whole record of s.
func (e encoder) record(dst []byte, s *Schema, r Record) []byte {
	dst = e.members(append(dst, '{'), s.envelopeFields(), r)
	return append(e.members(dst, s.Fields, r), '}')
}

func (e encoder) group(dst []byte, fields []Field, r Record) []byte {
	return append(e.members(append(dst, '{'), fields, r), '}')
}

func (e encoder) members(dst []byte, fields []Field, r Record) []byte {
	for i := range fields {
		f := &fields[i]
		v, present := r.Value(f.Name)
		below, shown := e.view.Select.field(f.Name)
		if !shown || f.VisibleTo > e.view.Audience || f.OmitMissing && !present ||
			e.stored && (f.Source != "" || empty(v) && !f.OmitMissing) {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), f.Name...), `":`...) // a registry accepts no name that needs escaping
		if e.view.Select == nil {
			dst = e.value(dst, f, v)
			continue
		}
		inner := e
		inner.view.Select = below
		dst = inner.value(dst, f, v)
	}
	return dst
}

func (e encoder) value(dst []byte, f *Field, v any) []byte {
	switch f.Kind {
	case Group:
		g, _ := v.(Record)
		if g == nil && f.OmitMissing {
			return append(dst, "null"...)
		}
		return e.group(dst, f.Fields, g)
	case Array:
		rows, _ := v.([]Record)
		return list(dst, rows, func(dst []byte, r Record) []byte { return e.group(dst, f.Fields, r) })
	case RelationMany, UploadMany:
		ids, _ := v.([]string)
		return list(dst, ids, func(dst []byte, id string) []byte { return e.link(dst, f, id) })
	case Texts, Selects:
		texts, _ := v.([]string)
		return list(dst, texts, AppendString)
	case Relation, Upload:
		if id, _ := v.(string); id != "" {
			return e.link(dst, f, id)
		}
		return append(dst, "null"...)
	default: // the other kinds are scalar
	}
	return e.scalar(dst, v)
}

// AppendValue appends a single value of a record, or undeclared JSON, in wire format.
func AppendValue(dst []byte, v any) []byte { return encoder{}.scalar(dst, v) }

func (e encoder) scalar(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return AppendString(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case bool:
		return strconv.AppendBool(dst, v)
	case time.Time:
		return append(appendTime(append(dst, '"'), v), '"')
	case money.Money:
		if e.stored {
			return strconv.AppendInt(dst, v.Minor, 10)
		}
		return v.AppendMajor(dst)
	case money.Decimal:
		return append(dst, v.String()...)
	default:
		return AppendJSONValue(dst, v)
	}
}

// appendTime is AppendFormat with TimeFormat, but faster.
func appendTime(dst []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, TimeFormat)
	}
	hour, minute, second := t.Clock()
	const digits = "0123456789"
	two := func(dst []byte, n int) []byte { return append(dst, digits[n/10], digits[n%10]) }
	dst = append(two(two(dst, year/100), year%100), '-')
	dst = append(two(dst, int(month)), '-')
	dst = append(two(dst, day), 'T')
	dst = append(two(dst, hour), ':')
	dst = append(two(dst, minute), ':')
	dst = append(two(dst, second), '.')
	milli := t.Nanosecond() / 1e6
	return append(two(append(dst, digits[milli/100]), milli%100), 'Z')
}

func (e encoder) link(dst []byte, f *Field, id string) []byte {
	if e.stored || e.view.Depth == 0 || e.view.Resolve == nil || e.view.Full != nil && e.view.Full(len(dst)) {
		if !e.stored && e.view.IsDeleted != nil && e.view.IsDeleted(id) {
			return append(dst, "null"...)
		}
		return AppendString(dst, id)
	}
	s, r, embed := e.view.Resolve(f.Target(), id)
	if !embed {
		return AppendString(dst, id)
	}
	if r == nil {
		return append(dst, "null"...)
	}
	below := e.view
	below.Depth--
	below.Select = below.Populate[f.Target()]
	return AppendJSON(dst, s, r, below)
}

func list[T any](dst []byte, items []T, each func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, it := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = each(dst, it)
	}
	return append(dst, ']')
}

// AppendJSONValue appends undeclared JSON with sorted object keys, so that equal values have equal bytes. Numbers keep
// their notation.
func AppendJSONValue(dst []byte, t JSONValue) []byte {
	return appendTree(dst, t, appendNumberAsWritten)
}

// AppendCanonicalJSON is AppendJSONValue with one notation for each number: 1, 1.0 and 10e-1 have equal bytes. It is
// for comparing values; nobody is shown it.
func AppendCanonicalJSON(dst []byte, t JSONValue) []byte {
	return appendTree(dst, t, appendCanonicalNumber)
}

func appendNumberAsWritten(dst []byte, n JSONNumber) []byte { return append(dst, n...) }

// appendTree appends t with its numbers as number writes them.
func appendTree(dst []byte, t JSONValue, number func([]byte, JSONNumber) []byte) []byte {
	switch t := t.(type) {
	case JSONNumber:
		return number(dst, t)
	case string:
		return AppendString(dst, t)
	case bool:
		return strconv.AppendBool(dst, t)
	case int64:
		return strconv.AppendInt(dst, t, 10)
	case int:
		return strconv.AppendInt(dst, int64(t), 10)
	case []any:
		dst = append(dst, '[')
		for i, v := range t {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendTree(dst, v, number)
		}
		return append(dst, ']')
	case map[string]any:
		return appendObject(dst, t, number)
	}
	return append(dst, "null"...)
}

func appendObject(dst []byte, members map[string]any, number func([]byte, JSONNumber) []byte) []byte {
	var room [16]string // enough for most objects
	keys := room[:0]
	for k := range members {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	dst = append(dst, '{')
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, k), ':')
		dst = appendTree(dst, members[k], number)
	}
	return append(dst, '}')
}

const hex = "0123456789abcdef"

// AppendString appends s as a JSON string. Invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			dst = append(append(dst, s[start:i]...), "\ufffd"...)
			i++
			start = i
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}
