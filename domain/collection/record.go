package collection

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// Record is one record: values by field name. A missing or nil value is null. The Go type of a value follows
// from the kind of its field:
//
//	Text Textarea Email Select Relation Upload   string (relations: the id)
//	Number                                       money.Decimal
//	Money                                        money.Money
//	Integer                                      int64
//	Boolean                                      bool
//	Date                                         time.Time, UTC, whole milliseconds
//	Texts Selects RelationMany UploadMany        []string
//	Group                                        Record
//	Array                                        []Record
//	JSON RichText                                a JSONValue
//
// All money of one record is in one currency. Two keys are not fields and never leave the server: sequenceKey
// has the recordSequence, 1 for a new record, and deletedLinksKey what DeletedLinks returns.
type Record map[string]any

// JSONValue is undeclared JSON: nil, bool, string, JSONNumber, []any or map[string]any of such values.
type JSONValue = any

// JSONNumber is the exact text of a JSON number.
type JSONNumber string

// MarshalJSON writes the number as a number.
func (n JSONNumber) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return []byte(n), nil
}

const (
	sequenceKey     = "_sequence"
	deletedLinksKey = "_gone"
)

// ID is the record's id.
func (r Record) ID() string { return r.Text("id") }

// Sequence is the recordSequence: 1, 2, 3… per change; 0 before the record exists.
func (r Record) Sequence() int64 { n, _ := r[sequenceKey].(int64); return n }

// WithSequence sets the recordSequence of r and returns r.
func (r Record) WithSequence(n int64) Record { r[sequenceKey] = n; return r }

// DeletedLinks are the ids in r's relations whose records had been deleted when r was read, separated by
// spaces; known is false if the reader did not check. Changing r does not change them, since an id that is
// added to a relation exists.
func (r Record) DeletedLinks() (ids string, known bool) {
	ids, known = r[deletedLinksKey].(string)
	return ids, known
}

// WithDeletedLinks sets what DeletedLinks returns, and returns r.
func (r Record) WithDeletedLinks(ids string) Record { r[deletedLinksKey] = ids; return r }

// Text is a textual field, "" when null.
func (r Record) Text(name string) string { s, _ := r[name].(string); return s }

// TextOrNull is the value of a textual field: null for "".
func TextOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Texts is a list field of plain values or ids.
func (r Record) Texts(name string) []string { s, _ := r[name].([]string); return s }

// Int is an integer field, 0 when null.
func (r Record) Int(name string) int64 { n, _ := r[name].(int64); return n }

// Bool is a boolean field, false when null.
func (r Record) Bool(name string) bool { b, _ := r[name].(bool); return b }

// Money is a money field; ok is false when null.
func (r Record) Money(name string) (m money.Money, ok bool) {
	m, ok = r[name].(money.Money)
	return m, ok
}

// Decimal is a number field; ok is false when null.
func (r Record) Decimal(name string) (d money.Decimal, ok bool) {
	d, ok = r[name].(money.Decimal)
	return d, ok
}

// Time is a date field; the zero time when null.
func (r Record) Time(name string) time.Time { t, _ := r[name].(time.Time); return t }

// Group is a group field, nil when null.
func (r Record) Group(name string) Record { g, _ := r[name].(Record); return g }

// Rows is an array field.
func (r Record) Rows(name string) []Record { a, _ := r[name].([]Record); return a }

// Clone copies r one level deep: setting a field of the copy does not change r. Values are never changed in
// place.
func (r Record) Clone() Record { return maps.Clone(r) }

// Equal compares two values of one kind. Carts are compared at every change, hence the cases before the use
// of reflection.
func Equal(a, b any) bool {
	if empty(a) && empty(b) {
		return true
	}
	switch ta := a.(type) {
	case time.Time:
		tb, ok := b.(time.Time)
		return ok && ta.Equal(tb)
	case string, int64, bool, money.Money, money.Decimal:
		return a == b
	case Record:
		tb, ok := b.(Record)
		return ok && equalRecords(ta, tb)
	case []Record:
		tb, ok := b.([]Record)
		return ok && slices.EqualFunc(ta, tb, equalRecords)
	}
	return reflect.DeepEqual(a, b)
}

// equalRecords compares field by field; a missing field is null.
func equalRecords(a, b Record) bool {
	shared := 0
	for name, v := range a {
		w, there := b[name]
		if !Equal(v, w) {
			return false
		}
		if there {
			shared++
		}
	}
	if shared == len(b) {
		return true
	}
	for name, w := range b {
		if _, there := a[name]; !there && !empty(w) {
			return false
		}
	}
	return true
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []string:
		return len(v) == 0
	case []Record:
		return len(v) == 0
	}
	return false
}

// TruncateTime converts t to the precision of records: UTC, whole milliseconds.
func TruncateTime(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Link is one id in a relation of a record: the path of the field, the target collection and the id.
type Link struct{ Path, Slug, ID string }

// Links lists the ids in r's declared relation fields, in field order.
func (s *Schema) Links(r Record) []Link { return appendLinks(nil, "", s.Fields, r) }

func appendLinks(out []Link, at string, fields []Field, r Record) []Link {
	for _, f := range fields {
		path := at + f.Name
		switch f.Kind {
		case Relation, Upload:
			if id := r.Text(f.Name); id != "" {
				out = append(out, Link{path, f.Target(), id})
			}
		case RelationMany, UploadMany:
			for i, id := range r.Texts(f.Name) {
				out = append(out, Link{path + "." + strconv.Itoa(i), f.Target(), id})
			}
		case Group:
			out = appendLinks(out, path+".", f.Fields, r.Group(f.Name))
		case Array:
			for i, row := range r.Rows(f.Name) {
				out = appendLinks(out, path+"."+strconv.Itoa(i)+".", f.Fields, row)
			}
		default: // the other kinds have no ids
		}
	}
	return out
}
